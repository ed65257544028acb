"""Tests streamed responses of the OpenAI and Anthropic APIs against a real HTTP server."""

from __future__ import annotations

import gc
import threading
import time

import pytest
from tests.chat import Busy, Said, Streamed

from aforesaid.errors import ClosedError, ProviderError, ProviderRefused
from aforesaid.ports import StreamingModel
from aforesaid.providers.anthropic import AnthropicModel
from aforesaid.providers.base import LARGEST_STREAM
from aforesaid.providers.http_client import TRIES, Service, endpoint
from aforesaid.providers.openai import OPENAI_DIALECT, OpenAIModel
from aforesaid.providers.service_client import ServiceClient

KEY = "sk-very-secret"
SECRET = "my diary says hello"
WIRES = {
    "openai": (OpenAIModel, "v1/chat/completions", {"Authorization": f"Bearer {KEY}"}, {"dialect": OPENAI_DIALECT}),
    "anthropic": (AnthropicModel, "v1/messages", {"x-api-key": KEY}, {}),
}


class Asked:
    """A conversation of one message."""

    def to_openai(self):
        return [{"role": "user", "content": SECRET}]

    def to_anthropic(self, *, cache=False):
        return {"messages": [{"role": "user", "content": SECRET}], "system": f"cache {cache}"}


TALK = Asked()


@pytest.fixture(params=list(WIRES))
def make(request, chat):
    """Returns a factory of models for each API, with short timeouts by default."""
    kind, path, headers, rest = WIRES[request.param]

    def make_(deadline: float = 20.0, silence: float = 20.0):
        service = Service("test:model", endpoint(chat.url, path), 0.001)
        exchange = ServiceClient(service, headers, deadline=deadline, silence=silence)
        return kind("test:model", "tiny", exchange, local=True, **rest)

    make_.wire = request.param
    return make_


@pytest.fixture
def model(make):
    return make()


def heard(speech) -> tuple[list[str], ProviderError]:
    """Returns the pieces before the error and the error, and checks that the error contains no secret."""
    pieces: list[str] = []
    with pytest.raises(ProviderError) as caught:
        pieces.extend(speech)
    assert "test:model" in str(caught.value)
    for private in (KEY, SECRET, "diary"):
        assert private not in str(caught.value)
    assert speech.completion is None
    return pieces, caught.value


def test_both_apis_support_streaming(model):
    assert isinstance(model, StreamingModel)


def test_a_response_is_streamed_in_pieces_with_its_token_counts(model, chat):
    chat.says = "Grüße aus Lisboa, 你好 👩‍👩‍👧‍👦 !"
    speech = model.stream(TALK, 50)
    pieces = list(speech)
    assert "".join(pieces) == chat.says
    said = speech.completion
    assert (said.text, said.prompt_tokens, said.completion_tokens, said.cut) == (chat.says, 11, 7, False)
    assert list(speech) == []


def test_a_piece_is_available_before_the_next_is_sent(model, chat):
    chat.behave(Streamed(("One ", "two "), "hang"))
    speech = model.stream(TALK, 50)
    heard = ""
    while heard != "One two ":
        heard += next(speech)
    speech.close()
    assert list(speech) == []
    assert speech.completion is None
    assert chat.left.wait(60)  # at once, unless the machine is busy


def test_a_complete_response_ends_while_the_connection_stays_open(make, chat):
    chat.behave(Streamed(("One ", "two "), "stay"))
    speech = make(silence=600.0, deadline=600.0).stream(TALK, 50)
    assert "".join(speech) == "One two "
    assert speech.completion.text == "One two "
    assert chat.left.wait(60)  # at once, unless the machine is busy


def test_a_request_has_the_format_of_its_api(make, model, chat):
    list(model.stream(TALK, 50))
    (request,) = chat.requests
    if make.wire == "openai":
        assert request.body == {
            "model": "tiny", "messages": TALK.to_openai(), "max_completion_tokens": 50, "stream": True,
            "stream_options": {"include_usage": True},
        }  # fmt: skip
        assert request.headers["Authorization"] == f"Bearer {KEY}"
    else:
        assert request.body == {"model": "tiny", "max_tokens": 50, "stream": True, **TALK.to_anthropic(cache=True)}


def test_a_server_that_rejects_usage_in_streams_is_asked_without_it_from_then_on(make, model, chat):
    if make.wire == "anthropic":
        return
    chat.behave((400, ("counted",)))
    for _ in range(2):
        speech = model.stream(TALK, 50)
        assert "".join(speech) == "Hello."
        assert speech.completion.completion_tokens is None
    assert chat.ways == ["counted", "uncounted", "uncounted"]


def test_a_server_that_does_not_stream_gives_one_piece(model, chat):
    chat.streams = False
    speech = model.stream(TALK, 50)
    assert list(speech) == ["Hello."]
    assert speech.completion.completion_tokens == 7


@pytest.mark.parametrize("status", [408, 429, 500, 503, 529])
def test_a_busy_server_is_retried(model, chat, status):
    chat.behave(status, status, "answer")
    assert "".join(model.stream(TALK, 50)) == "Hello."
    assert len(chat.requests) == 3


@pytest.mark.parametrize("status", [429, 500])
def test_a_server_that_stays_busy_is_a_provider_error_without_a_charge(model, chat, status):
    chat.behave(status)
    pieces, error = heard(model.stream(TALK, 50))
    assert (pieces, error.charged, len(chat.requests)) == ([], False, TRIES)
    assert not isinstance(error, ProviderRefused)


@pytest.mark.parametrize("status", [401, 403, 404, 413, 301])
def test_a_refusal_raises_provider_refused_and_is_not_retried(model, chat, status):
    chat.behave(status)
    assert isinstance(heard(model.stream(TALK, 50))[1], ProviderRefused)
    assert len(chat.requests) == 1


def test_a_server_that_is_down_is_a_provider_error_until_it_restarts(model, chat):
    chat.stop()
    assert not heard(model.stream(TALK, 50))[1].charged
    chat.start()
    assert "".join(model.stream(TALK, 50)) == "Hello."


def test_an_interrupted_stream_yields_its_pieces_and_is_not_retried(model, chat):
    chat.behave(Streamed(("One ", "two "), "cut"))
    pieces, error = heard(model.stream(TALK, 50))
    assert "".join(pieces) == "One two "
    assert (error.charged, len(chat.requests)) == (True, 1)


@pytest.mark.parametrize(
    ("kind", "passes"), [("overloaded_error", True), ("rate_limit_error", True), ("invalid_request_error", False)]
)
def test_an_error_event_in_a_stream_raises_a_provider_error(model, chat, kind, passes):
    chat.behave(Streamed(("One ",), kind))
    pieces, error = heard(model.stream(TALK, 50))
    assert (pieces[-1:], error.charged) == (["One "], True)
    assert isinstance(error, ProviderRefused) is not passes


@pytest.mark.parametrize(
    "body", [b"", b"data: <html>\n\n", b"data: [1]\n\ndata: {\n\n", b'data: {"choices": 7}\n\n', b"\xff\x00" * 99]
)
def test_an_invalid_stream_is_an_interrupted_response(model, chat, body):
    chat.behave(Busy(200, {"Content-Type": "text/event-stream"}, body))
    pieces, error = heard(model.stream(TALK, 50))
    assert (pieces, error.charged) == ([], True)


@pytest.mark.parametrize("behaviour", ["nonsense", "strange", 204])
def test_a_response_of_another_type_is_a_charged_provider_error(model, chat, behaviour):
    chat.behave(behaviour)
    assert heard(model.stream(TALK, 50))[1].charged


def test_a_truncated_response_is_marked_and_a_declined_one_is_refused(model, chat):
    chat.says = Said("half", "cut")
    speech = model.stream(TALK, 50)
    assert (list(speech), speech.completion.cut) == (["half"], True)
    chat.says = Said("I will", "declined")
    pieces, error = heard(model.stream(TALK, 50))
    assert "".join(pieces) == "I will"
    assert isinstance(error, ProviderRefused)


def test_a_server_that_does_not_respond_times_out(make, chat):
    chat.behave("hang")
    assert "0.3 s" in str(heard(make(deadline=0.3).stream(TALK, 50))[1])


def test_a_stream_that_stalls_times_out(make, chat):
    chat.behave(Streamed(("One ",), "hang"))
    pieces, error = heard(make(silence=2.0).stream(TALK, 50))
    assert (pieces[-1:], error.charged) == (["One "], True)
    assert chat.left.wait(60)  # at once, unless the machine is busy


def test_a_slow_stream_may_exceed_the_deadline(make, chat):
    chat.behave(Streamed(("One ",), "drip"))
    speech = make(deadline=2.0, silence=2.0).stream(TALK, 50)
    next(speech)
    assert not chat.left.wait(3)  # longer than the deadline
    speech.close()
    assert chat.left.wait(60)  # at once, unless the machine is busy


def test_an_endless_stream_is_refused_at_the_size_limit(model, chat):
    chat.behave(Streamed(("word " * 1000,), "pour"))
    pieces, error = heard(model.stream(TALK, 50))
    assert isinstance(error, ProviderRefused)
    assert 0 < sum(map(len, pieces)) < LARGEST_STREAM
    assert chat.left.wait(60)  # at once, unless the machine is busy


def test_closing_the_model_ends_its_streams(model, chat):
    chat.behave(Streamed(("One ",), "hang"))
    speech = model.stream(TALK, 50)
    next(speech)
    closing = threading.Timer(0.05, model.close)
    closing.start()
    with pytest.raises(ClosedError, match="test:model"):
        next(speech)
    closing.join()
    assert chat.left.wait(60)  # at once, unless the machine is busy
    with pytest.raises(ClosedError):
        model.stream(TALK, 50)


def test_closing_a_stream_from_another_thread_ends_a_blocked_read(model, chat):
    chat.behave(Streamed(("One ",), "hang"))
    speech = model.stream(TALK, 50)
    next(speech)
    closing = threading.Timer(0.05, speech.close)
    closing.start()
    begin = time.monotonic()
    assert list(speech) == []
    assert time.monotonic() - begin < 5
    closing.join()


def test_an_abandoned_stream_is_closed(model, chat):
    chat.behave(Streamed(("One ",), "hang"))
    for piece in model.stream(TALK, 50):
        assert piece
        break
    gc.collect()
    assert chat.left.wait(10)
