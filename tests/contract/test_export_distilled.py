"""Tests export and import of distilled records: evidence, decisions, sources, and job progress."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from aforesaid import InvalidInput, Memory


def change(folder: Path, name: str, edit: Callable[[list[Any]], Any]) -> None:
    path = folder / name
    records = json.loads(path.read_text("utf-8"))
    edit(records)
    path.write_text(json.dumps(records), "utf-8")


def talk(memory: Memory, clock, times: int = 1) -> None:
    chat = memory.space("alice").conversation("c")
    for _ in range(times):
        chat.add("user", "I live in Lisbon.")
        clock.forward(days=1)
    chat.add("user", "I live in Porto now.")
    chat.add("assistant", "Noted.")
    memory.flush()


@pytest.mark.req("B16")
def test_all_evidence_is_restored_including_evidence_beyond_the_display_limit(
    memory: Memory, clock, tmp_path, open_memory
):
    talk(memory, clock, 30)
    folder = memory.space("alice").export(tmp_path / "alice")
    first = next(one for one in json.loads((folder / "facts.json").read_text("utf-8")) if one["value"] == "Lisbon")
    assert len(first["evidence"]) == 30
    other = open_memory(str(tmp_path / "other.db"), clock=clock)
    again = other.import_space(folder).export(tmp_path / "again")
    assert (again / "facts.json").read_bytes() == (folder / "facts.json").read_bytes()


@pytest.mark.req("B16")
def test_decisions_and_their_undo_data_are_restored(memory: Memory, clock, tmp_path, open_memory):
    talk(memory, clock)
    alice = memory.space("alice")
    new = next(fact for fact in alice.facts(status=None) if fact.value == "Porto")
    folder = alice.export(tmp_path / "alice")
    copy = open_memory(str(tmp_path / "other.db"), clock=clock).import_space(folder)
    assert copy.relations(new.id) == alice.relations(new.id) != []
    clock.forward(days=1)
    copy.undo(new.id)
    assert {fact.value: fact.status for fact in copy.facts(status=None)} == {"Lisbon": "active", "Porto": "pending"}


@pytest.mark.req("B16")
@pytest.mark.parametrize("change_quote", ["I live in Rome", "i live in lisbon"])
def test_a_quote_that_is_not_in_its_message_is_rejected(memory: Memory, clock, tmp_path, change_quote):
    talk(memory, clock)
    folder = memory.space("alice").export(tmp_path / "alice")
    change(folder, "facts.json", lambda facts: facts[0]["evidence"][0].update(quote=change_quote))
    id = json.loads((folder / "facts.json").read_text("utf-8"))[0]["id"]
    with pytest.raises(InvalidInput, match=rf"facts\.json: fact '{id}': message '.*' does not contain the quote"):
        memory.import_space(folder, space="copy")
    assert memory.space("copy").facts(status=None) == []


@pytest.mark.parametrize(
    ("edit", "reason"),
    [
        (lambda facts: facts[1].update(evidence=[]), "no message of a user is evidence for it"),
        (lambda facts: facts[1]["evidence"][0].update(message_id="m"), "there is no message 'm'"),
        (lambda facts: facts[1].update(status="true"), r"facts\.json, record 2: status must be one of"),
        (lambda facts: facts[1].pop("known_from"), r"facts\.json, record 2: a record has no 'known_from'"),
        (lambda facts: facts[0]["ended"][0].update(by="nobody"), "there is no fact 'nobody'"),
        (lambda facts: facts[0]["ended"][0].update(corrected=2), "corrected must be true or false"),
        (lambda facts: facts[1]["relations"][0].update(target=facts[1]["id"]), "no relation to itself"),
        (lambda facts: facts[1].update(tags="x"), "tags must be a list"),
    ],
)
def test_an_invalid_fact_is_rejected(memory: Memory, clock, tmp_path, edit, reason):
    talk(memory, clock)
    folder = memory.space("alice").export(tmp_path / "alice")
    change(folder, "facts.json", edit)
    with pytest.raises(InvalidInput, match=reason):
        memory.import_space(folder, space="copy")


@pytest.mark.req("B16")
def test_rejected_or_removed_records_are_not_created_again(memory: Memory, clock, tmp_path, open_memory):
    alice = memory.space("alice")
    chat = alice.conversation("c")
    chat.add("user", "I am allergic to peanuts. We settled on Lisbon in May.")
    memory.flush()
    for fact in alice.facts():
        alice.reject(fact.id)
    for episode in chat.episodes():
        chat.remove_episode(episode.id)
    for pin in chat.pins():
        chat.unpin(pin.id)
    folder = alice.export(tmp_path / "alice")
    other = open_memory(str(tmp_path / "other.db"), clock=clock, worker=True)
    copy = other.import_space(folder, space="copy")
    other.flush()
    assert {fact.status for fact in copy.facts(status=None)} == {"rejected"}
    assert len(copy.facts(status=None)) == len(alice.facts(status=None))
    assert copy.conversation("c").episodes() == copy.conversation("c").pins() == []


@pytest.mark.req("B16")
def test_an_import_does_not_duplicate_records_that_were_already_distilled(memory: Memory, clock, tmp_path, open_memory):
    talk(memory, clock)
    alice = memory.space("alice")
    alice.set("summaries", "window")
    for number in range(20):
        alice.conversation("c").add("user", f"We settled on plan {number}.")
    memory.flush()
    folder = alice.export(tmp_path / "alice")
    other = open_memory(str(tmp_path / "other.db"), clock=clock)
    whole = [json.loads((folder / name).read_text("utf-8")) for name in ("manifest.json", "messages.json")]
    older(folder, tmp_path / "older")
    copy = other.import_space(tmp_path / "older")
    other.flush()  # distills again and assigns other ids
    assert {fact.id for fact in copy.facts(status=None)}.isdisjoint(fact.id for fact in alice.facts(status=None))
    other.import_space(folder)
    other.flush()
    assert len(whole[1]) == copy.info().messages
    assert copy.facts(200, status=None) == alice.facts(200, status=None)
    assert copy.relations(limit=200) == alice.relations(limit=200)
    assert copy.conversation("c").episodes() == alice.conversation("c").episodes()
    assert copy.conversation("c").summaries() == alice.conversation("c").summaries()
    assert {pin.content for pin in copy.conversation("c").pins()} == {
        pin.content for pin in alice.conversation("c").pins()
    }
    assert len(copy.conversation("c").pins()) == len(alice.conversation("c").pins())


def older(folder: Path, target: Path) -> None:
    """Writes the export that format version 2 would produce, without distilled records."""
    target.mkdir()
    for name in ("conversations", "messages", "chunks", "accesses", "settings"):
        (target / f"{name}.json").write_bytes((folder / f"{name}.json").read_bytes())
    for name in ("pins", "summaries"):
        (target / f"{name}.json").write_text("[]", "utf-8")
    manifest = json.loads((folder / "manifest.json").read_text("utf-8"))
    del manifest["files"]
    (target / "manifest.json").write_text(json.dumps(manifest | {"version": 2}), "utf-8")


def test_a_local_decision_is_kept_by_an_import(memory: Memory, clock, tmp_path):
    talk(memory, clock)
    alice = memory.space("alice")
    folder = alice.export(tmp_path / "alice")
    clock.forward(days=1)
    alice.reject(alice.facts()[0].id)
    before = alice.facts(status=None)
    memory.import_space(folder)
    assert alice.facts(status=None) == before


def test_a_missing_file_of_the_export_is_rejected(memory: Memory, clock, tmp_path):
    talk(memory, clock)
    folder = memory.space("alice").export(tmp_path / "alice")
    (folder / "facts.json").unlink()
    with pytest.raises(InvalidInput, match=r"facts\.json is missing"):
        memory.import_space(folder, space="copy")
    assert memory.space("copy").info() is None


def test_an_export_is_a_consistent_snapshot(memory: Memory, clock, tmp_path):
    """Deletes a conversation during the export; the export keeps its facts and messages."""
    talk(memory, clock)
    alice = memory.space("alice")

    def delete(done: int, total: int) -> None:
        if done == 1 and memory.address != ":memory:":
            alice.conversation("c").delete()

    folder = alice.export(tmp_path / "alice", progress=delete)
    copy = memory.import_space(folder, space="copy")
    assert {fact.value for fact in copy.facts(status=None)} == {"Lisbon", "Porto"}
