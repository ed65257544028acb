"""What a model answers, as it comes."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from dataclasses import asdict
from functools import partial
from typing import Annotated, Literal

from anyio import to_thread
from fastapi import Depends, Request
from pydantic import Field

from recollect import Answerer, AsyncAnswer
from recollect.access import addresses
from recollect.access.problems import of_error
from recollect.errors import RecollectError
from recollect.models import Json
from recollect.server.events import ALIVE, UNBUFFERED, EventStream, event
from recollect.server.given import Body
from recollect.server.noun import noun
from recollect.server.paths import ConversationName
from recollect.server.routes.messages import Words
from recollect.server.scope import Caller, Readable, Writable
from recollect.server.seats import Seats

router = noun("replies", "/conversations/{conversation}")

MOST = 16  # answers of one principal at once
ALIVE_SECONDS = 15.0
EXAMPLE = """event: begun
data: {"question": "m1", "receipt": "01JQ…", "model": "ollama:qwen3"}

event: text
data: {"text": "We go to "}

event: text
data: {"text": "Lisbon."}

event: done
data: {"question": "m1", "message": "01JQ…", "seq": 5, "receipt": "01JQ…", "model": "ollama:qwen3", "cut": false,\
 "usage": {"prompt_tokens": 211, "completion_tokens": 7}}

"""


EVENTS: dict[str, Json] = {
    "schema": {
        "type": "object",
        "description": "One event; its data is JSON.",
        "properties": {"event": {"enum": ["begun", "text", "done", "error"]}, "data": {"type": "string"}},
        "required": ["event", "data"],
    },
    "example": EXAMPLE,
}


class Asked(Body):
    """What the user says, and how it is to be answered."""

    content: Words = Field(examples=["Where are we going?"])
    id: str | None = Field(None, description="Yours, for the message; sent again, it is stored once.", examples=["m1"])
    model: str | None = Field(
        None,
        description="Who answers; else the conversation's own, else the server's.",
        examples=["ollama:qwen3"],
    )
    recipe: str = Field("balanced", examples=["balanced", "window", "project", "rolling", "retrieval"])
    max_tokens: int | None = Field(
        None, ge=1, le=2**53, description="Of the context; the recipe's, if it does not say."
    )
    system: str | None = Field(None, description="The persona; else the conversation's first system messages.")
    domain: str | None = Field(None, description="What the caller knows of the matter, for the system text.")
    overflow: Literal["raise", "truncate"] = Field(
        "raise", description="What must be seen and does not fit is refused with `budget_exceeded`, or cut."
    )
    answer_tokens: int = Field(4096, ge=1, le=2**31, description="Of the answer, at most.")


@router.get("/answerer")
def answerer(space: Readable, conversation: ConversationName) -> Answerer:
    """Which language model answers here, and whether it is on this machine; without one, what to do. Asks nobody."""
    return space.conversation(conversation).answerer()


async def begun(
    request: Request, caller: Caller, space: Writable, conversation: ConversationName, body: Asked
) -> AsyncIterator[AsyncAnswer]:
    """An answer that ends with its request."""
    addresses.check(caller, body.model)
    seats: Seats = request.app.state.seats
    ask = partial(space.conversation(conversation).reply, **body.model_dump())
    with seats.taken(caller.id):
        answer = AsyncAnswer(await to_thread.run_sync(ask))
        try:
            yield answer
        finally:
            answer.stop()


@router.post(
    "/reply",
    response_class=EventStream,
    responses={200: {"description": "The answer.", "content": {EventStream.media_type: EVENTS}}},
)
async def reply(answer: Annotated[AsyncAnswer, Depends(begun)]) -> EventStream:
    """Stores the user's message and streams a model's answer to it, as server-sent events.

    `begun` says that the message is stored; each `text` is a piece; `done` says that the answer is stored and what it
    took. `error` is a problem in the place of `done`: nothing of the answer is stored. Whoever goes away stops it.
    Without a model, it is refused with `no_model` and nothing is stored.
    """
    return EventStream(written(answer), headers=UNBUFFERED)


async def written(answer: AsyncAnswer) -> AsyncIterator[bytes]:
    known: dict[str, Json] = {
        "question": answer.question.id, "receipt": answer.context.receipt.id, "model": answer.model
    }  # fmt: skip
    yield event("begun", known)
    try:
        async for piece in pieces(answer):
            yield event("text", {"text": piece}) if piece else ALIVE
        yield event("done", known | outcome(answer))
    except RecollectError as exc:
        yield event("error", asdict(of_error(exc)))


async def pieces(answer: AsyncAnswer) -> AsyncIterator[str]:
    """As they come; an empty one where none has come for a while."""
    while True:
        waiting = asyncio.ensure_future(following(answer))
        try:
            while not waiting.done():
                await asyncio.wait({waiting}, timeout=ALIVE_SECONDS)
                if not waiting.done():
                    yield ""
        finally:
            waiting.cancel()
        piece = waiting.result()
        if piece is None:
            return
        yield piece


async def following(answer: AsyncAnswer) -> str | None:
    return await anext(answer, None)


def outcome(answer: AsyncAnswer) -> dict[str, Json]:
    stored, cost = answer.message, answer.cost
    assert stored is not None, "an answer that came to its end is stored"
    assert cost is not None
    usage = {"prompt_tokens": cost.prompt_tokens, "completion_tokens": cost.completion_tokens}
    return {"message": stored.id, "seq": stored.seq, "cut": bool(stored.metadata.get("cut")), "usage": usage}
