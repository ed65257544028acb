"""Commands of a plain install: a command that needs more says in one line what to install."""

from __future__ import annotations

import subprocess
import sys

import pytest

from aforesaid.cli.serve import PACKAGES

COMMANDS = (
    ("serve",),
    ("serve", "--processes", "2"),
    ("proxy", "--upstream", "http://127.0.0.1:1"),
    ("bench", "load", "--messages", "32"),
)
# Runs each command where the packages cannot be imported, as if they were not installed; then prints its exit code.
WITHOUT = """
import sys
sys.modules.update(dict.fromkeys({packages!r}))
import aforesaid.cli
for command in {commands!r}:
    sys.argv = ["aforesaid", *command]
    try:
        aforesaid.cli.main()
    except SystemExit as end:
        print(command, end.code, file=sys.stderr)
"""


@pytest.mark.parametrize("missing", [PACKAGES["server"], ("fastapi",), ("prometheus_client",)], ids=" ".join)
def test_without_the_server_it_says_what_to_install(missing):
    script = WITHOUT.format(packages=missing, commands=COMMANDS)
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=60, check=False)
    error = 'error: the server needs a package that is not installed: pip install "aforesaid[server]"'
    expected = [line for command in COMMANDS for line in (error, f"{command} 2")]
    assert (done.stdout, done.stderr.splitlines()) == ("", expected)
