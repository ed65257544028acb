"""Tests help, documentation, exit codes and output streams of every command."""

import json
import re
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest
from tests.cli.conftest import command, environment
from typer.testing import CliRunner

import aforesaid
from aforesaid import errors
from aforesaid.cli import exit_codes
from aforesaid.cli.app import COMMANDS, app

PAGE = Path(__file__).parent.parent.parent / "docs" / "reference" / "cli.md"
NAMES = list(COMMANDS)
WITHOUT_STORE = {"copy", "version", "restore", "uninstall"}  # restore takes the store as an argument
WITHOUT_JSON = {"demo", "mcp", "proxy", "serve"}  # interactive, long-running, or speaking a protocol


GROUPS = {name: group for name, group in command().commands.items() if name not in NAMES}  # type: ignore[attr-defined]
LEAVES = [f"{group} {name}" for group, found in GROUPS.items() for name in found.commands]


@cache
def options(name: str) -> set[str]:
    found = command()
    for word in name.split():
        found = found.commands[word]  # type: ignore[attr-defined]
    return {option for parameter in found.params for option in parameter.opts if option.startswith("--")} - {"--help"}


@cache
def page() -> str:
    return PAGE.read_text("utf-8")


@cache
def section(name: str) -> str:
    found = re.search(rf"^## aforesaid {name.split(maxsplit=1)[0]}\n(.*?)(?=^## |\Z)", page(), re.M | re.S)
    assert found, f"{PAGE} has no section on {name!r}"
    return found[1]


def test_the_help_of_every_command_shows_an_example(run):
    for name in (*NAMES, *GROUPS, *LEAVES):
        result = run(*name.split(), "--help")
        assert result.exit_code == 0, name
        assert f"Example: aforesaid {name}" in " ".join(result.stdout.split())


def test_every_command_is_documented_with_an_example():
    for name in (*NAMES, *GROUPS, *LEAVES):
        shown = "\n".join(re.findall(r"^```sh\n(.*?)^```$", section(name), re.M | re.S))
        assert re.search(rf"^aforesaid {name}\b", shown, re.M), name


def test_every_documented_command_exists():
    assert set(re.findall(r"^## aforesaid (\S+)$", page(), re.M)) == {*NAMES, *GROUPS}


def test_every_option_is_documented():
    names = [*NAMES, *LEAVES]
    assert [(name, option) for name in names for option in options(name) if f"`{option}" not in section(name)] == []


def test_every_documented_option_exists():
    for name in NAMES:
        rows = set(re.findall(r"^- .*", section(name), re.M))
        words = {word for row in rows for word in re.findall(r"`(--[a-z-]+)", row.split(":")[0])}
        assert words <= options(name), name


def test_every_command_on_a_store_has_the_store_option():
    assert [name for name in sorted(set(NAMES) - WITHOUT_STORE) if "--store" not in options(name)] == []


def test_every_command_can_print_json():
    assert [name for name in sorted({*NAMES, *LEAVES} - WITHOUT_JSON) if "--json" not in options(name)] == []


def test_every_error_has_an_exit_code():
    kinds = [kind for kind in vars(errors).values() if isinstance(kind, type) and issubclass(kind, Exception)]
    codes = {kind.__name__: exit_codes.code(kind.__new__(kind)) for kind in kinds}
    assert codes == {
        "AforesaidError": 1, "ClosedError": 1, "InvalidInput": 2, "NoModel": 2, "BudgetExceeded": 2, "NotFound": 3,
        "ConflictError": 4, "StateError": 5, "StoreError": 6, "StoreBusy": 6, "StoreFull": 6, "StoreDamaged": 6,
        "StoreMoved": 6, "WrongKey": 6, "SchemaTooNew": 6, "ProviderError": 7, "CapReached": 7, "ProviderRefused": 7,
        "NotFinished": 8, "ConsentNeeded": 9, "OnHold": 10, "ServerUnavailable": 6, "AccessDenied": 6,
    }  # fmt: skip


def test_every_exit_code_is_documented():
    rows = re.findall(r"^\| (\d+) \|", page(), re.M)
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
def test_a_failure_is_one_line_and_an_exit_code(run, arguments, code):
    run("add", "trip", "hello")
    result = run(*arguments)
    assert (result.exit_code, result.stdout) == (code, "")
    assert result.stderr.startswith("error: ")
    assert len(result.stderr.splitlines()) == 1


@pytest.mark.parametrize(
    ("arguments", "code"), [(["status"], 3), (["add", "trip", "hello", "--role", "boss"], 2), (["forgt"], 2)]
)
def test_a_process_exits_with_the_code_and_without_a_traceback(new_process, arguments, code):
    done = new_process(*arguments)
    assert (done.returncode, done.stdout) == (code, b"")
    assert done.stderr.strip()
    assert b"Traceback" not in done.stderr


def test_a_closed_output_pipe_prints_no_error(open_memory, path):
    open_memory().conversation("trip").add_many([{"role": "user", "content": "hello " * 50}] * 1000)
    line = [sys.executable, "-m", "aforesaid", "messages", "trip", "--limit", "1000"]
    with subprocess.Popen(line, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment(path)) as reading:
        assert reading.stdout is not None
        assert reading.stderr is not None
        reading.stdout.readline()
        reading.stdout.close()
        assert reading.stderr.read() == b""


def test_stdout_has_only_json(process, new_process):
    for start, arguments in ((process, ["add", "trip", "hello"]), (new_process, ["recall", "hello"])):
        done = start(*arguments, "--json")
        assert (done.returncode, json.loads(done.stdout) is None) == (0, False), done.stderr


def test_any_text_can_be_printed_in_any_output_encoding(run, new_process):
    run("add", "trip", "日本 é 🚂")
    assert new_process("messages", "trip", PYTHONIOENCODING="ascii").returncode == 0
    done = new_process("messages", "trip", "--json", PYTHONIOENCODING="latin-1")
    assert json.loads(done.stdout)[0]["content"] == "日本 é 🚂"


def test_version_names_aforesaid_and_python(run, data):
    assert data("version")["aforesaid"] == aforesaid.__version__
    assert run("version").stdout.startswith(f"aforesaid {aforesaid.__version__}\npython 3.")


def test_without_a_command_help_is_printed():
    result = CliRunner().invoke(app, [])
    assert "aforesaid add trip" in result.output
