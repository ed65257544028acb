"""Routes for items: JSON values under a namespace and a key."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated
from urllib.parse import quote, urlencode

from fastapi import Query, Response
from pydantic import BaseModel, Field

from aforesaid.errors import NotFound
from aforesaid.models.item import Item, ItemHit
from aforesaid.models.json import Json
from aforesaid.server.dependencies import ReadableSpace, WritableSpace
from aforesaid.server.params import MAX_LIMIT, MAX_NAME_LENGTH, Id, ShortText, StrictBody
from aforesaid.server.router import PREFIX, ListResponse, api_router, list_response

router = api_router("items")
MAX_SEGMENTS = 100
MAX_ENTRIES = 10_000

Segments = Annotated[
    list[ShortText],
    Query(
        alias="namespace",
        max_length=MAX_SEGMENTS,
        description="The segments of the namespace, outermost first; repeat it. Default: the root.",
    ),
]
NAMESPACE: list[str] = Field([], max_length=MAX_SEGMENTS, description="Default: the root.", examples=[["users", "ana"]])
EXPIRES = "When it disappears: a time, a day, a duration such as `30d`, or `never`. Default: never."


class InNamespaceBody(StrictBody):
    namespace: list[ShortText] = NAMESPACE


class ReplacedItem(BaseModel):
    """An item as it was read. Its other fields do not count."""

    value: Json = Field(examples=[{"theme": "light"}])
    updated_at: datetime


class ItemFields(StrictBody):
    value: Json = Field(description="Any JSON value; kept as it is.", examples=[{"theme": "dark"}])
    text: str | None = Field(None, description="What a search finds it by. Default: every text in the value.")
    index: bool | list[ShortText] | None = Field(
        None, description="Fields of the value that are searched instead, or false for none.", examples=[["theme"]]
    )
    expires: str | None = Field(None, description=EXPIRES, examples=["30d"])
    replaces: ReplacedItem | None = Field(
        None, description="The stored item, as you read it; null if there must be none. Otherwise 409. Default: any."
    )


class ItemBody(ItemFields, InNamespaceBody):
    """Any JSON value, and what a search finds it by."""


class ItemEntry(ItemFields):
    """An item with its key."""

    key: ShortText = Field(examples=["settings"])
    namespace: list[ShortText] = Field([], max_length=MAX_SEGMENTS, description="Below the namespace of the request.")


class ItemsBody(InNamespaceBody):
    """Items that are stored in one transaction."""

    entries: list[ItemEntry] = Field(max_length=MAX_ENTRIES)


class ItemSearchBody(InNamespaceBody):
    """What to find in a namespace and below it."""

    query: str | None = Field(None, description="Default: every item, the latest update first.", examples=["theme"])
    filter: dict[str, Json] | None = Field(
        None, description="Conditions on fields of the values.", examples=[{"theme": "dark", "n": {"$gte": 3}}]
    )
    limit: int = Field(10, ge=1, le=MAX_LIMIT, description="The maximum number of items.")
    offset: int = Field(0, ge=0, le=2**53, description="The number of items to skip.")


class NamespacesQuery(BaseModel):
    """Which namespaces to list."""

    namespace: list[ShortText] = NAMESPACE
    suffix: list[ShortText] = Field(
        [], max_length=MAX_SEGMENTS, description="Only namespaces that end with these segments."
    )
    max_depth: int | None = Field(None, ge=1, le=MAX_SEGMENTS, description="Cut to so many segments.")
    limit: int = Field(100, ge=1, le=MAX_LIMIT, description="The maximum number of namespaces.")
    offset: int = Field(0, ge=0, le=2**53, description="The number of namespaces to skip.")


class ItemRenameBody(InNamespaceBody):
    new_key: ShortText = Field(description="The new key.", examples=["preferences"])
    new_namespace: list[ShortText] | None = Field(
        None, max_length=MAX_SEGMENTS, description="From the root. Default: the same.", examples=[["users", "bob"]]
    )


class NamespaceMoveBody(InNamespaceBody):
    """A namespace, and where its items go."""

    new_namespace: list[ShortText] = Field(
        max_length=MAX_SEGMENTS, description="From the root.", examples=[["users", "anna"]]
    )


class ItemTouchBody(InNamespaceBody):
    expires: str | None = Field(
        None, max_length=MAX_NAME_LENGTH, description="As in a put. Default: its own duration, anew.", examples=["30d"]
    )


class DeleteItemResponse(BaseModel):
    deleted: bool = Field(description="False if there was no such item.")


class MoveItemsResponse(BaseModel):
    moved: int = Field(description="The number of moved items.")


class ClearItemsResponse(BaseModel):
    removed: int = Field(description="The number of deleted items.")


@router.put("/items/{key}", name="put")
def put(space: WritableSpace, key: Id, body: ItemBody, response: Response) -> Item:
    """Stores a JSON value, in place of the one with this namespace and key."""
    item = space.items(body.namespace).put(key, **_arguments(body))
    place = urlencode([("space", space.id), *(("namespace", segment) for segment in body.namespace)])
    response.headers["Location"] = f"{PREFIX}/items/{quote(key, safe='')}?{place}"
    return item


@router.post("/items", name="putMany")
def put_many(space: WritableSpace, body: ItemsBody) -> ListResponse[Item]:
    """Stores several values in one transaction."""
    return list_response(space.items(body.namespace).put_many(_entry(entry) for entry in body.entries))


def _entry(entry: ItemEntry) -> dict[str, Json]:
    return {"key": entry.key, "namespace": entry.namespace, **_arguments(entry)}


def _arguments(body: ItemFields) -> dict[str, Json]:
    """The arguments of `put`."""
    given = {name: getattr(body, name) for name in ("value", "text", "index", "expires")}
    if "replaces" in body.model_fields_set:
        read = body.replaces
        given["replaces"] = read and Item("", (), "", read.value, None, read.updated_at, read.updated_at)
    return given


@router.post("/items/search", name="search")
def search(space: ReadableSpace, body: ItemSearchBody) -> ListResponse[ItemHit]:
    """Finds items of a namespace and below it, by words, by meaning and by their values."""
    found = space.items(body.namespace).search(body.query, filter=body.filter, limit=body.limit, offset=body.offset)
    return list_response(found)


@router.get("/namespaces", name="namespaces")
def namespaces(space: ReadableSpace, sought: Annotated[NamespacesQuery, Query()]) -> ListResponse[list[str]]:
    """Lists the namespaces that have items. The segment `*` is a wildcard."""
    options = sought.model_dump(exclude={"namespace"})
    return list_response(map(list, space.items(sought.namespace).namespaces(**options)))


@router.get("/items/{key}", name="get")
def get(space: ReadableSpace, key: Id, namespace: Segments = []) -> Item:  # noqa: B006
    """Returns one item."""
    item = space.items(namespace).get(key)
    if item is None:
        raise NotFound(f"there is no item {key!r} in this namespace of space {space.id!r}")
    return item


@router.delete("/items/{key}", name="delete")
def delete(space: WritableSpace, key: Id, namespace: Segments = []) -> DeleteItemResponse:  # noqa: B006
    """Deletes an item. To scrub the files too, use `forget`."""
    return DeleteItemResponse(deleted=space.items(namespace).delete(key))


@router.delete("/items", name="clear")
def clear(space: WritableSpace, namespace: Segments = []) -> ClearItemsResponse:  # noqa: B006
    """Deletes every item of a namespace and below it."""
    return ClearItemsResponse(removed=space.items(namespace).clear())


@router.post("/items/{key}/rename", name="rename")
def rename(space: WritableSpace, key: Id, body: ItemRenameBody) -> Item:
    """Gives an item another key, or another namespace too. 409 if the place is taken."""
    return space.items(body.namespace).rename(key, body.new_key, namespace=body.new_namespace)


@router.post("/namespaces/move", name="move")
def move(space: WritableSpace, body: NamespaceMoveBody) -> MoveItemsResponse:
    """Moves the items of a namespace and below it to another one. 409 if there are items."""
    return MoveItemsResponse(moved=space.items(body.namespace).move(body.new_namespace))


@router.post("/items/{key}/touch", name="touch")
def touch(space: WritableSpace, key: Id, body: ItemTouchBody) -> Item:
    """Changes only when an item expires."""
    return space.items(body.namespace).touch(key, body.expires)
