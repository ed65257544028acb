"""Tests `aforesaid summaries`."""

import pytest


@pytest.fixture
def trip(run):
    lines = "\n".join(
        '{"role": "%s", "content": "The ferry number %d to Lisbon costs %d euros."}' % (role, number, number * 7)  # noqa: UP031
        for number, role in enumerate(["user", "assistant"] * 11)
    )
    assert run("add", "trip", "--jsonl", "-", input=lines).exit_code == 0


@pytest.mark.req("A8")
def test_a_range_is_summarized_immediately(run, data, trip):
    made = data("summaries", "trip", "--now", "--first", "2", "--last", "5")
    assert (made["first_seq"], made["last_seq"], made["message_count"]) == (2, 5, 4)
    assert (made["importance"], made["method"]) == (0.7, "extractive")
    shown = run("summaries", "trip").stdout
    assert "2-5" in shown
    assert "extractive" in shown
    assert data("summaries", "trip", "--kind", "rolling") == []


@pytest.mark.req("C8")
@pytest.mark.req("C9")
def test_the_chain_and_the_window_are_shown(run, data, trip):
    run("settings", "summaries", "rolling")
    for number in range(2):
        run("add", "trip", f"And number {number}?")
        run("add", "trip", f"Number {number} runs daily.", "--role", "assistant")
        run("worker", "--once")
    chain = data("summaries", "trip", "--chain")
    assert [(one["first_seq"], one["last_seq"]) for one in chain] == [(12, 25), (10, 23), (8, 21)]
    assert chain[0]["base_id"] == chain[1]["id"]
    window = data("summaries", "trip", "--window")
    assert (window["size"], window["behind"], window["stuck"]) == (14, 0, False)
    assert window["timings"]["completed"] == 3
    shown = run("summaries", "trip", "--window").stdout
    assert "12-25" in shown
    assert "average ms" in shown


def test_an_unknown_conversation_or_range_is_not_found(run, trip):
    assert run("summaries", "tirp").exit_code == 3
    assert run("summaries", "trip", "--now", "--first", "90", "--last", "99").exit_code == 3
