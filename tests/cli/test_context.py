"""Tests `aforesaid context` and `aforesaid explain`."""

import json

import pytest


@pytest.fixture
def trip(run):
    for role, text in (("user", "What about Lisbon."), ("assistant", "In May?"), ("user", "Yes, 3 May.")):
        assert run("add", "trip", text, "--role", role).exit_code == 0
    run("add", "garden", "The tomatoes go along the south wall.")


@pytest.mark.req("A19")
def test_a_context_is_printed_as_text_or_in_a_provider_format(run, trip):
    asked = ("context", "trip", "where do the tomatoes go?", "--system", "You plan.")
    text = run(*asked).stdout
    assert text.startswith("You plan.\n\nuser: What about Lisbon.")
    assert "user> The tomatoes go along the south wall." in text
    openai = json.loads(run(*asked, "--format", "openai").stdout)
    assert [one["role"] for one in openai] == ["system", "user", "assistant", "user", "user"]
    anthropic = json.loads(run(*asked, "--format", "anthropic").stdout)
    assert anthropic["system"] == [{"type": "text", "text": "You plan."}]
    whole = json.loads(run(*asked, "--json").stdout)
    assert whole["messages"] == openai
    assert whole["receipt"]["tokens"] <= 4000


@pytest.mark.req("X1")
def test_a_receipt_is_explained_as_a_table_and_as_html(run, data, trip, tmp_path):
    result = run("context", "trip", "--max-tokens", "300")
    receipt = result.stderr.split()[-1]
    shown = run("explain", "--receipt", receipt).stdout
    for words in ("section", "history", "newest", "current question"):
        assert words in shown
    page = tmp_path / "receipt.html"
    assert data("explain", "--receipt", receipt, "--html", str(page))["id"] == receipt
    assert page.read_text("utf-8").startswith("<!doctype html>")


def test_a_question_is_explained_without_a_receipt(run, trip):
    result = run("explain", "trip", "tomatoes?")
    assert result.exit_code == 0
    assert "rank 1" in result.stdout
    assert "of 4000 tokens" in result.stderr


@pytest.mark.req("X31")
def test_the_items_of_a_receipt_are_shown_with_their_words(run, data, trip):
    shown = run("explain", "trip", "where do the tomatoes go?", "--words").stdout
    assert "user: The tomatoes go along" in " ".join(shown.split())  # the column may wrap
    entries = data("explain", "trip", "where do the tomatoes go?", "--words")["entries"]
    assert "The tomatoes go along the south wall." in [entry["text"] for entry in entries]


@pytest.mark.req("X31")
def test_a_message_is_explained_by_its_words(run, data, trip):
    asked = ("trip", "where do the tomatoes go?", "--max-tokens", "300")
    result = run("why", "along the south wall", *asked)
    assert result.stdout.startswith("It is in the context: section recalled, rank 1")
    assert "garden" in result.stderr
    assert "last that got in" in result.stdout
    told = data("why", "along the south wall", *asked)
    again = data("why", told["message"]["id"], "--receipt", told["receipt"])
    assert again == told
    unknown = run("why", "nobody said this", *asked)
    assert (unknown.exit_code, "No message has this id" in unknown.stdout) == (0, True)


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (["explain"], 2),
        (["explain", "trip", "--receipt", "x"], 2),
        (["explain", "--receipt", "nowhere"], 3),
        (["why", "Lisbon"], 2),
        (["why", "Lisbon", "trip", "--receipt", "x"], 2),
        (["why", "Lisbon", "--receipt", "nowhere"], 3),
        (["context", "trip", "x", "--max-tokens", "9"], 2),
        (["context", "trip", "x", "--recipe", "magic"], 2),
        (["context", "trip", "x", "--space", "alcie"], 3),
    ],
)
def test_invalid_arguments_are_a_one_line_error(run, trip, arguments, code):
    result = run(*arguments)
    assert (result.exit_code, result.stdout) == (code, "")
    assert result.stderr.startswith("error: ")


def test_control_characters_and_markup_are_escaped(run):
    run("add", "trip", "\x1b[31mred\x1b[0m [bold]loud[/bold]")
    for command in (["context", "trip", "red?"], ["explain", "trip", "red?"]):
        assert "\x1b" not in run(*command).stdout
    assert "[bold]loud[/bold]" in run("context", "trip", "red?").stdout
