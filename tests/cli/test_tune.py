"""Tests `aforesaid tune`, which finds better weights and writes them on request."""

import json
from pathlib import Path

import pytest

from aforesaid import InvalidInput, Memory

WORDS = ("heron", "oboe", "canoe", "lantern", "saddle", "teapot", "anchor", "violet")


@pytest.fixture
def labelled(path, tmp_path):
    """Two spaces whose weights hide the relevant messages."""
    with Memory(path, worker=False, environment={}) as memory:
        for name in ("alice", "bob"):
            space = memory.space(name)
            for word in WORDS:
                space.conversation("c").add("user", f"There is something about a {word} here.", id=f"{name} {word}")
                space.conversation("c").add("user", f"Tell me again what is known of it, {name}.")
            for setting, value in (("weight_dense", 0.0), ("weight_lexical", 0.0), ("weight_identifier", 1.0)):
                space.set(setting, value)
        memory.flush()
    lines = [
        json.dumps({"space": name, "query": f"what about the {word}?", "relevant": [f"{name} {word}"]})
        for name in ("alice", "bob")
        for word in WORDS
    ]
    file = tmp_path / "questions.jsonl"
    file.write_text("\n".join([*lines, ""]), "utf-8")
    return str(file)


@pytest.mark.req("D8")
def test_better_weights_are_found_and_verified_by_retrieval(labelled, data):
    found = data("tune", labelled)
    assert found["questions"] == 16
    assert found["now"] == [0.0, 0.0, 1.0]
    assert found["after"] > found["before"]
    assert found["after"] == pytest.approx(found["expected"])
    assert found["held_out"] == pytest.approx(found["after"])
    assert (found["folds"], found["missing"], found["written"]) == (2, 0, [])
    assert found["settings"].pop("fusion") == "weighted"
    assert sum(found["settings"].values()) == pytest.approx(1.0)


@pytest.mark.req("D8")
def test_write_stores_the_weights_in_every_space_of_the_set(labelled, data, run):
    shown = run("tune", labelled, "--write")
    assert "written to alice, bob" in shown.stderr
    for space in ("alice", "bob"):
        weights = {one["name"]: one["value"] for one in data("settings", "--space", space)}
        assert weights["weight_identifier"] < 1.0
        tuned = [weights[f"weight_{part}"] for part in ("dense", "lexical", "identifier")]
        assert sum(tuned) == pytest.approx(1.0)
    again = run("tune", labelled, "--write")
    assert "nothing to change" in again.stderr
    assert "written" not in again.stderr


def test_without_write_the_store_is_unchanged(labelled, path, run):
    shown = run("tune", labelled)
    assert "AFORESAID_WEIGHT_DENSE=" in shown.stdout
    assert "held out, 2 folds" in shown.stdout
    with Memory(path, worker=False, environment={}) as memory:
        assert memory.retrievals() == []
        assert memory.space("alice").conversation("c").accesses("alice heron") is None
        weights = {one.name: one.value for one in memory.space("alice").settings()}
        assert weights["weight_identifier"] == 1.0


def test_a_set_with_one_space_is_split_into_folds_of_questions(labelled, data, tmp_path):
    lines = [line for line in Path(labelled).read_text("utf-8").splitlines() if '"alice"' in line]
    (tmp_path / "alice.jsonl").write_text("\n".join(lines), "utf-8")
    assert data("tune", str(tmp_path / "alice.jsonl"))["folds"] == 5
    (tmp_path / "one.jsonl").write_text(lines[0], "utf-8")
    assert data("tune", str(tmp_path / "one.jsonl"))["held_out"] is None


def test_a_benchmark_uses_its_own_store(data, run, tmp_path):
    turns = [{"speaker": "Ana", "dia_id": f"D1:{at}", "text": f"About the {word}."} for at, word in enumerate(WORDS)]
    said = {"speaker_a": "Ana", "session_1": turns, "session_1_date_time": "1:56 pm on 8 May, 2023"}
    asked = [{"question": f"Where is the {word}?", "evidence": [f"D1:{at}"]} for at, word in enumerate(WORDS)]
    file = tmp_path / "locomo.json"
    file.write_text(json.dumps([{"sample_id": "s", "conversation": said, "qa": asked}]), "utf-8")
    assert data("tune", str(file))["questions"] == len(WORDS)
    refused = run("tune", str(file), "--write")
    assert (refused.exit_code, "--write" in refused.stderr) == (2, True)


@pytest.mark.parametrize(
    "line",
    [
        "not json",
        "1",
        '{"query": "x"}',
        '{"query": "x", "relevant": []}',
        '{"query": " ", "relevant": ["a"]}',
        '{"query": "x", "relevant": [1]}',
        '{"query": "x", "relevant": ["a"], "space": 5}',
        "",
        "[]",
        '[{"other": 1}]',
    ],
)
def test_a_file_with_an_invalid_format_is_rejected(run, tmp_path, line):
    (tmp_path / "questions.jsonl").write_text(line, "utf-8")
    done = run("tune", str(tmp_path / "questions.jsonl"))
    assert (done.exit_code, "questions.jsonl" in done.stderr) == (2, True)


def test_a_missing_store_space_or_file_is_an_error(labelled, run, tmp_path):
    assert run("tune", str(tmp_path / "missing.jsonl")).exit_code == 2
    assert run("tune", labelled, "--store", str(tmp_path / "missing.db")).exit_code == 3
    (tmp_path / "other.jsonl").write_text('{"space": "carol", "query": "x", "relevant": ["a"]}', "utf-8")
    done = run("tune", str(tmp_path / "other.jsonl"))
    assert (done.exit_code, "carol" in done.stderr) == (3, True)
    (tmp_path / "no.db").write_text("this is no database, whatever its name may be" * 30, "utf-8")
    assert run("tune", labelled, "--store", str(tmp_path / "no.db")).exit_code in (2, 6)


ANSWERED = (
    *WORDS, "kettle", "ladder", "mitten", "napkin", "orchid", "pebble", "quiver", "ribbon", "sickle", "thimble",
    "urchin", "velvet", "walnut", "yoghurt", "zither", "basket", "candle", "dagger", "easel", "fiddle", "goblet",
    "hammer",
)  # fmt: skip


@pytest.fixture
def answered(path, tmp_path):
    """Two spaces in which the short replies of the assistant are the evidence, which no shipped fusion expects."""
    with Memory(path, worker=False, environment={}) as memory:
        for name in ("alice", "bob"):
            chat = memory.space(name).conversation("c")
            for word in ANSWERED:
                chat.add("user", f"I put my {word} into the cupboard by the stairs.")
                chat.add("assistant", f"The {word}: noted.", id=f"{name} {word}")
        memory.flush()
    lines = [
        json.dumps({"space": name, "query": f"where is my {word}?", "relevant": [f"{name} {word}"]})
        for name in ("alice", "bob")
        for word in ANSWERED
    ]
    file = tmp_path / "answered.jsonl"
    file.write_text("\n".join(lines), "utf-8")
    return str(file)


@pytest.mark.req("D8")
def test_a_refitted_fusion_ranks_the_labels_higher_also_on_held_out_questions(answered, data, path, tmp_path):
    target = tmp_path / "fusion.json"
    found = data("tune", answered, "--fusion", str(target))
    assert (found["questions"], found["folds"], found["missing"]) == (60, 2, 0)
    assert found["after"] > found["before"]
    assert found["held_out"] > found["before"]
    assert found["written"] == str(target)

    def relevance(**options):
        with Memory(path, worker=False, **options) as memory:
            hits = memory.space("alice").recall("where is my heron?", 4, kinds=["message"])
            return next(hit.score.relevance for hit in hits if hit.id == "alice heron")

    shipped = relevance(environment={})
    assert relevance(environment={}, reranker=target) > shipped
    assert relevance(environment={"AFORESAID_RERANKER": str(target)}) > shipped


def test_a_fusion_is_shown_and_written_once(answered, run, tmp_path):
    target = tmp_path / "fusion.json"
    shown = run("tune", answered, "--fusion", str(target))
    assert f"AFORESAID_RERANKER={target}" in shown.stdout
    assert "held out, 2 folds" in shown.stdout
    written = target.read_bytes()
    again = run("tune", answered, "--fusion", str(target))
    assert (again.exit_code, "exists" in again.stderr, target.read_bytes() == written) == (2, True, True)


def test_a_fusion_that_is_no_better_is_not_written(path, run, tmp_path):
    with Memory(path, worker=False, environment={}) as memory:
        chat = memory.space("alice").conversation("c")
        for word in WORDS:
            chat.add("user", f"The {word} is in the cupboard.", id=word)
        memory.flush()
    lines = [json.dumps({"space": "alice", "query": f"where is the {word}?", "relevant": [word]}) for word in WORDS]
    (tmp_path / "found.jsonl").write_text("\n".join(lines), "utf-8")
    done = run("tune", str(tmp_path / "found.jsonl"), "--fusion", str(tmp_path / "fusion.json"))
    assert (done.exit_code, "nothing to change" in done.stderr) == (0, True)
    assert not (tmp_path / "fusion.json").exists()


def test_a_space_that_does_not_use_the_fusion_cannot_refit_it(labelled, run, tmp_path):
    target = str(tmp_path / "fusion.json")
    done = run("tune", labelled, "--fusion", target)
    assert (done.exit_code, "does not use the learned fusion" in done.stderr) == (2, True)
    assert run("tune", labelled, "--fusion", target, "--write").exit_code == 2


@pytest.mark.parametrize("text", [None, "", "[]", "{}", '{"features": 1}', "not json"])
def test_a_file_that_is_no_fusion_is_an_error(tmp_path, text):
    file = tmp_path / "fusion.json"
    if text is not None:
        file.write_text(text, "utf-8")
    with pytest.raises(InvalidInput, match=r"fusion\.json"):
        Memory(":memory:", worker=False, environment={}, reranker=file)
    with pytest.raises(InvalidInput, match=r"rerank"):
        Memory(":memory:", worker=False, environment={}, reranker=5)
