"""Conversations as ChatGPT exports them: a tree of messages, of which the branch that was open last is taken."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from datetime import datetime

from recollect.imports.chatgpt_message import Record, said_in
from recollect.imports.exported import ATTACHED, OTHER_BRANCH, UNKNOWN, Aside, Chat, Found, Said
from recollect.imports.names import digest, named
from recollect.imports.when import EPOCH, moment
from recollect.models import Json


def chats(elements: Iterator[Json], _file: str) -> Iterator[Found]:
    for element in elements:
        if isinstance(element, dict) and isinstance(element.get("mapping"), dict):
            yield from _chat(element)
        else:
            yield Aside(UNKNOWN)


def _chat(record: Record) -> Iterator[Found]:
    nodes = {key: node for key, node in record["mapping"].items() if isinstance(node, dict)}
    path = branch(nodes, record.get("current_node"))
    left: Counter[str] = Counter()
    said: list[Said] = []
    for key in path:
        found = said_in(_message(nodes[key]), key)
        if isinstance(found, Said):
            said.append(found)
            left[ATTACHED] += len(found.metadata.get("attachments", ()))
        elif found is not None:
            left[found] += 1
    left[OTHER_BRANCH] += sum(1 for key in nodes.keys() - set(path) if _message(nodes[key]))
    yield from (Aside(reason, count) for reason, count in left.items() if count)
    id = named(record.get("conversation_id")) or named(record.get("id")) or digest("chatgpt", sorted(nodes)[:1])
    title = record.get("title")
    more = {"archived": True} if record.get("is_archived") is True else {}
    yield Chat(
        id,
        "chatgpt",
        said,
        title if isinstance(title, str) and title.strip() else None,
        moment(record.get("create_time")),
        metadata=more,
    )


def branch(nodes: Mapping[str, Record], current: Json) -> list[str]:
    """The keys from the root to the node that was open last, or to the newest leaf where that is not known. A circle
    is gone through once."""
    at = current if isinstance(current, str) and current in nodes else _newest(nodes)
    path: dict[str, None] = {}
    while isinstance(at, str) and at in nodes and at not in path:
        path[at] = None
        at = nodes[at].get("parent")
    return list(reversed(path))


def _newest(nodes: Mapping[str, Record]) -> str | None:
    parents = {node["parent"] for node in nodes.values() if isinstance(node.get("parent"), str)}
    leaves = [key for key in nodes if key not in parents] or list(nodes)
    return max(leaves, key=lambda key: _at(nodes[key]), default=None)


def _at(node: Record) -> datetime:
    return moment(_message(node).get("create_time")) or EPOCH


def _message(node: Record) -> Record:
    message = node.get("message")
    return message if isinstance(message, dict) else {}
