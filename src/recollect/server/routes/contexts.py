"""What the model will see."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Annotated, Literal

from pydantic import Field

from recollect import Budget, Context, Section
from recollect.models import Json
from recollect.server.given import Body
from recollect.server.noun import noun
from recollect.server.paths import ConversationName
from recollect.server.scope import Readable

router = noun("context", "/conversations/{conversation}")

Format = Literal["openai", "anthropic", "text"]


class Wish(Body):
    """What is to be shown, to answer what, in how many tokens."""

    query: str | None = Field(
        None, description="The question; else the newest user message.", examples=["Where are we going?"]
    )
    recipe: str = Field("balanced", examples=["balanced", "window", "project", "rolling", "retrieval"])
    max_tokens: int | None = Field(None, ge=1, le=2**53, description="The recipe's own, if it does not say.")
    system: str | None = Field(None, description="The persona; else the conversation's first system messages.")
    domain: str | None = Field(None, description="What the caller knows of the matter, for the system text.")
    include_newest: bool | None = Field(
        None,
        description="Null shows the message being answered after the history, true counts it among the recent ones "
        "too, false leaves it to the caller to send.",
    )
    overflow: Literal["raise", "truncate"] = Field(
        "raise", description="What must stay and does not fit is refused with `budget_exceeded`, or cut."
    )
    format: Format | None = Field(
        None, description="A payload that a provider takes as it is, in place of the sections' items."
    )
    cache: bool = Field(False, description="With `anthropic`: cache markers where they belong.")


@dataclass(frozen=True, slots=True)
class Shown:
    """A context. Without a `format`, `sections` have their items and `system` is the system text; with one, `payload`
    is what a provider takes: `messages`, `system` and `messages`, or `text`."""

    sections: tuple[Section, ...]
    tokens: int
    budget: Budget
    prefix_tokens: Annotated[int, Field(description="So many tokens stay the same next turn.")]
    cache_breakpoints: Annotated[
        tuple[int, ...], Field(description="The `messages` of `openai` after which a cache marker belongs.")
    ]
    warnings: tuple[str, ...]
    degraded: tuple[str, ...]
    receipt: Annotated[str, Field(description="The id of the receipt, which says why each item is there.")]
    milliseconds: Mapping[str, float]
    system: str | None
    payload: dict[str, Json] | None


@router.post("/context")
def context(space: Readable, conversation: ConversationName, body: Wish | None = None) -> Shown:
    """Builds what the model will see, in at most `max_tokens`. What cannot be had makes it smaller, and is named."""
    asked = body or Wish.model_validate({})
    call = asked.model_dump(exclude={"format", "cache"})
    return shown(space.conversation(conversation).context(**call), asked.format, cache=asked.cache)


def shown(made: Context, format: Format | None, *, cache: bool) -> Shown:
    sections = made.sections if format is None else tuple(replace(one, items=()) for one in made.sections)
    return Shown(
        sections,
        made.tokens,
        made.budget,
        made.prefix_tokens,
        made.cache_breakpoints,
        made.warnings,
        made.degraded,
        made.receipt.id,
        made.milliseconds,
        made.system if format is None else None,
        payload(made, format, cache=cache),
    )


def payload(made: Context, format: Format | None, *, cache: bool) -> dict[str, Json] | None:
    if format == "openai":
        return {"messages": made.to_openai()}
    if format == "anthropic":
        return made.to_anthropic(cache=cache)
    return {"text": made.text} if format == "text" else None
