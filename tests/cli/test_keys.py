"""`aforesaid keys`: made, listed, revoked; the secret is shown once."""

from __future__ import annotations

import json

import pytest

pytestmark = pytest.mark.req("X17")


def test_a_secret_is_all_there_is_on_standard_output_and_opens_the_store(run, open_memory):
    made = run("keys", "create", "laptop", "--access", "read", "--space", "alice", "--space", "bob")
    assert made.exit_code == 0
    secret = made.stdout.strip()
    assert "shown only now" in made.stderr
    assert secret not in made.stderr
    key = open_memory().check_key(secret)
    assert (key.name, key.access, key.spaces) == ("laptop", "read", ("alice", "bob"))


def test_a_key_opens_everything_for_writing_unless_told_otherwise(data):
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
    assert id in run("keys", "list").stdout  # in one line, however narrow the terminal
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
def test_what_cannot_be_done_ends_with_a_code(run, arguments, code):
    run("add", "trip", "hello")
    result = run("keys", *arguments)
    assert (result.exit_code, result.stdout) == (code, "")


def test_looking_for_keys_makes_no_store(run):
    assert run("keys", "list").exit_code == 3
