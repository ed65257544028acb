"""Tests that the single-statement append stores the rows of the statements in `storage/repositories/messages.py`."""

from __future__ import annotations

from typing import Any

import pytest
from tests.conftest import FakeClock, sql

from aforesaid import ConflictError, Memory
from aforesaid.ingest.draft import MessageInput
from aforesaid.models.message import MessageDraft
from aforesaid.storage.repositories.messages import Append

CODE = "def heron(harbour: str) -> int:\n    return len(harbour)\n\n" * 120
AWKWARD = [
    {"role": "user", "content": "The heron stands in the harbour"},
    {"role": "user", "content": 'quotes " \' \\ \\u0041 {"a": [1]} $1 %s :name ; --', "name": "Ann"},
    {
        "role": "assistant",
        "content": f"Look:\n```python\n{CODE}```\nThat was it, that was it, that was it.",
        "model": "m:1",
    },
    {"role": "system", "content": "You are a heron"},
    {
        "role": "user",
        "content": [{"type": "text", "text": "a picture"}, {"type": "image_url", "image_url": {"url": "x"}}],
    },
    {"role": "assistant", "tool_calls": [{"id": "t", "function": {"name": "f", "arguments": "{}"}}]},
    {"role": "tool", "content": "", "tool_call_id": "t"},
    {"role": "user", "content": "Let us meet tomorrow at noon", "at": "2026-03-01T09:30:00+09:00"},
    {
        "role": "user",
        "content": "港の鷺 🪿 \u2028 ﷺ",
        "importance": 0.1234567890123456,
        "metadata": {"k": ["ü", None, 1e-7]},
    },
    {"role": "user", "content": "word " * 5 + "\t\n\x01\x7f"},
]
KEYS = {"space_key", "conversation_key", "message_key", "target", "record_key", "number"}  # numbered across all spaces
TERMS = """
SELECT t.chunk_key, array_agg(t.term ORDER BY t.term) FROM (
  SELECT x.chunk_key, CASE term WHEN 'c' || m.conversation_key THEN 'c'
                      ELSE substr(term, length(s.space_key::text) + 1) END AS term
  FROM spaces s JOIN chunk_terms x USING (space_key) JOIN chunks k USING (space_key, chunk_key)
  JOIN messages m USING (space_key, message_key), unnest(tsvector_to_array(x.terms)) term WHERE s.id = :space) t
GROUP BY 1 ORDER BY 1
"""


def drafts(memory: Memory) -> list[MessageDraft]:
    given = memory.engine.ingest_options("s", None)
    return [memory.engine.drafts.make(MessageInput.of({"id": f"m{n}", **one}), given) for n, one in enumerate(AWKWARD)]


def stored(memory: Memory, space: str) -> dict[str, list[Any]]:
    """Returns the stored rows of a space, without the keys that differ between spaces."""
    found: dict[str, list[Any]] = {"terms": sql(memory, TERMS, {"space": space})}
    for table in ("conversations", "messages", "chunks", "jobs", "changes"):
        columns = "SELECT column_name FROM information_schema.columns WHERE table_name = :table ORDER BY 1"
        names = [name for (name,) in sql(memory, columns, {"table": table}) if name not in KEYS]
        rows = f"SELECT {', '.join(f'x.{name}' for name in names)} FROM {table} x JOIN spaces s USING (space_key)"
        found[table] = [
            dict(zip(names, row, strict=True)) for row in sql(memory, f"{rows} WHERE s.id = :space", {"space": space})
        ]
        for row in found[table]:
            row.pop("checksum", None)  # it depends on the key of the conversation
            row["at"] = None if table == "changes" else row.get("at")
    return {table: sorted(rows, key=repr) for table, rows in found.items()}


@pytest.mark.req("A17")
@pytest.mark.parametrize("together", [True, False], ids=["all at once", "one by one"])
def test_one_statement_stores_the_same_rows_as_several(address: str, open_memory, clock: FakeClock, together: bool):
    memory = open_memory(address, clock=clock, embedder="none")
    database, at = memory.engine.store.database, clock.now
    made = drafts(memory)
    batches = [made] if together else [[draft] for draft in made]
    answers: dict[str, list[Any]] = {"brief": [], "long": []}
    for space in answers:
        memory.space(space).conversation("c").add("user", "The first", id="first")
    for batch in batches:
        answers["brief"] += memory.engine.store.messages.append("brief", "c", batch, at)
        answers["long"] += database.write(
            lambda session, batch=batch: Append(session, "long", "c", at).run(batch), "long"
        )
    assert [(message.id, message.seq) for message in answers["brief"]] == [(m.id, m.seq) for m in answers["long"]]
    assert memory.space("brief").conversation("c").messages()[1:] == answers["brief"]
    batched_append, long = (stored(memory, space) for space in answers)
    for table, rows in long.items():
        assert batched_append[table] == rows, table
    assert memory.space("brief").conversation("c").chunks("m2") == memory.space("long").conversation("c").chunks("m2")
    assert len(memory.space("brief").conversation("c").chunks("m2")) > 2


def test_a_batch_with_an_existing_id_is_stored_completely_or_not_at_all(address: str, open_memory):
    chat = open_memory(address, embedder="none").space("s").conversation("c")
    chat.add("user", "one", id="a")
    assert [
        m.seq
        for m in chat.add_many([{"role": "user", "content": "one", "id": "a"}, {"role": "user", "content": "two"}])
    ] == [0, 1]
    with pytest.raises(ConflictError):
        chat.add_many([{"role": "user", "content": "three"}, {"role": "user", "content": "other", "id": "a"}])
    assert [message.text for message in chat.messages()] == ["one", "two"]


@pytest.mark.parametrize("status", ["paused", "ended"])
def test_adding_a_message_reactivates_a_paused_or_ended_conversation(address: str, open_memory, status: str):
    chat = open_memory(address, embedder="none").space("s").conversation("c")
    chat.add("user", "one", model="m:1")
    chat.pause() if status == "paused" else chat.end()
    chat.add("assistant", "two", model="m:2")
    info = chat.info()
    assert (info.status, info.ended_at, info.model, info.messages, info.turns) == ("active", None, "m:2", 2, 1)
