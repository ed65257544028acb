"""Routes for receipts: what each context contained, and why."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime
from typing import Annotated, Any

from fastapi import Query, Request, Response
from fastapi.responses import HTMLResponse
from pydantic import BaseModel

from aforesaid import Receipt, ReceiptItem, Replay
from aforesaid.server.dependencies import ReadableSpace
from aforesaid.server.params import MAX_NAME_LENGTH, ConversationFilter, Id, Limit
from aforesaid.server.router import ListResponse, api_router
from aforesaid.server.routes.contexts import ContextResponse, PayloadFormat, context_response

router = api_router("receipts", "/receipts")

RECEIPT_POLICY = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'"  # the page has no scripts
HTML_CONTENT: dict[int | str, dict[str, Any]] = {200: {"content": {"text/html": {"schema": {"type": "string"}}}}}


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


@router.get("")
def receipts(
    space: ReadableSpace, limit: Limit = 50, conversation: ConversationFilter = None
) -> ListResponse[ReceiptListItem]:
    """Lists the contexts of the last 30 days without their items, newest first."""
    found = space.receipts(limit, conversation=conversation)
    return ListResponse([ReceiptListItem.model_validate(receipt, from_attributes=True) for receipt in found])


@router.get("/{id}", response_model=Receipt, responses=HTML_CONTENT)
def receipt(space: ReadableSpace, id: Id, request: Request) -> Receipt | Response:
    """Returns each item of a context, each item that was left out, and the reasons. A page for clients that accept
    `text/html` and not JSON."""
    receipt = space.receipt(id)
    accept = request.headers.get("accept", "")
    if "text/html" in accept and "application/json" not in accept:
        return HTMLResponse(receipt.to_html(), headers={"Content-Security-Policy": RECEIPT_POLICY, "Vary": "Accept"})
    return receipt


@router.get("/{id}/replay")
def replay(space: ReadableSpace, id: Id) -> ReceiptComparison:
    """Builds the context again from the current store, and compares. Stores nothing."""
    return receipt_comparison(space.replay(id))


@router.get("/{id}/context")
def rebuilt(space: ReadableSpace, id: Id, format: PayloadFormat | None = None, cache: bool = False) -> ContextResponse:
    """Builds the context again from the current store: the text of its items, or a provider's payload. Stores
    nothing."""
    return replace(context_response(space.rebuild(id), format, cache=cache), receipt=id)


@router.get("/{id}/compare")
def compare(
    space: ReadableSpace,
    id: Id,
    other: Annotated[str, Query(max_length=MAX_NAME_LENGTH, description="A receipt's id.")],
) -> ReceiptComparison:
    """Compares this context with another one of the space."""
    return receipt_comparison(space.compare(id, other))
