"""Tests `aforesaid items`."""

from __future__ import annotations

import pytest

ANA = ("--namespace", "users", "--namespace", "ana")


@pytest.mark.req("X26")
def test_items_are_stored_listed_searched_renamed_and_deleted(run, data):
    made = data("items", "put", "settings", '{"theme": "dark", "n": 1}', *ANA, "--json")
    assert (made["namespace"], made["value"]) == (["users", "ana"], {"theme": "dark", "n": 1})
    assert run("items", "put", "hidden", '"herons"', "--no-index", *ANA).exit_code == 0
    assert run("items", "get", "settings", *ANA).stdout == '{"theme": "dark", "n": 1}\n'
    assert [one["key"] for one in data("items", "list", "--filter", '{"n": {"$gte": 1}}', "--json")] == ["settings"]
    assert [one["item"]["key"] for one in data("items", "search", "dark", "--limit", "1", "--json")] == ["settings"]
    assert data("items", "namespaces", "--max-depth", "1", "--json") == [["users"]]
    assert data("items", "rename", "settings", "preferences", *ANA, "--json")["key"] == "preferences"
    assert data("items", "move", *ANA, "--to", "bob", "--json")["moved"] > 0
    assert data("items", "move", "--namespace", "bob", "--to", "users", "--to", "ana", "--json")["moved"] > 0
    assert data("items", "delete", "preferences", *ANA, "--json") == {"key": "preferences", "deleted": True}
    assert run("items", "get", "preferences", *ANA).exit_code == 3
    assert "not valid JSON" in run("items", "put", "k", "dark").stderr
    assert data("items", "clear", "--yes", "--json") == {"removed": 1}
    run("items", "put", "raven", '"Zephyrine keeps ravens"', *ANA)
    assert run("forget", "--items", "users", "--key", "raven", "--yes").exit_code == 3
    assert run("forget", "--items", "users", "--items", "ana", "--key", "raven", "--yes").exit_code == 0
    assert run("verify-erasure", "Zephyrine keeps ravens").exit_code == 0
