"""Parses formats that differ from the messages of chat APIs only by the names of fields: ShareGPT and Zep."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import partial

from aforesaid.interop.chat_import import chat, parsing
from aforesaid.interop.chat_import.exports import (
    ExportedChat,
    ExportedMessage,
    ExportItem,
    SkippedItems,
    SkipReason,
    SourceFile,
)
from aforesaid.models.json import Json
from aforesaid.models.transfer import ImportFormat

Record = Mapping[str, Json]


@dataclass(frozen=True, slots=True)
class FieldNames:
    """The names of fields, the first that exists counts. `required` are the fields by which a message is recognised:
    all of them, and one of `also`. `roles` gives the roles of chat APIs."""

    format: ImportFormat
    lists: tuple[str, ...]
    required: frozenset[str]
    also: frozenset[str]
    role: tuple[str, ...] = ("role",)
    content: str = "content"
    id: str = "id"
    time: str = "created_at"
    chat_ids: tuple[str, ...] = ("id",)
    roles: Mapping[str, str] = field(default_factory=dict)

    def knows(self, record: Record) -> bool:
        return any(self.is_message(one) for name in self.lists for one in parsing.as_list(record.get(name)))

    def is_message(self, record: Json) -> bool:
        return isinstance(record, dict) and self.required <= record.keys() and bool(self.also & record.keys())

    def message(self, record: Json) -> Json:
        """The message with the names of chat APIs."""
        if not isinstance(record, dict):
            return record
        given = next((record[name] for name in self.role if isinstance(record.get(name), str)), None)
        name = record.get("name") or (record.get("role") if self.role[0] != "role" else None)
        return {
            "role": None if given is None else self.roles.get(given.lower(), given.lower()),
            "content": record.get(self.content),
            "id": record.get(self.id),
            "created_at": record.get(self.time),
            "name": None if name == given else name,
        }


SHAREGPT = FieldNames(
    "sharegpt",
    ("conversations", "conversation", "items"),
    frozenset({"from", "value"}),
    frozenset({"from"}),
    ("from",),
    "value",
    roles={"human": "user", "gpt": "assistant", "chatgpt": "assistant", "bing": "assistant", "bard": "assistant",
           "assistant": "assistant", "function_call": "assistant", "observation": "tool", "tool_response": "tool"},
)  # fmt: skip
ZEP = FieldNames(
    "zep",
    ("messages", "items"),
    frozenset({"uuid", "content"}),
    frozenset({"role", "role_type"}),
    ("role_type", "role"),
    id="uuid",
    chat_ids=("thread_id", "session_id", "thread_uuid"),
    roles={"norole": "user", "ai": "assistant", "human": "user", "function": "tool"},
)
FACT = {"uuid": str, "fact": str}  # an edge of Zep's graph
MEMORIES = "zep-facts"  # the conversation of Zep's facts


def sharegpt_chats(elements: Iterator[Json], file: SourceFile) -> Iterator[ExportItem]:
    return _chats(SHAREGPT, elements, file)


def knows_zep(record: Record) -> bool:
    edges = parsing.as_list(record.get("edges"))
    return ZEP.knows(record) or any(parsing.matches_fields(edge, FACT) for edge in edges)


def zep_chats(elements: Iterator[Json], file: SourceFile) -> Iterator[ExportItem]:
    """Messages of threads, and facts of the graph as memories."""
    for number, element in enumerate(elements, 1):
        edges = element.get("edges") if isinstance(element, dict) else None
        if isinstance(edges, list):
            yield from map(_fact, edges)
        else:
            yield from _chats(ZEP, iter([element]), file, number)


def _fact(edge: Json) -> ExportItem:
    if not parsing.matches_fields(edge, FACT) or not edge["fact"].strip():
        return SkippedItems(SkipReason.UNKNOWN)
    at = parsing.parse_time(edge.get("valid_at")) or parsing.parse_time(edge.get("created_at"))
    note = ExportedMessage("assistant", edge["fact"], parsing.valid_id(edge["uuid"]), at, "zep")
    return ExportedChat(MEMORIES, "zep", [note], "Zep facts", at, kind="memories")


def _chats(fields: FieldNames, elements: Iterator[Json], file: SourceFile, first: int = 1) -> Iterator[ExportItem]:
    for number, element in enumerate(elements, first):
        record = parsing.as_object(element)
        listed = next((record[name] for name in fields.lists if isinstance(record.get(name), list)), None)
        if listed is None:
            yield SkippedItems(SkipReason.UNKNOWN)
            continue
        ids = (parsing.valid_id(record.get(name)) for name in fields.chat_ids)
        id = next((id for id in ids if id), f"{number}")
        system = record.get("system")
        opening = [{"role": "system", "content": system}] if isinstance(system, str) and system.strip() else []
        conversation = {"messages": [*opening, *map(fields.message, listed)], "title": record.get("title")}
        named = partial(_named, fields.format, f"{fields.format}:{file.stem}:{id}")
        yield from map(named, chat.chats(iter([conversation]), file))


def _named(source: ImportFormat, id: str, item: ExportItem) -> ExportItem:
    return replace(item, id=id, source=source) if isinstance(item, ExportedChat) else item
