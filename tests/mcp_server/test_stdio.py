"""Tests `aforesaid mcp` as a separate process that communicates over pipes."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys

import anyio
import pytest
from mcp import Client, StdioServerParameters
from tests import programs
from tests.mcp_server.conftest import GENERATIONS, call, refused
from tests.programs import Program

from aforesaid import Memory

pytestmark = pytest.mark.req("X6")

PATIENCE = 60


def command(path: str, *options: str) -> list[str]:
    return [sys.executable, "-m", "aforesaid", "mcp", "--store", path, *options]


def connected(path: str, *options: str, mode: str = "auto") -> Client:
    program, *arguments = command(path, *options)
    found = {name: value for name, value in os.environ.items() if name == "PYTHONPATH"}
    return Client(StdioServerParameters(command=program, args=arguments, env=found), mode=mode)


def process(path: str, *options: str) -> Program:
    return Program(*command(path, *options)[1:], environment=os.environ)


def ask(running: Program, line: bytes | dict[str, object]) -> dict[str, object]:
    running.stdin.write((line if isinstance(line, bytes) else json.dumps(line).encode()) + b"\n")
    running.stdin.flush()
    return json.loads(running.stdout.readline())


def request(id: int, method: str, **params: object) -> dict[str, object]:
    return {"jsonrpc": "2.0", "id": id, "method": method, "params": params}


BEGIN = request(
    0, "initialize", protocolVersion="2025-11-25", capabilities={}, clientInfo={"name": "t", "version": "0"}
)


def remember(id: int, text: str) -> dict[str, object]:
    arguments = {"text": text, "conversation": "trip", "id": f"m{id}"}
    return request(id, "tools/call", name="add_message", arguments=arguments)


@pytest.mark.parametrize("mode", GENERATIONS)
async def test_a_store_is_created_and_its_data_persists(path, mode):
    async with connected(path, "--space", "ann", mode=mode) as client:
        assert client.server_info.name == "aforesaid"
        kept = await call(client, "add_message", text="We settled on Lisbon.", conversation="trip")
        assert (await call(client, "recall", query="Lisbon"))["passages"][0]["id"] == kept["id"]
        assert "forbidden" in await refused(client, "recall", query="x", space="default")
    with Memory(path, worker=False, environment={}) as memory:
        assert memory.space("ann").conversation("trip").message(kept["id"]).text == "We settled on Lisbon."


async def test_a_read_only_server_rejects_writes(path):
    with Memory(path, worker=False, environment={}) as memory:
        memory.space("ann").conversation("trip").add("user", "We settled on Lisbon.")
    async with connected(path, "--space", "ann", "--read-only") as client:
        assert (await call(client, "recall", query="Lisbon"))["passages"]
        assert "forbidden" in await refused(client, "remember", text="x")
        assert {tool.name for tool in (await client.list_tools()).tools} == {"recall", "context", "timeline"}


async def test_two_servers_on_one_store_see_each_others_messages_and_lose_none(path):
    async def add(client: Client, who: int) -> None:
        for n in range(20):
            await call(client, "add_message", text=f"word {who}.{n}", conversation="both", id=f"{who}.{n}")

    async with connected(path) as one, connected(path) as other:
        async with anyio.create_task_group() as group:
            group.start_soon(add, one, 1)
            group.start_soon(add, other, 2)
        for client, others in ((one, 2), (other, 1)):
            passages = (await call(client, "recall", query=f"word {others}", limit=50))["passages"]
            assert len(passages) >= 8
            assert f"word {others}." in str(passages)
    with Memory(path, worker=False, environment={}) as memory:
        said = memory.conversation("both").messages(100)
        assert sorted(one.id for one in said) == sorted(f"{who}.{n}" for who in (1, 2) for n in range(20))
        assert all(finding.ok for finding in memory.doctor())


@pytest.mark.parametrize("ending", ["closed", signal.SIGTERM, signal.SIGINT, signal.SIGKILL])
def test_no_acknowledged_message_is_lost_when_the_process_ends(path, ending):
    with process(path) as running:
        ask(running, BEGIN)
        for n in range(1, 6):
            assert "Stored" in str(ask(running, remember(n, f"word {n}")))
        if ending == "closed":
            running.stdin.close()
        else:
            running.send_signal(ending)
        assert running.wait(PATIENCE) == (-9 if ending == signal.SIGKILL else 0)
        assert running.stdout.read() == b""
        assert running.stderr.read() == b""
    with Memory(path, worker=False, environment={}) as memory:
        assert [one.id for one in memory.conversation("trip").messages()] == [f"m{n}" for n in range(1, 6)]
        assert all(finding.ok for finding in memory.doctor())


def test_invalid_input_lines_are_ignored_and_stdout_has_only_protocol_messages(path):
    with process(path) as running:
        ask(running, BEGIN)
        for noise in (b"", b"hello", b"{", b"\xff\xfe", b'{"jsonrpc":"2.0"}', b"[1,2]"):
            running.stdin.write(noise + b"\n")
        assert "Stored" in str(ask(running, remember(1, "a lone walrus")))
        lone = request(2, "tools/call", name="recall", arguments={"query": "\ud800"})  # JSON-escaped
        running.stdin.write(json.dumps(lone).encode() + b"\n")
        answer = ask(running, request(3, "tools/call", name="recall", arguments={"query": "walrus"}))
        while answer.get("id") != 3:
            answer = json.loads(running.stdout.readline())
        assert "a lone walrus" in str(answer)
        huge = ask(running, request(4, "tools/call", name="recall", arguments={"query": "x" * 3_000_000}))
        assert huge["id"] == 4
        running.stdin.close()
        assert running.wait(PATIENCE) == 0
        assert b"Traceback" not in running.stderr.read()


@pytest.mark.skipif(sys.platform == "win32", reason="named pipes")
def test_a_client_is_answered_while_the_store_is_opened(path, tmp_path):
    gate = tmp_path / "gate"
    os.mkfifo(gate)
    script = (
        "from aforesaid import Memory; from aforesaid.mcp_server.stdio import serve_stdio\n"
        "def open_memory():\n"
        f"    open({str(gate)!r}).close()  # waits for the writer\n"
        f"    return Memory({path!r})\n"
        "serve_stdio(open_memory, 'ann', read_only=False)"
    )
    with Program("-c", script, environment=os.environ) as running:
        assert ask(running, BEGIN)["id"] == 0
        running.write_line(json.dumps(remember(1, "We settled on Lisbon.")))
        assert len(ask(running, request(2, "tools/list"))["result"]["tools"]) == 8
        gate.write_bytes(b"")
        assert "Stored" in str(json.loads(running.stdout.readline()))
        running.stdin.close()
        assert running.wait(PATIENCE) == 0


def test_a_store_that_cannot_be_opened_is_a_one_line_error(path):
    for options, code in ((("--read-only",), 3), (("--space", " "), 2)):
        done = programs.run(*command(path, *options)[1:], environment=os.environ)
        assert (done.returncode, done.stdout) == (code, b"")
        assert done.stderr.startswith(b"error: ")
        assert len(done.stderr.splitlines()) == 1


HIDDEN = (
    "import importlib.util, sys; find = importlib.util.find_spec;"
    "importlib.util.find_spec = lambda name, *rest: None if name == 'mcp' else find(name, *rest);"
)


def run(script: str) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run([sys.executable, "-c", script], capture_output=True, timeout=PATIENCE, check=False)


def test_without_the_mcp_package_the_rest_api_still_works():
    done = run(
        HIDDEN + "from starlette.testclient import TestClient; from aforesaid import Memory;"
        "from aforesaid.server.app import make_app\n"
        "with Memory(worker=False) as memory, TestClient(make_app(memory), base_url='http://localhost') as http:\n"
        "    print(http.post('/mcp').text, http.get('/api/memory/conversations').status_code)"
    )
    assert b"aforesaid[mcp]" in done.stdout, done.stderr
    assert done.stdout.rstrip().endswith(b"200")


def test_the_server_imports_the_mcp_package_at_the_first_request():
    done = run(
        "import sys; from starlette.testclient import TestClient; from aforesaid import Memory;"
        "from aforesaid.server.app import make_app\n"
        "with Memory(worker=False) as memory, TestClient(make_app(memory), base_url='http://localhost') as http:\n"
        "    http.get('/api/memory/conversations'); print('mcp' in sys.modules)\n"
        "    http.post('/mcp'); print('mcp' in sys.modules)"
    )
    assert done.stdout.split() == [b"False", b"True"], done.stderr


def test_the_stdio_server_needs_no_optional_package(path):
    hidden = "sys.modules.update(dict.fromkeys(('mcp', 'mcp_types', 'starlette', 'fastapi', 'limits')))"
    script = f"import sys; {hidden}; import aforesaid.cli as cli; sys.argv = ['aforesaid', 'mcp', '--store', {path!r}]"
    asked = "".join(json.dumps(each) + "\n" for each in (BEGIN, remember(1, "We settled on Lisbon.")))
    done = programs.run("-c", f"{script}; cli.main()", environment=os.environ, input=asked.encode())
    assert done.returncode == 0, done.stderr
    assert b"Stored" in done.stdout


def test_the_stdio_server_answers_without_the_mcp_package_and_without_an_event_loop(path):
    """The import of `mcp` takes longer than the rest of the start."""
    script = (
        "import atexit, sys; import aforesaid.cli as cli; names = ('mcp', 'starlette', 'asyncio', 'httpx2')\n"
        "atexit.register(lambda: print([name for name in names if name in sys.modules], file=sys.stderr))\n"
        f"sys.argv = ['aforesaid', 'mcp', '--store', {path!r}]; cli.main()"
    )
    asked = "".join(json.dumps(each) + "\n" for each in (BEGIN, request(1, "tools/list")))
    done = programs.run("-c", script, environment=os.environ, input=asked.encode())
    assert [json.loads(line)["id"] for line in done.stdout.splitlines()] == [0, 1]
    assert done.stderr == b"[]\n"
