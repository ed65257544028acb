"""Parses `logs.db` of the command `llm`, in the tables of its older versions (`responses`) and newer ones (`threads`).

The database is opened for reading only, and nothing that its schema defines is trusted.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from itertools import groupby
from pathlib import Path

from aforesaid.interop.chat_import import parsing
from aforesaid.interop.chat_import.exports import (
    ExportedChat,
    ExportedMessage,
    ExportItem,
    SkippedItems,
    SkipReason,
    SourceFile,
)
from aforesaid.interop.json_stream import repair
from aforesaid.models.json import Json

HEADER = b"SQLite format 3\0"
MAX_LENGTH = 1 << 27  # bytes of one value
OLD_TABLES = frozenset({"conversations", "responses"})
NEW_TABLES = frozenset({"threads", "turns", "messages", "parts"})

OLD = """
SELECT c.id AS chat, c.name AS title, r.id, r.prompt, r.system, r.response, r.datetime_utc AS at, r.model,
  {calls} AS calls, {results} AS results
FROM responses r LEFT JOIN conversations c ON c.id = r.conversation_id ORDER BY r.conversation_id, r.datetime_utc, r.id
"""
OLD_CALLS = (
    "(SELECT json_group_array(json_object('id', tool_call_id, 'name', name, 'arguments', arguments)) "
    "FROM tool_calls WHERE response_id = r.id)"
)
OLD_RESULTS = (
    "(SELECT json_group_array(json_object('id', tool_call_id, 'output', output)) "
    "FROM tool_results WHERE response_id = r.id)"
)
THREADS = "SELECT id, name, tip_message_hash AS tip, datetime_utc AS at FROM threads ORDER BY datetime_utc, id"
CHAIN = """
WITH RECURSIVE chain(hash, parent, role, depth) AS (
  SELECT hash, parent_hash, role, 0 FROM messages WHERE hash = :tip
  UNION ALL
  SELECT m.hash, m.parent_hash, m.role, chain.depth + 1 FROM chain JOIN messages m ON m.hash = chain.parent
  WHERE chain.depth < 100000
)
SELECT chain.hash, chain.role, p.type, p.text, p.payload, turn.datetime_utc AS at, turn.model
FROM chain LEFT JOIN parts p ON p.message_hash = chain.hash
LEFT JOIN turns turn ON turn.id = (SELECT min(t.id) FROM turns t WHERE t.thread_id = :thread
  AND chain.hash IN (t.tip_message_hash, t.parent_message_hash))
ORDER BY chain.depth DESC, p.position
"""


def chats(path: Path, _file: SourceFile) -> Iterator[ExportItem]:
    """Raises sqlite3.DatabaseError if the file is damaged."""
    with closing(sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True)) as connection:
        connection.row_factory = sqlite3.Row
        connection.text_factory = lambda text: text.decode("utf-8", "replace").replace("\0", "\ufffd")
        connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, MAX_LENGTH)
        for pragma in ("trusted_schema = OFF", "query_only = ON", "cell_size_check = ON"):
            connection.execute(f"PRAGMA {pragma}")
        tables = {row["name"] for row in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
        if not (tables >= OLD_TABLES or tables >= NEW_TABLES):
            yield SkippedItems(SkipReason.UNKNOWN)
        if tables >= OLD_TABLES:
            yield from _old_chats(connection, with_tools={"tool_calls", "tool_results"} <= tables)
        if tables >= NEW_TABLES:
            yield from _threads(connection)


def _old_chats(connection: sqlite3.Connection, *, with_tools: bool) -> Iterator[ExportItem]:
    """The conversations of older versions: a row has a prompt and its answer."""
    query = OLD.format(calls=OLD_CALLS, results=OLD_RESULTS) if with_tools else OLD.format(calls="NULL", results="NULL")
    for chat, rows in groupby(connection.execute(query), lambda row: row["chat"] or row["id"]):
        group = list(rows)
        messages = [message for row in group for message in _exchange(row)]
        begun = parsing.parse_time(group[0]["at"])
        yield ExportedChat(_id(chat), "llm", messages, parsing.valid_title(group[0]["title"]), begun)


def _exchange(row: sqlite3.Row) -> Iterator[ExportedMessage]:
    at = parsing.parse_time(row["at"])
    calls = [parsing.tool_call(one["id"], one["name"], one["arguments"]) for one in _json(row["calls"], [])]
    drafts = [("system", row["system"], None), ("user", row["prompt"], None)]
    drafts += [("tool", one.get("output"), one.get("id")) for one in _json(row["results"], [])]
    for place, (role, text, call_id) in enumerate(drafts):
        if isinstance(text, str) and text.strip():
            id = parsing.stable_id("llm", _id(row["id"]), role, place)
            yield ExportedMessage(role, text, id, at, tool_call_id=parsing.valid_id(call_id))
    answer = row["response"] if isinstance(row["response"], str) else ""
    if answer.strip() or calls:
        model = {"model": row["model"]} if isinstance(row["model"], str) else {}
        yield ExportedMessage("assistant", answer, _id(row["id"]), at, tool_calls=calls or None, metadata=model)


def _threads(connection: sqlite3.Connection) -> Iterator[ExportItem]:
    """The conversations of newer versions: a thread is a chain of messages, which have parts."""
    for thread in connection.execute(THREADS):
        rows = connection.execute(CHAIN, {"tip": thread["tip"], "thread": thread["id"]})
        messages: list[ExportedMessage] = []
        for hash, parts in groupby(rows, lambda row: row["hash"]):
            messages += _messages(parsing.stable_id("llm", _id(thread["id"]), str(hash)), list(parts))
        title, begun = parsing.valid_title(thread["name"]), parsing.parse_time(thread["at"])
        yield ExportedChat(_id(thread["id"]), "llm", messages, title, begun)


def _messages(id: str, parts: list[sqlite3.Row]) -> Iterator[ExportedMessage]:
    role, at = str(parts[0]["role"]), parsing.parse_time(parts[0]["at"])
    payloads = [(part["type"], _json(part["payload"], {})) for part in parts]
    for place, (kind, payload) in enumerate(payloads):
        if kind == "tool_result":
            output, call_id = parsing.result_text(payload.get("output")), parsing.valid_id(payload.get("tool_call_id"))
            yield ExportedMessage("tool", output, parsing.stable_id(id, place), at, tool_call_id=call_id)
    texts = [_text(part) for part in parts if part["type"] == "text"]
    text = "\n\n".join(words for words in texts if words.strip())
    calls = [
        parsing.tool_call(payload.get("tool_call_id"), payload.get("name"), payload.get("arguments"))
        for kind, payload in payloads
        if kind == "tool_call"
    ]
    if text or calls:
        model = {"model": parts[0]["model"]} if role == "assistant" and isinstance(parts[0]["model"], str) else {}
        yield ExportedMessage(role, text, id, at, tool_calls=calls or None, metadata=model)


def _text(part: sqlite3.Row) -> str:
    """The text of a part. Fragments (files that a prompt includes) are left out."""
    if isinstance(part["text"], str):
        return part["text"]
    pieces = [parsing.as_object(piece) for piece in parsing.as_list(_json(part["payload"], {}).get("text_ref"))]
    return "".join(piece["literal"] for piece in pieces if isinstance(piece.get("literal"), str)).strip()


def _id(value: Json) -> str:
    return parsing.valid_id(value) or parsing.stable_id("llm", str(value))


def _json(text: Json, default: Json) -> Json:
    """The value of a JSON text; the default if it is not valid or of another type."""
    try:
        value = json.loads(text) if isinstance(text, str) else default
    except (ValueError, RecursionError):
        return default
    return repair(value) if isinstance(value, type(default)) else default
