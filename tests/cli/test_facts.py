"""Tests the commands for facts."""

import pytest

from aforesaid import Memory


@pytest.fixture
def known(path, run):
    with Memory(path, worker=False, embedder="none") as memory:
        chat = memory.space("alice").conversation("trip")
        chat.add("user", "I live in Lisbon.", at="2026-03-01T00:00:00+00:00")
        chat.add("user", "I think I live in Porto.", at="2026-04-01T00:00:00+00:00")
        memory.flush()


def test_facts_are_listed_with_their_evidence(run, data, known):
    shown = run("facts", "--space", "alice").stdout
    assert "user lives in" in shown
    assert "Porto" not in shown
    (fact,) = data("facts", "--space", "alice", "--as-of", "2026-03-05T00:00:00+00:00")
    assert (fact["value"], fact["evidence"][0]["quote"]) == ("Lisbon", "I live in Lisbon")
    assert len(data("facts", "--space", "alice", "--status", "all")) == 2
    assert data("facts", "--space", "alice", "--kind", "goal") == []
    assert run("facts", "--space", "bob").exit_code == 3


def test_pending_facts_are_reviewed_promoted_and_rejected(run, data, known):
    porto, lisbon = data("facts", "--space", "alice", "--review")
    assert data("promote", porto["id"], "--space", "alice")["status"] == "active"
    assert [fact["value"] for fact in data("facts", "--space", "alice")] == ["Porto"]
    assert data("reject", porto["id"], "--space", "alice")["status"] == "rejected"
    assert [fact["id"] for fact in data("facts", "--space", "alice")] == [lisbon["id"]]
    assert "active" in run("promote", lisbon["id"], "--space", "alice").stdout
    assert run("promote", "nothing", "--space", "alice").exit_code == 3


def test_a_fact_is_identified_by_a_unique_id_prefix(run, data, known):
    porto, lisbon = data("facts", "--space", "alice", "--review")
    size = next(size for size in range(1, 37) if porto["id"][:size] != lisbon["id"][:size])
    several = run("promote", porto["id"][: size - 1], "--space", "alice")
    assert several.exit_code == 2
    assert "begins the ids of 2 facts" in several.stderr
    assert porto["id"] in several.stderr
    assert data("promote", porto["id"][:size], "--space", "alice")["status"] == "active"
    assert data("reject", porto["id"][:size], "--space", "alice")["status"] == "rejected"
    assert run("forget", "--fact", porto["id"][:size], "--space", "alice", "--yes").exit_code == 0
    assert [fact["id"] for fact in data("facts", "--space", "alice", "--status", "all")] == [lisbon["id"]]
    assert run("forget", "--fact", porto["id"], "--space", "alice", "--yes").exit_code == 3
    assert run("promote", " ", "--space", "alice").exit_code == 3


def test_a_fact_is_archived_and_restored(run, data, known):
    (fact,) = data("facts", "--space", "alice")
    assert data("archive", fact["id"], "--space", "alice")["status"] == "archived"
    assert data("facts", "--space", "alice") == []
    assert data("promote", fact["id"], "--space", "alice")["status"] == "active"


@pytest.mark.req("X4")
@pytest.mark.parametrize(("verb", "status"), [("archive", "archived"), ("reject", "rejected")])
def test_a_reason_is_shown_and_the_decision_is_undone(run, data, known, verb, status):
    (fact,) = data("facts", "--space", "alice")
    gone = data(verb, fact["id"], "--space", "alice", "--reason", "she moved")
    assert (gone["status"], gone["reason"], gone["withdrawn_from"]) == (status, "she moved", "active")
    assert "reason: she moved" in run("facts", "--space", "alice", "--status", status).stdout
    back = data("undo", fact["id"], "--space", "alice")
    assert (back["status"], back["reason"]) == ("active", None)


def test_an_edited_fact_shows_that_its_quote_no_longer_says_it(run, path, data, known):
    (fact,) = data("facts", "--space", "alice")
    with Memory(path) as memory:
        memory.space("alice").edit_fact(fact["id"], value="Faro")
    assert "by hand, not in the quote: " in run("facts", "--space", "alice").stdout


def test_the_replacement_of_a_fact_is_undone(run, data, known):
    porto, lisbon = data("facts", "--space", "alice", "--review")
    data("promote", porto["id"], "--space", "alice")
    assert data("undo", porto["id"], "--space", "alice")["status"] == "pending"
    assert [fact["id"] for fact in data("facts", "--space", "alice")] == [lisbon["id"]]
    assert run("undo", "nothing", "--space", "alice").exit_code == 3


def test_an_empty_review_prints_a_notice(run, data):
    data("remember", "Prefers window seats")
    assert run("facts", "--review").stderr == "nothing to review\n"


def test_an_id_is_not_wrapped(run, data, known, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    (fact,) = data("facts", "--space", "alice")
    assert fact["id"] in run("facts", "--space", "alice").stdout


def test_the_help_distinguishes_as_of_from_known_at(run):
    help = " ".join(run("facts", "--help").stdout.replace("│", " ").split())
    assert "Only facts that were true at that time." in help
    assert "Only facts that were held true at that time" in help


def test_a_fact_is_added_manually(data):
    fact = data("remember", "Prefers window seats", "--kind", "preference", "--tag", "travel")
    assert (fact["status"], fact["tags"], fact["importance"]) == ("active", ["travel"], 0.6)
    assert data("facts", "--tag", "travel") == [fact]
