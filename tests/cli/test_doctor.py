"""Tests `aforesaid doctor`, which checks and repairs a store."""

from pathlib import Path

import apsw
import pytest


@pytest.fixture
def hurt(run, path):
    """A store whose counts do not match its messages."""
    run("add", "trip", "Lisbon")
    connection = apsw.Connection(path)
    connection.execute("UPDATE conversations SET messages = 7")
    connection.close()


def test_an_intact_store_has_no_problems(run, data):
    run("add", "trip", "Lisbon")
    result = run("doctor")
    assert result.exit_code == 0
    assert "no problems" in result.stderr
    assert all(finding["ok"] for finding in data("doctor"))


@pytest.mark.req("X18")
def test_a_problem_gives_exit_code_1_until_it_is_repaired(run, hurt):
    result = run("doctor")
    assert result.exit_code == 1
    assert "1 wrong" in result.stdout
    assert "problems: conversation counts" in result.stderr
    mended = run("doctor", "--repair")
    assert mended.exit_code == 0
    assert "1 repaired" in mended.stdout
    assert run("doctor").exit_code == 0


def test_json_output_has_the_same_exit_code(run, hurt):
    assert run("doctor", "--json").exit_code == 1


def test_lost_vectors_are_rebuilt_by_repair(run, data, path):
    run("add", "trip", "Keep it cheap: the whole trip must cost less than 900 €.")
    connection = apsw.Connection(path)
    connection.execute("DELETE FROM vectors")
    connection.close()
    assert run("doctor", "--repair").exit_code == 0
    assert run("doctor").exit_code == 0
    assert data("recall", "how much money can we spend?")["hits"][0]["sources"] == ["dense"]


def test_a_file_that_is_not_a_store_is_a_one_line_error(run, tmp_path):
    file = tmp_path / "notes.txt"
    file.write_text("These are only notes. " * 100)
    result = run("doctor", "--store", str(file))
    assert result.exit_code == 6
    assert len(result.stderr.splitlines()) == 1


def test_a_file_beyond_repair_is_reported_with_a_hint_to_restore_a_backup(run, path):
    run("add", "trip", "We settled on Lisbon in May.")
    data = bytearray(Path(path).read_bytes())
    data[100:4096] = b"x" * 3996
    Path(path).write_bytes(data)
    for options in ((), ("--repair",)):
        result = run("doctor", *options)
        assert result.exit_code == 6
        assert "restore a backup" in result.stderr
