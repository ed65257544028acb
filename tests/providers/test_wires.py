"""Tests the OpenAI and Anthropic clients against a real HTTP server with many faults."""

import gzip
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import pytest
from tests.chat import Busy, Said, Streamed

from aforesaid.errors import ClosedError, InvalidInput, ProviderError, ProviderRefused
from aforesaid.ports import Prompt
from aforesaid.providers.anthropic import AnthropicModel
from aforesaid.providers.http_client import LARGEST_ANSWER, TRIES, Service, endpoint
from aforesaid.providers.openai import OPENAI_DIALECT, OpenAIDialect, OpenAIModel
from aforesaid.providers.service_client import ServiceClient

KEY = "sk-very-secret"
SECRET = "my diary says hello"
SCHEMA = {"type": "object", "properties": {"a": {"type": "string", "maxLength": 9}}}
PLAIN = Prompt("Be short.", SECRET, 50)
ASKED = Prompt("Be short.", SECRET, 50, SCHEMA)

WIRES = {
    "openai": (OpenAIModel, "v1/chat/completions", {"Authorization": f"Bearer {KEY}"}, {"dialect": OPENAI_DIALECT}),
    "anthropic": (AnthropicModel, "v1/messages", {"x-api-key": KEY}, {}),
}


@pytest.fixture(params=list(WIRES))
def make(request, chat):
    """Returns a factory of models for each API, with short timeouts by default."""
    kind, path, headers, rest = WIRES[request.param]

    def make_(deadline: float = 20.0, pause: float = 0.001):
        service = Service("test:model", endpoint(chat.url, path), pause)
        return kind("test:model", "tiny", ServiceClient(service, headers, deadline=deadline), local=False, **rest)

    make_.wire = request.param
    return make_


@pytest.fixture
def model(make):
    return make()


def failure(model, prompt=PLAIN) -> ProviderError:
    """Returns the error of a completion, and checks that it contains no secret."""
    with pytest.raises(ProviderError) as caught:
        model.complete(prompt)
    assert "test:model" in str(caught.value)
    for private in (KEY, SECRET, "diary"):
        assert private not in str(caught.value)
    return caught.value


def test_a_completion_has_its_text_and_token_counts(model, chat):
    chat.says = "Grüße, 你好 👩‍👩‍👧‍👦"
    answer = model.complete(PLAIN)
    assert (answer.text, answer.prompt_tokens, answer.completion_tokens, answer.cut) == (chat.says, 11, 7, False)


def test_a_request_has_the_openai_format(chat):
    service = Service("openai:tiny", endpoint(chat.url, "v1/chat/completions"), 0.001)
    model = OpenAIModel("openai:tiny", "tiny", ServiceClient(service, {}), local=False, dialect=OPENAI_DIALECT)
    model.complete(PLAIN)
    model.complete(ASKED)
    plain, asked = (request.body for request in chat.requests)
    assert plain == {
        "model": "tiny",
        "messages": [{"role": "system", "content": "Be short."}, {"role": "user", "content": SECRET}],
        "max_completion_tokens": 50,
    }
    assert asked["response_format"] == {
        "type": "json_schema",
        "json_schema": {
            "name": "answer",
            "strict": True,
            "schema": {
                "type": "object",
                "properties": {"a": {"type": "string"}},
                "required": ["a"],
                "additionalProperties": False,
            },
        },
    }


def test_other_servers_get_the_commonly_supported_parameters(chat):
    service = Service("ollama:tiny", endpoint(chat.url, "v1/chat/completions"), 0.001)
    OpenAIModel("ollama:tiny", "tiny", ServiceClient(service, {}), local=True, dialect=OpenAIDialect()).complete(PLAIN)
    body = chat.requests[0].body
    assert (body["max_tokens"], body["temperature"], "max_completion_tokens" in body) == (50, 0, False)


def test_a_request_has_the_anthropic_format(chat):
    service = Service("anthropic:tiny", endpoint(chat.url, "v1/messages"), 0.001)
    AnthropicModel("anthropic:tiny", "tiny", ServiceClient(service, {}), local=True).complete(ASKED)
    body = chat.requests[0].body
    assert body["output_config"]["format"]["type"] == "json_schema"
    assert body["output_config"]["format"]["schema"]["additionalProperties"] is False
    del body["output_config"]
    assert body == {
        "model": "tiny",
        "max_tokens": 50,
        "system": "Be short.",
        "messages": [{"role": "user", "content": SECRET}],
    }


@pytest.mark.req("C12")
@pytest.mark.parametrize("status", [400, 422])
def test_a_server_without_schema_support_gets_a_fallback_format_from_then_on(make, model, chat, status):
    second = "json" if make.wire == "openai" else "tool"
    chat.says = '{"a": "b"}'
    chat.behave((status, ("schema",)))
    assert model.complete(ASKED).text == '{"a": "b"}'
    model.complete(ASKED)
    assert chat.ways == ["schema", second, second]


@pytest.mark.req("C12")
def test_the_last_fallback_is_plain_text(make, model, chat):
    second = "json" if make.wire == "openai" else "tool"
    chat.behave((400, ("schema", second)))
    assert model.complete(ASKED).text == "Hello."
    model.complete(ASKED)
    assert chat.ways == ["schema", second, "words", "words"]


def test_a_request_refused_in_every_format_does_not_change_the_format(model, chat):
    chat.behave(400)
    assert isinstance(failure(model, ASKED), ProviderRefused)
    chat.requests.clear()
    chat.behave("answer")
    model.complete(ASKED)
    assert chat.ways == ["schema"]


def test_each_model_keeps_its_own_fallback_format(make, chat):
    chat.behave((400, ("schema",)))
    chat.says = "{}"
    make().complete(ASKED)
    chat.requests.clear()
    make().complete(ASKED)
    assert chat.ways[0] == "schema"


@pytest.mark.parametrize("status", [408, 429, 500, 503, 529])
def test_a_busy_server_is_retried(model, chat, status):
    chat.behave(status, status, "answer")
    assert model.complete(PLAIN).text == "Hello."
    assert len(chat.requests) == 3


def test_a_connection_closed_without_a_response_is_retried(model, chat):
    chat.behave("disconnect", "answer")
    assert model.complete(PLAIN).text == "Hello."


@pytest.mark.parametrize("status", [429, 500])
def test_a_server_that_stays_busy_is_a_provider_error_without_a_charge(model, chat, status):
    chat.behave(status)
    error = failure(model)
    assert not isinstance(error, ProviderRefused)
    assert str(status) in str(error)
    assert not error.charged
    assert len(chat.requests) == TRIES


def test_the_retry_after_header_sets_the_pause(model, chat):
    chat.behave(Busy(429, {"Retry-After": "0.3"}), "answer")
    begin = time.monotonic()
    model.complete(PLAIN)
    assert time.monotonic() - begin >= 0.3


@pytest.mark.parametrize("said", ["soon", "-1", "nan", "1e9", "Wed, 21 Oct 2026 07:28:00 GMT", ""])
def test_an_invalid_retry_after_header_is_ignored(model, chat, said):
    chat.behave(Busy(429, {"Retry-After": said}), "answer")
    begin = time.monotonic()
    model.complete(PLAIN)
    assert time.monotonic() - begin < 10


def test_a_retry_after_beyond_the_deadline_fails_without_waiting(model, chat):
    chat.behave(Busy(429, {"Retry-After": "3600"}))
    begin = time.monotonic()
    assert not failure(model).charged
    assert time.monotonic() - begin < 10
    assert len(chat.requests) == 1


@pytest.mark.parametrize("status", [401, 403, 404, 413, 301])
def test_a_refusal_raises_provider_refused_and_is_not_retried(model, chat, status):
    chat.behave(status)
    error = failure(model)
    assert isinstance(error, ProviderRefused)
    assert str(status) in str(error)
    assert len(chat.requests) == 1


@pytest.mark.parametrize(("status", "mendable"), [(401, True), (404, True), (301, True), (400, False), (413, False)])
def test_a_refusal_is_mendable_unless_the_request_itself_is_invalid(model, chat, status, mendable):
    chat.behave(*[status] * 3)
    assert failure(model).mendable is mendable


@pytest.mark.parametrize("behaviour", ["cut", "nonsense", "strange", 204])
def test_an_unreadable_response_is_charged_and_not_retried(model, chat, behaviour):
    chat.behave(behaviour)
    error = failure(model)
    assert not isinstance(error, ProviderRefused)
    assert error.charged
    assert len(chat.requests) == 1


def test_a_compressed_response_is_not_decompressed(model, chat):
    bomb = gzip.compress(b" " * 3 * LARGEST_ANSWER)
    chat.behave(Busy(200, {"Content-Encoding": "gzip"}, bomb))
    assert not isinstance(failure(model), ProviderRefused)  # decompression would exceed the size limit and be refused
    assert chat.requests[0].headers["Accept-Encoding"] == "identity"


def test_a_huge_response_is_refused_during_the_download(model, chat):
    chat.behave("huge")
    assert isinstance(failure(model), ProviderRefused)
    chat.stop()
    assert LARGEST_ANSWER < chat.poured < 4 * LARGEST_ANSWER


@pytest.mark.parametrize("behaviour", ["hang", "drip"])
def test_a_stalled_or_slow_response_times_out_at_the_deadline(make, chat, behaviour):
    chat.behave(behaviour)
    begin = time.monotonic()
    error = failure(make(deadline=0.3))
    assert time.monotonic() - begin < 5
    assert error.charged
    assert "0.3 s" in str(error)


def test_the_deadline_includes_all_retries(make, chat):
    chat.behave(500)
    begin = time.monotonic()
    failure(make(deadline=0.5, pause=0.2))
    assert time.monotonic() - begin < 5
    assert len(chat.requests) < TRIES


def test_a_server_that_is_down_is_a_provider_error_until_it_restarts(model, chat):
    chat.stop()
    assert not failure(model).charged
    chat.start()
    assert model.complete(PLAIN).text == "Hello."


@pytest.mark.parametrize("behaviour", ["hang", "drip", Busy(429, {"Retry-After": "15"})])
def test_closing_the_model_ends_a_stalled_call(model, chat, behaviour):
    chat.behave(behaviour)
    arrived = threading.Event()
    chat.says = "never"
    original = chat.receive
    chat.receive = lambda request: (arrived.set(), original(request))[1]
    with ThreadPoolExecutor(1) as pool:
        asked = pool.submit(model.complete, PLAIN)
        assert arrived.wait(10)
        begin = time.monotonic()
        model.close()
        with pytest.raises(ClosedError, match="test:model"):
            asked.result(10)
        assert time.monotonic() - begin < 5


def test_a_closed_model_sends_no_request(model, chat):
    model.close()
    model.close()
    with pytest.raises(ClosedError):
        model.complete(PLAIN)
    assert chat.requests == []


def test_a_truncated_response_is_marked_and_a_declined_one_is_refused(model, chat):
    chat.says = Said("half", "cut")
    assert model.complete(PLAIN).cut
    chat.says = Said(None, "declined")
    assert isinstance(failure(model), ProviderRefused)


@pytest.mark.parametrize("used", [None, ("many", None), (-1, True), (None, 1 << 50)])
def test_invalid_token_counts_are_ignored(model, chat, used):
    chat.says = Said("Hello.", used=used)
    answer = model.complete(PLAIN)
    assert answer.completion_tokens is None


def test_a_response_without_text_is_empty(model, chat):
    chat.says = Said(None)
    assert model.complete(PLAIN).text == ""


def test_a_lone_surrogate_is_invalid_input_and_is_not_sent(model, chat):
    with pytest.raises(InvalidInput, match="surrogate"):
        model.complete(Prompt("", "a\ud800b", 9))
    assert chat.requests == []


def test_a_local_server_is_never_called_through_a_proxy(model, monkeypatch):
    for variable in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"):
        monkeypatch.setenv(variable, "http://127.0.0.1:9")
    assert model.complete(PLAIN).text == "Hello."


def test_threads_share_one_model(model, chat):
    chat.says = lambda request: request.body["messages"][-1]["content"]
    texts = [f"text {number}" for number in range(12)]
    with ThreadPoolExecutor(4) as pool:
        answers = list(pool.map(lambda text: model.complete(Prompt("", text, 9)).text, texts))
    assert answers == texts


async def test_a_model_can_be_called_inside_a_running_event_loop(model):
    assert model.complete(PLAIN).text == "Hello."


def local_model(chat, deadline: float = 20.0, silence: float = 60.0) -> OpenAIModel:
    client = ServiceClient(
        Service("here:tiny", endpoint(chat.url, "v1/chat/completions"), 0.001), {}, deadline=deadline, silence=silence
    )
    return OpenAIModel("here:tiny", "tiny", client, local=True, dialect=OpenAIDialect())


def test_a_local_model_streams_its_answer_and_has_time_while_something_arrives(chat):
    chat.behave(Streamed(('{"a": ', '"b"}'), "end"))
    answer = local_model(chat).complete(ASKED)
    assert (answer.text, answer.prompt_tokens, answer.completion_tokens) == ('{"a": "b"}', 11, 7)
    assert chat.ways == ["schema"]
    assert chat.requests[0].body["stream"] is True


def test_a_slow_local_model_is_heard_beyond_its_deadline(chat):
    chat.behave(Streamed(tuple(f"{number} " for number in range(60)), "slow"))
    begin = time.monotonic()
    answer = local_model(chat, deadline=0.3, silence=5.0).complete(PLAIN)
    assert time.monotonic() - begin > 0.5
    assert answer.text.endswith("59 ")


def test_a_local_model_that_stops_in_its_answer_times_out_after_the_silence(chat):
    chat.behave(Streamed(("word ",), "hang"))
    with pytest.raises(ProviderError, match="did not complete its answer in time"):
        local_model(chat, silence=0.2).complete(PLAIN)


def test_a_local_service_that_refuses_streams_answers_whole(chat):
    chat.behave(*[(400, ("schema", "json", "words")) if each else "answer" for each in (1, 1, 1, 0)])
    chat.says = '{"a": "b"}'
    assert local_model(chat).complete(ASKED).text == chat.says
    assert [bool(request.body.get("stream")) for request in chat.requests] == [True, True, True, False]
