"""Tests model replies over HTTP: streaming, storage, cancellation, errors and limits."""

from __future__ import annotations

import json
import signal
import time
from collections.abc import Iterator

import httpx2
import pytest
from tests.chat import Busy, ChatServer, Streamed
from tests.server.conftest import bearer
from tests.serving import client, served

from aforesaid import Memory
from aforesaid.server.app import make_app
from aforesaid.server.routes.replies import MAX_REPLIES

PATH = "conversations/trip/reply"
ASKED = {"content": "Where do we go?", "id": "q1"}


@pytest.fixture
def model() -> Iterator[ChatServer]:
    with ChatServer("We go to Lisbon.") as made:
        yield made


@pytest.fixture
def store(open_memory, clock, model) -> Memory:
    return open_memory(clock=clock, model=f"{model.url}/v1#tiny")


def parsed(response: httpx2.Response) -> Iterator[tuple[str, dict]]:
    name = ""
    for line in response.iter_lines():
        if line.startswith("event: "):
            name = line.removeprefix("event: ")
        elif line.startswith("data: "):
            yield name, json.loads(line.removeprefix("data: "))


def events(http, body=ASKED, **rest) -> list[tuple[str, dict]]:
    with http.stream("POST", PATH, json=body, **rest) as response:
        assert response.status_code == 200, response.read()
        assert response.headers["content-type"].startswith("text/event-stream")
        return list(parsed(response))


def roles(store) -> list[str]:
    return [message.role for message in store.conversation("trip").messages()]


def test_a_reply_is_streamed_and_stored(http, store, model):
    told = events(http, ASKED | {"system": "You plan trips."})
    begun, *texts, done = told
    question, message = store.conversation("trip").messages()
    assert begun[0] == "begun"
    assert begun[1] == {"question": "q1", "receipt": done[1]["receipt"], "model": f"{model.url}/v1#tiny"}
    assert {name for name, _ in texts} == {"text"}
    assert "".join(data["text"] for _, data in texts) == message.text == "We go to Lisbon."
    assert done == (
        "done",
        begun[1]
        | {"message": message.id, "seq": 1, "cut": False, "usage": {"prompt_tokens": 11, "completion_tokens": 7}},
    )
    assert (question.id, message.metadata["answers"]) == ("q1", "q1")
    assert http.get(f"receipts/{done[1]['receipt']}").json()["question"] == "Where do we go?"
    assert model.requests[0].body["messages"][0]["content"] == "You plan trips."


def test_the_answering_model_is_known_before_the_first_question(http, model):
    told = http.get("conversations/trip/answerer").json()
    assert told == {"model": f"{model.url}/v1#tiny", "local": True, "reason": None}
    assert model.requests == []


def test_without_a_model_a_question_is_rejected_and_not_stored(open_memory, tmp_path):
    memory = open_memory(str(tmp_path / "other.db"))
    with client(make_app(memory)) as http:
        http.base_url = http.base_url.join("/api/memory/")
        answer = http.post(PATH, json=ASKED)
        assert (answer.status_code, answer.json()["code"]) == (422, "no_model")
        assert "AFORESAID_MODEL" in answer.json()["detail"]
        told = http.get("conversations/trip/answerer").json()
        assert (told["model"], told["reason"]) == (None, answer.json()["detail"])
    assert roles(memory) == []


@pytest.mark.parametrize(
    ("behaviour", "status", "code", "text"),
    [
        (401, 502, "model_refused", ""),
        ("nonsense", 503, "model_unavailable", ""),
        (Streamed(("We go ",), "cut"), 503, "model_unavailable", "We go "),
    ],
)
def test_a_model_failure_is_an_error_event_after_the_partial_text(http, store, model, behaviour, status, code, text):
    model.behave(behaviour)
    told = events(http)
    assert (told[-1][0], told[-1][1]["status"], told[-1][1]["code"]) == ("error", status, code)
    assert "".join(data["text"] for name, data in told if name == "text") == text
    assert roles(store) == ["user"]
    model.behave("answer")
    assert events(http)[-1][0] == "done"
    assert roles(store) == ["user", "assistant"]


@pytest.mark.parametrize(
    ("body", "status"),
    [
        ({}, 422),
        ({"content": ""}, 422),
        ({"content": "x", "recipe": "magic"}, 422),
        ({"content": "x", "colour": "red"}, 422),
        ({"content": "x", "answer_tokens": 0}, 422),
        ({"content": "x", "model": "hal:9000"}, 422),
    ],
)
def test_an_invalid_question_gets_a_problem_instead_of_a_stream(http, store, model, body, status):
    answer = http.post(PATH, json=body)
    assert (answer.status_code, answer.headers["content-type"]) == (status, "application/problem+json")
    assert (roles(store), model.requests) == ([], [])


@pytest.mark.req("X16")
def test_a_reached_daily_cap_gets_a_problem(open_memory, tmp_path, model):
    memory = open_memory(str(tmp_path / "other.db"), model=f"{model.url}/v1#tiny", daily_tokens=10)
    with client(make_app(memory)) as http:
        answer = http.post(f"/api/memory/{PATH}", json=ASKED)
        assert (answer.status_code, answer.json()["code"]) == (429, "cap_reached")
    assert model.requests == []


def test_a_client_disconnect_cancels_the_reply(http, store, model):
    model.behave(Streamed(("We go ",), "hang"))
    with http.stream("POST", PATH, json=ASKED) as response:
        told = parsed(response)
        assert [next(told)[0], next(told)] == ["begun", ("text", {"text": "We go "})]
    assert model.left.wait(30)
    assert roles(store) == ["user"]
    deadline = time.monotonic() + 30
    while store.costs()[0].open and time.monotonic() < deadline:
        time.sleep(0.01)
    (spent,) = store.costs()
    assert (spent.operation, spent.failed, spent.open) == ("reply", 1, 0)


@pytest.mark.req("A20")
def test_a_detached_reply_continues_when_its_client_disconnects(http, store, model):
    model.behave(Streamed(("We go ",), "hang"))
    for question in ("q1", "q2"):
        with http.stream("POST", PATH, json=ASKED | {"id": question, "detached": True}) as response:
            assert next(parsed(response))[0] == "begun"
        watching = watched(http, question)
        assert [next(watching)[0], next(watching)] == ["begun", ("text", {"text": "We go "})]
        assert http.post(f"conversations/trip/answers/{question}/stop").json() == {"stopped": True}
        assert [name for name, _ in watching] == ["stopped"]
    assert [message.text for message in store.conversation("trip").messages() if message.role == "assistant"] == [
        "We go",
        "We go",
    ]
    model.behave("We go to Lisbon.")
    assert [name for name, _ in events(http, ASKED | {"id": "q3", "detached": True})][-1] == "done"


def watched(http, question: str = "q1") -> Iterator[tuple[str, dict]]:
    with http.stream("GET", f"conversations/trip/answers/{question}") as response:
        assert response.status_code == 200, response.read()
        yield from parsed(response)


@pytest.mark.req("A20")
def test_everybody_who_watches_an_answer_gets_the_text_so_far_and_each_piece(http, store, model):
    model.behave(Streamed(("We go ",), "hang"))
    with http.stream("POST", PATH, json=ASKED) as response:
        told = parsed(response)
        begun = next(told)
        assert next(told) == ("text", {"text": "We go "})
        watching = watched(http)
        assert [next(watching), next(watching)] == [begun, ("text", {"text": "We go "})]
        (running,) = http.get("conversations/trip/answers").json()["items"]
        assert (running["question"], running["stopping"]) == ("q1", False)
        refused = http.post(PATH, json=ASKED)
        assert (refused.status_code, refused.json()["code"]) == (409, "conflict")
        assert http.post("conversations/trip/answers/q1/stop").json() == {"stopped": True}
        stopped = next(told)
        assert list(watching) == [stopped]
    question, answer = store.conversation("trip").messages()
    assert stopped == ("stopped", begun[1] | {"message": answer.id, "seq": 1})
    assert (question.id, answer.text, answer.metadata["stopped"]) == ("q1", "We go ".strip(), True)
    assert http.post("conversations/trip/answers/q1/stop").json() == {"stopped": False}
    assert list(watched(http)) == [("ended", {})]


@pytest.mark.req("A20")
def test_an_answer_of_another_process_is_watched_to_its_end(http, store, model, open_memory, clock):
    model.behave(Streamed(("We go ",), "hang"))
    other = open_memory(clock=clock, model=f"{model.url}/v1#tiny").conversation("trip")
    answer = other.reply("Where do we go?", id="q1")
    assert next(answer) == "We go "
    watching = watched(http)
    assert next(watching) == ("begun", {"question": "q1", "model": answer.model})
    answer.close()
    assert list(watching) == [("ended", {})]
    assert roles(store) == ["user"]


def test_a_retry_is_an_event(http, store, model):
    model.behave(Busy(503, {"Retry-After": "1"}), "answer")
    told = events(http)
    assert [name for name, _ in told if name != "text"] == ["begun", "retrying", "done"]
    assert ("retrying", {"retries": 1}) in told


def test_stopping_an_answer_requires_a_write_key(serve, store, model):
    keys = {access: store.create_key(access, access=access, spaces=["ann"]).secret for access in ("read", "write")}
    http = serve(open=False)
    path = "/api/memory/conversations/trip/answers"
    assert http.get(path).status_code == 401
    assert http.get(path, headers=bearer(keys["read"])).json() == {"items": []}
    assert http.post(f"{path}/q1/stop", headers=bearer(keys["read"])).status_code == 403
    assert http.post(f"{path}/q1/stop", headers=bearer(keys["write"])).json() == {"stopped": False}


def test_a_reply_requires_a_write_key_and_a_model_url_an_admin_key(serve, store, model):
    keys = {access: store.create_key(access, access=access, spaces=["ann"]).secret for access in ("read", "write")}
    http = serve(open=False)
    http.base_url = http.base_url.join("/api/memory/")
    assert http.post(PATH, json=ASKED).status_code == 401
    assert http.post(PATH, json=ASKED, headers=bearer(keys["read"])).status_code == 403
    named = ASKED | {"model": f"{model.url}/v1#other"}
    assert http.post(PATH, json=named, headers=bearer(keys["write"])).status_code == 403
    assert http.get("conversations/trip/answerer", headers=bearer(keys["read"])).status_code == 200
    assert events(http, headers=bearer(keys["write"]))[-1][0] == "done"
    assert len(store.space("ann").conversation("trip").messages()) == 2


def test_shutdown_does_not_wait_for_a_stalled_model(path, model, open_memory):
    model.behave(Streamed(("We go ",), "hang"))
    with served(path, AFORESAID_MODEL=f"{model.url}/v1#tiny") as server:
        with httpx2.stream("POST", f"{server.url}/api/memory/{PATH}", json=ASKED, timeout=30) as response:
            told = parsed(response)
            assert [next(told)[0], next(told)[0]] == ["begun", "text"]
            assert server.stop(signal.SIGTERM) == 0  # within a minute, although the model stalls
        assert "Traceback" not in server.said
    assert model.left.wait(30)
    assert roles(open_memory()) == ["user"]


def test_concurrent_replies_are_limited(http, store, model):
    model.behave(Streamed(("We go ",), "hang"))
    streams = [http.stream("POST", PATH, json={"content": "Where?"}) for _ in range(MAX_REPLIES)]
    responses = [stream.__enter__() for stream in streams]
    try:
        assert {response.status_code for response in responses} == {200}
        refused = http.post(PATH, json={"content": "Where?"})
        assert (refused.status_code, refused.json()["code"]) == (429, "too_many_requests")
    finally:
        for stream in streams:
            stream.__exit__(None, None, None)
    assert len(store.conversation("trip").messages()) == MAX_REPLIES
