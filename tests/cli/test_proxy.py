"""Tests `aforesaid proxy` and `aforesaid serve --upstream` in separate processes."""

from __future__ import annotations

import json
import signal

import httpx2
import pytest
from tests.proxy.upstream import Answer, Cut, Model
from tests.serving import served

from aforesaid import Memory

pytestmark = pytest.mark.req("X5")

ASKED = {"model": "m-1", "messages": [{"role": "user", "content": "I am Ada."}]}


@pytest.mark.parametrize("command", ["proxy", "serve"])
def test_a_chat_is_forwarded_and_stored(path, command):
    with Model() as model:
        model.behave(Answer("Hi Ada"))
        options = ("--upstream", model.url, "--memory-tokens", "500", "--window", "m-*=8000")
        with served(path, *options, command=command, AFORESAID_UPSTREAM_KEY="sk-up") as process:
            place = {"X-Aforesaid-Conversation": "trip"}
            with httpx2.Client(base_url=process.url, headers=place, timeout=30) as http:
                answer = http.post("/v1/chat/completions", json=ASKED)
                assert answer.json()["choices"][0]["message"]["content"] == "Hi Ada"
                status = http.get("/api/memory/conversations").status_code
                assert status == (200 if command == "serve" else 404)
            assert process.stop(signal.SIGTERM) == 0
        assert "sk-up" not in process.said
        assert "Bearer sk-up" in model.requests[0].headers.values()
    with Memory(path, worker=False, environment={}) as memory:
        assert [one.text for one in memory.conversation("trip").messages()] == ["I am Ada.", "Hi Ada"]


def test_an_aborted_upstream_response_is_logged_at_info_level(path):
    with Model() as model, served(path, "--upstream", model.url, "--log", "info", command="proxy") as process:
        model.behave(Cut())
        with (
            httpx2.stream("POST", f"{process.url}/v1/chat/completions", json=ASKED | {"stream": True}) as answer,
            pytest.raises(httpx2.RemoteProtocolError),
        ):
            list(answer.iter_raw())
        assert process.stop(signal.SIGTERM) == 0
    lines = [json.loads(line) for line in process.lines if line.startswith("{")]
    assert [line["message"] for line in lines if line.get("action") == "proxy_aborted"] == ["upstream aborted"]
    assert {line["level"] for line in lines} == {"info"}


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--upstream", "ftp://x"], "not an upstream URL"),
        (["--upstream", "localhost:11434"], "not an upstream URL"),
        (["--upstream", "http://x", "--window", "gpt"], "MODEL=TOKENS"),
        (["--upstream", "http://x", "--window", "gpt=0"], "MODEL=TOKENS"),
    ],
)
@pytest.mark.parametrize("command", ["proxy", "serve"])
def test_invalid_options_are_rejected_before_the_server_starts(run, command, options, said):
    done = run(command, *options)
    assert done.exit_code == 2
    assert said in done.stderr
