"""Tests the parsing of model replies in each API format."""

import json
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aforesaid.replies.ollama import to_tool_calls
from aforesaid.replies.parser import ReplyParser, event_parser, parse_body
from aforesaid.replies.reply import ModelReply
from aforesaid.replies.sse import ServerSentEvent

WIRES = ("chat", "responses", "messages", "ollama_chat", "ollama_generate")
CALL = {"id": "call_1", "type": "function", "function": {"name": "look", "arguments": '{"q": "größe"}'}}
SECOND = {"id": "call_2", "type": "function", "function": {"name": "now", "arguments": "{}"}}
FINISHES = {
    "chat": "stop", "responses": "completed", "messages": "end_turn", "ollama_chat": "stop", "ollama_generate": "stop"
}  # fmt: skip


def sse(*events, names=False):
    lines = [f"event: {event['type']}\n" if names else "" for event in events]
    return "".join(f"{line}data: {json.dumps(event)}\n\n" for line, event in zip(lines, events, strict=True)).encode()


def chunk(delta, finish=None, **rest):
    choice = {"index": 0, "delta": delta, "finish_reason": finish}
    return {"id": "a1", "object": "chat.completion.chunk", "model": "m-1", "choices": [choice], **rest}


def chat_call(index, **rest):
    return chunk({"tool_calls": [{"index": index, **rest}]})


CHAT = sse(
    chunk({"role": "assistant", "content": ""}),
    chunk({"content": "Héllo "}),
    chunk({"content": "\ud83e"}),
    chunk({"content": "\udd8a!"}),
    {"id": "a1", "choices": [{"index": 1, "delta": {"content": "another choice"}, "finish_reason": None}]},
    chat_call(0, id="call_1", type="function", function={"name": "look", "arguments": ""}),
    chat_call(0, function={"arguments": '{"q": '}),
    chat_call(1, id="call_2", type="function", function={"name": "now", "arguments": "{}"}),
    chat_call(0, function={"arguments": '"größe"}'}),
    chunk({}, "stop"),
    {"id": "a1", "choices": [], "usage": {"prompt_tokens": 12, "completion_tokens": 5}},
)
CHAT_BODY = {
    "id": "a1",
    "model": "m-1",
    "choices": [
        {
            "index": 0,
            "message": {"role": "assistant", "content": "Héllo 🦊!", "tool_calls": [CALL, SECOND]},
            "finish_reason": "stop",
        }
    ],
    "usage": {"prompt_tokens": 12, "completion_tokens": 5},
}

RESPONSE_BODY = {
    "id": "a1",
    "object": "response",
    "status": "completed",
    "model": "m-1",
    "output": [
        {"type": "reasoning", "id": "rs_1", "summary": [{"type": "summary_text", "text": "thinking"}]},
        {"type": "message", "content": [{"type": "output_text", "text": "Héllo 🦊!"}]},
        {"type": "function_call", "call_id": "call_1", "name": "look", "arguments": '{"q": "größe"}'},
        {"type": "function_call", "call_id": "call_2", "name": "now", "arguments": "{}"},
    ],
    "usage": {"input_tokens": 12, "output_tokens": 5},
}
RESPONSES = sse(
    {"type": "response.created", "response": {"id": "a1", "model": "m-1", "status": "in_progress", "output": []}},
    {"type": "response.reasoning_summary_text.delta", "delta": "thinking"},
    {"type": "response.output_text.delta", "delta": "Héllo "},
    {"type": "response.output_text.delta", "delta": "🦊!"},
    {"type": "response.function_call_arguments.delta", "delta": '{"q"'},
    {"type": "response.completed", "response": RESPONSE_BODY},
    names=True,
)

MESSAGE_BODY = {
    "id": "a1",
    "type": "message",
    "role": "assistant",
    "model": "m-1",
    "content": [
        {"type": "thinking", "thinking": "hm", "signature": "s"},
        {"type": "text", "text": "Héllo 🦊!"},
        {"type": "tool_use", "id": "call_1", "name": "look", "input": {"q": "größe"}},
        {"type": "tool_use", "id": "call_2", "name": "now", "input": {}},
    ],
    "stop_reason": "end_turn",
    "usage": {"input_tokens": 7, "cache_read_input_tokens": 5, "output_tokens": 5},
}


def block(index, **content):
    return {"type": "content_block_start", "index": index, "content_block": content}


def delta(index, **content):
    return {"type": "content_block_delta", "index": index, "delta": content}


MESSAGES = sse(
    {
        "type": "message_start",
        "message": {"id": "a1", "model": "m-1", "usage": {"input_tokens": 7, "cache_read_input_tokens": 5}},
    },
    {"type": "ping"},
    block(0, type="thinking", thinking=""),
    delta(0, type="thinking_delta", thinking="hm"),
    delta(0, type="signature_delta", signature="s"),
    block(1, type="text", text=""),
    delta(1, type="text_delta", text="Héllo "),
    delta(1, type="text_delta", text="🦊!"),
    block(2, type="tool_use", id="call_1", name="look", input={}),
    delta(2, type="input_json_delta", partial_json='{"q": '),
    delta(2, type="input_json_delta", partial_json='"größe"}'),
    block(3, type="tool_use", id="call_2", name="now", input={}),
    {"type": "message_delta", "delta": {"stop_reason": "end_turn"}, "usage": {"output_tokens": 5}},
    {"type": "message_stop"},
    names=True,
)

OLLAMA_END = {"model": "m-1", "done": True, "done_reason": "stop", "prompt_eval_count": 12, "eval_count": 5}
OLLAMA_CALLS = [{"function": {"name": "look", "arguments": {"q": "größe"}}}, {"function": {"name": "now"}}]


def json_lines(*lines):
    return "".join(f"{json.dumps({'model': 'm-1', 'done': False} | line)}\n" for line in lines).encode()


OLLAMA = json_lines(
    {"message": {"role": "assistant", "content": "", "thinking": "hm"}},
    *({"message": {"role": "assistant", "content": piece}} for piece in ("Héllo ", "\ud83e", "\udd8a!")),
    *({"message": {"role": "assistant", "content": "", "tool_calls": [call]}} for call in OLLAMA_CALLS),
    {"message": {"role": "assistant", "content": ""}} | OLLAMA_END,
)
OLLAMA_BODY = {"message": {"role": "assistant", "content": "Héllo 🦊!", "tool_calls": OLLAMA_CALLS}} | OLLAMA_END
PROMPT = json_lines({"response": "Héllo "}, {"response": "🦊!"}, {"response": "", "context": [1]} | OLLAMA_END)
PROMPT_BODY = {"response": "Héllo 🦊!", "thinking": "hm", "context": [1]} | OLLAMA_END

STREAMS = {
    "chat": CHAT + b"data: [DONE]\n\n", "responses": RESPONSES, "messages": MESSAGES, "ollama_chat": OLLAMA,
    "ollama_generate": PROMPT,
}  # fmt: skip
BODIES = {
    "chat": CHAT_BODY, "responses": RESPONSE_BODY, "messages": MESSAGE_BODY, "ollama_chat": OLLAMA_BODY,
    "ollama_generate": PROMPT_BODY,
}  # fmt: skip


def expected(wire):
    if wire.startswith("ollama"):
        calls = (
            [CALL | {"id": "call-1dc288f8c9d1daa90b8cdbdd"}, SECOND | {"id": "call-73d5c07adf9882f0d5667ebd"}]
            if wire == "ollama_chat"
            else ()
        )
        return ModelReply("Héllo 🦊!", tuple(calls), "stop", 12, 5, ended=True, model="m-1")
    return ModelReply("Héllo 🦊!", (CALL, SECOND), FINISHES[wire], 12, 5, ended=True, id="a1", model="m-1")


def heard(wire, pieces):
    listening = ReplyParser(wire)
    said = "".join(listening.feed(piece) for piece in pieces)
    return said, listening.end()


@pytest.mark.req("X5")
@pytest.mark.parametrize("wire", WIRES)
def test_a_streamed_reply_equals_the_complete_reply(wire):
    assert heard(wire, [STREAMS[wire]]) == ("Héllo 🦊!", expected(wire))
    assert parse_body(wire, BODIES[wire]) == expected(wire)


@pytest.mark.req("X5")
@pytest.mark.parametrize("wire", WIRES)
@given(places=st.lists(st.integers(0, 10_000), max_size=20))
def test_a_stream_can_be_split_at_any_byte(wire, places):
    data = STREAMS[wire]
    edges = [0, *sorted(place % (len(data) + 1) for place in places), len(data)]
    pieces = [data[start:stop] for start, stop in pairwise(edges)]
    assert heard(wire, pieces) == ("Héllo 🦊!", expected(wire))


@pytest.mark.req("X5")
@pytest.mark.parametrize("wire", WIRES)
@given(share=st.floats(0, 1))
def test_an_interrupted_stream_is_not_marked_as_ended(wire, share):
    data = STREAMS[wire]
    end = data.index(b'"stop"') if wire == "chat" else len(data.rstrip()) - 1
    said, reply = heard(wire, [data[: int(end * share)]])
    assert not reply.ended
    assert reply.tool_calls == ()
    assert "Héllo 🦊!".startswith(said)
    assert "Héllo 🦊!".startswith(reply.text.removesuffix("\ufffd"))


def test_text_is_returned_as_it_arrives():
    listening = ReplyParser("chat")
    pieces = ["Hé", "", "\ud83e", "\udd8a!", "\udd8a"]
    said = [listening.feed(sse(chunk({"content": piece}))) for piece in pieces]
    assert said == ["Hé", "", "", "🦊!", "\ufffd"]  # a high surrogate waits for its low surrogate


@pytest.mark.parametrize(
    ("wire", "event", "failure"),
    [
        ("chat", {"error": {"type": "server_error", "message": "secret words"}}, "server_error"),
        (
            "responses",
            {"type": "error", "code": "rate_limit_exceeded", "message": "secret words"},
            "rate_limit_exceeded",
        ),
        (
            "messages",
            {"type": "error", "error": {"type": "overloaded_error", "message": "secret words"}},
            "overloaded_error",
        ),
    ],
)
def test_an_error_in_a_stream_is_recorded_by_type_without_its_message(wire, event, failure):
    _, reply = heard(wire, [STREAMS[wire][: len(STREAMS[wire]) // 2].rpartition(b"\n\n")[0] + b"\n\n", sse(event)])
    assert (reply.failure, reply.ended) == (failure, False)
    assert "secret" not in repr(reply)


def test_an_error_of_ollama_is_recorded_without_its_message():
    _, reply = heard("ollama_chat", [OLLAMA, json_lines({"error": "secret words"})])
    assert (reply.failure, reply.ended, reply.tool_calls) == ("error", False, ())
    assert "secret" not in repr(reply)


def test_a_tool_call_of_ollama_has_the_same_id_however_it_is_written():
    call = {"function": {"name": "look", "arguments": {"a": 1, "b": [2]}}}
    again = {"id": "x", "function": {"arguments": '{"b": [2], "a": 1}', "name": "look", "index": 0}}
    (first,), (second,), both = to_tool_calls([call]), to_tool_calls([again]), to_tool_calls([call, call])
    assert first["id"] == second["id"] == both[0]["id"] != both[1]["id"]


def test_a_failed_response_is_not_marked_as_ended():
    failed = RESPONSE_BODY | {"status": "failed", "error": {"code": "server_error", "message": "x"}}
    reply = parse_body("responses", failed)
    assert (reply.ended, reply.failure, reply.tool_calls) == (False, "server_error", ())


def test_a_reply_at_the_token_limit_is_marked_as_ended():
    _, reply = heard("chat", [sse(chunk({"content": "so"}), chunk({}, "length"))])
    assert (reply.ended, reply.finish, reply.text) == (True, "length", "so")


def test_tool_calls_without_an_index_are_distinguished_by_id():
    calls = [{"tool_calls": [{"id": f"c{n}", "function": {"name": "f", "arguments": str(n)}}]} for n in range(2)]
    _, reply = heard("chat", [sse(*map(chunk, calls), chunk({}, "tool_calls"))])
    assert [(call["id"], call["function"]["arguments"]) for call in reply.tool_calls] == [("c0", "0"), ("c1", "1")]


def test_custom_tool_calls_keep_their_type():
    item = {"type": "custom_tool_call", "call_id": "c", "name": "run", "input": "ls"}
    made = {"id": "c", "type": "custom", "custom": {"name": "run", "input": "ls"}}
    assert parse_body("responses", RESPONSE_BODY | {"output": [item]}).tool_calls == (made,)
    _, reply = heard("chat", [sse(chat_call(0, **made), chunk({}, "tool_calls"))])
    assert reply.tool_calls == (made,)


NAMES = (  # noqa: SIM905
    "type choices delta message content tool_calls function index error usage response output content_block id text "
    "name arguments finish_reason input_tokens status input done done_reason eval_count"
).split()
WORDS = (  # noqa: SIM905
    "message_start content_block_start content_block_delta tool_use input_json_delta message_stop message_delta text "
    "response.completed response.output_text.delta function_call message completed error"
).split()
ODD = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=3) | st.sampled_from(WORDS),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(NAMES), inner, max_size=5),
    max_leaves=25,
)


@pytest.mark.req("X5")
@pytest.mark.parametrize("wire", WIRES)
@given(bodies=st.lists(ODD, max_size=5))
def test_any_json_body_is_parsed_without_an_error(wire, bodies):
    following = event_parser(wire)
    for body in bodies:
        assert isinstance(following.feed(ServerSentEvent("", json.dumps(body))), str)
        parse_body(wire, body).text.encode()
    following.reply().text.encode()


@pytest.mark.parametrize("wire", WIRES)
def test_invalid_json_gives_an_empty_reply(wire):
    assert heard(wire, [b"data: {half\n\ndata: " + b"[" * 100_000 + b"\n\n"]) == ("", ModelReply())
