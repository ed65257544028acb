"""LangGraph: a store over the items of a space, for `graph.compile(store=…)` and `create_agent(…, store=…)`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from datetime import timedelta
from math import ceil
from typing import Any

from anyio import to_thread

from aforesaid.errors import InvalidInput, NotFound
from aforesaid.items import ANY, Items
from aforesaid.memory import Memory
from aforesaid.models import item as stored
from aforesaid.space import Space

try:
    from langgraph.store.base import (
        BaseStore,
        GetOp,
        IndexConfig,
        Item,
        ListNamespacesOp,
        Op,
        PutOp,
        Result,
        SearchItem,
        SearchOp,
        TTLConfig,
        validate_op_namespace,
    )
except ImportError as exc:
    raise ImportError('AforesaidStore needs LangGraph: pip install "aforesaid[langgraph]"') from exc

Place = tuple[tuple[str, ...], str]  # the namespace and the key of an item


class AforesaidStore(BaseStore):
    """A LangGraph store whose items are those of a space; of a Memory, those of the space `default`.

    A put is on disk when it returns. A search with a query finds words at once, and meaning when the background worker
    has made the vector. `index={"fields": […]}` names the fields that are searched; the default is every text. The
    embedder is that of the Memory. `ttl` is LangGraph's `TTLConfig`: an item disappears when that time since its last
    put or read is over, in whole seconds, rounded up.
    """

    supports_ttl = True

    def __init__(
        self, memory: Memory | Space, *, index: IndexConfig | None = None, ttl: TTLConfig | None = None
    ) -> None:
        self._space = memory if isinstance(memory, Space) else memory.space("default")
        self._fields = _fields(index or {})
        self.index_config = index
        self.ttl_config = ttl

    def batch(self, ops: Iterable[Op]) -> list[Result]:
        """The results of operations. Reads see the state before the batch; of several puts of a key, the last counts.
        All puts are one transaction."""
        asked = list(ops)
        for op in asked:
            validate_op_namespace(op)
        results = [self._read(op) for op in asked]
        self._write({(tuple(op.namespace), op.key): op for op in asked if isinstance(op, PutOp)})
        return results

    async def abatch(self, ops: Iterable[Op]) -> list[Result]:
        """As `batch`, in a worker thread."""
        return await to_thread.run_sync(self.batch, ops)

    def _read(self, op: Op) -> Result:
        match op:
            case GetOp():
                found = self._items(op.namespace).get(op.key)
                self._refresh([found] if found is not None and op.refresh_ttl else [])
                return None if found is None else Item(**_fields_of(found))
            case SearchOp():
                hits = self._search(op)
                self._refresh([hit.item for hit in hits] if op.refresh_ttl else [])
                return [SearchItem(**_fields_of(hit.item), score=hit.score) for hit in hits]
            case ListNamespacesOp():
                return self._namespaces(op)
            case PutOp():
                return None
            case _:
                raise ValueError(f"Unknown operation type: {type(op)}")

    def _search(self, op: SearchOp) -> Sequence[stored.ItemHit]:
        """The items that match the query, best first, and then the others, as in a search by vectors alone. Their score
        is 0, or None if they are not indexed."""
        stop, items = op.offset + op.limit, self._items(op.namespace_prefix)
        if op.limit < 1:
            return []
        if not (op.query and op.query.strip()):
            return items.search(filter=op.filter, limit=op.limit, offset=op.offset)
        hits = items.search(op.query, filter=op.filter, limit=stop)
        if len(hits) < stop:
            found = {_place(hit.item) for hit in hits}
            others = (hit.item for hit in items.search(filter=op.filter, limit=stop))
            hits += [
                stored.ItemHit(item, None if item.index == () else 0.0) for item in others if _place(item) not in found
            ]
        return hits[op.offset : stop]

    def _namespaces(self, op: ListNamespacesOp) -> list[tuple[str, ...]]:
        conditions = op.match_conditions or ()
        prefix = _joined(condition.path for condition in conditions if condition.match_type == "prefix")
        suffix = _joined(condition.path[::-1] for condition in conditions if condition.match_type == "suffix")
        if prefix is None or suffix is None or op.limit < 1:
            return []
        return self._items(prefix).namespaces(
            suffix=suffix[::-1], max_depth=op.max_depth, limit=op.limit, offset=op.offset
        )

    def _write(self, puts: Mapping[Place, PutOp]) -> None:
        entries = []
        for (namespace, key), op in puts.items():
            if op.value is None:
                self._items(namespace).delete(key)
                continue
            index = self._fields if op.index is None else op.index
            expires = None if op.ttl is None else timedelta(seconds=ceil(op.ttl * 60))
            value = {"value": dict(op.value), "index": index, "expires": expires}
            entries.append({"namespace": namespace, "key": key, **value})
        if entries:
            self._items(()).put_many(entries)

    def _refresh(self, items: Sequence[stored.Item]) -> None:
        """Lets the items that were stored with a `ttl` live as long again."""
        for item in items:
            if item.lifetime is not None:
                with suppress(NotFound):  # it was deleted, or has expired, since it was read
                    self._items(item.namespace).touch(item.key)

    def _items(self, namespace: Sequence[str]) -> Items:
        return self._space.items(tuple(namespace))


def _fields(index: Mapping[str, Any]) -> list[str] | None:
    if "embed" in index or "dims" in index:
        raise InvalidInput('the Memory has its own embedder: Memory("app.db", embedder=…); index takes only "fields"')
    return index.get("fields")


def _fields_of(item: stored.Item) -> dict[str, Any]:
    names = ("namespace", "key", "value", "created_at", "updated_at")
    return {name: getattr(item, name) for name in names}


def _place(item: stored.Item) -> Place:
    return item.namespace, item.key


def _joined(paths: Iterable[Sequence[str]]) -> tuple[str, ...] | None:
    """One path that matches what all of these match; None if nothing can."""
    joined: list[str] = []
    for path in paths:
        for at, segment in enumerate(path):
            if at == len(joined):
                joined.append(segment)
            elif joined[at] == ANY:
                joined[at] = segment
            elif segment not in (ANY, joined[at]):
                return None
    return tuple(joined)
