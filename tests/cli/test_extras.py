"""Commands of a plain install: one that needs more says what to install, in one line."""

from __future__ import annotations

import subprocess
import sys

import pytest

from aforesaid.cli.serve import PACKAGES


def without(packages: tuple[str, ...], *arguments: str) -> subprocess.CompletedProcess[str]:
    """A command where these cannot be imported, as if they were not installed."""
    hidden = f"import sys; sys.modules.update(dict.fromkeys({packages!r}));"
    script = f"{hidden} import aforesaid.cli as cli; sys.argv = ['aforesaid', *{arguments!r}]; cli.main()"
    return subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=60, check=False)


@pytest.mark.parametrize(
    "command",
    [
        ("serve",),
        ("serve", "--processes", "2"),
        ("proxy", "--upstream", "http://127.0.0.1:1"),
        ("bench", "load", "--messages", "32"),
    ],
    ids=" ".join,
)
@pytest.mark.parametrize("missing", [PACKAGES["server"], ("fastapi",), ("prometheus_client",)], ids=" ".join)
def test_without_the_server_it_says_what_to_install(command, missing):
    done = without(missing, *command)
    said = 'error: the server needs a package that is not installed: pip install "aforesaid[server]"\n'
    assert (done.returncode, done.stdout, done.stderr) == (2, "", said)


def test_a_command_of_a_plain_install_imports_no_optional_package(tmp_path):
    packages = (*PACKAGES["server"], *PACKAGES["mcp"], "opentelemetry", "playwright", "psycopg", "starlette")
    store = ("--store", str(tmp_path / "app.db"))
    for command in (("--version",), ("add", "trip", "We settled on Lisbon.", *store), ("recall", "Lisbon", *store)):
        done = without(packages, *command)
        assert (done.returncode, done.stdout != "") == (0, True), done.stderr
