"""Tests the OpenAI and Anthropic clients through the proxy."""

from __future__ import annotations

import json

import pytest
from tests.proxy.conftest import assistant, openai_client, stored, user
from tests.proxy.upstream import Answer, Busy, Late

pytestmark = pytest.mark.req("X5")

CALLS = (("call_1", "look", '{"q": "größe 🦊"}'), ("call_2", "now", "{}"))
TOOLS = [{"type": "function", "function": {"name": "look", "parameters": {"type": "object", "properties": {}}}}]


def test_a_chat_completion_is_forwarded_and_both_messages_are_stored(gpt, model, store):
    model.behave(Answer("Hi Ada 🦊"))
    answer = gpt.chat.completions.with_raw_response.create(model="m-1", messages=[user("I am Ada.")])
    assert answer.parse().choices[0].message.content == "Hi Ada 🦊"
    assert answer.headers["x-aforesaid-memory"].startswith("none; reason=nothing_relevant")
    assert answer.headers["x-aforesaid-conversation"] == "trip"
    assert stored(store) == [("user", "I am Ada."), ("assistant", "Hi Ada 🦊")]


def test_a_streamed_chat_completion_is_forwarded_and_stored(gpt, model, store):
    model.behave(Answer("Hi Ada 🦊, größer", CALLS))
    with gpt.chat.completions.stream(model="m-1", messages=[user("I am Ada.")], tools=TOOLS) as stream:
        for _ in stream:
            pass
        final = stream.get_final_completion().choices[0].message
    assert final.content == "Hi Ada 🦊, größer"
    last = store.space("ada").conversation("trip").messages()[-1]
    assert last.text == "Hi Ada 🦊, größer"
    assert last.tool_calls == [
        call.model_dump(include={"id", "type"})
        | {"function": {"name": call.function.name, "arguments": call.function.arguments}}
        for call in final.tool_calls
    ]
    assert last.metadata == {"model": "m-1", "response": "r1", "finish": "tool_calls"}


def test_repeated_tool_calls_are_stored_once_and_in_order(gpt, model, store):
    model.behave(Answer("", CALLS), Answer("It is 7."))
    said = [user("What is it?")]
    first = gpt.chat.completions.create(model="m-1", messages=said, tools=TOOLS).choices[0].message
    said.append(first.model_dump(exclude_none=True))
    said += [{"role": "tool", "tool_call_id": id, "content": f"result of {name}"} for id, name, _ in CALLS]
    gpt.chat.completions.create(model="m-1", messages=said, tools=TOOLS)
    said += [assistant("It is 7."), user("Thanks")]
    gpt.chat.completions.create(model="m-1", messages=said)
    messages = store.space("ada").conversation("trip").messages()
    assert [one.role for one in messages] == ["user", "assistant", "tool", "tool", "assistant", "user", "assistant"]
    assert [one.tool_call_id for one in messages[2:4]] == ["call_1", "call_2"]
    assert messages[1].tool_calls[0]["function"] == {"name": "look", "arguments": CALLS[0][2]}


@pytest.mark.parametrize("streamed", [False, True])
def test_a_response_keeps_its_items(gpt, model, store, streamed):
    model.behave(Answer("Hi Ada", CALLS[:1]), Answer("Seven.", id="r2"))
    given = [{"role": "user", "content": [{"type": "input_text", "text": "What is it?"}]}]
    if streamed:
        with gpt.responses.stream(model="m-1", input=given) as stream:
            for _ in stream:
                pass
            first = stream.get_final_response()
    else:
        first = gpt.responses.create(model="m-1", input=given)
    assert [item.type for item in first.output] == ["reasoning", "message", "function_call"]
    given += [item.model_dump(exclude_none=True) for item in first.output]
    given.append({"type": "function_call_output", "call_id": "call_1", "output": "7"})
    gpt.responses.create(model="m-1", input=given)
    sent = model.requests[-1].body["input"]
    assert sent[1:] == given[1:]
    messages = store.space("ada").conversation("trip").messages()
    assert [(one.role, one.text) for one in messages] == [
        ("user", "What is it?"),
        ("assistant", "Hi Ada"),
        ("tool", "7"),
        ("assistant", "Seven."),
    ]
    assert messages[1].tool_calls[0]["id"] == messages[2].tool_call_id == "call_1"


def test_a_previous_response_id_continues_the_conversation(serve, clients, model, store):
    gpt = openai_client(clients, serve())
    model.behave(Answer("Hi Ada", id="r1"), Answer("You are Ada.", id="r2"))
    gpt.responses.create(model="m-1", input="I am Ada.", instructions="Be kind.")
    answer = gpt.responses.with_raw_response.create(
        model="m-1", input="Who am I?", instructions="Be kind.", previous_response_id="r1"
    )
    said = stored(store, answer.headers["x-aforesaid-conversation"], "default")
    assert [text for _, text in said] == ["I am Ada.", "Hi Ada", "Who am I?", "You are Ada."]


def go_on(gpt, words, before=None, **rest):
    """Creates a response that continues another and returns its id."""
    earlier = {} if before is None else {"previous_response_id": before}
    return gpt.responses.create(model="m-1", input=words, **earlier, **rest).id


def test_a_chain_of_responses_is_one_conversation_across_servers(serve, clients, model, store):
    model.behave(*(Answer(f"a{number}", id=f"r{number}") for number in range(6)))
    servers = [openai_client(clients, serve()) for _ in range(3)]
    last = None
    for number in range(6):
        last = go_on(servers[number % 3], "continue", last)
    (chat,) = store.space("default").conversations()
    said = [message for number in range(6) for message in ("continue", f"a{number}")]
    assert [text for _, text in stored(store, chat.id, "default")] == said


def test_a_retried_or_branched_response_stays_in_the_conversation(serve, clients, model, store):
    model.behave(*(Answer(f"a{number}", id=f"r{number}") for number in range(6)))
    gpt, other = openai_client(clients, serve()), openai_client(clients, serve())
    first = go_on(gpt, "begin")
    go_on(gpt, "go  on", first)
    again = go_on(other, "go on", first)
    go_on(other, "or stop", first)
    go_on(gpt, "go on", again)
    (chat,) = store.space("default").conversations()
    said = [text for _, text in stored(store, chat.id, "default")]
    assert said == ["begin", "a0", "go  on", "a1", "a2", "or stop", "a3", "go on", "a4"]


def test_tool_results_continue_the_response_that_called_the_tools(serve, clients, model, store):
    model.behave(Answer("", CALLS[:1], "r1"), Answer("", id="r2"), Answer("It is 7.", id="r3"))
    first = go_on(openai_client(clients, serve()), "What is it?")
    gpt = openai_client(clients, serve())
    second = go_on(gpt, [{"type": "function_call_output", "call_id": "call_1", "output": "7"}], first)
    go_on(gpt, "Well?", second)  # after a response without text
    (chat,) = store.space("default").conversations()
    said = stored(store, chat.id, "default")
    assert said == [
        ("user", "What is it?"),
        ("assistant", ""),
        ("tool", "7"),
        ("user", "Well?"),
        ("assistant", "It is 7."),
    ]


def test_responses_with_the_same_id_are_all_stored(gpt, model, store):
    model.behave(Answer("Yes."))
    for number in range(3):
        for place in ("trip", "other"):
            gpt.responses.create(model="m-1", input=f"q{number}", extra_headers={"X-Aforesaid-Conversation": place})
    for place in ("trip", "other"):
        assert [text for _, text in stored(store, place)] == ["q0", "Yes.", "q1", "Yes.", "q2", "Yes."]


@pytest.mark.parametrize("streamed", [False, True])
def test_an_anthropic_message_keeps_thinking_and_tool_use(claude, model, store, streamed):
    model.behave(Answer("Hi Ada", CALLS), Answer("It is 7."))
    said = [user("What is it?")]
    asked = {"model": "m-1", "max_tokens": 100, "system": "Be kind."}
    if streamed:
        with claude.messages.stream(messages=said, **asked) as stream:
            first = stream.get_final_message()
    else:
        first = claude.messages.create(messages=said, **asked)
    assert [block.type for block in first.content] == ["thinking", "text", "tool_use", "tool_use"]
    said.append({"role": "assistant", "content": [block.model_dump(exclude_none=True) for block in first.content]})
    results = [{"type": "tool_result", "tool_use_id": id, "content": "7"} for id, _, _ in CALLS]
    said.append({"role": "user", "content": results})
    claude.messages.create(messages=said, **asked)
    assert model.requests[-1].body["messages"][1:] == said[1:]
    assert model.requests[-1].body["system"] == "Be kind."
    messages = store.space("ada").conversation("trip").messages()
    assert [one.role for one in messages] == ["user", "assistant", "tool", "tool", "assistant"]
    assert json.loads(messages[1].tool_calls[0]["function"]["arguments"]) == {"q": "größe 🦊"}


def test_models_and_embeddings_are_forwarded(gpt, model):
    assert [one.id for one in gpt.models.list()] == ["m-1"]
    assert gpt.embeddings.create(model="m-1", input="a", encoding_format="float").data[0].embedding == [0.5]
    assert [request.path for request in model.requests] == ["/v1/models", "/v1/embeddings"]


def test_unknown_fields_are_forwarded_unchanged(http, model):
    body = {"model": "m-1", "messages": [user("Hi")], "reasoning": {"effort": "high"}, "x": [1, None, 2.5, "ü"]}
    http.post("/chat/completions", json=body)
    sent = model.requests[-1].body
    assert sent == body


LATE = Late(Answer("It is Rex."))  # the clients stop at the last event, while the body is still open


def test_a_chat_is_stored_when_the_client_disconnects_at_the_last_event(gpt, model, store):
    model.behave(LATE)
    heard = gpt.chat.completions.create(model="m-1", messages=[user("My dog?")], stream=True)
    assert "".join(chunk.choices[0].delta.content or "" for chunk in heard) == "It is Rex."
    assert stored(store) == [("user", "My dog?"), ("assistant", "It is Rex.")]


def test_a_response_is_stored_when_the_client_disconnects_at_the_last_event(serve, clients, model, store):
    gpt = openai_client(clients, serve())
    model.behave(LATE, Answer("Rex.", id="r2"))
    with gpt.responses.create(model="m-1", input="My dog?", stream=True) as heard:
        assert next(event for event in heard if event.type == "response.completed").response.id == "r1"
    answer = gpt.responses.with_raw_response.create(model="m-1", input="Who?", previous_response_id="r1")
    said = stored(store, answer.headers["x-aforesaid-conversation"], "default")
    assert [text for _, text in said] == ["My dog?", "It is Rex.", "Who?", "Rex."]


def test_an_anthropic_message_is_stored_when_the_client_disconnects_at_the_last_event(claude, model, store):
    model.behave(LATE)
    with claude.messages.create(model="m-1", max_tokens=9, messages=[user("My dog?")], stream=True) as heard:
        assert next(event for event in heard if event.type == "message_stop")
    assert stored(store) == [("user", "My dog?"), ("assistant", "It is Rex.")]


def test_data_after_the_last_event_is_forwarded_and_the_reply_stored_once(http, model, store):
    data = b'data: {"choices": [{"delta": {"content": "so"}, "finish_reason": "stop"}]}\n\ndata: [DONE]\n\n'
    more = b": bye\n\ndata: [DONE]\n\n"
    model.behave(Busy(200, {"Content-Type": "text/event-stream"}, data + more))
    asked = {"model": "m-1", "messages": [user("Hi")], "stream": True}
    place = {"x-aforesaid-space": "ada", "x-aforesaid-conversation": "trip"}
    assert http.post("/chat/completions", json=asked, headers=place).content == data + more
    assert stored(store) == [("user", "Hi"), ("assistant", "so")]
