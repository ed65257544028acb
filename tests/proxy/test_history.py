"""Tests that every message is stored once, however a client sends its history."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor

import openai
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.proxy.conftest import assistant, openai_client, stored, user
from tests.proxy.upstream import Answer, Busy, Late

from aforesaid import Memory, strip_memory_blocks
from aforesaid.proxy.message import ChatMessage
from aforesaid.proxy.persist import StoragePlan, plan_request, store_reply, write
from aforesaid.proxy.pipeline import ProxyRequest, RequestPipeline
from aforesaid.proxy.upstream import UpstreamOptions
from aforesaid.replies.reply import ModelReply

pytestmark = pytest.mark.req("X5")


def ask(gpt, *messages, **rest):
    return gpt.chat.completions.with_raw_response.create(model="m-1", messages=list(messages), **rest)


def texts(store, *place):
    return [text for _, text in stored(store, *place)]


def test_a_history_that_is_sent_repeatedly_is_stored_once(gpt, model, store):
    history = [user("one")]
    for number in range(5):
        model.behave(Answer(f"answer {number}"))
        ask(gpt, *history)
        history += [assistant(f"answer {number}"), user(f"question {number}")]
    assert texts(store) == [message["content"] for message in history[:-1]]


def test_a_client_may_send_only_its_newest_message(gpt, model, store):
    model.behave(Answer("a1"), Answer("a2"), Answer("a3"), Answer("a4"))
    for words in ("begin", "go on", "and then", "go on"):
        ask(gpt, user(words))
    assert texts(store) == ["begin", "a1", "go on", "a2", "and then", "a3", "go on", "a4"]


@pytest.mark.parametrize(
    "questions",
    [["status?", "Deploy 1.2.", "Is it green?", "status?"], ["A long story.", "continue", "continue", "continue"]],
)
def test_a_newest_message_with_repeated_text_is_stored_again(gpt, model, store, questions):
    log = [message for at, words in enumerate(questions) for message in (user(words), assistant(f"a{at}"))]
    model.behave(*(Answer(f"a{at}") for at in range(len(questions))))
    for at, words in enumerate(questions):
        ask(gpt, user(words))
        *history, newest = model.requests[-1].body["messages"]
        assert history == log[: 2 * at]
        assert newest["content"].endswith(words)
    assert stored(store) == [(message["role"], message["content"]) for message in log]


@pytest.mark.parametrize("answered", [False, True])
def test_a_newest_message_that_a_client_retries_is_stored_once(url, clients, model, store, answered):
    place = {"X-Aforesaid-Space": "ada", "X-Aforesaid-Conversation": "trip"}
    gpt = openai_client(clients, url, place).with_options(max_retries=1)
    broken = Late(Answer("a1")) if answered else Busy(500, {"Retry-After-Ms": "1"})
    model.behave(Answer("a0"), broken, Answer("a2"))
    ask(gpt, user("go on"))
    if answered:
        with gpt.chat.completions.create(model="m-1", messages=[user("go on")], stream=True) as heard:
            list(heard)
        ask(gpt, user("go on"), extra_headers={"x-stainless-retry-count": "1"})
    else:
        ask(gpt, user("go on"))
    assert texts(store) == ["go on", "a0", "go on", *(["a1"] if answered else []), "a2"]
    assert [message["content"] for message in model.requests[-1].body["messages"]] == ["go on", "a0", "go on"]


def test_a_resent_question_is_stored_once(gpt, model, store):
    model.behave(Answer("a1"), Answer("a2"), Answer("a3"))
    ask(gpt, user("q1"))
    ask(gpt, user("q1"), assistant("a1"), user("q2"))
    ask(gpt, user("q1"), assistant("a1"), user("q2"))
    assert texts(store) == ["q1", "a1", "q2", "a2", "a3"]
    model.behave(Answer("a4"))
    ask(gpt, user("q1"), assistant("a1"), user("q2"), assistant("a3"), user("q3"))
    assert texts(store) == ["q1", "a1", "q2", "a2", "a3", "q3", "a4"]


def test_an_edited_turn_is_stored_beside_the_old_one(gpt, model, store):
    model.behave(Answer("a1"), Answer("a2"), Answer("b2"), Answer("b3"))
    ask(gpt, user("q1"))
    ask(gpt, user("q1"), assistant("a1"), user("q2"))
    ask(gpt, user("q1"), assistant("a1"), user("other q2"))
    ask(gpt, user("q1"), assistant("a1"), user("other q2"), assistant("b2"), user("q3"))
    assert texts(store) == ["q1", "a1", "q2", "a2", "other q2", "b2", "q3", "b3"]


def test_an_answer_without_its_thinking_matches_the_stored_one(gpt, model, store):
    model.behave(Answer("<think>hm</think> It is seven."), Answer("a2"))
    ask(gpt, user("q1"))
    ask(gpt, user("q1"), assistant("It is seven."), user("q2"))
    assert texts(store) == ["q1", "<think>hm</think> It is seven.", "q2", "a2"]


def test_white_space_does_not_make_a_different_message(gpt, model, store):
    model.behave(Answer("It is\n\nseven. "), Answer("a2"))
    ask(gpt, user("q1 "))
    ask(gpt, user("q1"), assistant("It is seven."), user("q2"))
    assert texts(store) == ["q1 ", "It is\n\nseven. ", "q2", "a2"]


def test_a_forgotten_message_is_not_stored_again_with_the_history(gpt, model, store):
    model.behave(Answer("a1"), Answer("a2"), Answer("a3"))
    ask(gpt, user("my secret"))
    ask(gpt, user("my secret"), assistant("a1"), user("q2"))
    chat = store.space("ada").conversation("trip")
    store.space("ada").forget(message=chat.messages()[0].id)
    ask(gpt, user("my secret"), assistant("a1"), user("q2"), assistant("a2"), user("q3"))
    assert texts(store) == ["a1", "q2", "a2", "q3", "a3"]


def test_an_unknown_reply_in_the_history_is_stored(gpt, model, store):
    ask(gpt, user("q1"), extra_headers={"X-Aforesaid-Memory": "off"})
    model.behave(Answer("a2"))
    ask(gpt, user("q1"), assistant("Noted."), user("q2"))
    assert texts(store) == ["q1", "Noted.", "q2", "a2"]


def test_concurrent_requests_store_their_history_once(gpt, model, store):
    history = [user("q1"), assistant("a1"), user("q2")]
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda _: ask(gpt, *history), range(8)))
    assert texts(store)[:3] == ["q1", "a1", "q2"]
    assert [role for role, _ in stored(store)].count("user") == 2
    assert len(texts(store)) == 4  # eight identical answers to one question count once


@pytest.fixture
def nameless(url, clients):
    """A client that names no conversation."""
    return openai_client(clients, url, {"X-Aforesaid-Space": "ada"})


def test_without_a_name_the_first_messages_identify_the_conversation(nameless, model, store):
    history = [user("Hello, I am Ada.")]
    names = set()
    for number in range(3):
        system = {"role": "system", "content": f"Today is day {number}, 10:0{number}. Open file: f{number}.py"}
        answer = ask(nameless, system, *history)
        names.add(answer.headers["x-aforesaid-conversation"])
        history += [assistant("Noted."), user(f"question {number}")]
    assert len(names) == 1
    assert len(texts(store, *names)) == 6
    other = ask(nameless, user("Hello, I am Bob."))
    assert other.headers["x-aforesaid-conversation"] not in names


def test_two_chats_that_begin_alike_are_two_conversations(nameless, model, store):
    greeting = [user("hi"), assistant("Hello!")]
    model.behave(Answer("Hello!"), Answer("A fine name."), Answer("Hello!"), Answer("It is Zanzibar."))
    ask(nameless, greeting[0])
    first = ask(nameless, *greeting, user("My horse is called Zanzibar."))
    ask(nameless, greeting[0])
    second = ask(nameless, *greeting, user("What is my horse called?"))
    assert "user> My horse is called Zanzibar." in json.dumps(model.requests[-1].body)
    assert second.headers["x-aforesaid-memory"].startswith("on; context=")
    names = [answer.headers["x-aforesaid-conversation"] for answer in (first, second)]
    assert texts(store, names[0]) == ["hi", "Hello!", "My horse is called Zanzibar.", "A fine name."]
    assert texts(store, names[1])[-2:] == ["What is my horse called?", "It is Zanzibar."]
    model.behave(Answer("You are welcome."))
    history = [*greeting, user("What is my horse called?"), assistant("It is Zanzibar."), user("Thanks")]
    assert ask(nameless, *history).headers["x-aforesaid-conversation"] == names[1]
    assert texts(store, names[1])[-2:] == ["Thanks", "You are welcome."]


def test_a_chat_with_another_answer_is_another_conversation(nameless, model, store):
    model.behave(Answer("Hello, how can I help?"), Answer("a"), Answer("b"))
    first = ask(nameless, user("hi"))
    ask(nameless, user("hi"), assistant("Hello, how can I help?"), user("q1"))
    other = ask(nameless, user("hi"), assistant("Good morning to you, Ada."), user("q2"))
    names = [answer.headers["x-aforesaid-conversation"] for answer in (first, other)]
    assert texts(store, names[0]) == ["hi", "Hello, how can I help?", "q1", "a"]
    assert texts(store, names[1]) == ["hi", "Good morning to you, Ada.", "q2", "b"]
    assert store.space("ada").info().messages == 7  # "hi" is stored once


def test_an_unanswered_message_that_is_sent_again_much_later_begins_another_chat(nameless, model, store, clock):
    model.behave(Busy(500), Answer("a1"), Answer("a2"))
    with pytest.raises(openai.InternalServerError):
        ask(nameless, user("hi"))
    names = [ask(nameless, user("hi")).headers["x-aforesaid-conversation"]]
    assert texts(store, names[0]) == ["hi", "a1"]
    model.behave(Busy(500), Answer("b1"))
    with pytest.raises(openai.InternalServerError):
        ask(nameless, user("hello"))
    clock.forward(hours=1)
    late = ask(nameless, user("hello"))
    assert texts(store, late.headers["x-aforesaid-conversation"]) == ["hello", "b1"]
    chats = [info for info in store.space("ada").conversations() if info.messages == 1]
    assert len(chats) == 1  # the question that was not answered


@pytest.mark.parametrize(
    ("headers", "rest"),
    [
        ({"X-Claude-Code-Session-Id": "s@"}, {}),
        ({"session-id": "one", "thread-id": "s@"}, {}),
        ({"X-OpenWebUI-Chat-Id": "s@"}, {}),
        ({"x-session-id": "s@"}, {}),
        ({}, {"user": "person @"}),
        ({}, {"safety_identifier": "person @"}),
        ({}, {"prompt_cache_key": "01a1ecd0-586d-7532-82b8-4526337d6fc@"}),
        ({}, {"extra_body": {"metadata": {"user_id": '{"device_id": "d", "session_id": "s@"}'}}}),
        (
            {},
            {"extra_body": {"metadata": {"user_id": "user_0_account__session_01a1ecd0-586d-7532-82b8-4526337d6fc@"}}},
        ),
    ],
)
def test_ids_that_clients_send_tell_chats_apart(nameless, model, store, headers, rest):
    names = []
    for chat in (1, 2, 1, 2):  # both at the same time, with the same words
        said = [user("hi")] if len(names) < 2 else [user("hi"), assistant("Noted."), user("go on")]
        of_chat = json.loads(json.dumps([headers, rest]).replace("@", str(chat)))
        answer = ask(nameless, *said, extra_headers=of_chat[0], **of_chat[1])
        names.append(answer.headers["x-aforesaid-conversation"])
    assert names[0] != names[1]
    assert names[2:] == names[:2]
    assert texts(store, names[0]) == texts(store, names[1]) == ["hi", "Noted.", "go on", "Noted."]


def test_an_edited_question_continues_in_a_branch(nameless, model, store):
    model.behave(Answer("a1"), Answer("a2"), Answer("a3"), Answer("b2"), Answer("b3"))
    said = [user("q1"), assistant("a1"), user("q2"), assistant("a2"), user("q3")]
    for end in (1, 3, 5):
        trunk = ask(nameless, *said[:end]).headers["x-aforesaid-conversation"]
    edited = [*said[:2], user("other q2")]
    branch = ask(nameless, *edited).headers["x-aforesaid-conversation"]
    assert ask(nameless, *edited, assistant("b2"), user("q4")).headers["x-aforesaid-conversation"] == branch
    assert texts(store, trunk) == ["q1", "a1", "q2", "a2", "q3", "a3"]
    assert texts(store, branch) == ["q1", "a1", "other q2", "b2", "q4", "b3"]
    info = store.space("ada").conversation(branch).info()
    assert (info.parent, info.forked_at, info.messages) == (trunk, 1, 4)


@pytest.mark.req("X27")
def test_another_answer_to_the_last_question_begins_a_branch(nameless, model, store):
    model.behave(Answer("a1"), Answer("The harbour of Horta."), Busy(400), Answer("Calheta."), Answer("a3"))
    said = [user("q1"), assistant("a1"), user("Which harbour?")]
    trunk = ask(nameless, *said[:1]).headers["x-aforesaid-conversation"]
    assert ask(nameless, *said).headers["x-aforesaid-conversation"] == trunk
    with pytest.raises(openai.BadRequestError):
        ask(nameless, *said)
    branch = ask(nameless, *said).headers["x-aforesaid-conversation"]
    assert "Horta" not in str(model.requests[-1].body)
    later = ask(nameless, *said, assistant("Calheta."), user("And then the harbour?"))
    assert "Horta" not in str(model.requests[-1].body)
    assert later.headers["x-aforesaid-conversation"] == branch
    assert texts(store, trunk) == ["q1", "a1", "Which harbour?", "The harbour of Horta."]
    assert texts(store, branch) == ["q1", "a1", "Which harbour?", "Calheta.", "And then the harbour?", "a3"]
    assert [info.id for info in store.space("ada").conversation(trunk).branches()] == [branch]


def test_conversation_names_may_be_any_text(url, clients, store):
    place = {"X-Aforesaid-Space": "%C3%84da/1", "X-Aforesaid-Conversation": "Reise%20%F0%9F%A6%8A"}
    gpt = openai_client(clients, url, place)
    answer = ask(gpt, user("Hallo"))
    assert answer.headers["x-aforesaid-conversation"] == "Reise%20%F0%9F%A6%8A"
    assert texts(store, "Reise 🦊", "Äda/1") == ["Hallo", "Noted."]


def test_invalid_characters_are_replaced_before_storage(http, store):
    raw = b'{"model": "m-1", "messages": [{"role": "user", "content": "a\\u0000b \\ud83d c \\ud83e\\udd8a"}]}'
    answer = http.post("/chat/completions", content=raw, headers={"x-aforesaid-conversation": "trip"})
    assert answer.headers["x-aforesaid-memory"].startswith("none; reason=nothing_relevant")
    assert texts(store, "trip", "default")[0] == "a\ufffdb \ufffd c 🦊"


# The same behaviour as properties, for clients that send any part of their history.


def store_request(space, chat, messages) -> StoragePlan:
    return write(space, plan_request(chat, messages), lambda: plan_request(chat, messages))


Turn = st.tuples(st.sampled_from(["ok", "go on", "no", "why?"]), st.sampled_from(["fine", "yes", "fine "]))


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(turns=st.lists(Turn, min_size=1, max_size=8), window=st.integers(4, 20), again=st.sets(st.integers(0, 7)))
def test_every_turn_is_stored_once_for_any_window_and_any_retries(turns, window, again):
    with Memory(worker=False, environment={}) as memory:
        space, chat = memory.space("default"), memory.conversation("c")
        log: list[ChatMessage] = []
        for number, (question, answer) in enumerate(turns):
            log.append(ChatMessage("user", f"{question} {number // 2}"))
            for _ in range(2 if number in again else 1):
                seen = store_request(space, chat, log[-window:])
            assert None not in seen.seqs[-min(window, len(log)) :]
            store_reply(space, seen, ModelReply(answer, ended=True))
            log.append(ChatMessage("assistant", answer))
        stored = [(one.role, "".join(one.text.split())) for one in chat.messages(100)]
        assert stored == [(one.role, "".join(one.text.split())) for one in log]


SAME = st.tuples(st.sampled_from(["go on", "status?", "log 1"]), st.sampled_from(["noted", "ok"]))
SENT = st.sampled_from(["all", "all, in a conversation with a name", "the newest", *range(2, 8)])


@settings(max_examples=80, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(turns=st.lists(SAME, min_size=2, max_size=7), sent=SENT, again=st.sets(st.integers(0, 6)))
def test_repeated_text_is_stored_every_time_and_the_model_gets_the_history(turns, sent, again):
    with Memory(worker=False, environment={}) as memory:
        pipeline = RequestPipeline(memory, UpstreamOptions("http://127.0.0.1:1"))
        headers = {} if sent == "all" else {"x-aforesaid-conversation": "c"}
        window = sent if isinstance(sent, int) else 1 if sent == "the newest" else 1000
        log: list[dict[str, str]] = []
        for number, (question, answer) in enumerate(turns):
            log.append(user(question))
            proxy_request = ProxyRequest("s", "chat", json.dumps({"messages": log[-window:]}).encode(), headers)
            for _ in range(2 if number in again else 1):
                prepared = pipeline.store(pipeline.prepare(proxy_request))
            got = json.loads(prepared.body or proxy_request.body)["messages"]
            got = [{**message, "content": strip_memory_blocks(message["content"])} for message in got]
            assert got[:-1] == (log if sent == "the newest" else log[-window:])[:-1]
            pipeline.store_reply(prepared, ModelReply(answer, ended=True))
            if sent == "all" and number in again:  # answered again with the same text
                repeated = pipeline.store(pipeline.prepare(proxy_request))
                pipeline.store_reply(repeated, ModelReply(answer, ended=True))
            log.append(assistant(answer))
        chat = memory.space("s").conversation(prepared.plan.conversation)
        assert [{"role": one.role, "content": one.text} for one in chat.messages(100)] == log


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.data())
def test_the_newest_message_is_stored_and_a_repeated_request_stores_nothing(data):
    with Memory(worker=False, environment={}) as memory:
        space, chat = memory.space("default"), memory.conversation("c")
        words = st.lists(st.sampled_from("abcdefgh"), min_size=1, max_size=6, unique=True)
        for _ in range(data.draw(st.integers(1, 5))):
            roles = data.draw(st.lists(st.sampled_from(["user", "assistant"]), min_size=5, max_size=5))
            said = [ChatMessage(role, word) for role, word in zip([*roles, "user"], data.draw(words), strict=False)]
            first = store_request(space, chat, said)
            before = [one.id for one in chat.messages(1000)]
            assert first.last in before
            assert store_request(space, chat, said).last == first.last
            assert [one.id for one in chat.messages(1000)] == before
