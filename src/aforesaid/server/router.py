"""Creates the API's routers, and the parts of responses that they share: pages, lists and the `Location` header."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar
from urllib.parse import quote

from fastapi import APIRouter, Response
from fastapi.routing import APIRoute
from pydantic.alias_generators import to_camel

from aforesaid import Conversation
from aforesaid.server.errors import COMMON_PROBLEMS

PREFIX = "/api/memory"

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Page(Generic[T]):
    """`next` is the value of `after` for the next page; null on the last page."""

    items: list[T]
    next: str | None


@dataclass(frozen=True, slots=True)
class ListResponse(Generic[T]):
    items: list[T]


def api_router(tag: str, path: str = "") -> APIRouter:
    return APIRouter(
        prefix=PREFIX + path, tags=[tag], responses=COMMON_PROBLEMS, generate_unique_id_function=operation_id
    )


def operation_id(route: APIRoute) -> str:
    """Returns for example `facts.list`: the tag, and the name of the route, which is by default its function's name."""
    return f"{route.tags[0]}.{to_camel(route.name)}"


def list_response(items: Iterable[T]) -> ListResponse[T]:
    return ListResponse(list(items))


def paginate(items: Sequence[T], limit: int, cursor: Callable[[T], str]) -> Page[T]:
    """Makes a page of items that were read with a limit of one more than the page has."""
    page = list(items[:limit])
    return Page(page, cursor(page[-1]) if len(items) > limit else None)


def set_location(response: Response, chat: Conversation, *segments: str) -> None:
    """Sets the `Location` header to the path of a new record of a conversation."""
    path = "/".join(quote(segment, safe="") for segment in ("conversations", chat.id, *segments))
    response.headers["Location"] = f"{PREFIX}/{path}?space={quote(chat.space, safe='')}"
