"""Tests keys, spaces, headers and limits of the proxy."""

from __future__ import annotations

import logging

import anthropic
import httpx2
import openai
import pytest
from tests.proxy.conftest import openai_client, stored, user
from tests.proxy.upstream import Answer, Busy
from tests.serving import client, serving

from aforesaid.proxy.upstream import UpstreamOptions
from aforesaid.server.app import AppOptions, make_app, make_proxy

pytestmark = pytest.mark.req("X5", "X17")

ASKED = {"model": "m-1", "messages": [user("Where do the tomatoes go?")]}


def sent_headers(model):
    return {name.lower(): value for name, value in model.requests[-1].headers.items()}


def test_without_keys_the_clients_credentials_are_sent_upstream(gpt, claude, http, model):
    gpt.chat.completions.create(**ASKED)
    assert sent_headers(model)["authorization"] == "Bearer sk-theirs"
    claude.messages.create(max_tokens=10, **ASKED)
    assert sent_headers(model)["authorization"] == "Bearer sk-theirs"
    assert sent_headers(model)["anthropic-version"]
    http.post("/messages", json=ASKED, headers={"x-api-key": "sk-old"})
    assert sent_headers(model)["x-api-key"] == "sk-old"


def test_an_aforesaid_key_is_never_sent_upstream(url, clients, model, store):
    secret = store.create_key("ada", spaces=["ada"]).secret
    openai_client(clients, url, key=secret).chat.completions.create(**ASKED)
    assert secret not in str(model.requests[-1].headers)
    assert "authorization" not in sent_headers(model)
    with httpx2.Client(base_url=url, headers={"x-api-key": secret}, timeout=30) as http:
        assert http.post("/v1/messages", json=ASKED).status_code == 200
    assert "x-api-key" not in sent_headers(model)


def test_the_configured_upstream_key_replaces_the_clients_key(serve, clients, model, store):
    url = serve(key="sk-ours")
    gpt = openai_client(clients, url)
    gpt.chat.completions.create(**ASKED)
    assert sent_headers(model)["authorization"] == "Bearer sk-ours"
    secret = store.create_key("ada", spaces=["ada"]).secret
    openai_client(clients, url, key=secret).models.list()
    assert sent_headers(model)["authorization"] == "Bearer sk-ours"
    with httpx2.Client(base_url=url, headers={"x-api-key": secret}, timeout=30) as http:
        http.post("/v1/messages", json=ASKED)
    assert sent_headers(model)["x-api-key"] == "sk-ours"
    assert secret not in str([request.headers for request in model.requests])


def test_cookies_and_internal_headers_are_not_sent_upstream(http, model):
    ours = {"Cookie": "a=b", "X-Aforesaid-Conversation": "trip", "X-Forwarded-For": "10.0.0.1", "OpenAI-Beta": "x=1"}
    http.post(
        "/chat/completions", json=ASKED, headers=[*ours.items(), ("Anthropic-Beta", "a"), ("Anthropic-Beta", "b")]
    )
    sent = sent_headers(model)
    assert sent["anthropic-beta"] == "a, b"
    assert sent["openai-beta"] == "x=1"
    assert not {"cookie", "x-aforesaid-conversation", "x-forwarded-for"} & set(sent)


def test_upstream_cookies_are_neither_forwarded_nor_kept(http, model):
    model.behave(
        Busy(200, {"Set-Cookie": "session=1; Path=/", "Access-Control-Allow-Origin": "*", "X-Kept": "1"}), Answer()
    )
    answer = http.post("/chat/completions", json=ASKED)
    assert "set-cookie" not in answer.headers
    assert "access-control-allow-origin" not in answer.headers
    assert answer.headers["x-kept"] == "1"
    http.post("/chat/completions", json=ASKED)
    assert "cookie" not in sent_headers(model)


def test_each_key_has_its_own_memory(url, clients, model, store):
    for name in ("ada", "bob"):
        store.space(name).conversation("garden").add("user", f"The tomatoes of {name} go along the south wall.")
    store.flush()
    secrets = {name: store.create_key(name, spaces=[name]).secret for name in ("ada", "bob")}
    for name, other in (("ada", "bob"), ("bob", "ada")):
        gpt = openai_client(clients, url, {"X-Aforesaid-Conversation": "trip"}, key=secrets[name])
        gpt.chat.completions.create(**ASKED)
        sent = model.requests[-1].body["messages"][0]["content"]
        assert f"tomatoes of {name}" in sent
        assert f"tomatoes of {other}" not in sent
        assert len(stored(store, "trip", name)) == 2
        strange = openai_client(clients, url, {"X-Aforesaid-Space": other}, key=secrets[name])
        before = len(model.requests)
        with pytest.raises(openai.PermissionDeniedError):
            strange.chat.completions.create(**ASKED)
        assert len(model.requests) == before


def test_a_previous_response_is_found_only_in_its_own_space(url, clients, model, store):
    model.behave(Answer("Hi", id="r1"))
    secrets = {name: store.create_key(name, spaces=[name]).secret for name in ("ada", "bob")}
    openai_client(clients, url, key=secrets["ada"]).responses.create(model="m-1", input="I am Ada.")
    bob = openai_client(clients, url, key=secrets["bob"])
    bob.responses.create(model="m-1", input="Who am I?", previous_response_id="r1")
    assert "Ada" not in model.raw[-1].decode()


@pytest.mark.parametrize("headers", [{}, {"Authorization": "Bearer wrong"}, {"x-api-key": "wrong"}])
def test_once_a_key_exists_requests_without_a_key_are_rejected(http, model, store, headers):
    store.create_key("ada")
    answer = http.post("/chat/completions", json=ASKED, headers=headers)
    assert (answer.status_code, answer.json()["code"]) == (401, "key_needed")
    assert model.requests == []


def test_a_read_key_cannot_chat(url, clients, model, store):
    gpt = openai_client(clients, url, key=store.create_key("ada", access="read").secret)
    with pytest.raises(openai.PermissionDeniedError):
        gpt.chat.completions.create(**ASKED)
    assert [one.id for one in gpt.models.list()] == ["m-1"]


def test_a_failing_store_rejects_requests_that_need_a_key(url, clients, model, store):
    secret = store.create_key("ada").secret
    gpt = openai_client(clients, url, key=secret)
    gpt.chat.completions.create(**ASKED)
    store.close()
    with pytest.raises(openai.InternalServerError):
        gpt.chat.completions.create(**ASKED)


JSON = {"content-type": "application/json"}


def test_unknown_hosts_foreign_origins_excess_requests_and_large_bodies_are_rejected(serve, model):
    url = serve({"rate": "3/day", "largest": 2000})
    with httpx2.Client(base_url=url, timeout=30) as http:
        assert http.post("/v1/chat/completions", json=ASKED, headers={"Host": "evil.example"}).status_code == 421
        assert (
            http.post("/v1/chat/completions", json=ASKED, headers={"Origin": "https://evil.example"}).status_code == 403
        )
        assert http.post("/v1/chat/completions", content=b"x" * 3000, headers=JSON).status_code == 413
        for status in (200, 200, 200, 429):
            assert http.post("/v1/chat/completions", json=ASKED).status_code == status
    assert len(model.requests) == 3


def test_without_an_upstream_the_error_names_the_option(store):
    with client(make_app(store)) as http:
        answer = http.post("/v1/chat/completions", json=ASKED)
    assert (answer.status_code, answer.json()["code"]) == (501, "no_upstream")
    assert "--upstream URL" in answer.json()["detail"]


def test_a_path_with_memory_is_forwarded_without_it_for_another_method(http, model, store):
    answer = http.get("/chat/completions", params={"limit": 5})  # lists stored completions
    assert (answer.status_code, model.requests[-1].path) == (200, "/v1/chat/completions?limit=5")
    assert "x-aforesaid-memory" not in answer.headers
    assert store.spaces() == []


def test_model_names_and_query_strings_are_forwarded(http, model):
    http.get("/models/meta/llama-3:free", params={"limit": 5})
    assert model.requests[-1].path == "/v1/models/meta/llama-3:free?limit=5"


def test_the_upstream_url_may_have_a_path(store, model):
    app = make_proxy(store, AppOptions(upstream=UpstreamOptions(f"{model.url}/v1/")))
    with serving(app) as url, httpx2.Client(base_url=url, timeout=30) as http:
        http.get("/v1/models")
        assert model.requests[-1].path == "/v1/models"
        assert http.get("/api/health").json() == {"ok": True}
        assert http.get("/api/memory/spaces").status_code == 404


def test_logs_contain_neither_text_nor_keys(gpt, model, store, caplog):
    store.space("ada").conversation("garden").add("user", "The tomatoes go along the south wall.")
    caplog.set_level(logging.DEBUG, "aforesaid")
    model.behave(Busy(400), Answer("an answer in words"))
    gpt.chat.completions.create(**ASKED)
    said = " ".join(f"{record.getMessage()} {record.__dict__}" for record in caplog.records)
    assert "proxy" in said
    assert not [word for word in ("tomatoes", "sk-theirs", "an answer") if word in said]


def test_provider_clients_show_the_reason_of_a_rejection(serve, clients, store):
    url = serve({"largest": 1000})
    store.create_key("ada", spaces=["ada"])
    with pytest.raises(openai.AuthenticationError) as refused:
        openai_client(clients, url).chat.completions.create(**ASKED)
    assert refused.value.type == refused.value.response.json()["code"] == "key_needed"
    assert refused.value.body["message"] == refused.value.response.json()["detail"]
    assert refused.value.body["message"] in str(refused.value)
    with pytest.raises(anthropic.AuthenticationError) as refused:
        anthropic.Anthropic(base_url=url, api_key="no", max_retries=0).messages.create(max_tokens=1, **ASKED)
    assert refused.value.body["error"]["type"] == "key_needed"
    with pytest.raises(openai.APIStatusError) as refused:
        openai_client(clients, url).embeddings.create(model="m-1", input="word " * 1000)
    assert refused.value.type == "too_large"
    with pytest.raises(openai.APIStatusError) as refused:
        openai_client(clients, url, {"Host": "elsewhere.example"}).models.list()
    assert refused.value.type == "misdirected"
    with httpx2.Client(base_url=url) as http:
        assert http.post("/v1/chat/completions", content=(b"a" * 600 for _ in range(2))).json()["error"]["type"]
        assert "error" not in http.get("/api/memory/spaces").json()
