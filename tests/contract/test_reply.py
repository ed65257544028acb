"""Tests `conversation.reply` with a real store and a loopback HTTP model service."""

from __future__ import annotations

import threading
import time
from concurrent.futures import ThreadPoolExecutor

import anyio
import pytest
from tests.chat import Busy, ChatServer, Said, Streamed

from aforesaid import (
    AsyncMemory,
    BudgetExceeded,
    CapReached,
    ClosedError,
    Completion,
    ConflictError,
    InvalidInput,
    NoModel,
    ProviderError,
    ProviderRefused,
)
from aforesaid.distill.llm.model_router import ModelRouter
from aforesaid.providers.language_models import ModelRegistry

CARD = "4111 1111 1111 1111"


@pytest.fixture
def anyio_backend():
    return "asyncio"


@pytest.fixture
def server():
    with ChatServer("We go to Lisbon.") as made:
        yield made


@pytest.fixture
def memory(open_memory, server, clock):
    return open_memory(model=f"{server.url}/v1#tiny", clock=clock)


@pytest.fixture
def chat(memory):
    return memory.conversation("trip")


def roles(chat) -> list[tuple[str, str]]:
    return [(message.role, message.text) for message in chat.messages()]


def test_a_reply_is_streamed_and_stored_at_its_end(chat, server):
    chat.add("user", "I love Portugal.")
    chat.add("assistant", "Noted.")
    answer = chat.reply("Where do we go?", system="You plan trips.")
    assert roles(chat)[-1] == ("user", "Where do we go?")
    assert answer.message is None
    assert "".join(answer) == "We go to Lisbon."
    stored = chat.messages()[-1]
    assert answer.message == stored
    assert (stored.role, stored.text, stored.model) == ("assistant", "We go to Lisbon.", answer.model)
    assert stored.metadata == {
        "generated": "reply", "answers": answer.question.id, "receipt": answer.context.receipt.id,
    }  # fmt: skip
    (request,) = server.requests
    assert [(one["role"], one["content"]) for one in request.body["messages"]] == [
        ("system", "You plan trips."), ("user", "I love Portugal."), ("assistant", "Noted."),
        ("user", "Where do we go?"),
    ]  # fmt: skip
    assert (list(answer), len(chat.messages())) == ([], 4)


def test_the_model_receives_the_context(chat, memory, server):
    memory.conversation("garden").add("user", "The tomatoes go along the south wall.")
    chat.pin("Budget is 900 €")
    answer = chat.reply("where do the tomatoes go?")
    list(answer)
    assert server.requests[0].body["messages"] == answer.context.to_openai()
    assert "south wall" in str(server.requests[0].body)
    assert "900 €" in str(server.requests[0].body)
    assert memory.receipt(answer.context.receipt.id).question == "where do the tomatoes go?"


def test_a_reply_has_the_previous_turn_in_its_context(chat, server):
    list(chat.reply("Where do we go?"))
    list(chat.reply("And when?"))
    assert [one["content"] for one in server.requests[1].body["messages"]] == [
        "Where do we go?", "We go to Lisbon.", "And when?",
    ]  # fmt: skip
    assert [message.seq for message in chat.messages()] == [0, 1, 2, 3]


@pytest.mark.req("X16")
def test_the_tokens_of_a_reply_are_in_the_cost_ledger(chat, memory):
    answer = chat.reply("Where do we go?")
    assert answer.cost is None
    (open_,) = memory.costs()
    assert (open_.open, open_.completion_tokens) == (1, 4096)
    list(answer)
    (spent,) = memory.costs("default")
    assert (spent.operation, spent.calls, spent.open, spent.prompt_tokens, spent.completion_tokens) == (
        "reply", 1, 0, 11, 7,
    )  # fmt: skip
    assert (answer.cost.prompt_tokens, answer.cost.completion_tokens, answer.cost.error) == (11, 7, None)


@pytest.mark.req("X16")
def test_a_reached_token_cap_raises_and_the_question_stays_stored(open_memory, server, clock):
    memory = open_memory(model=f"{server.url}/v1#tiny", daily_tokens=300, clock=clock)
    chat = memory.conversation("trip")
    with pytest.raises(CapReached):
        chat.reply("Where do we go?")
    assert roles(chat) == [("user", "Where do we go?")]
    assert server.requests == []
    assert "".join(chat.reply("Where?", answer_tokens=100)) == "We go to Lisbon."


@pytest.mark.parametrize("model", [None, "none", "openai:gpt-5", "hal:9000", "anthropic:claude"])
def test_without_a_model_the_error_explains_how_to_set_one_and_nothing_is_stored(open_memory, model):
    memory = open_memory(model="none")
    chat = memory.conversation("trip")
    with pytest.raises(NoModel) as caught:
        chat.reply("Where do we go?", model=model)
    assert any(word in str(caught.value) for word in ("AFORESAID_MODEL=", "_API_KEY", "ollama:MODEL"))
    assert chat.messages() == []
    told = chat.answerer(model)
    assert (told.model, told.reason) == (None, str(caught.value))


@pytest.mark.parametrize(
    ("content", "rest"),
    [
        ("", {}),
        ("a\0b", {}),
        ("a\ud800b", {}),
        (7, {}),
        ("x", {"recipe": "magic"}),
        ("x", {"max_tokens": 0}),
        ("x", {"answer_tokens": 0}),
        ("x", {"system": "a\0b"}),
        ("x", {"model": " "}),
        ("x", {"overflow": "weep"}),
    ],
)
def test_invalid_arguments_are_rejected_before_anything_is_stored(chat, server, content, rest):
    with pytest.raises(InvalidInput):
        chat.reply(content, **rest)
    assert (chat.messages(), server.requests) == ([], [])


def test_a_reply_uses_the_given_model_then_that_of_the_conversation_then_the_default(chat, memory, server, open_memory):
    default, own = f"{server.url}/v1#tiny", f"{server.url}/v1#own"
    assert (chat.answerer().model, chat.answerer().local) == (default, True)
    assert chat.answerer(own).model == own
    held = memory.conversation("held", model=own)
    list(held.reply("Hello?"))
    assert server.requests[-1].body["model"] == "own"
    list(memory.conversation("held").reply("And again?"))  # the conversation keeps its model
    assert server.requests[-1].body["model"] == "own"
    list(memory.conversation("held").reply("Another?", model=default))
    assert server.requests[-1].body["model"] == "tiny"
    memory.conversation("proxied", model="gpt-4o").add("user", "x")  # a name without a provider
    assert memory.conversation("proxied").answerer().model == default


def test_the_router_selects_the_reply_model():
    router = ModelRouter(ModelRegistry({}, "ollama:d"), None, None)
    assert router.reply_model("x", "ollama:a") == "x"
    assert router.reply_model(None, "ollama:a") == "ollama:a"
    assert router.reply_model(None, "gpt-4o") == "ollama:d"
    assert ModelRouter(ModelRegistry({}, None), None, None).reply_model(None, None) is None


@pytest.mark.parametrize("behaviour", [Streamed(("We go ", "to"), "cut"), Streamed(("We go ", "to"), "api_error")])
def test_an_interrupted_reply_yields_its_text_and_is_not_stored(chat, memory, server, behaviour):
    server.behave(behaviour)
    answer = chat.reply("Where do we go?")
    pieces: list[str] = []
    with pytest.raises(ProviderError):
        pieces.extend(answer)
    assert ("".join(pieces), answer.text, answer.message) == ("We go to", "We go to", None)
    assert roles(chat) == [("user", "Where do we go?")]
    assert list(answer) == []
    (spent,) = memory.costs()
    assert (spent.failed, spent.open, spent.completion_tokens) == (1, 0, 3)
    assert spent.prompt_tokens > 0


@pytest.mark.parametrize(
    ("behaviour", "kind", "spent"),
    [
        (Busy(429, {"Retry-After": "3600"}), ProviderError, 0),
        (401, ProviderRefused, 0),
        ("nonsense", ProviderError, 4096),
        (Said("", "stop"), ProviderError, 7),
        (Said("<think>Hmm.</think>  ", "stop"), ProviderError, 7),
        (Said("No", "declined"), ProviderRefused, 1),
    ],
)
def test_a_model_without_an_answer_raises_and_the_question_stays_stored(chat, memory, server, behaviour, kind, spent):
    server.behave(behaviour)
    with pytest.raises(kind) as caught:
        list(chat.reply("Where do we go?"))
    assert (type(caught.value), "Where" in str(caught.value)) == (kind, False)
    assert roles(chat) == [("user", "Where do we go?")]
    (cost,) = memory.costs()
    assert (cost.open, cost.completion_tokens) == (0, spent)


def test_a_retried_question_is_stored_once(chat, server):
    server.behave(401, "answer")
    with pytest.raises(ProviderRefused):
        list(chat.reply("Where do we go?", id="q1"))
    answer = chat.reply("Where do we go?", id="q1")
    list(answer)
    assert roles(chat) == [("user", "Where do we go?"), ("assistant", "We go to Lisbon.")]
    assert [one["content"] for one in server.requests[1].body["messages"]] == ["Where do we go?"]
    with pytest.raises(ConflictError):
        chat.reply("Something else?", id="q1")


def test_a_closed_reply_stops_immediately_and_is_not_stored(chat, memory, server):
    server.behave(Streamed(("We go ",), "hang"))
    with chat.reply("Where do we go?") as answer:
        assert next(answer) == "We go "
    assert server.left.wait(10)
    assert (list(answer), answer.text, answer.message) == ([], "We go ", None)
    assert roles(chat) == [("user", "Where do we go?")]
    (spent,) = memory.costs()
    assert (spent.failed, spent.open, spent.completion_tokens) == (1, 0, 3)
    answer.close()


def test_another_thread_can_close_a_reply(chat, server):
    server.behave(Streamed(("We go ",), "hang"))
    answer = chat.reply("Where do we go?")
    with ThreadPoolExecutor(1) as pool:
        heard = pool.submit(list, answer)
        while not answer.text:
            time.sleep(0.005)
        answer.close()
        assert heard.result(10) == ["We go "]
    assert answer.cost.error == "stopped"


@pytest.mark.req("A12")
def test_closing_the_memory_ends_a_reply_immediately(chat, memory, server):
    server.behave(Streamed(("We go ",), "hang"))
    answer = chat.reply("Where do we go?")
    next(answer)
    closing = threading.Timer(0.05, memory.close)
    closing.start()
    with pytest.raises(ClosedError):
        next(answer)
    closing.join()
    assert server.left.wait(10)
    answer.close()
    with pytest.raises(ClosedError):
        chat.reply("And now?")


def test_closing_a_finished_reply_keeps_it(chat):
    with chat.reply("Where do we go?") as answer:
        list(answer)
    assert answer.message == chat.messages()[-1]
    assert answer.cost.error is None


def test_a_truncated_reply_is_marked_as_cut(chat, server):
    server.behave(Said("We go to", "cut"))
    answer = chat.reply("Where?", answer_tokens=9)
    list(answer)
    assert answer.message.metadata["cut"] is True
    assert server.requests[0].body["max_tokens"] == 9


def test_reasoning_text_is_neither_streamed_nor_stored(chat, server):
    server.behave(Streamed(("<thi", "nk>Hmm, where", "?</think>\n\n", "We go ", "to Lisbon. \n")))
    answer = chat.reply("Where?")
    assert "".join(answer).strip() == "We go to Lisbon."
    assert answer.message.text == "We go to Lisbon."


def test_a_reply_in_any_script_is_stored_without_invalid_characters(chat, server):
    server.behave(Streamed(("日本 👩‍👩‍👧 ", "a\0b", " \ud83d", "\ude00", " \ud800x")))
    answer = chat.reply("Where?")
    list(answer)
    assert answer.message.text == "日本 👩‍👩‍👧 ab 😀 \ufffdx"


def test_secrets_in_a_request_are_masked_unless_the_space_turns_masking_off(chat, memory, server):
    chat.add("tool", f"card {CARD}", tool_call_id="t")
    list(chat.reply(f"My card is {CARD}.", system=f"Never say {CARD}."))
    assert CARD not in str(server.requests[0].body)
    assert "[masked" in str(server.requests[0].body)
    assert CARD in chat.messages()[1].text
    memory.space("default").set("mask_sent", False)
    list(chat.reply("And now?"))
    assert CARD in str(server.requests[1].body)


def test_a_question_that_is_too_long_is_rejected_or_truncated(chat, server):
    with pytest.raises(BudgetExceeded):
        chat.reply("word " * 500, max_tokens=200)
    assert [message.role for message in chat.messages()] == ["user"]
    answer = chat.reply("word " * 500, max_tokens=200, overflow="truncate")
    list(answer)
    assert answer.context.tokens <= 200


def test_concurrent_questions_are_each_answered(chat, server):
    server.says = lambda request: request.body["messages"][-1]["content"].splitlines()[-1]
    with ThreadPoolExecutor(4) as pool:
        texts = [f"question {number}" for number in range(8)]
        answers = list(pool.map(lambda text: "".join(chat.reply(text)), texts))
    assert answers == texts
    assert len(chat.messages()) == 16


def test_a_question_with_content_parts_is_answered(chat, server):
    image = {"type": "image_url", "image_url": {"url": "data:image/png;base64,AAAA"}}
    list(chat.reply([image]))
    list(chat.reply([{"type": "text", "text": "What is it?"}, image]))
    assert server.requests[0].body["messages"][-1]["content"] == [image]
    assert image in server.requests[1].body["messages"][-1]["content"]


def test_a_custom_model_without_streaming_answers_in_one_piece(open_memory):
    class Parrot:
        name, local = "parrot", True

        def complete(self, prompt):
            return Completion(f"<think>x</think>{prompt.system}|{prompt.text}")

    chat = open_memory(model=Parrot()).conversation("trip")
    assert list(chat.reply("Hello", system="Be.")) == ["Be.|user: Hello\n\nassistant:"]
    assert chat.messages()[-1].model == "parrot"


def test_a_custom_model_with_streaming_is_streamed(open_memory):
    class Said:
        completion = None

        def __init__(self, words):
            self._words = iter(words)

        def __iter__(self):
            return self

        def __next__(self):
            try:
                return next(self._words)
            except StopIteration:
                self.completion = Completion("", 1, 2)
                raise

        def close(self):
            self._words = iter(())

    class Echo:
        name, local = "echo", True

        def complete(self, prompt):
            raise AssertionError(prompt)

        def stream(self, talk, max_tokens):
            return Said([*talk.to_openai()[-1]["content"].partition(" "), f" {max_tokens}"])

    chat = open_memory(model=Echo()).conversation("trip")
    answer = chat.reply("Hello you", answer_tokens=9)
    assert list(answer) == ["Hello", " ", "you", " 9"]
    assert (answer.message.text, answer.cost.completion_tokens) == ("Hello you 9", 2)


def test_anthropic_gets_requests_in_its_own_format(open_memory, server):
    there = {"ANTHROPIC_API_KEY": "k", "ANTHROPIC_BASE_URL": server.url}
    chat = open_memory(model="anthropic:claude", environment=there).conversation("trip")
    assert "".join(chat.reply("Where?", system="You plan.")) == "We go to Lisbon."
    body = server.requests[0].body
    assert body["system"][0]["text"] == "You plan."
    assert body["messages"][0]["content"][0]["text"] == "Where?"


async def test_async_memory_can_reply(path, server):
    async with AsyncMemory(path, environment={}, worker=False, model=f"{server.url}/v1#tiny") as memory:
        chat = memory.conversation("trip")
        answer = await chat.reply("Where do we go?")
        assert "".join([piece async for piece in answer]) == "We go to Lisbon."
        assert answer.message == (await chat.messages())[-1]
        assert (answer.text, answer.cost.error) == ("We go to Lisbon.", None)
        assert (await chat.answerer()).model == answer.model
        server.behave(Streamed(("We go ",), "cut"))
        with pytest.raises(ProviderError):
            [piece async for piece in await chat.reply("Again?")]
        assert len(await chat.messages()) == 3


async def test_a_cancelled_task_stops_its_reply(path, server):
    server.behave(Streamed(("We go ",), "hang"))
    async with AsyncMemory(path, environment={}, worker=False, model=f"{server.url}/v1#tiny") as memory:
        chat = memory.conversation("trip")
        answer = await chat.reply("Where do we go?")
        assert await anext(answer) == "We go "
        with anyio.move_on_after(0.05) as scope:
            await anext(answer)
        assert scope.cancelled_caught
        assert await anyio.to_thread.run_sync(server.left.wait, 10)
        with pytest.raises(StopAsyncIteration):
            await anext(answer)
        async with await chat.reply("Again?") as second:
            assert await anext(second) == "We go "
        assert (second.message, second.cost.error) == (None, "stopped")
        assert [message.role for message in await chat.messages()] == ["user", "user"]
