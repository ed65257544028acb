"""Where a client runs: its packages, a home folder with a project, the base URL of its model, and a store."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from tests.clients.environments import Environment

PATIENCE = 180.0  # seconds for one program
PROGRAMS = Path(__file__).parent / "programs"
AFORESAID = str(Path(sys.executable).parent / "aforesaid")


class ClientFailed(Exception):
    """The last words of a client that did not do its work."""


@dataclass(frozen=True)
class Place:
    environment: Environment
    home: Path
    url: str
    store: Path

    @property
    def project(self) -> Path:
        return self.home / "project"

    def run(self, *command: str, input: str = "", **variables: str) -> str:
        """Runs a program in the project, with nothing of the caller's environment, and returns its output."""
        clean = {
            "PATH": os.environ["PATH"],
            "HOME": str(self.home),
            "TMPDIR": str(self.home / "tmp"),
            "LANG": "C.UTF-8",
            "TERM": "dumb",
            "NO_UPDATE_NOTIFIER": "1",
            "OPENAI_BASE_URL": f"{self.url}/v1",
            "OPENAI_API_BASE": f"{self.url}/v1",
            "OPENAI_API_KEY": "none",
            "ANTHROPIC_BASE_URL": self.url,
            "ANTHROPIC_API_BASE": self.url,
            "ANTHROPIC_API_KEY": "none",
            "LITELLM_LOCAL_MODEL_COST_MAP": "True",
        }
        try:
            ended = subprocess.run(
                command,
                cwd=self.project,
                env=clean | variables,
                input=input,
                capture_output=True,
                text=True,
                timeout=PATIENCE,
                check=False,
            )
        except subprocess.TimeoutExpired as error:
            raise ClientFailed(f"{Path(command[0]).name} took longer than {PATIENCE:.0f} s") from error
        if ended.returncode:
            said = " ".join((ended.stderr.strip() or ended.stdout).split())
            raise ClientFailed(f"{Path(command[0]).name} exited with {ended.returncode}: {said[-300:]}")
        return ended.stdout

    def write(self, name: str, text: str) -> None:
        """Writes a file of the home folder, unless it is there."""
        file = self.home / name
        file.parent.mkdir(parents=True, exist_ok=True)
        if not file.exists():
            file.write_text(text, "utf-8")


def mcp_command(place: Place) -> list[str]:
    """Returns the command with which a client starts the MCP server."""
    return [AFORESAID, "mcp", "--store", str(place.store)]


Talk = Callable[[Place, Sequence[str]], str]  # runs a session with these turns, and returns what the client printed


def make_home(folder: Path) -> Path:
    """Makes a home folder with a project that is a git repository of two files."""
    for name in ("project", "tmp"):
        (folder / name).mkdir(parents=True)
    (folder / "project/README.md").write_text("# Stable\nA project about horses.\n", "utf-8")
    (folder / "project/stable.py").write_text('def feed():\n    return "hay"\n', "utf-8")
    git = ("git", "-c", "user.name=Ada", "-c", "user.email=ada@example.org")
    for command in (("init", "--quiet"), ("add", "--all"), ("commit", "--quiet", "--message", "first")):
        subprocess.run([*git, *command], cwd=folder / "project", check=True, capture_output=True)
    return folder


def python_program(name: str, *arguments: str) -> Talk:
    """Returns the session of a program in `programs/`, which reads the turns from its input."""

    def talk(place: Place, turns: Sequence[str]) -> str:
        python = place.environment.bin("python")
        command = json.dumps(mcp_command(place))
        return place.run(python, str(PROGRAMS / name), *arguments, input=json.dumps(turns), MCP_COMMAND=command)

    return talk


def node_program(name: str, *arguments: str) -> Talk:
    """Returns the session of a program that runs beside its packages, since node searches them there."""

    def talk(place: Place, turns: Sequence[str]) -> str:
        copy = shutil.copy(PROGRAMS / name, place.environment.folder)
        return place.run("node", str(copy), *arguments, input=json.dumps(turns))

    return talk
