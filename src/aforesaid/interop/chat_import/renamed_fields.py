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
    times: tuple[str, ...] = ("created_at",)
    chat_ids: tuple[str, ...] = ("id",)
    roles: Mapping[str, str] = field(default_factory=dict)
    global_ids: bool = False  # no two files have different conversations with the same id

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
            "created_at": next((record[name] for name in self.times if record.get(name)), None),
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
    times=("reference_time", "created_at"),  # when it was said, and when Zep received it
    chat_ids=("thread_id", "session_id", "thread_uuid"),
    roles={"norole": "user", "ai": "assistant", "human": "user", "function": "tool"},
    global_ids=True,
)
FACT = {"uuid": str, "fact": str}  # an edge of Zep's graph
MEMORIES = "zep-facts"  # the conversation of Zep's facts


def sharegpt_chats(elements: Iterator[Json], file: SourceFile) -> Iterator[ExportItem]:
    return _chats(SHAREGPT, elements, file)


def knows_zep(record: Record) -> bool:
    return ZEP.knows(record) or any(map(_is_fact, _edges(record)))


def zep_chats(elements: Iterator[Json], file: SourceFile) -> Iterator[ExportItem]:
    """Messages of threads, and facts of the graph as memories."""
    for number, element in enumerate(elements, 1):
        edges = _edges(element)
        if any(map(_is_fact, edges)):
            yield from map(_fact, edges)
        else:
            yield from _chats(ZEP, iter([element]), file, number)


def _edges(record: Json) -> list[Json]:
    """The edges of an answer, of a page of them, or one edge."""
    listed = [parsing.as_object(record).get(name) for name in ("edges", "items")]
    return next((edges for edges in listed if isinstance(edges, list)), [record])


def _is_fact(edge: Json) -> bool:
    return parsing.matches_fields(edge, FACT)


def _fact(edge: Json) -> ExportItem:
    if not _is_fact(edge) or not edge["fact"].strip():
        return SkippedItems(SkipReason.UNKNOWN)
    if edge.get("invalid_at") or edge.get("expired_at"):
        return SkippedItems(SkipReason.OUTDATED)
    at = parsing.parse_time(edge.get("valid_at")) or parsing.parse_time(edge.get("created_at"))
    note = ExportedMessage("assistant", edge["fact"], parsing.valid_id(edge["uuid"]), at, "zep")
    return ExportedChat(MEMORIES, "zep", [note], "Zep facts", at, kind="memories")


def _chats(fields: FieldNames, elements: Iterator[Json], file: SourceFile, start: int = 1) -> Iterator[ExportItem]:
    for number, element in enumerate(elements, start):
        record = parsing.as_object(element)
        listed = next((record[name] for name in fields.lists if isinstance(record.get(name), list)), None)
        if listed is None:
            yield SkippedItems(SkipReason.UNKNOWN)
            continue
        first = parsing.as_object(listed[0] if listed else None) if fields.global_ids else {}
        ids = (parsing.valid_id(owner.get(name)) for owner in (record, first) for name in fields.chat_ids)
        known = next((id for id in ids if id), None)
        place = fields.format if known and fields.global_ids else f"{fields.format}:{file.stem}"
        system = record.get("system")
        opening = [{"role": "system", "content": system}] if isinstance(system, str) and system.strip() else []
        conversation = {"messages": [*opening, *map(fields.message, listed)], "title": record.get("title")}
        named = partial(_named, fields.format, f"{place}:{known or number}")
        yield from map(named, chat.chats(iter([conversation]), file))


def _named(source: ImportFormat, id: str, item: ExportItem) -> ExportItem:
    return replace(item, id=id, source=source) if isinstance(item, ExportedChat) else item
