"""Tests that no command shows the password in the address of a store."""

from __future__ import annotations

import logging
import traceback
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from tests.cli.conftest import command as command_line

from aforesaid import InvalidInput, Memory, StoreError

SECRET = "hunter2"
SILENT = {"version"}  # opens no store
LASTING = {"serve", "proxy", "mcp", "worker", "chat"}
WRONG = [
    "postgresql://ann:{}@127.0.0.1:1/memory",  # no server listens
    "postgresql://ann:{}@127.0.0.1:1/memory?nothing=1",
    "postgresql://ann:x/{}@127.0.0.1:1/memory",
    "postgresql://ann:5432/{}@127.0.0.1:1/memory",
    "postgresql://ann:{}/x@127.0.0.1:1/memory",
    "postgresql://ann:{}?x@127.0.0.1:1/memory",
    "postgresql://ann:x?{}@127.0.0.1:1/memory",
    "postgresql://ann:x@{}@127.0.0.1:1/memory",
    "postgresql://ann:{}%zz@127.0.0.1:1/memory",
    "postgresql://ann:[{}@127.0.0.1:1/memory",
    "postgresql:/ann:{}@127.0.0.1:1/memory",
    "postgresql+psycopg://ann:{}@127.0.0.1:1/memory",
    "mysql://ann:{}@127.0.0.1/memory",
]
SOME = [WRONG[0], WRONG[10]]


@cache
def commands() -> dict[str, Any]:
    """Every command by its name on the command line."""
    found: dict[str, Any] = {}
    for name, command in command_line().commands.items():  # type: ignore[attr-defined]
        inner = getattr(command, "commands", None)
        found |= {name: command} if inner is None else {f"{name} {each}": one for each, one in inner.items()}
    return {name: command for name, command in found.items() if name not in SILENT and takes_store(command)}


def takes_store(command: Any) -> bool:
    return any("--store" in parameter.opts or parameter.name in ("source", "store") for parameter in command.params)


def line(command: Any, name: str, address: str, folder: Path) -> list[str]:
    """The command line with the required arguments and this store."""
    words, store = name.split(), ["--store", address]
    for parameter in command.params:
        if parameter.name in ("source", "store") and "--store" not in parameter.opts:
            words, store = [*words, address], []
        elif parameter.required:
            given = needed(parameter, folder)
            words += [parameter.opts[0], given] if parameter.opts[0].startswith("-") else [given]
    return [*words, *store]


def needed(parameter: Any, folder: Path) -> str:
    """A valid value of the parameter."""
    if parameter.name == "upstream":
        return "http://127.0.0.1:1/v1"
    if parameter.name == "path":
        (folder / "given.jsonl").write_text('{"space": "default", "query": "heron", "relevant": ["m"]}\n')
        return str(folder / "given.jsonl")
    return str(folder / "made") if parameter.name in ("destination", "folder", "target", "backup") else "word"


@pytest.mark.req("X17")
def test_no_command_shows_the_password_of_an_invalid_address(run, caplog, tmp_path):
    caplog.set_level(logging.DEBUG)
    for (name, command), wrong in product(commands().items(), SOME):
        caplog.clear()
        words = line(command, name, wrong.format(SECRET), tmp_path)
        result = run(*words, input="")
        assert result.exit_code != 0, words
        assert "error" in result.stderr.lower(), words
        assert SECRET not in f"{result.output}{result.stderr}{[vars(record) for record in caplog.records]}", words


@pytest.mark.req("X17")
def test_no_command_shows_the_password_of_a_valid_address(run, caplog, tmp_path, address):
    caplog.set_level(logging.DEBUG)
    right = address.replace("aforesaid@", f"aforesaid:{SECRET}@")
    with Memory(right, worker=False, environment={}) as memory:
        memory.conversation("c").add("user", "The heron stands in the harbour", id="m")
        assert SECRET not in f"{memory.address} {memory!r} {memory.space('a')!r} {memory.status()!r}"
    for name, command in commands().items():
        if name.split()[0] not in LASTING | {"bench"}:
            caplog.clear()
            words = line(command, name, right, tmp_path)
            result = run(*words, input="")
            assert SECRET not in f"{result.output}{result.stderr}{[vars(record) for record in caplog.records]}", words


@pytest.mark.parametrize("wrong", WRONG)
def test_no_error_contains_the_password_not_even_in_its_causes(wrong: str):
    with pytest.raises((InvalidInput, StoreError)) as caught:
        Memory(wrong.format(SECRET), worker=False, environment={})
    assert SECRET not in "".join(traceback.format_exception(caught.value))
