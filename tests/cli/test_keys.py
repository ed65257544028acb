"""Tests `aforesaid keys`."""

from __future__ import annotations

import json

import pytest

pytestmark = pytest.mark.req("X17")


def test_stdout_has_only_the_secret_and_the_secret_is_valid(run, open_memory):
    made = run("keys", "create", "laptop", "--access", "read", "--space", "alice", "--space", "bob")
    assert made.exit_code == 0
    secret = made.stdout.strip()
    assert "shown only now" in made.stderr
    assert secret not in made.stderr
    key = open_memory().check_key(secret)
    assert (key.name, key.access, key.spaces) == ("laptop", "read", ("alice", "bob"))


def test_a_key_has_write_access_to_all_spaces_by_default(data):
    made = data("keys", "create", "app")
    assert (made["key"]["access"], made["key"]["spaces"]) == ("write", None)
    assert made["secret"].startswith("ak_")


def test_keys_are_listed_without_their_secrets_and_revoked(run, data, open_memory):
    made = data("keys", "create", "laptop", "--space", "alice")
    shown = run("keys", "list").stdout
    assert "laptop" in shown
    assert "alice" in shown
    assert made["secret"] not in shown + json.dumps(data("keys", "list"))
    id = made["key"]["id"]
    assert id in run("keys", "list").stdout  # not wrapped in a narrow terminal
    assert id in run("keys", "revoke", id[:20]).stdout
    assert data("keys", "list")[0]["revoked_at"]
    assert open_memory().check_key(made["secret"]) is None


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (["create", "x", "--access", "all"], 2),
        (["create", ""], 2),
        (["create", "x", "--space", " "], 2),
        (["revoke", "nobody"], 3),
    ],
)
def test_an_invalid_command_exits_with_a_code(run, arguments, code):
    run("add", "trip", "hello")
    result = run("keys", *arguments)
    assert (result.exit_code, result.stdout) == (code, "")


def test_listing_keys_creates_no_store(run):
    assert run("keys", "list").exit_code == 3
