"""Tests that a space exported as JSON files is restored unchanged by an import."""

import json
from dataclasses import replace
from datetime import datetime
from pathlib import Path

import pytest

from aforesaid import ConflictError, InvalidInput, Memory, NotFound, Summary
from aforesaid.models.summary import SummaryStatus


def fill(memory: Memory, clock) -> None:
    alice = memory.space("alice")
    trip = alice.conversation('trip/to "Lisbon"\n%', model="ollama:qwen3")
    trip.start(title="Lisbon", metadata={"colour": "blue"})
    said = "We settled on Lisbon in May. I live in Lisbon. 我喜欢猫 🎉"
    message = trip.add("user", said, id="m 1", metadata={"a": [1, None]})
    clock.forward(seconds=5)
    calls = [{"id": "c1", "type": "function", "function": {"name": "f", "arguments": "{}"}}]
    trip.add("assistant", None, tool_calls=calls)
    trip.add("tool", "", tool_call_id="c1")
    trip.add("user", [{"type": "text", "text": "see"}, {"type": "image_url", "image_url": {"url": "x"}}])
    trip.add("user", "```python\nprint(1)\n```\n" + "Prose about herons. " * 300)
    trip.add("system", "Be brief.")
    trip.pin(message, importance=0.95)
    for id, status in (("s1", "completed"), ("s2", "failed")):
        memory.engine.store.summaries.save(summary(id, trip.id, status, clock.now))
    memory.flush()
    alice.recall("Lisbon in May")
    alice.recall("herons")
    clock.forward(days=1)
    trip.end(outcome="booked")
    memory.flush()  # the summary of its end
    alice.conversation("empty").start()
    alice.set("chunk_tokens", 200)


def summary(id: str, conversation: str, status: SummaryStatus, at: datetime) -> Summary:
    return Summary(
        id, "alice", conversation, "rolling", 0, 3, 4, "They chose Lisbon.", ("travel", "猫"), 0.7, "s0", status,
        "model", "ollama:qwen3", 5, 12.5, None if status == "completed" else "no answer", at,
    )  # fmt: skip


def everything(memory: Memory, space: str) -> dict:
    chats = memory.space(space).conversations()
    handles = [memory.space(space).conversation(chat.id) for chat in chats]
    return {
        "conversations": [{**vars_of(chat), "space": ""} for chat in chats],
        "messages": [[{**vars_of(m), "space": ""} for m in chat.messages(1000)] for chat in handles],
        "chunks": [[chat.chunks(m.id) for m in chat.messages(1000)] for chat in handles],
        "summaries": [[replace(one, space="") for one in chat.summaries(status=None)] for chat in handles],
        "accesses": [[chat.accesses(m.id) for m in chat.messages(1000)] for chat in handles],
        "pins": [chat.pins() for chat in handles],
        "facts": [replace(fact, space="") for fact in memory.space(space).facts(1000, status=None)],
        "relations": memory.space(space).relations(limit=1000),
        "episodes": [[replace(one, space="") for one in chat.episodes()] for chat in handles],
        "removed": [memory.engine.store.episodes.removed(space, chat.id) for chat in chats],
        "marks": [memory.engine.store.pins.marks(space, chat.id) for chat in chats],
        "progress": [memory.engine.store.progress.all(space, chat.id) for chat in chats],
        "settings": memory.space(space).settings(),
        "created": memory.space(space).info().created_at,
    }


def vars_of(value) -> dict:
    return {name: getattr(value, name) for name in value.__slots__}


@pytest.mark.req("B16")
def test_an_imported_space_has_the_same_records_ids_and_times(memory: Memory, clock, tmp_path: Path, open_memory):
    fill(memory, clock)
    folder = memory.space("alice").export(tmp_path / "out" / "alice")
    clock.forward(days=100)
    other = open_memory(str(tmp_path / "other.db"), clock=clock)
    assert other.import_space(folder).id == "alice"
    assert everything(other, "alice") == everything(memory, "alice")
    other.flush()
    assert everything(other, "alice") == everything(memory, "alice")
    memory.flush()
    hits = [other.space("alice").recall("where in May"), memory.space("alice").recall("where in May")]
    assert len({tuple((hit.kind, hit.id) for hit in answer) for answer in hits}) == 1
    assert next(hit.id for hit in hits[0] if hit.kind == "message") == "m 1"
    for kind in ("fact", "pin", "episode"):  # one kind per query, because a message hides records with the same text
        found = [
            {hit.id for hit in each.space("alice").recall("Lisbon in May", kinds=(kind,))} for each in (other, memory)
        ]
        assert found[0] == found[1] != set()
    assert all(finding.ok for finding in other.doctor())


@pytest.mark.req("B16")
def test_importing_twice_changes_nothing(memory: Memory, clock, tmp_path: Path):
    fill(memory, clock)
    folder = memory.space("alice").export(tmp_path / "alice")
    memory.flush()
    before = everything(memory, "alice"), memory.status()
    clock.forward(days=1)
    memory.import_space(folder)
    assert (everything(memory, "alice"), memory.status()) == before


def test_a_space_can_be_imported_under_another_name(memory: Memory, clock, tmp_path: Path):
    fill(memory, clock)
    folder = memory.space("alice").export(tmp_path / "alice")
    memory.import_space(folder, space="copy")
    assert everything(memory, "copy") == everything(memory, "alice")


@pytest.mark.req("B16")
def test_the_exported_files_are_readable_json(memory: Memory, clock, tmp_path: Path):
    fill(memory, clock)
    folder = memory.space("alice").export(tmp_path / "alice")
    assert sorted(file.name for file in folder.iterdir()) == [
        "accesses.json", "chunks.json", "conversations.json", "episodes.json", "facts.json", "manifest.json",
        "messages.json", "pin_marks.json", "pins.json", "progress.json", "settings.json", "summaries.json",
    ]  # fmt: skip
    manifest = json.loads((folder / "manifest.json").read_text("utf-8"))
    assert manifest["files"] == sorted(file.name for file in folder.iterdir() if file.name != "manifest.json")
    (fact,) = json.loads((folder / "facts.json").read_text("utf-8"))
    assert fact["evidence"] == [{
        "message_id": "m 1", "quote": "I live in Lisbon", "text": "user lives in Lisbon", "value": "Lisbon",
        "supports": True,
    }]  # fmt: skip
    (episode,) = json.loads((folder / "episodes.json").read_text("utf-8"))
    assert (episode["title"], episode["sources"]) == ("We settled on Lisbon in May", {"messages": ["m 1"]})
    steps = json.loads((folder / "progress.json").read_text("utf-8"))
    assert {(step["step"], step["reached"]) for step in steps} == {("episodes", 4), ("facts", 4), ("pins", 4)}
    (mark,) = json.loads((folder / "pin_marks.json").read_text("utf-8"))
    assert mark["source_message_id"] == "m 1"
    messages = json.loads((folder / "messages.json").read_text("utf-8"))
    assert messages[0]["content"] == "We settled on Lisbon in May. I live in Lisbon. 我喜欢猫 🎉"
    assert messages[0]["created_at"] == "2026-03-01T09:30:00+00:00"
    assert "我喜欢猫" in (folder / "messages.json").read_text("utf-8")


def test_an_import_neither_duplicates_nor_loses_access_counts(memory: Memory, clock, tmp_path: Path):
    fill(memory, clock)
    trip = memory.space("alice").conversation('trip/to "Lisbon"\n%')
    folder = memory.space("alice").export(tmp_path / "alice")
    before = trip.accesses("m 1")
    assert before is not None
    memory.space("alice").recall("Lisbon")
    memory.import_space(folder)
    after = trip.accesses("m 1")
    assert after is not None
    assert after.count == before.count + 1
    copy = memory.import_space(folder, space="copy").conversation(trip.id)
    assert copy.accesses("m 1") == before
    assert memory.retrievals("copy") == []


def test_a_summary_in_progress_is_not_exported(memory: Memory, clock, tmp_path: Path):
    memory.space("alice").conversation("c").start()
    memory.engine.store.summaries.save(summary("s1", "c", "processing", clock.now))
    folder = memory.space("alice").export(tmp_path / "alice")
    assert json.loads((folder / "summaries.json").read_text("utf-8")) == []


def test_an_export_of_format_version_1_can_be_imported(memory: Memory, clock, tmp_path: Path):
    fill(memory, clock)
    folder = memory.space("alice").export(tmp_path / "alice")
    for name in ("summaries", "accesses"):
        (folder / f"{name}.json").unlink()
    with pytest.raises(InvalidInput, match=r"summaries\.json is missing"):
        memory.import_space(folder, space="whole")
    manifest = json.loads((folder / "manifest.json").read_text("utf-8"))
    (folder / "manifest.json").write_text(json.dumps(manifest | {"version": 1}), "utf-8")
    copy = memory.import_space(folder, space="copy")
    assert copy.info().messages == 6
    assert copy.conversation('trip/to "Lisbon"\n%').summaries(status=None) == []


@pytest.mark.parametrize(
    ("name", "change", "reason"),
    [
        ("summaries", {"status": "processing"}, "status must be one of completed, failed"),
        ("summaries", {"text": " "}, "text is empty"),
        ("summaries", {"topics": "travel"}, "topics must be a list"),
        ("summaries", {"last_seq": -1}, "last_seq"),
        ("summaries", {"milliseconds": -1}, "milliseconds"),
        ("accesses", {"count": 0}, "count"),
        ("accesses", {"last_at": "yesterday"}, "last_at"),
    ],
)
def test_an_invalid_summary_or_access_is_rejected(memory: Memory, clock, tmp_path: Path, name, change, reason):
    fill(memory, clock)
    folder = memory.space("alice").export(tmp_path / "alice")
    first, *rest = json.loads((folder / f"{name}.json").read_text("utf-8"))
    (folder / f"{name}.json").write_text(json.dumps([first | change, *rest]), "utf-8")
    with pytest.raises(InvalidInput, match=reason):
        memory.import_space(folder, space="copy")


def test_reformatted_json_files_can_be_imported(memory: Memory, clock, tmp_path: Path):
    fill(memory, clock)
    folder = memory.space("alice").export(tmp_path / "alice")
    for file in folder.iterdir():
        file.write_text(json.dumps(json.loads(file.read_text("utf-8")), indent=4), "utf-8")
    memory.import_space(folder, space="copy")
    assert everything(memory, "copy") == everything(memory, "alice")


def test_a_message_with_the_same_id_and_other_content_is_a_conflict(memory: Memory, clock, tmp_path: Path):
    fill(memory, clock)
    folder = memory.space("alice").export(tmp_path / "alice")
    text = (folder / "messages.json").read_text("utf-8")
    (folder / "messages.json").write_text(text.replace("Lisbon in May", "Porto in June"), "utf-8")
    with pytest.raises(ConflictError, match="m 1"):
        memory.import_space(folder)
    memory.space("other").conversation('trip/to "Lisbon"\n%').add("user", "somebody else's first words")
    with pytest.raises(ConflictError, match="another space"):
        memory.import_space(folder, space="other")


def test_a_failed_export_or_import_reports_the_reason(memory: Memory, clock, tmp_path: Path):
    with pytest.raises(NotFound, match="nobody"):
        memory.space("nobody").export(tmp_path / "x")
    fill(memory, clock)
    folder = memory.space("alice").export(tmp_path / "alice")
    with pytest.raises(InvalidInput, match="new or empty"):
        memory.space("alice").export(folder)
    with pytest.raises(InvalidInput, match="no manifest"):
        memory.import_space(tmp_path)
    (folder / "pins.json").write_text('[{"id": "p"', "utf-8")
    with pytest.raises(InvalidInput, match=r"pins\.json cannot be read"):
        memory.import_space(folder, space="x")
    (folder / "pins.json").write_text('[{"conversation": "c"}]', "utf-8")
    with pytest.raises(InvalidInput, match="has no 'id'"):
        memory.import_space(folder, space="y")
    (folder / "messages.json").unlink()
    with pytest.raises(InvalidInput, match=r"messages\.json is missing"):
        memory.import_space(folder, space="z")
    (folder / "manifest.json").write_text('{"format": "aforesaid-space", "version": 99}', "utf-8")
    with pytest.raises(InvalidInput, match="version 99"):
        memory.import_space(folder)


def test_long_exports_and_imports_report_progress(memory: Memory, tmp_path: Path):
    memory.space("alice").conversation("c").add_many({"role": "user", "content": f"n {n}"} for n in range(1200))
    seen: list[tuple[int, int]] = []
    memory.space("alice").export(tmp_path / "x", progress=lambda done, total: seen.append((done, total)))
    assert seen[-1] == (1200, 1200)
    seen.clear()
    memory.import_space(tmp_path / "x", space="y", progress=lambda done, total: seen.append((done, total)))
    counted, stored = [tick for tick in seen if not tick[0]], [tick for tick in seen if tick[0]]
    assert counted == [(0, 500), (0, 1000)]  # while it counts, the total grows
    assert stored == [(500, 1200), (1000, 1200), (1200, 1200)]
    assert seen == counted + stored


@pytest.mark.req("D5")
def test_a_profile_is_exported_only_with_consent_and_imported_with_its_history(memory: Memory, clock, tmp_path):
    ann = memory.space("ann")
    ann.grant_consent(by="ann", note="yes")
    ann.set_profile({"city": "Porto"}, text="about")
    clock.forward(days=1)
    ann.set_profile({"city": "Rome", "age": 41})
    ann.export(tmp_path / "with")
    copy = memory.import_space(tmp_path / "with", space="copy")
    assert copy.profile().fields == ann.profile().fields
    assert copy.profile(as_of="2026-03-01").values == {"city": "Porto"}
    assert copy.profile().text == "about"
    assert (copy.consent().at, copy.consent().by, copy.consent().note) == (
        ann.consent().at, "ann", "yes",
    )  # fmt: skip
    before = [entry for entry in copy.audit() if entry.action != "read"]
    assert all(entry.imported for entry in before)
    assert {entry.action for entry in before} == {"grant", "change", "export", "import"}
    memory.import_space(tmp_path / "with", space="copy")
    assert [entry for entry in copy.audit() if entry.action != "read"] == before
    ann.revoke_consent()
    ann.export(tmp_path / "without")
    assert not (tmp_path / "without" / "profile.json").exists()
    assert not (tmp_path / "without" / "consent.json").exists()
    text = "".join(file.read_text("utf-8") for file in (tmp_path / "without").iterdir())
    assert "Porto" not in text
    assert "Rome" not in text
    assert '"revoke"' in text


@pytest.mark.req("D5")
def test_an_import_does_not_restore_a_profile_after_consent_was_revoked(memory: Memory, tmp_path):
    ann = memory.space("ann")
    ann.grant_consent()
    ann.set_profile({"city": "Porto"})
    ann.export(tmp_path / "out")
    ann.revoke_consent()
    memory.import_space(tmp_path / "out")
    assert not ann.consent().granted
    assert ann.profile().fields == ()
