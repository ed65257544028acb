"""Tests API keys: creation, scope, verification, and revocation."""

from __future__ import annotations

from pathlib import Path

import pytest

from aforesaid import InvalidInput, NotFound

pytestmark = pytest.mark.req("X17")


def test_a_key_is_valid_until_it_is_revoked(memory, clock):
    made = memory.create_key("laptop", access="read", spaces=["alice", "bob", "alice"])
    assert memory.check_key(made.secret) == made.key
    assert (made.key.name, made.key.access, made.key.spaces) == ("laptop", "read", ("alice", "bob"))
    clock.forward(hours=1)
    revoked = memory.revoke_key(made.key.id)
    assert revoked.revoked_at == clock()
    assert memory.check_key(made.secret) is None
    clock.forward(hours=1)
    assert memory.revoke_key(made.key.id) == revoked
    assert memory.keys() == [revoked]


def test_a_revocation_takes_effect_in_every_process(open_memory):
    here, there = open_memory(), open_memory()
    made = here.create_key("laptop")
    assert there.check_key(made.secret) == made.key
    here.revoke_key(made.key.id)
    assert there.check_key(made.secret) is None


def test_the_secret_is_in_no_file(open_memory, path):
    memory = open_memory()
    made = memory.create_key("laptop")
    tail = made.secret[-30:].encode()
    for file in Path(path).parent.iterdir():
        assert tail not in file.read_bytes()


@pytest.mark.parametrize("change", [lambda s: s[:-1], lambda s: s + "x", lambda s: s.upper()])
def test_a_modified_key_is_invalid(memory, change):
    made = memory.create_key("laptop")
    assert memory.check_key(change(made.secret)) is None


@pytest.mark.parametrize("secret", ["", "ak__", "ak", "Bearer", "ak_x_y", "\ud800", "ak_\0_x", "_" * 5000])
def test_malformed_keys_are_invalid(memory, secret):
    assert memory.check_key(secret) is None


def test_the_secret_of_one_key_is_invalid_with_the_id_of_another(memory):
    one, two = memory.create_key("one"), memory.create_key("two", access="admin")
    forged = f"ak_{two.key.id}_{one.secret.split('_', 2)[2]}"
    assert memory.check_key(forged) is None


@pytest.mark.parametrize("wrong", [{"spaces": []}, {"spaces": "alice"}, {"spaces": [""]}, {"access": "root"}])
def test_a_key_with_invalid_scope_or_access_is_rejected(memory, wrong):
    with pytest.raises(InvalidInput):
        memory.create_key("laptop", **wrong)
    assert memory.keys() == []


def test_revoking_an_unknown_key_is_an_error(memory):
    with pytest.raises(NotFound, match="aforesaid keys list"):
        memory.revoke_key("nope")
