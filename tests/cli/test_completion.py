"""Tests shell completion of commands, options and names from the store."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner
from tests.cli.conftest import command, environment
from typer.main import get_command

from aforesaid.cli.app import app

AFORESAID = str(Path(sys.executable).with_name("aforesaid"))


def request(line: str) -> dict[str, str]:
    """The variables with which bash requests completions for the last word of a line."""
    return {
        "COMP_WORDS": line,
        "COMP_CWORD": str(len(line.split(" ")) - 1),
        "_AFORESAID_COMPLETE": "complete_bash",
    }


@pytest.fixture
def complete(run):
    """Returns the completions that bash gets for the last word of a line."""

    def complete_(line: str, **variables: str) -> list[str]:
        result = CliRunner().invoke(command(), [], prog_name="aforesaid", env=request(line) | variables)
        assert (result.exit_code, result.stderr) == (0, "")
        return result.stdout.split()

    return complete_


def test_the_installed_command_completes(path):
    variables = environment(path) | request("aforesaid conver")
    done = subprocess.run([AFORESAID], capture_output=True, check=True, env=variables)
    assert (done.stdout.split(), done.stderr) == ([b"conversations"], b"")


def test_commands_and_options_are_completed(complete):
    assert complete("aforesaid conver") == ["conversations"]
    assert "--status" in complete("aforesaid conversations --st")


def test_names_are_completed_from_the_store(complete, open_memory, tmp_path):
    with open_memory() as memory:
        for name in ("trip", "train", "home"):
            memory.space("alice").conversation(name).start()
        memory.conversation("work").start()
    assert complete("aforesaid messages --space alice tr") == ["trip", "train"]
    assert complete("aforesaid arc ") == ["work"]
    assert complete("aforesaid stats --space a") == ["alice"]


def test_without_a_store_nothing_is_completed_and_no_store_is_created(complete, path, tmp_path):
    assert complete("aforesaid messages t") == []
    (tmp_path / "text.db").write_text("no database " * 1000)
    assert complete("aforesaid messages t", AFORESAID_STORE=str(tmp_path / "text.db")) == []
    assert not os.path.exists(path)


@pytest.mark.parametrize(
    ("shell", "words"), [("bash", "complete -o"), ("zsh", "#compdef"), ("fish", "complete --command")]
)
def test_the_completion_script_is_printed(monkeypatch, shell, words):
    monkeypatch.setenv("_TYPER_COMPLETE_TEST_DISABLE_SHELL_DETECTION", "1")  # so that the option takes the shell's name
    result = CliRunner().invoke(get_command(app), ["--show-completion", shell], prog_name="aforesaid")
    assert result.exit_code == 0
    assert "_AFORESAID_COMPLETE" in result.stdout
    assert words in result.stdout
