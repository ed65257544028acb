"""A shell completes commands, and names from the store that the line names."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from tests.cli.conftest import environment

AFORESAID = str(Path(sys.executable).with_name("aforesaid"))


@pytest.fixture
def complete(path):
    """What bash would be offered for the last word of a line."""

    def complete_(line: str, **variables: str) -> list[str]:
        asked = {
            "COMP_WORDS": line,
            "COMP_CWORD": str(len(line.split(" ")) - 1),
            "_AFORESAID_COMPLETE": "complete_bash",
        }
        done = subprocess.run(
            [AFORESAID], capture_output=True, text=True, check=True, env=environment(path) | asked | variables
        )
        assert done.stderr == ""
        return done.stdout.split()

    return complete_


def test_commands_and_options_are_completed(complete):
    assert complete("aforesaid conver") == ["conversations"]
    assert "--status" in complete("aforesaid conversations --st")


def test_names_come_from_the_store(complete, open_memory, tmp_path):
    with open_memory() as memory:
        for name in ("trip", "train", "home"):
            memory.space("alice").conversation(name).start()
        memory.conversation("work").start()
    assert complete("aforesaid messages --space alice tr") == ["trip", "train"]
    assert complete("aforesaid arc ") == ["work"]
    assert complete("aforesaid stats --space a") == ["alice"]


def test_without_a_store_nothing_is_offered_and_none_is_made(complete, path, tmp_path):
    assert complete("aforesaid messages t") == []
    (tmp_path / "text.db").write_text("no database " * 1000)
    assert complete("aforesaid messages t", AFORESAID_STORE=str(tmp_path / "text.db")) == []
    assert not os.path.exists(path)


@pytest.mark.parametrize(
    ("shell", "words"), [("bash", "complete -o"), ("zsh", "#compdef"), ("fish", "complete --command")]
)
def test_the_script_is_shown(shell, words):
    named = {"_TYPER_COMPLETE_TEST_DISABLE_SHELL_DETECTION": "1"}  # the shell is named, not looked for
    done = subprocess.run(
        [AFORESAID, "--show-completion", shell], capture_output=True, text=True, check=True, env=os.environ | named
    )
    assert "_AFORESAID_COMPLETE" in done.stdout
    assert words in done.stdout
