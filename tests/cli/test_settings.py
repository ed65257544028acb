"""Tests `aforesaid settings`."""

import pytest

from aforesaid.settings import SETTING_DEFINITIONS


@pytest.fixture(autouse=True)
def stored(run):
    run("add", "trip", "hello")


def test_every_setting_is_shown_with_its_help(run, data):
    assert [one["name"] for one in data("settings")] == [row.name for row in SETTING_DEFINITIONS]
    shown = run("settings").stdout
    assert all(row.name in shown and row.help.split()[0] in shown for row in SETTING_DEFINITIONS)


@pytest.mark.req("D3")
def test_a_space_setting_overrides_the_environment_until_it_is_unset(data, monkeypatch):
    assert data("settings", "chunk_tokens") == {"name": "chunk_tokens", "value": 500, "source": "default"}
    monkeypatch.setenv("AFORESAID_CHUNK_TOKENS", "400")
    assert data("settings", "chunk_tokens")["value"] == 400
    changed = {"name": "chunk_tokens", "value": 300, "source": "space"}
    assert data("settings", "chunk_tokens", "300") == changed
    assert data("settings", "chunk_tokens") == changed
    assert data("settings", "chunk_tokens", "--space", "bob")["value"] == 400
    assert data("settings", "chunk_tokens", "--unset")["source"] == "environment"


@pytest.mark.parametrize(("word", "value"), [("off", False), ("Yes", True), ("0", False)])
def test_a_boolean_setting_accepts_words(data, word, value):
    assert data("settings", "hybrid", word)["value"] is value


@pytest.mark.parametrize(
    "arguments",
    [
        ["hybrid", "maybe"],
        ["chunk_tokens", "many"],
        ["chunk_tokens", "1"],
        ["colour"],
        ["--unset"],
        ["hybrid", "on", "--unset"],
    ],
)
def test_an_invalid_value_is_rejected(run, data, arguments):
    before = data("settings")
    result = run("settings", *arguments)
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.startswith("error: ")
    assert data("settings") == before
