"""Tests commands in an installation without optional packages."""

from __future__ import annotations

import subprocess
import sys

import pytest

from aforesaid.cli.serve import PACKAGES

SERVER_COMMANDS = (
    ("serve",),
    ("serve", "--processes", "2"),
    ("proxy", "--upstream", "http://127.0.0.1:1"),
    ("bench", "load", "--messages", "32"),
)
# Runs each command with the packages blocked from import, as if not installed, and prints its exit code.
WITHOUT = """
import sys
sys.modules.update(dict.fromkeys({packages!r}))
import aforesaid.cli
for command in {commands!r}:
    sys.argv = ["aforesaid", *command]
    code = 0
    try:
        aforesaid.cli.main()
    except SystemExit as end:
        code = end.code or 0
    print(command[0], code, file=sys.stderr)
"""


def run_without(packages: tuple[str, ...], commands: tuple[tuple[str, ...], ...]) -> subprocess.CompletedProcess[str]:
    script = WITHOUT.format(packages=packages, commands=commands)
    return subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=60, check=False)


@pytest.mark.parametrize("missing", [PACKAGES["server"], ("fastapi",), ("prometheus_client",)], ids=" ".join)
def test_without_the_server_packages_the_error_names_the_extra_to_install(missing):
    done = run_without(missing, SERVER_COMMANDS)
    error = 'error: the server needs a package that is not installed: pip install "aforesaid[server]"'
    expected = [line for command in SERVER_COMMANDS for line in (error, f"{command[0]} 2")]
    assert (done.stdout, done.stderr.splitlines()) == ("", expected)


def test_a_command_of_a_plain_install_imports_no_optional_package(tmp_path):
    packages = (*PACKAGES["server"], *PACKAGES["mcp"], "opentelemetry", "playwright", "psycopg", "starlette")
    store = ("--store", str(tmp_path / "app.db"))
    commands = (("--version",), ("add", "trip", "We settled on Lisbon.", *store), ("recall", "Lisbon", *store))
    done = run_without(packages, commands)
    codes = [line for line in done.stderr.splitlines() if line.rpartition(" ")[2].isdigit()]
    assert codes == ["--version 0", "add 0", "recall 0"], done.stderr
    assert "aforesaid 0.1.0" in done.stdout
    assert "Lisbon." in done.stdout
