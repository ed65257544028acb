from __future__ import annotations

import json
import logging
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

import click
import pytest
from click.testing import CliRunner, Result
from tests import programs
from typer.main import get_command

from aforesaid.cli.app import app

Run = Callable[..., Result]


@cache
def command() -> click.Command:
    """The command line, built once because that takes longer than most commands."""
    return get_command(app)


@pytest.fixture
def logging_left_alone() -> Iterator[None]:
    """Restores the logging configuration, which a command keeps until its process exits."""
    root = logging.getLogger()
    level, before = root.level, list(root.handlers)
    yield
    root.setLevel(level)
    for handler in [one for one in root.handlers if one not in before]:
        root.removeHandler(handler)


@pytest.fixture
def run(path: str, monkeypatch: pytest.MonkeyPatch, logging_left_alone: None) -> Run:
    """Runs a command in this process on the test's own store."""
    for variable in [name for name in os.environ if name.startswith(("AFORESAID_", "RAG_"))]:
        monkeypatch.delenv(variable)
    monkeypatch.setenv("AFORESAID_STORE", path)
    monkeypatch.setenv("COLUMNS", "100")

    def run_(*arguments: str, input: str | bytes | None = None) -> Result:
        result = CliRunner().invoke(command(), list(arguments), input=input)
        if result.exception is not None and not isinstance(result.exception, SystemExit):
            raise result.exception
        return result

    return run_


@pytest.fixture
def data(run: Run) -> Callable[..., Any]:
    """Runs a command with --json and returns the parsed output."""

    def data_(*arguments: str, input: str | bytes | None = None) -> Any:
        result = run(*arguments, "--json", input=input)
        assert result.exit_code == 0, result.stderr
        return json.loads(result.stdout)

    return data_


@pytest.fixture
def process(path: str) -> Callable[..., subprocess.CompletedProcess[bytes]]:
    """Runs a command in a separate process on the test's own store."""

    def process_(*arguments: str, input: bytes = b"", **variables: str) -> subprocess.CompletedProcess[bytes]:
        return programs.run("-m", "aforesaid", *arguments, environment=environment(path) | variables, input=input)

    return process_


@pytest.fixture
def new_process(path: str) -> Callable[..., subprocess.CompletedProcess[bytes]]:
    """Like `process`, but starts a new interpreter."""

    def process_(*arguments: str, input: bytes = b"", **variables: str) -> subprocess.CompletedProcess[bytes]:
        return subprocess.run(
            [sys.executable, "-m", "aforesaid", *arguments],
            input=input,
            capture_output=True,
            check=False,
            timeout=120,
            env=environment(path) | variables,
        )

    return process_


@pytest.fixture
def zone(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[str], None]]:
    """Changes the time zone of this process."""

    def zone_(name: str) -> None:
        monkeypatch.setenv("TZ", name)
        time.tzset()

    yield zone_
    monkeypatch.undo()
    time.tzset()


def environment(path: str) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("AFORESAID_", "RAG_"))}
    return kept | {"AFORESAID_STORE": path, "PYTHONIOENCODING": "utf-8"}
