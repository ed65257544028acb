"""`recollect pins`: what is kept in view."""

import pytest


@pytest.fixture
def trip(run):
    run("add", "trip", "The ferry smelled of diesel.", "--id", "m1")


@pytest.mark.req("A15")
def test_a_text_and_a_message_are_pinned_listed_and_removed(run, data, trip):
    assert data("pins", "trip") == []
    data("pins", "trip", "--add", "Budget is 900 €", "--importance", "0.9")
    budget, ferry = data("pins", "trip", "--message", "m1")
    assert (budget["content"], budget["importance"]) == ("Budget is 900 €", 0.9)
    assert (ferry["content"], ferry["source_message_id"]) == ("The ferry smelled of diesel.", "m1")
    assert "diesel" in run("pins", "trip").stdout
    assert [pin["id"] for pin in data("pins", "trip", "--remove", budget["id"])] == [ferry["id"]]


def test_nothing_pinned_is_said(run, trip):
    result = run("pins", "trip")
    assert (result.stdout, result.stderr) == ("", "nothing is pinned\n")


def test_what_is_not_there_is_an_error(run, trip):
    assert run("pins", "nowhere").exit_code == 3
    assert run("pins", "trip", "--remove", "none").exit_code == 3
    assert run("pins", "trip", "--message", "none").exit_code == 3
    assert run("pins", "trip", "--add", "x", "--remove", "y").exit_code == 2
