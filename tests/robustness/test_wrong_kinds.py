"""Tests that arguments of a wrong type are refused with an error that names the expected type, and write nothing."""

from __future__ import annotations

import os
from datetime import timedelta

import pytest

from aforesaid import InvalidInput, Memory

OPENING = [
    ({"store": 5}, "a store is named by a path or an address, not int"),
    ({"embedder": 5}, "embedder must be a name, or an object with `name` and `embed`, not int"),
    ({"tokenizer": None}, "tokenizer must be a name, or an object with `count`, not NoneType"),
    ({"model": 5}, "model must be a name, or an object with `name` and `local` and `complete`, not int"),
    ({"importance_rules": None}, "importance_rules must be a list, not NoneType"),
    ({"importance_rules": ["long"]}, "each of importance_rules must be an ImportanceRule, not str"),
    ({"clock": 5}, "clock must be a function, not int"),
    ({"environment": []}, "environment takes a mapping, not list"),
]

CALLS = [
    (lambda memory: memory.on_change(5), "wake must be a function, not int"),
    (lambda memory: memory.copy_to("other.db"), r"copy_to takes a Memory, such as Memory\('other.db'\), not str"),
    (lambda memory: memory.flush(None), "timeout must be a number of at least 0, not None"),
    (lambda memory: memory.create_key("app", spaces=5), "spaces must be a list, not int"),
    (lambda memory: memory.create_key("app", spaces="alice"), r"spaces must be a list, such as \['alice'\]"),
    (lambda memory: memory.check_key(None), "a key's secret is text, not NoneType"),
    (lambda memory: memory.activity(step=5), "step must be a timedelta, not int"),
    (lambda memory: memory.space("a").export(None), "the folder must be named by text or a path, not NoneType"),
    (lambda memory: memory.space("a").remember("likes tea", tags=None), "tags must be a list, not NoneType"),
    (lambda memory: memory.space("a").recall("tea", kinds=5), "kinds must be a list, not int"),
    (lambda memory: memory.space("a").set([], 1), r"there is no setting \[\]"),
    (lambda memory: memory.conversation("c").context("tea", recipe=[]), r"there is no recipe \[\]"),
    (lambda memory: memory.conversation("c").add_many(None), "messages must be a list, not NoneType"),
    (lambda memory: memory.conversation("c").score(5), "ids must be a list, not int"),
]


@pytest.mark.parametrize(("given", "said"), OPENING, ids=str)
def test_opening_a_memory_with_an_argument_of_a_wrong_type_is_refused(given, said):
    with pytest.raises(InvalidInput, match=said):
        Memory(**{"environment": {}, "worker": False} | given)


@pytest.mark.parametrize(("call", "said"), CALLS, ids=[said for _, said in CALLS])
def test_a_call_with_an_argument_of_a_wrong_type_is_refused(open_memory, call, said, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    memory = open_memory()
    before = sorted(os.listdir(tmp_path))
    with pytest.raises(InvalidInput, match=said):
        call(memory)
    assert sorted(os.listdir(tmp_path)) == before
    assert (memory.spaces(), memory.keys()) == ([], [])


def test_a_source_must_be_a_message(open_memory):
    space = open_memory().space("a")
    space.grant_consent()
    with pytest.raises(InvalidInput, match="the source must be a Message or its id, not int"):
        space.set_profile({"city": "Porto"}, source=5)


def test_custom_objects_with_the_required_methods_are_accepted(open_memory):
    class Letters:
        name = "letters"

        def count(self, text: str) -> int:
            return len(text)

    memory = open_memory(tokenizer=Letters(), embedder="none")
    memory.conversation("c").add_many({"role": "user", "content": text} for text in ("one", "three"))
    memory.flush(1)
    assert [message.tokens for message in memory.conversation("c").messages()] == [3, 5]
    assert memory.activity(step=timedelta(hours=1))
