"""`recollect bench load --store`: figures of a server, in schemas that are gone afterwards."""

from __future__ import annotations

import json
from contextlib import closing
from pathlib import Path

import psycopg
import pytest
from tests.bench.test_retrieval import DIALOGUE

from recollect import InvalidInput, Memory
from recollect.bench import locomo
from recollect.bench.retrieval import MESSAGES, Trial
from recollect.bench.rooms import room
from recollect.bench.scale import Sizes, adding, inside
from recollect.bench.scale import fill as fill_space
from recollect.bench.server_by_hand import SAME, ServerByHand


def schemas(address: str) -> list[str]:
    with psycopg.connect(address) as connection:
        found = connection.execute("SELECT nspname FROM pg_namespace WHERE nspname LIKE 'recollect_bench%'")
        return [name for (name,) in found.fetchall()]


def quiet(done: int, total: int) -> None: ...


def test_a_room_is_empty_and_gone_afterwards(address: str):
    with room(address) as one, room(address) as other:
        assert len(schemas(address)) == 2
        with Memory(one, worker=False, environment={}) as memory, Memory(other, worker=False, environment={}) as beside:
            memory.conversation("c").add("user", "hello")
            assert (memory.status().messages, beside.status().messages) == (1, 0)
    assert schemas(address) == []
    with Memory(address, worker=False, environment={}) as memory:
        assert memory.status().messages == 0


def test_adding_and_finding_are_measured_against_the_same_by_hand(address: str):
    with room(address) as small, room(address) as large:
        figures = adding(small, 0.3, quiet)
        with Memory(small, worker=False) as memory:
            fill_space(memory, "bench", 40, quiet)
        figures += inside(small, large, Sizes(40, 120, 0.3, 2), quiet)
    assert [figure.most for figure in figures] == [1.25, None, None, None, 1.5]
    assert all(figure.value > 0 and figure.baseline > 0 for figure in figures)


def test_the_baseline_writes_as_many_rows_as_recollect(address: str):
    def rows(prefix: str) -> dict[str, int]:
        with psycopg.connect(small) as connection:
            connection.execute("SET recollect.whole = 'on'")
            counted = {name: connection.execute(f"SELECT count(*) FROM {prefix}{name}").fetchone() for name in SAME}
        return {name: count for name, (count,) in counted.items()}

    with (
        room(address) as small,
        Memory(small, worker=False, environment={}) as memory,
        closing(ServerByHand(small)) as hand,
    ):
        add, chat = hand.same("s", "c"), memory.space("s").conversation("c")
        chat.add("user", "The first heron"), add("The first heron")
        before, theirs_before = rows(""), rows("same_")
        for n in range(5):
            chat.add("user", f"Heron number {n}"), add(f"Heron number {n}")
        now, theirs = rows(""), rows("same_")
        assert {name: now[name] - before[name] for name in SAME} == {
            name: theirs[name] - theirs_before[name] for name in SAME
        }


def test_a_trial_finds_the_same_at_a_server(address: str):
    trial, haystack = Trial("test", MESSAGES, ("recall@10",)), locomo.haystack(DIALOGUE)
    ours = trial.over([haystack], 1, quiet)
    theirs = trial.over([haystack], 1, quiet, address)
    assert json.loads(ours.to_json())["scores"]["recollect"] == json.loads(theirs.to_json())["scores"]["recollect"]


def test_a_file_is_no_server(tmp_path: Path):
    with pytest.raises(InvalidInput, match="takes postgresql"), room(str(tmp_path / "x.db")):
        pass
