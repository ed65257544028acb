"""What models were shown, and why."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Annotated, Any

from fastapi import Query, Request, Response
from fastapi.responses import HTMLResponse
from pydantic import BaseModel

from recollect import Receipt, ReceiptItem, Replay
from recollect.server.given import LONGEST_NAME
from recollect.server.noun import noun
from recollect.server.page import Limit
from recollect.server.paths import Id
from recollect.server.routes.contexts import Format, Shown, shown
from recollect.server.scope import Readable

router = noun("receipts", "/receipts")

POLICY = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'"  # the page runs nothing
PAGE: dict[int | str, dict[str, Any]] = {200: {"content": {"text/html": {"schema": {"type": "string"}}}}}


@dataclass(frozen=True, slots=True)
class Slip:
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


class Slips(BaseModel):
    items: list[Slip]


@dataclass(frozen=True, slots=True)
class Compared:
    """Two contexts. `same` says that their bytes are equal; `changed` are pairs of items that are in both and stand
    there for another reason, with another score, or no longer on the same side."""

    same: bool
    before: Receipt
    after: Receipt
    added: tuple[ReceiptItem, ...]
    removed: tuple[ReceiptItem, ...]
    changed: tuple[tuple[ReceiptItem, ReceiptItem], ...]


def compared(replay: Replay) -> Compared:
    return Compared(replay.same, replay.before, replay.after, replay.added, replay.removed, replay.changed)


def wants_a_page(accept: str) -> bool:
    """As browsers ask; not who takes JSON too."""
    return "text/html" in accept and "application/json" not in accept


def slip(receipt: Receipt) -> Slip:
    return Slip(
        receipt.id,
        receipt.at,
        receipt.conversation,
        receipt.question,
        receipt.recipe,
        receipt.max_tokens,
        receipt.tokens,
        receipt.prefix_tokens,
        receipt.sections,
        receipt.warnings,
        receipt.degraded,
        receipt.digest,
    )


@router.get("")
def receipts(
    space: Readable,
    limit: Limit = 50,
    conversation: Annotated[str | None, Query(max_length=LONGEST_NAME)] = None,
) -> Slips:
    """The contexts of the last 30 days, the newest first, without their items."""
    return Slips(items=[slip(one) for one in space.receipts(limit, conversation=conversation)])


@router.get("/{id}", response_model=Receipt, responses=PAGE)
def receipt(space: Readable, id: Id, request: Request) -> Receipt | Response:
    """What is in a context and why, what was left out and why; as a page, for whoever accepts `text/html`."""
    found = space.receipt(id)
    if wants_a_page(request.headers.get("accept", "")):
        return HTMLResponse(found.to_html(), headers={"Content-Security-Policy": POLICY, "Vary": "Accept"})
    return found


@router.get("/{id}/replay")
def replay(space: Readable, id: Id) -> Compared:
    """Builds the context again, with what the store holds now, and compares. Nothing is kept of it."""
    return compared(space.replay(id))


@router.get("/{id}/context")
def rebuilt(space: Readable, id: Id, format: Format | None = None, cache: bool = False) -> Shown:
    """The context built again, with what the store holds now: the words of its items, or a provider's payload.
    Nothing is kept of it."""
    return replace(shown(space.rebuild(id), format, cache=cache), receipt=id)


@router.get("/{id}/compare")
def compare(
    space: Readable, id: Id, other: Annotated[str, Query(max_length=LONGEST_NAME, description="A receipt's id.")]
) -> Compared:
    """This context beside another one of the space."""
    return compared(space.compare(id, other))
