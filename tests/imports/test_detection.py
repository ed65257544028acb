"""Tests that a format is recognised by several of its fields, and that a file of none is refused."""

import json
from typing import Any

import pytest
from tests.imports import samples
from tests.imports.test_chat import DUMPED, LANGCHAIN, MEMORIES, TALK
from tests.imports.test_claude import MEMORY
from tests.imports.world import claude, human, lines, trip, written

from aforesaid import InvalidInput
from aforesaid.interop.chat_import.formats import JSON_FORMATS, detect_format
from aforesaid.models.transfer import IMPORT_FORMATS

pytestmark = pytest.mark.req("X8")


def first_line(name: str) -> list:
    folder = samples.EXPORTS / name
    path = next(folder.rglob("*.jsonl")) if folder.is_dir() else folder
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def from_file(name: str) -> Any:
    return json.loads((samples.EXPORTS / name).read_text("utf-8"))


KNOWN = {
    "chatgpt": [trip()],
    "claude": [claude("c", human("a", "Hello")), MEMORY],
    "chat": [{"messages": TALK}, *TALK],
    "langchain": [{"messages": LANGCHAIN}, *LANGCHAIN, *DUMPED],
    "mem0": [{"results": MEMORIES}, *MEMORIES, from_file("mem0ai-2.2.1.json")],
    "claude-code": first_line("claude-code"),
    "codex": first_line("codex"),
    "openwebui": [samples.OPENWEBUI],
    "librechat": [samples.LIBRECHAT],
    "telegram": [samples.TELEGRAM, samples.TELEGRAM_ACCOUNT],
    "slack": [
        *samples.SLACK["users.json"],
        *samples.SLACK["channels.json"],
        *samples.SLACK["memories/2026-01-01.json"],
    ],
    "discord": [samples.DISCORD],
    "letta": [samples.LETTA, samples.LETTA_OLD, *first_line("letta-client-1.12.1.jsonl")],
    "zep": [samples.ZEP_V2, samples.ZEP_V3, samples.ZEP_V4, samples.ZEP_FACTS, *first_line("zep-cloud-4.0.1.jsonl")],
    "sharegpt": [samples.SHAREGPT],
    "gemini": samples.GEMINI,
    "pydantic-ai": from_file("pydantic-ai-2.66.json"),
    "langmem": from_file("langmem-0.0.30.json"),
}


def test_every_format_has_a_sample():
    assert set(KNOWN) == set(JSON_FORMATS)
    assert set(IMPORT_FORMATS) - set(KNOWN) == {"whatsapp", "llm"}  # not JSON


@pytest.mark.parametrize("format", KNOWN)
def test_each_record_is_recognised_as_its_format_and_as_no_other_before_it(format):
    assert {detect_format(record) for record in KNOWN[format]} == {format}


@pytest.mark.parametrize("format", KNOWN)
def test_one_field_alone_is_not_enough(format):
    for record in KNOWN[format]:
        for name, value in record.items():
            nested = isinstance(value, list) and any(isinstance(one, dict) and len(one) > 1 for one in value)
            if not nested:  # a list of records of the format has more of its fields inside
                assert detect_format({name: value}) is None, name


STRANGERS = {
    "an empty list of messages": {"messages": []},
    "mail": {"messages": [{"subject": "Hay", "body": "It is dry."}]},
    "a tree": {"mapping": {"a": 1}},
    "results of a search": {"results": [{"title": "Hay", "url": "https://hay.example"}]},
    "events": {"type": "click", "data": {"x": 1}},
    "a conversation of tickets": {"conversations": [{"id": 1, "status": "open"}]},
    "other activity": {"header": "YouTube", "title": "Watched a film", "time": "2026-01-01T12:00:00Z", "products": []},
}  # fmt: skip


@pytest.mark.parametrize("name", STRANGERS)
def test_a_file_of_another_program_is_refused(store, tmp_path, name):
    for path in (written(tmp_path / "a.json", STRANGERS[name]), lines(tmp_path / "b.jsonl", *[STRANGERS[name]] * 3)):
        with pytest.raises(InvalidInput, match="has no records of a known format"):
            store.space("alice").import_chats(path)
    assert store.space("alice").info() is None


def test_a_text_file_and_a_database_of_another_program_are_refused(store, tmp_path):
    (tmp_path / "notes.txt").write_text("31/12/2025 was a fine day.\nBob: yes\n", "utf-8")
    with pytest.raises(InvalidInput, match=r"notes\.txt is not valid JSON"):
        store.space("alice").import_chats(tmp_path / "notes.txt")
    samples.logs_db(tmp_path / "logs.db", "0.26")
    (tmp_path / "damaged.db").write_bytes((tmp_path / "logs.db").read_bytes()[:5000])
    with pytest.raises(InvalidInput, match=r"damaged\.db cannot be read as a SQLite database"):
        store.space("alice").import_chats(tmp_path / "damaged.db")
    with pytest.raises(InvalidInput, match="not an export of the format telegram"):
        store.space("alice").import_chats(tmp_path / "logs.db", format="telegram")


@pytest.mark.parametrize("format", ["librechat", "telegram", "discord", "zep"])
def test_formats_that_look_like_api_messages_are_not_taken_for_them(store, tmp_path, format):
    done = store.space("alice").import_chats(written(tmp_path / "a.json", samples.SAMPLES[format]))
    assert (done.formats, done.messages > 1) == ((format,), True)
