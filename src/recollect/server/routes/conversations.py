"""Conversations: where each stands."""

from __future__ import annotations

from typing import Annotated

from fastapi import Query
from pydantic import BaseModel, Field

from recollect.access import addresses
from recollect.errors import InvalidInput
from recollect.models import ConversationInfo, ConversationStatus, Json
from recollect.server.etags import UNCHANGED
from recollect.server.given import LONGEST_NAME, Body
from recollect.server.noun import noun
from recollect.server.page import After, Limit, Page, page
from recollect.server.paths import ConversationName
from recollect.server.routes.messages import Messages
from recollect.server.scope import Caller, Readable, Writable

router = noun("conversations", "/conversations")


class Beginning(Body):
    """A conversation before its first message."""

    title: str | None = Field(None, examples=["A trip to Lisbon"])
    model: str | None = Field(None, description="The model that answers in it.", examples=["ollama:qwen3"])
    metadata: dict[str, Json] | None = None


class Becoming(Body):
    """What is to become of a conversation. What is not named stays."""

    title: str | None = Field(None, examples=["Lisbon, in May"])
    status: ConversationStatus | None = Field(None, examples=["ended"])
    outcome: str | None = Field(None, description="With the status `ended`: what came of it.", examples=["booked"])
    muted: bool | None = Field(
        None, description="What is said in it is neither recalled elsewhere nor distilled.", examples=[False]
    )


class Deleted(BaseModel):
    deleted: bool = Field(description="False where there was nothing to delete.")


@router.get("")
def list_conversations(
    space: Readable,
    limit: Limit = 50,
    after: After = None,
    status: Annotated[ConversationStatus | None, Query()] = None,
    q: Annotated[
        str | None,
        Query(max_length=LONGEST_NAME, description="Words that the name and title have.", examples=["lisbon"]),
    ] = None,
) -> Page[ConversationInfo]:
    """Conversations in the order they were started."""
    found = space.conversations(limit + 1, after=after, status=status, query=q)
    return page(found, limit, lambda one: one.id)


@router.get("/{conversation}", responses=UNCHANGED)
def conversation(space: Readable, conversation: ConversationName) -> ConversationInfo:
    """Status, counts and times."""
    return space.conversation(conversation).info()


@router.get("/{conversation}/recent")
def recent(
    space: Readable,
    conversation: ConversationName,
    limit: Limit = 8,
    include_newest: Annotated[bool, Query(description="The message being answered, too.")] = False,
) -> Messages:
    """The last messages, oldest first, without the newest unless asked for."""
    return Messages(items=space.conversation(conversation).recent(limit, include_newest=include_newest))


@router.put("/{conversation}")
def start_conversation(
    space: Writable, caller: Caller, conversation: ConversationName, body: Beginning
) -> ConversationInfo:
    """Makes a conversation before its first message. One that is there already stays as it is."""
    addresses.check(caller, body.model)
    return space.conversation(conversation, model=body.model).start(title=body.title, metadata=body.metadata)


@router.patch("/{conversation}")
def change_conversation(space: Writable, conversation: ConversationName, body: Becoming) -> ConversationInfo:
    """Renames, mutes, unmutes, pauses, resumes or ends a conversation."""
    if body.outcome is not None and body.status != "ended":
        raise InvalidInput("an outcome is what came of a conversation: say it with the status `ended`")
    chat = space.conversation(conversation)
    if body.title is not None:
        chat.rename(body.title)
    if body.muted is not None and body.muted != chat.info().muted:
        chat.mute() if body.muted else chat.unmute()
    if body.outcome is not None:
        return chat.end(body.outcome)
    if body.status is None or body.status == chat.info().status:
        return chat.info()
    if body.status == "ended":
        return chat.end()
    return chat.pause() if body.status == "paused" else chat.resume()


@router.delete("/{conversation}")
def delete_conversation(space: Writable, conversation: ConversationName) -> Deleted:
    """Removes a conversation and all that came from it. `forget` also scrubs the files and leaves a receipt."""
    return Deleted(deleted=space.conversation(conversation).delete())
