"""Tests `aforesaid pins`, `aforesaid pin` and `aforesaid unpin`."""

import pytest


@pytest.fixture
def trip(run):
    run("add", "trip", "The ferry smelled of diesel.", "--id", "m1")


@pytest.mark.req("A15")
def test_a_text_and_a_message_are_pinned_listed_and_removed(run, data, trip):
    assert data("pins", "trip") == []
    budget = data("pin", "trip", "Budget is 900 €", "--importance", "0.9")
    ferry = data("pin", "trip", "--message", "m1")
    assert (budget["content"], budget["importance"]) == ("Budget is 900 €", 0.9)
    assert (ferry["content"], ferry["source_message_id"]) == ("The ferry smelled of diesel.", "m1")
    assert data("pins", "trip") == [budget, ferry]
    assert "diesel" in run("pins", "trip").stdout
    assert data("unpin", "trip", budget["id"]) == {"conversation": "trip", "unpinned": budget["id"]}
    assert data("pins", "trip") == [ferry]


def test_an_empty_list_prints_a_notice(run, trip):
    result = run("pins", "trip")
    assert (result.stdout, result.stderr) == ("", "nothing is pinned\n")


def test_unknown_records_are_an_error(run, trip):
    assert run("pins", "nowhere").exit_code == 3
    assert run("pin", "nowhere", "Budget").exit_code == 3
    assert run("unpin", "trip", "none").exit_code == 3
    assert run("pin", "trip", "--message", "none").exit_code == 3
    assert run("pin", "trip", "x", "--message", "m1").exit_code == 2
    assert run("pin", "trip").exit_code == 2
