"""A broken disk: what is damaged is noticed, named and left out; everything else stays readable."""

from __future__ import annotations

import json
import random
import shutil
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import apsw
import pytest
from tests.robustness import damage

from aforesaid import DamagedRecord, Finding, Memory, StoreDamaged

WORD, FLIPPED = b"lapsang", b"lapsanG"  # one bit apart
NO_TEXT = b"l\xffpsang"
PLACES = 12


@pytest.fixture(scope="module")
def intact(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, damage.Reading]:
    """A store with every kind of record, and what it answers."""
    path = tmp_path_factory.mktemp("intact") / "memory.db"
    damage.build(path, messages=60)
    copy = path.with_name("copy.db")
    shutil.copy(path, copy)
    return path, damage.observe(copy)


@pytest.mark.req("X21", "X18")
@pytest.mark.parametrize("seed", [1, 2])
def test_damage_at_random_places_is_never_silent(intact, tmp_path: Path, seed: int):
    source, expected = intact
    dice = random.Random(seed)
    for number in range(PLACES):
        damaged = tmp_path / f"{number}.db"
        at = damage.damage_somewhere(source, damaged, dice)
        verdict = damage.judge(damaged, expected)
        assert (verdict.silent, verdict.untyped) == ([], []), f"seed {seed}, byte {at}"


def chat_with(memory: Memory, *texts: str) -> None:
    memory.conversation("c").add_many([{"role": "user", "content": text} for text in texts])


@pytest.fixture
def tea(path: str) -> str:
    """A store of three messages; the second one is to be damaged."""
    with Memory(path, worker=False, environment={}) as memory:
        chat_with(memory, "The kettle is blue", "The tea in the tin is lapsang", "The cup is green")
        memory.conversation("c").add("assistant", "Then I bring you tea in the green cup")
        while memory.work():
            pass
    return path


def spoil(path: str, old: bytes, new: bytes) -> None:
    """Changes every copy of some bytes in the rows of messages, in the file itself."""
    file = Path(path)
    file.write_bytes(file.read_bytes().replace(b"The tea in the tin is " + old, b"The tea in the tin is " + new))


def problems(memory: Memory, **options: object) -> dict[str, Finding]:
    return {finding.check: finding for finding in memory.doctor(**options) if not finding.ok}


@pytest.mark.req("X21")
@pytest.mark.parametrize("new", [FLIPPED, NO_TEXT])
def test_a_damaged_message_is_named_and_everything_else_is_read(
    tea: str, open_memory: Callable[..., Memory], new: bytes
):
    with open_memory(tea) as memory:
        whole = memory.conversation("c").messages()
    spoil(tea, WORD, new)
    memory = open_memory(tea)
    chat = memory.conversation("c")

    with pytest.raises(StoreDamaged, match="seq 1") as caught:
        chat.messages()
    place = caught.value.table, caught.value.space, caught.value.conversation, caught.value.seq, caught.value.id
    assert place == ("messages", "default", "c", 1, whole[1].id)
    with pytest.raises(StoreDamaged):
        chat.message(whole[1].id)
    assert chat.messages(after=1) == whole[2:]
    assert chat.message(whole[0].id) == whole[0]

    hits = memory.space("default").recall("tea")
    assert whole[3].id in [hit.id for hit in hits]
    assert whole[1].id not in [hit.id for hit in hits]
    assert any(whole[1].id in warning for warning in hits.warnings)
    made = chat.context("Which cup?", max_tokens=2000)
    assert "green cup" in made.text
    assert "lapsan" not in made.text
    assert any(whole[1].id in warning for warning in made.warnings)


@pytest.mark.req("X21")
@pytest.mark.parametrize("new", [FLIPPED, NO_TEXT])
def test_an_export_leaves_out_damaged_messages_and_names_them(
    tea: str, open_memory: Callable[..., Memory], tmp_path: Path, new: bytes
):
    spoil(tea, WORD, new)
    memory = open_memory(tea)
    folder = memory.space("default").export(tmp_path / "export")
    assert [message["seq"] for message in json.loads((folder / "messages.json").read_text())] == [0, 2, 3]
    named = json.loads((folder / "damaged.json").read_text())
    assert [(each["table"], each["conversation"], each["seq"]) for each in named] == [("messages", "c", 1)]
    other = open_memory(str(tmp_path / "other.db"))
    other.import_space(folder)
    assert [message.seq for message in other.conversation("c").messages()] == [0, 2, 3]
    with pytest.raises(StoreDamaged):
        memory.copy_to(open_memory(str(tmp_path / "copy.db")))


@pytest.mark.req("X21", "X3")
@pytest.mark.parametrize("new", [FLIPPED, NO_TEXT])
def test_a_damaged_message_can_be_forgotten(tea: str, open_memory: Callable[..., Memory], new: bytes):
    with open_memory(tea) as memory:
        id = memory.conversation("c").messages()[1].id
    spoil(tea, WORD, new)
    memory = open_memory(tea)
    assert {count.kind for count in memory.space("default").forget(message=id).erased} >= {"message"}
    memory.doctor(repair=True)
    assert problems(memory) == {}
    assert [message.seq for message in memory.conversation("c").messages()] == [0, 2, 3]
    memory.backup(f"{tea}-backup")


@pytest.mark.req("X21", "X18")
@pytest.mark.parametrize("new", [FLIPPED, NO_TEXT])
def test_the_doctor_names_damaged_messages_and_says_what_a_backup_has(
    tea: str, open_memory: Callable[..., Memory], tmp_path: Path, new: bytes
):
    with open_memory(tea) as memory:
        memory.backup(tmp_path / "backup.db")
        id = memory.conversation("c").messages()[1].id
    spoil(tea, WORD, new)
    memory = open_memory(tea)
    found = problems(memory)["messages"]
    assert found.damaged == (DamagedRecord("messages", id, "default", "c", 1),)
    assert "seq 1" in found.detail
    assert "full-text words" in problems(memory)  # the index still has the old word
    told = problems(memory, backup=tmp_path / "backup.db")["messages"]
    assert [record.in_backup for record in told.damaged] == [True]
    assert "1 of 1 intact" in told.detail
    spoil(str(tmp_path / "backup.db"), WORD, FLIPPED)
    assert not problems(memory, backup=tmp_path / "backup.db")["messages"].damaged[0].in_backup


@pytest.mark.req("X21", "X19")
def test_a_backup_of_a_damaged_store_is_refused_or_says_so(
    tea: str, open_memory: Callable[..., Memory], tmp_path: Path
):
    open_memory(tea).backup(tmp_path / "backup.db")
    spoil(tea, WORD, FLIPPED)
    memory = open_memory(tea)
    good = (tmp_path / "backup.db").read_bytes()
    with pytest.raises(StoreDamaged, match="no backup was made"):
        memory.backup(tmp_path / "backup.db", force=True)
    assert (tmp_path / "backup.db").read_bytes() == good
    assert memory.backup(tmp_path / "damaged.db", damaged=True).damaged == 1
    with pytest.raises(StoreDamaged, match="nothing was changed"):
        Memory.restore(tmp_path / "damaged.db", tmp_path / "restored.db")


TABLES = {  # a change in each table that a broken disk could make
    "facts": "UPDATE facts SET text = 'I hate ' || text",
    "pins": "UPDATE pins SET content = 'other words'",
    "summaries": "UPDATE summaries SET importance = importance / 2",
    "episodes": "UPDATE episodes SET outcome = 'lost'",
    "profiles": "UPDATE profiles SET value = '\"Lisbon\"' WHERE name = 'city'",
    "preferences": "UPDATE preferences SET value = '201'",
    "conversations": "UPDATE conversations SET title = 'x' || title",
    "lineage": "DELETE FROM lineage",
    "evidence": "UPDATE evidence SET quote = 'said nothing'",
    "receipts": "UPDATE receipts SET body = replace(body, 'tea', 'sea')",
    "audit": "UPDATE sqlite_sequence SET seq = seq; DROP TRIGGER audit_never_changed; UPDATE audit SET actor = 'eve'",
    "vectors": "UPDATE vectors SET scale = scale * 2",
    "chunks": "UPDATE chunks SET language = 'cobol'",
    "accesses": "UPDATE accesses SET count = count + 1",
}


@pytest.mark.req("X21", "X18")
@pytest.mark.parametrize("table", TABLES)
def test_the_doctor_names_a_damaged_row_of_any_table(intact, tmp_path: Path, table: str):
    path = tmp_path / "memory.db"
    shutil.copy(intact[0], path)
    with closing(apsw.Connection(str(path))) as connection:
        connection.execute(TABLES[table]).fetchall()
        assert connection.total_changes()
    with damage.open_store(path) as memory:
        assert table in {record.table for record in problems(memory)["other records"].damaged}
        with pytest.raises(StoreDamaged):
            memory.backup(tmp_path / "backup.db")


@pytest.mark.req("X21")
def test_a_change_of_a_damaged_record_does_not_hide_the_damage(intact, tmp_path: Path):
    path = tmp_path / "memory.db"
    shutil.copy(intact[0], path)
    with closing(apsw.Connection(str(path))) as connection:
        connection.execute("UPDATE conversations SET metadata = '{\"colour\": \"red\"}' WHERE id = 'chat-0'")
    with damage.open_store(path) as memory:
        memory.space("alice").conversation("chat-0").add("user", "One more")
        memory.space("alice").conversation("chat-0").rename("Another title")
        assert "conversations" in {record.table for record in problems(memory)["other records"].damaged}


@pytest.mark.req("X21", "X18")
def test_repair_makes_damaged_vectors_again(intact, tmp_path: Path):
    path = tmp_path / "memory.db"
    shutil.copy(intact[0], path)
    with closing(apsw.Connection(str(path))) as connection:
        connection.execute("UPDATE vectors SET scale = scale * 2")
        connection.execute("UPDATE note_vectors SET scale = scale * 2")
    with damage.open_store(path) as memory:
        assert {f.check: f.repaired for f in memory.doctor(repair=True) if not f.ok}["other records"]
        while memory.work():
            pass
        assert problems(memory) == {}


@pytest.mark.req("X21")
def test_a_file_that_is_mostly_noise_is_a_store_error(intact, tmp_path: Path):
    dice = random.Random(5)
    for number in range(6):
        path = tmp_path / f"{number}.db"
        shutil.copy(intact[0], path)
        for _ in range(40):
            damage.overwrite(path, dice.randrange(100, path.stat().st_size - 64), dice.randbytes(64))
        verdict = damage.judge(path, intact[1])
        assert (verdict.silent, verdict.untyped) == ([], [])
        assert verdict.found or not verdict.opened
    truncated = tmp_path / "truncated.db"
    truncated.write_bytes(intact[0].read_bytes()[:50_000])
    verdict = damage.judge(truncated, intact[1])
    assert (verdict.silent, verdict.untyped) == ([], [])
