"""Routes that build contexts, and the receipts that give the reason for each item."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Annotated, Any, Literal

from fastapi import Depends, Query, Request, Response
from fastapi.responses import HTMLResponse
from pydantic import BaseModel, Field
from pydantic_core import to_jsonable_python

from aforesaid import RECIPES, Budget, Context, Receipt, ReceiptEntry, ReceiptItem, Recipe, Replay, Section, Why
from aforesaid.access.authentication import Principal
from aforesaid.memory import Memory
from aforesaid.models.json import Json
from aforesaid.models.space import MAX_SPACES
from aforesaid.remote.contexts import context_record
from aforesaid.server.dependencies import Caller, MeasuredSpace, ReadableConversation, ReadableSpace, ServedStore
from aforesaid.server.params import MAX_NAME_LENGTH, MAX_SEQ, ConversationFilter, Id, Limit, Seq, ShortText, StrictBody
from aforesaid.server.router import ListResponse, api_router
from aforesaid.space import Space

router = api_router("contexts", "/conversations/{conversation}")
receipts_router = api_router("receipts", "/receipts")

RECEIPT_POLICY = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'"  # the page has no scripts
HTML_CONTENT: dict[int | str, dict[str, Any]] = {200: {"content": {"text/html": {"schema": {"type": "string"}}}}}

PayloadFormat = Literal["openai", "anthropic", "text", "complete"]


class ContextOptionsBody(StrictBody):
    recipe: str | Recipe = Field("balanced", examples=list(RECIPES))
    max_tokens: int | None = Field(
        None, ge=1, le=MAX_SEQ, description="Token limit of the context. Default: the recipe's."
    )
    system: str | None = Field(
        None, description="The system prompt. Default: the conversation's first system messages."
    )
    domain: str | None = Field(None, description="Background knowledge of the caller, for the system text.")
    overflow: Literal["raise", "truncate"] = Field(
        "raise", description="Required parts that do not fit are refused with `budget_exceeded`, or truncated."
    )


class ContextBody(ContextOptionsBody):
    """The question to answer, and the limits of the context."""

    query: str | None = Field(
        None, description="The question. Default: the newest user message.", examples=["Where are we going?"]
    )
    include_newest: bool | None = Field(
        None,
        description="Null shows the current question after the history, true also counts it as a recent message, "
        "false leaves it to the caller to send.",
    )
    since: Seq | None = Field(None, description="The caller sends the messages from this seq on itself.")
    sent: list[ShortText] | None = Field(
        None, max_length=10_000, description="Only the messages with these ids count as sent by the caller."
    )
    filter: dict[str, Json] | None = Field(
        None, description="Recall only what matches: conditions on metadata, as in a recall."
    )
    spaces: Annotated[list[ShortText], Field(max_length=MAX_SPACES)] | None = Field(
        None, description="Also recall from these spaces, all of which the key must open.", examples=[["team"]]
    )
    format: PayloadFormat | None = Field(
        None, description="Returns a payload for this provider's API, instead of the items of each section."
    )
    cache: bool = Field(False, description="With `anthropic`: adds cache markers.")
    dry_run: bool = Field(
        False, description="Stores no receipt and measures nothing. With `complete`, the answer has the receipt."
    )


@dataclass(frozen=True, slots=True)
class ContextResponse:
    """A context. Without `format`, `sections` have items and `system` is the system text. With `format`, `payload` is
    the provider's payload: `messages`, `system` and `messages`, or `text`; with `complete`, all parts of the context
    and its receipt."""

    sections: tuple[Section, ...]
    tokens: int
    budget: Budget
    prefix_tokens: Annotated[
        int, Field(description="The number of leading tokens that stay the same in the next turn.")
    ]
    cache_breakpoints: Annotated[
        tuple[int, ...], Field(description="Indexes in the `messages` of `openai` after which a cache marker belongs.")
    ]
    warnings: tuple[str, ...]
    degraded: tuple[str, ...]
    receipt: Annotated[str, Field(description="The id of the receipt, which gives the reason for each item.")]
    milliseconds: Mapping[str, float]
    system: str | None
    payload: dict[str, Json] | None


@router.post("/context", name="create")
def context(chat: ReadableConversation, caller: Caller, body: ContextBody | None = None) -> ContextResponse:
    """Builds the context for a model, in at most `max_tokens`. If a part is not available, the context is smaller and
    `degraded` names the part."""
    body = body or ContextBody.model_validate({})
    for name in body.spaces or ():
        caller.space(name)
    built = chat.context(**context_options(body, "format", "cache"))
    return context_response(built, body.format, cache=body.cache)


def context_options(body: ContextOptionsBody, *others: str) -> dict[str, Any]:
    """The arguments of a context: all fields but `others`."""
    return {name: getattr(body, name) for name in type(body).model_fields if name not in others}


def context_response(context: Context, format: PayloadFormat | None, *, cache: bool) -> ContextResponse:
    sections = context.sections if format is None else tuple(replace(part, items=()) for part in context.sections)
    payload: dict[str, Json] | None = None
    if format == "openai":
        payload = {"messages": context.to_openai()}
    elif format == "anthropic":
        payload = context.to_anthropic(cache=cache)
    elif format == "complete":
        payload = to_jsonable_python(context_record(context))
    elif format == "text":
        payload = {"text": context.text}
    return ContextResponse(
        sections,
        context.tokens,
        context.budget,
        context.prefix_tokens,
        context.cache_breakpoints,
        context.warnings,
        context.degraded,
        context.receipt.id,
        context.milliseconds,
        context.system if format is None else None,
        payload,
    )


class WhyBody(StrictBody):
    """The message that is asked about."""

    message: str = Field(
        min_length=1,
        max_length=100_000,
        description="The id of a message, or words of it: a part is enough, and they may differ a little.",
        examples=["We settled on Lisbon"],
    )
    message_space: ShortText | None = Field(
        None, description="The space of the message, if it is not that of the context. The key must open it."
    )
    all: bool = Field(False, description="The receipt may be of any space. Needs an admin key to all spaces.")


class ReceiptListItem(BaseModel):
    """A receipt without its items."""

    id: str
    at: datetime
    conversation: str
    question: str | None
    recipe: str
    max_tokens: int
    tokens: int
    prefix_tokens: int
    sections: Mapping[str, int]
    counts: Mapping[str, int]
    warnings: tuple[str, ...]
    degraded: tuple[str, ...]
    digest: str


class ReceiptComparison(BaseModel):
    """Two contexts. `same`: their bytes are equal. `changed` are pairs of items that both contexts list with a
    different reason, score or place."""

    same: bool
    before: Receipt
    after: Receipt
    added: tuple[ReceiptItem, ...]
    removed: tuple[ReceiptItem, ...]
    changed: tuple[tuple[ReceiptItem, ReceiptItem], ...]


def receipt_comparison(replay: Replay) -> ReceiptComparison:
    return ReceiptComparison.model_validate(replay, from_attributes=True)


def receipt_place(space: MeasuredSpace, memory: ServedStore) -> Memory | Space:
    """The space that must have the receipt, or the whole store."""
    return memory if space is None else memory.space(space)


ReceiptPlace = Annotated[Memory | Space, Depends(receipt_place)]


@receipts_router.get("", name="list")
def receipts(
    space: ReadableSpace, limit: Limit = 50, conversation: ConversationFilter = None
) -> ListResponse[ReceiptListItem]:
    """Lists the contexts of the last 30 days without their items, newest first."""
    stored = space.receipts(limit, conversation=conversation)
    return ListResponse([ReceiptListItem.model_validate(receipt, from_attributes=True) for receipt in stored])


def opened_receipt(place: Memory | Space, caller: Principal, id: str) -> Receipt:
    """The receipt. Raises Forbidden unless the key opens all spaces that its context draws on."""
    receipt = place.receipt(id)
    for name in receipt.spaces:
        caller.space(name)
    return receipt


@receipts_router.get("/{id}", response_model=Receipt, responses=HTML_CONTENT, name="get")
def receipt(place: ReceiptPlace, caller: Caller, id: Id, request: Request) -> Receipt | Response:
    """Returns each item of a context, each item that was left out, and the reasons. A page for clients that accept
    `text/html` and not JSON."""
    receipt = opened_receipt(place, caller, id)
    accept = request.headers.get("accept", "")
    if "text/html" in accept and "application/json" not in accept:
        return HTMLResponse(receipt.to_html(), headers={"Content-Security-Policy": RECEIPT_POLICY, "Vary": "Accept"})
    return receipt


@receipts_router.get("/{id}/replay")
def replay(place: ReceiptPlace, caller: Caller, id: Id) -> ReceiptComparison:
    """Builds the context again from the current store, and compares. Stores nothing."""
    opened_receipt(place, caller, id)
    return receipt_comparison(place.replay(id))


@receipts_router.get("/{id}/context", name="rebuild")
def rebuilt(
    space: ReadableSpace, caller: Caller, id: Id, format: PayloadFormat | None = None, cache: bool = False
) -> ContextResponse:
    """Builds the context again from the current store: the text of its items, or a provider's payload. Stores
    nothing."""
    opened_receipt(space, caller, id)
    return replace(context_response(space.rebuild(id), format, cache=cache), receipt=id)


@receipts_router.post("/{id}/why")
def why(space: ReadableSpace, memory: ServedStore, caller: Caller, id: Id, body: WhyBody) -> Why:
    """Says why a message is in a context, or what kept it out: in words, and with its rank, the parts of its score
    beside those of the last item that got in, and its tokens. Makes the call of the receipt again on the current store,
    and stores nothing."""
    if body.all:
        caller.need_all()
    place = memory if body.all else space
    opened_receipt(place, caller, id)
    if body.message_space is not None:
        caller.space(body.message_space)
    return place.why(id, body.message, message_space=body.message_space)


@receipts_router.get("/{id}/items")
def items(space: ReadableSpace, caller: Caller, id: Id) -> ListResponse[ReceiptEntry]:
    """Lists the items of a receipt, in the context or left out, with their words as the model sees them, speaker, time
    and conversation. The text of a record that is no longer stored is empty."""
    opened_receipt(space, caller, id)
    return ListResponse(space.receipt_items(id))


@receipts_router.get("/{id}/compare")
def compare(
    space: ReadableSpace,
    caller: Caller,
    id: Id,
    other: Annotated[str, Query(max_length=MAX_NAME_LENGTH, description="A receipt's id.")],
) -> ReceiptComparison:
    """Compares this context with another one of the space."""
    for each in (id, other):
        opened_receipt(space, caller, each)
    return receipt_comparison(space.compare(id, other))
