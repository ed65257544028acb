"""What every command has in common: help, documentation, exit codes, streams."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
import typer
from tests.cli.conftest import environment
from typer.testing import CliRunner

import aforesaid
from aforesaid import errors
from aforesaid.cli import exit_codes
from aforesaid.cli.app import COMMANDS, app

PAGE = Path(__file__).parent.parent.parent / "docs" / "reference" / "cli.md"
NAMES = list(COMMANDS)
WITHOUT_STORE = {"copy", "version", "restore"}  # which names the store that it makes
WITHOUT_JSON = {"demo", "mcp", "proxy", "serve"}  # made for eyes; ended from outside, or speaking a protocol


GROUPS = {name: command for name, command in typer.main.get_command(app).commands.items() if name not in NAMES}
LEAVES = [f"{group} {name}" for group, command in GROUPS.items() for name in command.commands]


def options(name: str) -> set[str]:
    command = typer.main.get_command(app)
    for word in name.split():
        command = command.commands[word]  # type: ignore[attr-defined]
    return {option for parameter in command.params for option in parameter.opts if option.startswith("--")} - {"--help"}


def section(name: str) -> str:
    found = re.search(
        rf"^## aforesaid {name.split(maxsplit=1)[0]}\n(.*?)(?=^## |\Z)", PAGE.read_text("utf-8"), re.M | re.S
    )
    assert found, f"{PAGE} has no section on {name!r}"
    return found[1]


@pytest.mark.parametrize("name", [*NAMES, *GROUPS, *LEAVES])
def test_help_shows_an_example(run, name):
    result = run(*name.split(), "--help")
    assert result.exit_code == 0
    assert f"Example: aforesaid {name}" in " ".join(result.stdout.split())


@pytest.mark.parametrize("name", [*NAMES, *GROUPS, *LEAVES])
def test_every_command_is_documented_with_an_example(name):
    shown = "\n".join(re.findall(r"^```sh\n(.*?)^```$", section(name), re.M | re.S))
    assert re.search(rf"^aforesaid {name}\b", shown, re.M)


def test_every_documented_command_exists():
    told = set(re.findall(r"^## aforesaid (\S+)$", PAGE.read_text("utf-8"), re.M))
    assert told == {*NAMES, *GROUPS}


@pytest.mark.parametrize("name", [*NAMES, *LEAVES])
def test_every_option_is_documented(name):
    missing = [option for option in sorted(options(name)) if f"`{option}" not in section(name)]
    assert missing == []


@pytest.mark.parametrize("name", NAMES)
def test_every_documented_option_exists(name):
    told = set(re.findall(r"^- .*", section(name), re.M))
    words = {word for row in told for word in re.findall(r"`(--[a-z-]+)", row.split(":")[0])}
    assert words <= options(name)


@pytest.mark.parametrize("name", sorted(set(NAMES) - WITHOUT_STORE))
def test_every_command_that_works_on_a_store_says_which(name):
    assert "--store" in options(name)


@pytest.mark.parametrize("name", sorted({*NAMES, *LEAVES} - WITHOUT_JSON))
def test_every_command_speaks_json(name):
    assert "--json" in options(name)


def test_every_error_has_an_exit_code_of_its_own_kind():
    kinds = [kind for kind in vars(errors).values() if isinstance(kind, type) and issubclass(kind, Exception)]
    codes = {kind.__name__: exit_codes.code(kind.__new__(kind)) for kind in kinds}
    assert codes == {
        "AforesaidError": 1, "ClosedError": 1, "InvalidInput": 2, "NoModel": 2, "BudgetExceeded": 2, "NotFound": 3,
        "ConflictError": 4, "StateError": 5, "StoreError": 6, "StoreBusy": 6, "StoreFull": 6, "StoreDamaged": 6,
        "SchemaTooNew": 6, "ProviderError": 7, "CapReached": 7, "ProviderRefused": 7, "NotFinished": 8,
        "ConsentNeeded": 9,
    }  # fmt: skip


def test_every_exit_code_is_documented():
    rows = re.findall(r"^\| (\d) \|", PAGE.read_text("utf-8"), re.M)
    assert [int(row) for row in rows] == [0, exit_codes.OTHER, *(number for _, number in exit_codes.CODES)]


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (["add", "trip", "hello", "--role", "boss"], 2),
        (["add", "trip", "hello", "--at", "yesterday"], 2),
        (["add", "trip", "hello", "--store", "postgresql://127.0.0.1:1/db"], 6),
        (["status", "--store", "postgresql://127.0.0.1:1/db?pool_size=0"], 2),
        (["add", "trip", "hello", "--store", "missing/folder/memory.db"], 2),
        (["messages", "trip", "--limit", "0"], 2),
        (["messages", "nowhere"], 3),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else str(value),
)
def test_a_failure_is_one_line_and_a_code(run, arguments, code):
    run("add", "trip", "hello")
    result = run(*arguments)
    assert (result.exit_code, result.stdout) == (code, "")
    assert result.stderr.startswith("error: ")
    assert len(result.stderr.splitlines()) == 1


@pytest.mark.parametrize(
    ("arguments", "code"), [(["status"], 3), (["add", "trip", "hello", "--role", "boss"], 2), (["forgt"], 2)]
)
def test_a_process_ends_with_the_code_and_without_a_traceback(process, arguments, code):
    done = process(*arguments)
    assert (done.returncode, done.stdout) == (code, b"")
    assert done.stderr.strip()
    assert b"Traceback" not in done.stderr


def test_a_reader_that_goes_away_is_no_error_to_speak_of(open_memory, path):
    open_memory().conversation("trip").add_many([{"role": "user", "content": "hello " * 50}] * 1000)
    command = [sys.executable, "-m", "aforesaid", "messages", "trip", "--limit", "1000"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment(path)) as reading:
        assert reading.stdout is not None
        assert reading.stderr is not None
        reading.stdout.readline()
        reading.stdout.close()
        assert reading.stderr.read() == b""


def test_json_is_all_there_is_on_standard_output(process):
    for arguments in (["add", "trip", "hello"], ["recall", "hello"]):
        done = process(*arguments, "--json")
        assert (done.returncode, json.loads(done.stdout) is None) == (0, False), done.stderr


def test_any_text_can_be_printed_on_an_old_terminal(process):
    process("add", "trip", "日本 é 🚂")
    assert process("messages", "trip", PYTHONIOENCODING="ascii").returncode == 0
    done = process("messages", "trip", "--json", PYTHONIOENCODING="latin-1")
    assert json.loads(done.stdout)[0]["content"] == "日本 é 🚂"


def test_version_names_aforesaid_and_python(run, data):
    assert data("version")["aforesaid"] == aforesaid.__version__
    assert run("version").stdout.startswith(f"aforesaid {aforesaid.__version__}\npython 3.")


def test_without_a_command_there_is_help():
    result = CliRunner().invoke(app, [])
    assert "aforesaid add trip" in result.output
