"""How much messages matter."""

from __future__ import annotations

from pydantic import AliasChoices, BaseModel, Field

from recollect.models import Scored
from recollect.server.given import Body
from recollect.server.noun import noun
from recollect.server.paths import ConversationName
from recollect.server.scope import Writable

router = noun("messages")


class Scoring(Body):
    """Which messages to weigh; all of the conversation, where it does not say."""

    ids: list[str] | None = Field(
        None,
        validation_alias=AliasChoices("ids", "message_ids", "messageIds"),
        max_length=10_000,
        description="Also as `messageIds`.",
        examples=[["m1"]],
    )
    dry_run: bool = Field(False, description="Says the scores and changes nothing.")


class Scores(BaseModel):
    items: list[Scored]


@router.post("/{conversation}/score-messages")
def score_messages(space: Writable, conversation: ConversationName, body: Scoring | None = None) -> Scores:
    """Gives messages the importance that the rules say now, in place of what they had or the caller gave."""
    asked = body or Scoring.model_validate({})
    return Scores(items=space.conversation(conversation).score(asked.ids, dry_run=asked.dry_run))
