"""Tests the memory of Ollama's own API. The requests are those of its clients for Python and JavaScript, and of
LangChain's."""

from __future__ import annotations

import json
from collections.abc import Iterator

import httpx2
import pytest
from tests.proxy.conftest import assistant, stored, user
from tests.proxy.upstream import Answer, Busy, Cut, Late, ollama_calls
from tests.serving import client as client_of

from aforesaid import __version__
from aforesaid.proxy.upstream import UpstreamOptions
from aforesaid.server.app import AppOptions, make_app, make_proxy

pytestmark = pytest.mark.req("X5")

PLACE = {"X-Aforesaid-Space": "ada", "X-Aforesaid-Conversation": "trip"}
WORDS = "Größe 🦊 水 and more"
CALLS = Answer("", (("", "weather", '{"city": "Bath"}'), ("", "weather", '{"city": "York"}')))
TOOL = {"type": "function", "function": {"name": "weather", "parameters": {"type": "object"}}}


@pytest.fixture
def http(url) -> Iterator[httpx2.Client]:
    with httpx2.Client(base_url=url, timeout=30, headers=PLACE) as made:
        yield made


@pytest.fixture
def past(store):
    store.space("ada").conversation("garden").add("user", "The tomatoes go along the south wall.")
    store.flush()


def chat(*messages, **rest):
    return {"model": "m-1", "messages": list(messages), "tools": [], **rest}


def prompt(text, **rest):
    return {"model": "m-1", "prompt": text, **rest}


@pytest.mark.parametrize("prefix", ["", "/ollama"])
@pytest.mark.parametrize("stream", [{}, {"stream": True}, {"stream": False}])
@pytest.mark.parametrize("to", ["/api/chat", "/api/generate"])
def test_a_reply_is_forwarded_byte_for_byte_and_stored(http, model, store, to, stream, prefix):
    model.behave(Answer(WORDS))
    asked = (chat(user("I am Ada.")) if to == "/api/chat" else prompt("I am Ada.")) | stream
    with http.stream("POST", prefix + to, json=asked) as answer:
        raw = b"".join(answer.iter_raw())
    assert answer.headers["x-aforesaid-memory"].startswith("none; reason=nothing_relevant")
    assert model.requests[-1].path == to
    if stream.get("stream", True):
        assert raw == model.streamed[-1]
        assert answer.headers["content-type"] == "application/x-ndjson"
    assert stored(store) == [("user", "I am Ada."), ("assistant", WORDS)]
    kept = store.space("ada").conversation("trip").messages(10)[-1]
    assert kept.metadata == {"model": "m-1", "finish": "stop"}


def test_memory_is_added_to_the_newest_message_and_to_a_prompt(http, model, past):
    system = {"role": "system", "content": "Be brief."}
    http.post("/api/chat", json=chat(system, user("Where do the tomatoes go?"), options={"num_ctx": 4096}))
    sent = model.requests[-1].body
    assert sent["messages"][0] == system
    assert "south wall" in sent["messages"][1]["content"]
    assert sent["messages"][1]["content"].endswith("</recalled>\n\nWhere do the tomatoes go?")
    assert sent["options"] == {"num_ctx": 4096}
    http.post("/api/generate", json=prompt("Where do the tomatoes go?", system="Be brief.", context=[1, 2]))
    sent = model.requests[-1].body
    assert "south wall" in sent["prompt"]
    assert sent["prompt"].endswith("</recalled>\n\nWhere do the tomatoes go?")
    assert (sent["system"], sent["context"]) == ("Be brief.", [1, 2])


@pytest.mark.parametrize(
    ("call_ids", "result_names"),
    [
        ((None, None), ({"tool_name": "weather"}, {"tool_name": "weather"})),
        ((None, None), ({}, {})),
        (("a", "b"), ({"tool_call_id": "a"}, {"tool_call_id": "b"})),  # ids of the client's own
        ((None, None), ({"name": "weather"}, {"tool_name": "unknown"})),
    ],
)
def test_tool_calls_without_ids_are_stored_once(http, model, store, call_ids, result_names):
    model.behave(CALLS, Answer("Rain in both."), Answer("Yes."))
    history = [user("Weather in Bath and York?")]
    http.post("/api/chat", json=chat(*history, tools=[TOOL]))
    calls = [call | ({"id": id} if id else {}) for call, id in zip(ollama_calls(CALLS), call_ids, strict=True)]
    history.append({"role": "assistant", "content": "", "thinking": "hm", "tool_calls": calls})
    results = zip(("in Bath", "in York"), result_names, strict=True)
    history += [{"role": "tool", "content": f"rain {where}", **names} for where, names in results]
    http.post("/api/chat", json=chat(*history, tools=[TOOL]))
    history += [assistant("Rain in both."), user("Really?")]
    http.post("/api/chat", json=chat(*history, tools=[TOOL]))
    kept = store.space("ada").conversation("trip").messages(100)
    said = [(one.role, one.text) for one in kept]
    assert said == [
        ("user", "Weather in Bath and York?"), ("assistant", ""), ("tool", "rain in Bath"), ("tool", "rain in York"),
        ("assistant", "Rain in both."), ("user", "Really?"), ("assistant", "Yes."),
    ]  # fmt: skip
    made = [(call["id"], json.loads(call["function"]["arguments"])["city"]) for call in kept[1].tool_calls]
    assert [kept[2].tool_call_id, kept[3].tool_call_id] == [id for id, _ in made]
    assert [city for _, city in made] == ["Bath", "York"]


def test_a_streamed_tool_call_is_the_same_as_one_in_the_history(http, model, store):
    model.behave(CALLS, Answer("Rain."))
    for body in (
        chat(user("Weather?")),
        chat(user("Weather?"), {"role": "assistant", "tool_calls": ollama_calls(CALLS)}),
    ):
        http.post("/api/chat", json=body)
    assert [role for role, _ in stored(store)] == ["user", "assistant", "assistant"]


def test_only_the_kind_of_an_image_is_stored(http, model, store):
    http.post("/api/chat", json=chat(user("What is this?") | {"images": ["iVBORw0KGgo=", "iVBORw0KGgp="]}))
    http.post("/api/generate", json=prompt("And this?", images=["iVBORw0KGgo="]))
    first, _, second, _ = store.space("ada").conversation("trip").messages(10)
    assert first.content == [{"type": "text", "text": "What is this?"}, {"type": "image"}, {"type": "image"}]
    assert second.content == [{"type": "text", "text": "And this?"}, {"type": "image"}]
    assert model.requests[0].body["messages"][0]["images"] == ["iVBORw0KGgo=", "iVBORw0KGgp="]


@pytest.mark.parametrize("rest", [{"raw": True}, {"suffix": "    return result"}])
def test_a_text_to_complete_is_no_talk(http, model, store, past, rest):
    answer = http.post("/api/generate", json=prompt("The tomatoes go", **rest))
    assert answer.headers["x-aforesaid-memory"] == "off; reason=completion"
    assert model.requests[-1].body == prompt("The tomatoes go", **rest)
    assert stored(store) == []


def test_loading_a_model_stores_nothing(http, model, store):
    model.behave(Answer(""))
    http.post("/api/generate", json={"model": "m-1", "keep_alive": 0})
    http.post("/api/chat", json=chat())
    assert stored(store) == []
    assert model.requests[0].body == {"model": "m-1", "keep_alive": 0}


def test_earlier_turns_of_a_named_conversation_are_a_part_of_the_prompt(http, model):
    model.behave(Answer("In May."))
    http.post("/api/generate", json=prompt("When do the tulips bloom?"))
    http.post("/api/generate", json=prompt("And the roses?"))
    assert model.requests[-1].body["prompt"] == (
        "user: When do the tulips bloom?\n\nassistant: In May.\n\nAnd the roses?"
    )


@pytest.mark.parametrize(
    "behaviour",
    [
        Busy(
            200,
            {"Content-Type": "application/x-ndjson"},
            b'{"message": {"content": "so"}}\n{"error": "out of memory"}\n',
        ),
        Busy(200, {"Content-Type": "application/x-ndjson"}, b'{"message": {"content": "so"}, "done": false}\n'),
        Busy(500, {}, b'{"error": "model runner has stopped"}'),
        Cut(),
    ],
)
def test_an_incomplete_reply_is_forwarded_and_not_stored(http, model, store, behaviour):
    model.behave(behaviour)
    with http.stream("POST", "/api/chat", json=chat(user("I am Ada."))) as answer:
        if isinstance(behaviour, Cut):
            with pytest.raises(httpx2.RemoteProtocolError):
                answer.read()
        else:
            assert (answer.status_code, answer.read()) == (behaviour.status, behaviour.body)
    assert stored(store) == [("user", "I am Ada.")]


def test_the_reply_is_stored_before_its_last_line_is_sent(http, model, store):
    model.behave(Late(Answer(WORDS)))
    with http.stream("POST", "/api/chat", json=chat(user("I am Ada."))) as answer:
        for line in answer.iter_lines():
            if json.loads(line)["done"]:
                assert stored(store)[-1] == ("assistant", WORDS)
                break
        else:
            pytest.fail("no last line")
        model.go_on.set()


def test_a_request_that_is_refused_with_memory_is_sent_without_it(http, model, past):
    model.behave("fussy")
    answer = http.post("/api/chat", json=chat(user("Where do the tomatoes go?"), stream=False))
    assert answer.headers["x-aforesaid-memory"] == "off; reason=upstream_refused"
    assert model.requests[-1].body["messages"] == [user("Where do the tomatoes go?")]


def test_other_paths_of_ollama_are_forwarded(http, model):
    assert http.get("/api/tags").json()["models"][0]["name"] == "m-1:latest"
    assert http.get("/api/version").json() == {"version": __version__}  # this server's own
    for path in ("/api/version", "/api/ps", "/", "", "/v1/models"):
        assert http.get(f"/ollama{path}").status_code == 200
        assert model.requests[-1].path == (path or "/")


@pytest.mark.parametrize("base", ["", "/v1", "/v1/", "/behind/v1", "/behind"])
def test_ollamas_paths_are_beside_the_upstreams_v1(store, model, base):
    app = make_proxy(store, AppOptions(upstream=UpstreamOptions(model.url + base)))
    with client_of(app) as http:
        http.get("/api/tags")
        assert model.requests[-1].path == ("/behind" if "behind" in base else "") + "/api/tags"
        http.get("/v1/models")
        assert model.requests[-1].path == (base.rstrip("/") or "/v1") + "/models"
        assert http.get("/api/health").json() == {"ok": True}
        assert http.head("/").status_code == 200


def test_ollamas_clients_show_the_reason_of_a_rejection(serve, model, store):
    url = serve({"largest": 1000})
    secret = store.create_key("ada", spaces=["ada"]).secret
    read = store.create_key("bob", access="read").secret
    with httpx2.Client(base_url=url, timeout=30) as http:
        for prefix in ("", "/ollama"):
            refused = http.post(f"{prefix}/api/chat", json=chat(user("Hi")))  # the key is OLLAMA_API_KEY
            assert (refused.status_code, refused.json()["error"]) == (401, "send a key as `Authorization: Bearer KEY`")
            refused = http.post(
                f"{prefix}/api/chat", json=chat(user("Hi")), headers={"Authorization": f"Bearer {read}"}
            )
            assert (refused.status_code, refused.json()["error"]) == (403, refused.json()["detail"])
            large = http.post(f"{prefix}/api/chat", json=chat(user("word " * 1000)))
            assert (large.status_code, large.json()["error"]) == (413, large.json()["detail"])
        ours = {"Authorization": f"Bearer {secret}"}
        assert http.post("/api/chat", json=chat(user("Hi")), headers=ours).status_code == 200
        assert secret not in str(model.requests)


def test_an_unreachable_ollama_is_a_bad_gateway(http, model):
    model.stop()
    answer = http.post("/api/chat", json=chat(user("Hi")))
    assert (answer.status_code, answer.json()["error"]) == (502, answer.json()["detail"])


def test_without_an_upstream_the_error_names_the_option(store):
    with client_of(make_app(store)) as http:
        assert "--upstream URL" in http.post("/api/chat", json=chat(user("Hi"))).json()["error"]
