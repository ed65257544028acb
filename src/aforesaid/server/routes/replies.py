"""Routes that let a model answer, and stream its answer."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from functools import partial
from typing import Annotated, Literal

from anyio import to_thread
from fastapi import Depends, Query, Request
from pydantic import Field
from pydantic_core import to_jsonable_python

from aforesaid import AsyncAnswer, ResponderInfo
from aforesaid.access import authentication
from aforesaid.access.limits import ConcurrencyLimit
from aforesaid.access.problems import problem_of, problem_record
from aforesaid.errors import AforesaidError
from aforesaid.models.json import Json
from aforesaid.remote.contexts import context_record
from aforesaid.server.dependencies import Caller, ReadableConversation, WritableConversation
from aforesaid.server.params import MAX_NAME_LENGTH
from aforesaid.server.router import api_router
from aforesaid.server.routes.contexts import ContextOptionsBody, context_options
from aforesaid.server.routes.messages import MessageContent
from aforesaid.server.sse import KEEP_ALIVE, UNBUFFERED, EventStreamResponse, event_stream, format_event

router = api_router("replies", "/conversations/{conversation}")

MAX_REPLIES = 16  # concurrent answers of one principal
KEEP_ALIVE_SECONDS = 15.0
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


class ReplyBody(ContextOptionsBody):
    """The user's message, and the model and context for the answer."""

    content: MessageContent = Field(examples=["Where are we going?"])
    id: str | None = Field(
        None, description="Your own id of the message. A repeated message is stored once.", examples=["m1"]
    )
    model: str | None = Field(
        None,
        description="The model that answers. Default: the conversation's, else the server's.",
        examples=["ollama:qwen3"],
    )
    format: Literal["complete"] | None = Field(
        None, description="`complete`: `begun` also has the whole `message` and `context`, and `done` the `cost`."
    )
    answer_tokens: int = Field(4096, ge=1, le=2**31, description="Token limit of the answer.")


@router.get("/answerer")
def answerer(
    chat: ReadableConversation,
    caller: Caller,
    model: Annotated[str | None, Query(max_length=MAX_NAME_LENGTH, description="As in a reply.")] = None,
) -> ResponderInfo:
    """Returns the language model that answers here and whether it is local, or the reason why there is none. Calls no
    model."""
    authentication.check_model_address(caller, model)
    return chat.answerer(model)


async def start_reply(
    request: Request, caller: Caller, chat: WritableConversation, body: ReplyBody
) -> AsyncIterator[AsyncAnswer]:
    """An answer that stops when its request ends."""
    authentication.check_model_address(caller, body.model)
    reply_limit: ConcurrencyLimit = request.app.state.reply_limit
    ask = partial(chat.reply, **context_options(body, "format"))
    with reply_limit.slot(caller.id):
        answer = AsyncAnswer(await to_thread.run_sync(ask))
        try:
            yield answer
        finally:
            answer.stop()


@router.post(
    "/reply",
    response_class=EventStreamResponse,
    responses=event_stream("The answer.", ("begun", "text", "done", "error"), EXAMPLE),
    name="create",
)
async def reply(answer: Annotated[AsyncAnswer, Depends(start_reply)], body: ReplyBody) -> EventStreamResponse:
    """Stores the user's message and streams a model's answer as server-sent events.

    `begun`: the message is stored. `text`: a piece of the answer. `done`: the answer is stored; has its usage.
    `error`: a problem in place of `done`; nothing of the answer is stored. If the client disconnects, the answer stops.
    Without a model, the request is refused with `no_model` and nothing is stored.
    """
    return EventStreamResponse(encode_reply(answer, complete=body.format is not None), headers=UNBUFFERED)


async def encode_reply(answer: AsyncAnswer, *, complete: bool) -> AsyncIterator[bytes]:
    common: dict[str, Json] = {
        "question": answer.question.id, "receipt": answer.context.receipt.id, "model": answer.model
    }  # fmt: skip
    whole: dict[str, Json] = {}
    if complete:
        whole = to_jsonable_python({"message": answer.question, "context": context_record(answer.context)})
    yield format_event("begun", common | whole)
    try:
        async for piece in reply_pieces(answer):
            yield format_event("text", {"text": piece}) if piece else KEEP_ALIVE
        yield format_event("done", common | reply_outcome(answer, complete=complete))
    except AforesaidError as exc:
        yield format_event("error", problem_record(problem_of(exc)))


async def reply_pieces(answer: AsyncAnswer) -> AsyncIterator[str]:
    """Yields the pieces of an answer, and an empty one after each `KEEP_ALIVE_SECONDS` without a piece."""
    while True:
        waiting = asyncio.ensure_future(next_piece(answer))
        try:
            while not waiting.done():
                await asyncio.wait({waiting}, timeout=KEEP_ALIVE_SECONDS)
                if not waiting.done():
                    yield ""
        finally:
            waiting.cancel()
        piece = waiting.result()
        if piece is None:
            return
        yield piece


async def next_piece(answer: AsyncAnswer) -> str | None:
    return await anext(answer, None)


def reply_outcome(answer: AsyncAnswer, *, complete: bool) -> dict[str, Json]:
    stored, cost = answer.message, answer.cost
    assert stored is not None, "a complete answer is stored"
    assert cost is not None
    usage = {"prompt_tokens": cost.prompt_tokens, "completion_tokens": cost.completion_tokens}
    outcome = {"message": stored.id, "seq": stored.seq, "cut": bool(stored.metadata.get("cut")), "usage": usage}
    return outcome | ({"cost": to_jsonable_python(cost)} if complete else {})
