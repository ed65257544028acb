"""Routes that let a model answer, and stream its answer."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import ExitStack
from functools import partial
from typing import Annotated, Literal

from anyio import to_thread
from fastapi import Depends, Query, Request
from pydantic import BaseModel, Field
from pydantic_core import to_jsonable_python

from aforesaid import AsyncAnswer, Conversation, Message, ResponderInfo, RunningAnswer
from aforesaid.access import authentication
from aforesaid.access.limits import ConcurrencyLimit
from aforesaid.access.problems import problem_of, problem_record
from aforesaid.errors import AforesaidError
from aforesaid.models.json import Json
from aforesaid.remote.contexts import context_record
from aforesaid.server.broadcasts import AnswerBroadcasts, AnswerEvent
from aforesaid.server.dependencies import Caller, ReadableConversation, WritableConversation
from aforesaid.server.params import MAX_NAME_LENGTH, Id
from aforesaid.server.router import ListResponse, api_router, list_response
from aforesaid.server.routes.contexts import ContextOptionsBody, context_options
from aforesaid.server.routes.messages import MessageContent
from aforesaid.server.sse import KEEP_ALIVE, UNBUFFERED, EventStreamResponse, event_stream, format_event

router = api_router("replies", "/conversations/{conversation}")

MAX_REPLIES = 16  # concurrent answers of one principal
MAX_WATCHERS = 100  # answers that one principal watches
KEEP_ALIVE_SECONDS = 15.0
RETRY_POLL_SECONDS = 0.5  # until a retry is reported
POLL_SECONDS = 1.0  # until the end of an answer of another process is reported
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


WATCH_EXAMPLE = """event: begun
data: {"question": "m1", "receipt": "01JQ…", "model": "ollama:qwen3"}

event: text
data: {"text": "We go to "}

"""


class StopResponse(BaseModel):
    """`stopped` is false if no model was answering."""

    stopped: bool


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
    detached: bool = Field(
        False, description="The answer continues if the client disconnects. `answers/{id}/stop` stops it."
    )


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
) -> AsyncIterator[AsyncIterator[AnswerEvent | None]]:
    """The events of an answer. It stops when its request ends, unless it is detached."""
    authentication.check_model_address(caller, body.model)
    reply_limit: ConcurrencyLimit = request.app.state.reply_limit
    broadcasts: AnswerBroadcasts = request.app.state.broadcasts
    ask = partial(chat.reply, **context_options(body, "format", "detached"))
    with ExitStack() as held:
        held.enter_context(reply_limit.slot(caller.id))
        answer = AsyncAnswer(await to_thread.run_sync(ask))
        held.callback(answer.stop)
        events = broadcast_reply(broadcasts, chat, answer, complete=body.format is not None)
        yield broadcasts.detach(events, held.pop_all()) if body.detached else events


@router.post(
    "/reply",
    response_class=EventStreamResponse,
    responses=event_stream("The answer.", ("begun", "retrying", "text", "done", "stopped", "error"), EXAMPLE),
    name="create",
)
async def reply(
    events: Annotated[AsyncIterator[AnswerEvent | None], Depends(start_reply)],
) -> EventStreamResponse:
    """Stores the user's message and streams a model's answer as server-sent events.

    `begun`: the message is stored. `retrying`: the model is busy or unreachable, and is called again. `text`: a piece
    of the answer. `done`: the answer is stored; has its usage. `stopped`: somebody stopped it; what was written so far
    is stored as `message`. `error`: a problem; nothing of the answer is stored.

    If the client disconnects, the answer stops, and nothing of it is stored, unless it is `detached`. Without a model,
    the request is refused with `no_model` and nothing is stored. A message that is being answered, or was answered, is
    refused with `conflict`.
    """
    return EventStreamResponse(encode(events), headers=UNBUFFERED)


@router.get("/answers", name="running")
def running_answers(chat: ReadableConversation) -> ListResponse[RunningAnswer]:
    """Lists the answers that a model writes now, in any process of the server."""
    return list_response(chat.running_answers())


async def find_answer(
    request: Request, caller: Caller, chat: ReadableConversation, id: Id
) -> AsyncIterator[AsyncIterator[AnswerEvent | None]]:
    """The events of a running answer."""
    watch_limit: ConcurrencyLimit = request.app.state.watch_limit
    broadcasts: AnswerBroadcasts = request.app.state.broadcasts
    with watch_limit.slot(caller.id):
        broadcast = broadcasts.find((chat.space, chat.id, id))
        if broadcast is not None:
            yield broadcast.listen(KEEP_ALIVE_SECONDS)
        else:
            yield follow_elsewhere(chat, id)


@router.get(
    "/answers/{id}",
    response_class=EventStreamResponse,
    responses=event_stream(
        "The answer.", ("begun", "retrying", "text", "done", "stopped", "error", "ended"), WATCH_EXAMPLE
    ),
    name="watch",
)
async def watch_answer(
    events: Annotated[AsyncIterator[AnswerEvent | None], Depends(find_answer)],
) -> EventStreamResponse:
    """Streams the answer that a model writes now to this message: the text so far, then each piece.

    The events are those of `reply`. If another process of the server writes the answer, there is no `text`; `ended`
    comes when it is stored or given up, and at once if no model answers the message.
    """
    return EventStreamResponse(encode(events), headers=UNBUFFERED)


@router.post("/answers/{id}/stop", name="stop")
def stop_answer(chat: WritableConversation, id: Id) -> StopResponse:
    """Stops the answer that a model writes now to this message, in any process, within a second. What was written so
    far is stored, with `stopped` in its metadata."""
    return StopResponse(stopped=chat.stop_answer(id))


def running_answer(chat: Conversation, question: str) -> RunningAnswer | None:
    return next((answer for answer in chat.running_answers() if answer.question == question), None)


async def follow_elsewhere(chat: Conversation, question: str) -> AsyncIterator[AnswerEvent | None]:
    """The events of an answer that another process writes; only the end if none does."""
    running = await to_thread.run_sync(running_answer, chat, question)
    retries = 0
    if running is not None:
        yield "begun", {"question": question, "model": running.model}
    while running is not None:
        if running.retries != retries:
            retries = running.retries
            yield "retrying", {"retries": retries}
        else:
            yield None
        await asyncio.sleep(POLL_SECONDS)
        running = await to_thread.run_sync(running_answer, chat, question)
    yield "ended", {}


async def encode(events: AsyncIterator[AnswerEvent | None]) -> AsyncIterator[bytes]:
    """The events of an answer as bytes; None is a comment that keeps the connection open."""
    async for event in events:
        yield KEEP_ALIVE if event is None else format_event(*event)


async def broadcast_reply(
    broadcasts: AnswerBroadcasts, chat: Conversation, answer: AsyncAnswer, *, complete: bool
) -> AsyncIterator[AnswerEvent | None]:
    """The events of an answer, which everybody who watches it gets too."""
    with broadcasts.open((chat.space, chat.id, answer.question.id)) as broadcast:
        async for event in reply_events(answer, complete=complete):
            if event is not None:
                broadcast.publish(*event)
            yield event


async def reply_events(answer: AsyncAnswer, *, complete: bool) -> AsyncIterator[AnswerEvent | None]:
    common: dict[str, Json] = {
        "question": answer.question.id, "receipt": answer.context.receipt.id, "model": answer.model
    }  # fmt: skip
    whole: dict[str, Json] = {}
    if complete:
        whole = to_jsonable_python({"message": answer.question, "context": context_record(answer.context)})
    yield "begun", common | whole
    try:
        async for event in reply_pieces(answer):
            yield event
        stored = answer.message
        if stored is None or stored.metadata.get("stopped"):
            place = {"message": None, "seq": None} if stored is None else {"message": stored.id, "seq": stored.seq}
            yield "stopped", common | place
        else:
            yield "done", common | reply_outcome(answer, stored, complete=complete)
    except AforesaidError as exc:
        yield "error", problem_record(problem_of(exc))


async def reply_pieces(answer: AsyncAnswer) -> AsyncIterator[AnswerEvent | None]:
    """Yields the pieces of an answer, each retry, and None after `KEEP_ALIVE_SECONDS` without either."""
    retries, idle = 0, 0.0
    while True:
        waiting = asyncio.ensure_future(next_piece(answer))
        try:
            while not waiting.done():
                await asyncio.wait({waiting}, timeout=RETRY_POLL_SECONDS)
                idle += RETRY_POLL_SECONDS
                if waiting.done():
                    break
                if answer.retries != retries:
                    retries = answer.retries
                    yield "retrying", {"retries": retries}
                elif idle >= KEEP_ALIVE_SECONDS:
                    idle = 0.0
                    yield None
        finally:
            waiting.cancel()
        piece = waiting.result()
        if piece is None:
            return
        yield "text", {"text": piece}


async def next_piece(answer: AsyncAnswer) -> str | None:
    return await anext(answer, None)


def reply_outcome(answer: AsyncAnswer, stored: Message, *, complete: bool) -> dict[str, Json]:
    cost = answer.cost
    assert cost is not None, "a complete answer has a cost"
    usage = {"prompt_tokens": cost.prompt_tokens, "completion_tokens": cost.completion_tokens}
    outcome = {"message": stored.id, "seq": stored.seq, "cut": bool(stored.metadata.get("cut")), "usage": usage}
    return outcome | ({"cost": to_jsonable_python(cost)} if complete else {})
