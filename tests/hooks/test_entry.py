"""Tests the command `aforesaid hook`: every agent's form, errors, and the process that stays."""

from __future__ import annotations

import io
import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from tests.hooks.events import AGENTS, ANSWERED, TOLD, claude_code, vscode
from tests.serving import served

from aforesaid import Memory
from aforesaid.hooks.entry import run
from aforesaid.hooks.log import LARGEST, log_path, read_lines, write_line
from aforesaid.hooks.project import PERSON, project_space
from aforesaid.hooks.running_server import RunningServer, find_server, stop_resident

pytestmark = pytest.mark.req("X25")

ASKED = "What is my horse called?"
Hook = Callable[..., "Done"]


@dataclass(frozen=True)
class Done:
    stdout: bytes
    stderr: bytes
    returncode: int = 0


@pytest.fixture
def hook(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfdbinary: pytest.CaptureFixture[bytes]) -> Hook:
    """Runs `aforesaid hook` in this process, with its direct way to the store."""
    for name in [name for name in os.environ if name.startswith(("AFORESAID", "CURSOR", "CLAUDE", "GEMINI"))]:
        monkeypatch.delenv(name)
    for name in ("HOME", "USERPROFILE"):
        monkeypatch.setenv(name, str(tmp_path))
    monkeypatch.chdir(tmp_path)

    def run_(agent: str, event: Any, **variables: str) -> Done:
        given = event if isinstance(event, bytes) else json.dumps(event).encode()
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(given)))
        for name, value in variables.items():
            monkeypatch.setenv(name, value)
        run([agent, "--store", str(tmp_path / "m.db"), "--direct"])
        return Done(*capfdbinary.readouterr())

    return run_


@pytest.fixture
def process(tmp_path: Path) -> Callable[..., subprocess.CompletedProcess[bytes]]:
    """Runs `aforesaid hook` in its own process, as an agent does."""

    def run_(agent: str, event: Any, *options: str) -> subprocess.CompletedProcess[bytes]:
        variables = {name: value for name, value in os.environ.items() if name in ("PATH", "SYSTEMROOT")}
        home = {"HOME": str(tmp_path), "USERPROFILE": str(tmp_path)}
        line = [sys.executable, "-m", "aforesaid", "hook", agent, "--store", str(tmp_path / "m.db"), *options]
        given = event if isinstance(event, bytes) else json.dumps(event).encode()
        return subprocess.run(
            line, input=given, capture_output=True, env=variables | home, cwd=tmp_path, timeout=120, check=False
        )

    return run_


@pytest.fixture
def resident(tmp_path: Path) -> Iterator[str]:
    """The path of a store. Ends the process that keeps it open, at the end of the test."""
    store = str(tmp_path / "m.db")
    yield store
    stop_resident(store)


def context_of(agent: str, output: bytes) -> str:
    printed = json.loads(output)
    if agent == "cursor":
        assert printed["continue"] is True
        return str(printed["additional_context"])
    assert set(printed) == {"hookSpecificOutput"}
    assert printed["hookSpecificOutput"]["hookEventName"] == AGENTS[agent][1]
    return str(printed["hookSpecificOutput"]["additionalContext"])


@pytest.mark.parametrize("agent", AGENTS)
def test_an_agent_tells_in_one_session_and_asks_in_the_next(agent, hook, tmp_path):
    event, prompted, answered, field = AGENTS[agent]
    folder = str(tmp_path / "app")
    told = hook(agent, event(prompted, folder, prompt=TOLD))
    said = hook(agent, event(answered, folder, **{field: ANSWERED}))
    assert [(done.returncode, done.stdout, done.stderr) for done in (told, said)] == [(0, b"", b"")] * 2
    asked = event(prompted, folder, prompt=ASKED)
    for name in ("session_id", "sessionId", "conversation_id"):
        asked |= {name: "next"} if name in asked else {}
    done = hook(agent, asked)
    assert (done.returncode, done.stderr) == (0, b"")
    assert TOLD in context_of(agent, done.stdout)
    with Memory(tmp_path / "m.db", worker=False, environment={}) as memory:
        space = memory.space(project_space(folder))
        stored = [
            (one.role, one.text) for info in space.conversations() for one in space.conversation(info.id).messages()
        ]
        assert stored == [("user", TOLD), ("assistant", ANSWERED), ("user", ASKED)]
        assert memory.space(PERSON).info() is not None


def test_a_subagent_and_another_program_with_the_same_hooks_are_not_the_person(hook, tmp_path):
    folder = str(tmp_path)
    hook("claude-code", claude_code("UserPromptSubmit", folder, prompt=TOLD, agent_id="ab4a", agent_type="Explore"))
    hook("claude-code", claude_code("SubagentStop", folder, last_assistant_message="Counted."))
    hook("claude-code", vscode("UserPromptSubmit", folder, prompt=TOLD))
    hook("claude-code", claude_code("UserPromptSubmit", folder, prompt=TOLD), CURSOR_VERSION="3.20.17")
    assert not (tmp_path / "m.db").exists()


def test_the_answer_is_read_from_the_transcript_if_the_event_has_none(hook, tmp_path):
    lines = [
        {"type": "user", "message": {"role": "user", "content": TOLD}},
        {
            "type": "assistant",
            "message": {"content": [{"type": "thinking", "thinking": "?"}, {"type": "text", "text": ANSWERED}]},
        },
        {"type": "assistant", "isSidechain": True, "message": {"content": [{"type": "text", "text": "A subagent's."}]}},
    ]
    event = claude_code("Stop", str(tmp_path))
    Path(event["transcript_path"]).write_text("\n".join(map(json.dumps, lines)) + "\n", "utf-8")
    hook("claude-code", event)
    with Memory(tmp_path / "m.db", worker=False, environment={}) as memory:
        (info,) = memory.space(PERSON).conversations()  # the folder is the home folder, so no project
        assert [one.text for one in memory.space(PERSON).conversation(info.id).messages()] == [ANSWERED]


BAD_EVENTS = {
    "no JSON": b"not json", "nothing": b"", "a list": b"[1]", "no session": b'{"hook_event_name": "Stop"}',
    "other types": b'{"hook_event_name": 7, "session_id": {}, "prompt": []}', "not UTF-8": b"\xff\xfe{",
    "another event": b'{"hook_event_name": "PreToolUse", "session_id": "a"}',
}  # fmt: skip


@pytest.mark.parametrize("event", BAD_EVENTS.values(), ids=BAD_EVENTS)
def test_a_bad_event_never_fails_the_agent(event, hook):
    done = hook("claude-code", event)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")


def test_errors_go_to_the_log_which_the_status_shows(process, tmp_path):
    event = claude_code("UserPromptSubmit", str(tmp_path), prompt=TOLD)
    (tmp_path / "m.db").write_bytes(b"not a database" * 1000)
    assert process("claude-code", event, "--direct").returncode == 0
    assert process("nobody", event, "--direct").returncode == 0
    errors = [str(record["error"]) for record in read_lines(log_path(str(tmp_path / "m.db")), 10)]
    assert len(errors) == 2
    assert "nobody" in errors[1]
    status = process("--status", b"", "--json")
    shown = json.loads(status.stdout)
    assert [record["error"] for record in shown["events"]] == errors
    assert TOLD not in status.stdout.decode()


def test_a_text_that_cannot_be_stored_as_it_is_is_stored_readable(hook, tmp_path):
    raw = json.dumps(claude_code("UserPromptSubmit", str(tmp_path / "app"), prompt="A lone \ud83d and a \0 sign."))
    assert hook("claude-code", raw.encode()).returncode == 0
    with Memory(tmp_path / "m.db", worker=False, environment={}) as memory:
        space = memory.space(project_space(str(tmp_path / "app")))
        (info,) = space.conversations()
        assert [one.text for one in space.conversation(info.id).messages()] == ["A lone \ufffd and a \ufffd sign."]


def test_an_agent_that_does_not_read_the_output_gets_no_error(tmp_path, hook):
    hook("claude-code", claude_code("UserPromptSubmit", str(tmp_path / "app"), prompt=TOLD))
    asked = json.dumps(claude_code("UserPromptSubmit", str(tmp_path / "app"), prompt=ASKED, session_id="next")).encode()
    line = [sys.executable, "-m", "aforesaid", "hook", "claude-code", "--store", str(tmp_path / "m.db"), "--direct"]
    pipe = subprocess.PIPE
    with subprocess.Popen(line, stdin=pipe, stdout=pipe, stderr=pipe) as running:
        assert running.stdin and running.stdout and running.stderr  # noqa: PT018
        running.stdout.close()
        running.stdin.write(asked)
        running.stdin.close()
        assert running.wait(120) == 0
        assert running.stderr.read() == b""
    assert "BrokenPipeError" in str(read_lines(log_path(str(tmp_path / "m.db")), 1)[0]["error"])


def test_the_log_is_bounded(tmp_path):
    path = str(tmp_path / "log")
    for number in range(4000):
        write_line(path, {"number": number, "filler": "x" * 80})
    assert os.path.getsize(path) <= LARGEST + 200
    assert read_lines(path, 1)[0]["number"] == 3999


def test_hooks_share_a_process_that_stays_and_answers_only_to_them(process, resident, tmp_path):
    folder = str(tmp_path / "app")
    process("claude-code", claude_code("UserPromptSubmit", folder, prompt=TOLD))
    server = find_server(resident)
    assert server is not None
    asked = claude_code("UserPromptSubmit", folder, prompt=ASKED, session_id="next")
    done = process("claude-code", asked)
    assert TOLD in context_of("claude-code", done.stdout)
    assert find_server(resident) == server
    assert [record["direct"] for record in read_lines(log_path(resident), 5)] == [False, False]
    stranger = RunningServer(server.url, server.pid, "wrong")
    assert stranger.post("/api/memory/hooks", {}) is None
    if os.name == "posix":
        assert (tmp_path / "m.db-server").stat().st_mode & 0o077 == 0
    assert stop_resident(resident)
    assert find_server(resident) is None
    assert b"no process" in process("--stop", b"").stderr


def test_a_process_that_was_killed_is_replaced(process, resident, tmp_path):
    event = claude_code("UserPromptSubmit", str(tmp_path / "app"), prompt=TOLD)
    process("claude-code", event)
    first = find_server(resident)
    assert first is not None
    os.kill(first.pid, signal.SIGKILL)
    process("claude-code", {**event, "prompt": "Again."})
    second = find_server(resident)
    assert second is not None
    assert second.pid != first.pid


def test_a_server_on_the_same_store_answers_the_hooks(process, tmp_path):
    store = str(tmp_path / "m.db")
    with served(store) as server:
        found = find_server(store)
        assert found is not None
        assert found.url == server.url
        folder = str(tmp_path / "app")
        process("codex", claude_code("UserPromptSubmit", folder, prompt=TOLD))
        done = process("codex", claude_code("UserPromptSubmit", folder, prompt=ASKED, session_id="next"))
        assert TOLD in context_of("codex", done.stdout)
        assert [record["direct"] for record in read_lines(log_path(store), 5)] == [False, False]
        assert find_server(store) == found
        assert server.stop(signal.SIGTERM) == 0
    assert find_server(store) is None


def test_a_hook_imports_only_the_standard_library_if_another_process_answers():
    script = (
        "import sys; sys.argv[1:] = ['hook', 'claude-code', '--store', sys.argv[1]]\n"
        "from aforesaid.cli import main; import aforesaid.hooks.entry, http.client\n"
        "outside = ('typer', 'rich', 'pydantic', 'numpy', 'apsw', 'regex', 'logging', 'asyncio', 'aforesaid.memory')\n"
        "print([name for name in outside if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", script, "x"], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"
