"""Tests `aforesaid demo`, which needs no setup and leaves no files."""

from pathlib import Path

from tests import programs
from tests.cli.conftest import environment

from aforesaid import Memory
from aforesaid.cli import demo as story


def test_the_demo_prints_its_steps_and_leaves_no_files(process, path, tmp_path: Path):
    (tmp_path / "scratch").mkdir()
    done = process("demo", TMPDIR=str(tmp_path / "scratch"), COLUMNS="100")
    shown = done.stdout.decode()
    assert (done.returncode, done.stderr) == (0, b"")
    for words in ("µs", "fetch_invoices", "駅の近く", "manual", "no problems", "from aforesaid import Memory"):
        assert words in shown
    for words in ("“I'm allergic to peanuts”", "problem_solved", "Topics: fetch_invoices", "a decision", "no trace"):
        assert words in shown
    assert all(question in shown for question, _ in story.QUESTIONS)
    assert list((tmp_path / "scratch").iterdir()) == []
    assert not Path(path).exists()


def test_every_question_of_the_demo_ranks_its_answer_first(run, data, tmp_path: Path):
    store = str(tmp_path / "kept.db")
    run("demo", "--store", store)
    answers = (story.BUDGET, "by the window", "fetch_invoices()", "駅の近くで")
    for (question, _), answer in zip(story.QUESTIONS, answers, strict=True):
        best = data("recall", question, "--space", story.SPACE, "--store", store)["hits"][0]
        assert answer in best["message"]["content"]


def test_a_second_demo_on_the_same_store_adds_nothing(run, data, tmp_path: Path):
    store = str(tmp_path / "kept.db")
    first, second = (run("demo", "--store", store) for _ in range(2))
    assert (first.exit_code, second.exit_code) == (0, 0)
    assert data("status", "--store", store)["messages"] == len(story.STORY)


def test_text_that_the_demo_forgets_is_erased_from_the_file(run, tmp_path: Path):
    store = tmp_path / "kept.db"
    run("demo", "--store", str(store))
    with Memory(store, worker=False, environment={}) as memory:
        space = memory.space(story.SPACE)
        assert memory.verify_erasure(story.SECRET).clean
        assert [erasure.complete for erasure in space.erasures()] == [True]
        assert [fact.text for fact in space.facts()] == ["user is allergic to peanuts"]
    assert b"Zephyrine" not in store.read_bytes()


def test_the_demo_ignores_the_environment_and_needs_no_network(process):
    done = process("demo", AFORESAID_EMBEDDER="openai:text-embedding-3-small", AFORESAID_HYBRID="no")
    assert done.returncode == 0, done.stderr


def test_the_python_code_of_the_demo_runs(tmp_path: Path, path):
    done = programs.run("-c", story.PYTHON, environment=environment(path), folder=tmp_path)
    assert story.BUDGET in done.stdout.decode(), done.stderr
    with Memory(tmp_path / "app.db", worker=False, environment={}) as memory:
        pins = memory.space(story.SPACE).conversation(story.TRIP).pins()
    assert [pin.content for pin in pins] == [story.BUDGET]
