"""Tests contexts over HTTP: the same content as in Python, and the formats of model providers."""

from __future__ import annotations

from dataclasses import asdict

import pytest

CHAT = "conversations/trip"


@pytest.fixture
def chat(store):
    made = store.conversation("trip")
    made.add("user", "We settled on Lisbon in May.")
    made.add("assistant", "Noted.")
    made.pin("Budget is 900 €")
    made.add("user", "Where are we going?")
    return made


@pytest.mark.req("A4", "A6", "B1", "B2", "X2")
def test_a_context_has_its_sections_tokens_budget_and_receipt(http, store, chat):
    answer = http.post(f"{CHAT}/context", json={"max_tokens": 1000, "system": "You plan travels."}).json()
    made = chat.context(max_tokens=1000, system="You plan travels.")
    assert {one["name"]: one["tokens"] for one in answer["sections"]} == {s.name: s.tokens for s in made.sections}
    assert (answer["tokens"], answer["prefix_tokens"]) == (made.tokens, made.prefix_tokens)
    assert answer["budget"] == asdict(made.budget)
    assert answer["system"] == made.system
    assert answer["milliseconds"]["total"] > 0
    assert store.receipt(answer["receipt"]).digest == made.receipt.digest
    items = {one["name"]: one["items"] for one in answer["sections"]}
    assert [pin["content"] for pin in items["pins"]] == ["Budget is 900 €"]
    assert [one["id"] for one in items["history"]] == [one.id for one in made.history]
    assert items["newest"][0]["message"]["id"] == made.newest.message.id
    assert answer["payload"] is None


@pytest.mark.req("A19")
@pytest.mark.parametrize("recipe", ["balanced", "window", "project", "rolling", "retrieval"])
def test_a_context_is_returned_in_each_provider_format(http, chat, recipe):
    call = {"recipe": recipe, "system": "You plan travels.", "domain": "The user is Portuguese."}
    made = chat.context(**call)
    expected = {
        "openai": {"messages": made.to_openai()},
        "anthropic": made.to_anthropic(),
        "text": {"text": made.text},
    }
    for name, payload in expected.items():
        answer = http.post(f"{CHAT}/context", json=call | {"format": name}).json()
        assert answer["payload"] == payload
        assert all(one["items"] == [] for one in answer["sections"])
    cached = http.post(f"{CHAT}/context", json=call | {"format": "anthropic", "cache": True}).json()
    assert cached["payload"] == made.to_anthropic(cache=True)
    assert "You plan travels." in str(cached["payload"]["system"])
    assert "The user is Portuguese." in str(cached["payload"]["system"])


@pytest.mark.req("X20")
def test_tool_calls_are_stored_and_returned_in_each_provider_format(http):
    call = {"id": "t1", "type": "function", "function": {"name": "book", "arguments": '{"city": "Lisbon"}'}}
    said = [
        {"role": "user", "content": "Book it."},
        {"role": "assistant", "content": None, "tool_calls": [call]},
        {"role": "tool", "content": "booked", "tool_call_id": "t1"},
        {"role": "user", "content": "Thanks. When is it?"},
    ]
    assert http.post(f"{CHAT}/messages", json={"messages": said}).status_code == 201
    openai = http.post(f"{CHAT}/context", json={"format": "openai"}).json()["payload"]["messages"]
    assert [one.get("tool_calls") for one in openai if one["role"] == "assistant"] == [[call]]
    assert [one["tool_call_id"] for one in openai if one["role"] == "tool"] == ["t1"]
    anthropic = http.post(f"{CHAT}/context", json={"format": "anthropic"}).json()["payload"]["messages"]
    blocks = [block for one in anthropic for block in one["content"]]
    assert {"type": "tool_use", "id": "t1", "name": "book", "input": {"city": "Lisbon"}} in blocks
    assert {"type": "tool_result", "tool_use_id": "t1", "content": "booked"} in blocks


@pytest.mark.req("A16")
def test_a_message_of_another_process_is_in_the_next_context(http, chat, open_memory, clock):
    before = http.post(f"{CHAT}/context", json={"recipe": "window", "format": "text"}).json()
    open_memory(clock=clock).conversation("trip").add("user", "Rather to Faro?")
    after = http.post(f"{CHAT}/context", json={"recipe": "window", "format": "text"}).json()
    assert "Faro" not in before["payload"]["text"]
    assert after["payload"]["text"].endswith("Rather to Faro?")


@pytest.mark.req("D12")
def test_a_new_conversation_has_an_empty_context(http):
    answer = http.post("conversations/new/context")
    assert (answer.status_code, answer.json()["sections"]) == (200, [])


@pytest.mark.req("A5", "D10")
def test_a_message_above_the_budget_is_rejected_or_truncated(http, chat):
    chat.add("user", "word " * 500)
    answer = http.post(f"{CHAT}/context", json={"max_tokens": 100})
    assert (answer.status_code, answer.json()["code"]) == (422, "budget_exceeded")
    cut = http.post(f"{CHAT}/context", json={"max_tokens": 100, "overflow": "truncate"}).json()
    assert cut["tokens"] <= 100
    assert cut["warnings"]


@pytest.mark.parametrize(
    "body",
    [{"recipe": "nobody"}, {"max_tokens": 0}, {"query": " "}, {"query": "\x00"}, {"format": "yaml"}, {"tokens": 1}],
)
def test_invalid_context_options_are_rejected(http, body):
    assert http.post(f"{CHAT}/context", json=body).status_code == 422
