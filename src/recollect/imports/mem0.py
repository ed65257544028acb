"""What mem0 has noted: the answer of `get_all`, or its results."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from recollect.imports.exported import NO_TEXT, UNKNOWN, Aside, Chat, Found, Said
from recollect.imports.names import digest, named
from recollect.imports.when import moment
from recollect.models import Json

NOTES = "mem0"  # the conversation that its memories are kept in
KEPT = ("user_id", "agent_id", "run_id", "actor_id", "role", "attributed_to", "expiration_date", "updated_at")


def chats(elements: Iterator[Json], _file: str) -> Iterator[Found]:
    """Every memory is a message of its own, by nobody in the conversation: mem0's reading of what somebody said."""
    for element in elements:
        page = element.get("results") if isinstance(element, dict) else None
        for found in map(_said, page if isinstance(page, list) else [element]):
            yield found if isinstance(found, Aside) else Chat(NOTES, "mem0", [found], "mem0", found.at, kind="memories")


def _said(record: Json) -> Said | Aside:
    if not isinstance(record, dict) or not isinstance(record.get("memory"), str):
        return Aside(UNKNOWN)
    text = record["memory"]
    if not text.strip():
        return Aside(NO_TEXT)
    own: Mapping[str, Json] = {name: record[name] for name in KEPT if isinstance(record.get(name), str)}
    id = named(record.get("id")) or digest("mem0", text)
    return Said("assistant", text, id, moment(record.get("created_at")), name="mem0", metadata=own)
