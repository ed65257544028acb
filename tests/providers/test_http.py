from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from aforesaid.errors import InvalidInput, ProviderError, ProviderRefused
from aforesaid.providers.http_embedder import BATCH, HttpEmbedder

KEY = "sk-very-secret"
SECRET = "my diary says hello"


@pytest.fixture
def service(server):
    embedder = HttpEmbedder("openai:tiny", f"{server.url}/v1", "tiny", key=KEY)
    yield embedder
    embedder.close()


def failure(embedder, texts=(SECRET, "another text")) -> ProviderError:
    """Returns the error of an embedding call, and checks that it contains no key or text."""
    with pytest.raises(ProviderError) as caught:
        embedder.embed(texts)
    assert "openai:tiny" in str(caught.value)
    for private in (KEY, *texts):
        assert private not in str(caught.value)
    return caught.value


def test_a_request_has_the_openai_format(service, server):
    service.embed(["one", "two"])
    (request,) = server.requests
    assert request.path == "/v1/embeddings"
    assert request.body == {"model": "tiny", "input": ["one", "two"]}
    assert request.headers["Authorization"] == f"Bearer {KEY}"


def test_a_request_without_a_key_has_no_authorization_header(server):
    keyless = HttpEmbedder("ollama:tiny", f"{server.url}/v1/", "tiny")
    keyless.embed(["one"])
    keyless.close()
    (request,) = server.requests
    assert request.path == "/v1/embeddings"
    assert "Authorization" not in request.headers


def test_vectors_are_float32_of_unit_length(service, server):
    vectors = service.embed(["one two two", "three"])
    assert vectors.dtype == np.float32
    assert vectors.shape == (2, server.dimension)
    np.testing.assert_allclose(vectors, [server.vector("one two two"), server.vector("three")], atol=1e-6)


def test_vectors_are_in_the_order_of_the_texts(service, server):
    texts = [f"text {number}" for number in range(10)]
    server.behave("shuffled")
    np.testing.assert_allclose(service.embed(texts), [server.vector(text) for text in texts], atol=1e-6)


def test_a_zero_vector_stays_zero(service):
    assert not service.embed(["   ", "one"])[0].any()


def test_an_empty_text_is_never_sent(service, server):
    service.embed(["", "one"])
    assert server.texts == [" ", "one"]


def test_an_empty_list_of_texts_sends_no_request(service, server):
    assert len(service.embed([])) == 0
    assert server.requests == []


def test_many_texts_are_sent_in_batches(service, server):
    texts = [f"text {number}" for number in range(2 * BATCH + 1)]
    vectors = service.embed(texts)
    assert [len(request.body["input"]) for request in server.requests] == [BATCH, BATCH, 1]
    assert server.texts == texts
    np.testing.assert_allclose(vectors, [server.vector(text) for text in texts], atol=1e-6)


def test_text_of_every_script_is_sent_unchanged(service, server):
    texts = ["你好", "مرحبا", "👩‍👩‍👧‍👦", "a\0b", 'quote " and \\ backslash']
    service.embed(texts)
    assert server.texts == texts


@pytest.mark.req("D11")
@pytest.mark.parametrize("status", [408, 409, 429, 500, 502, 503])
def test_a_busy_server_raises_a_retryable_error(service, server, status):
    server.behave(status)
    error = failure(service)
    assert not isinstance(error, ProviderRefused)
    assert str(status) in str(error)


@pytest.mark.req("D11")
@pytest.mark.parametrize("status", [400, 401, 403, 404, 413, 422, 301])
def test_a_refusal_raises_provider_refused(service, server, status):
    server.behave(status)
    error = failure(service)
    assert isinstance(error, ProviderRefused)
    assert str(status) in str(error)


@pytest.mark.req("D11")
@pytest.mark.parametrize(
    "behaviour", ["cut", "nonsense", "strange", "short", "ragged", "empty", "text", "nan", "huge", 204]
)
def test_an_unusable_response_is_a_provider_error(service, server, behaviour):
    server.behave(behaviour)
    assert not isinstance(failure(service), ProviderRefused)


@pytest.mark.req("D11")
def test_batches_of_different_dimensions_are_a_provider_error(service, server):
    texts = ["x"] * BATCH + ["y"]
    server.behave("answer", "ragged")
    with pytest.raises(ProviderError, match="different dimensions"):
        service.embed(texts)


@pytest.mark.req("D11")
def test_a_server_that_is_down_is_a_provider_error(service, server):
    server.stop()
    assert not isinstance(failure(service), ProviderRefused)


@pytest.mark.req("D11")
def test_a_restarted_server_is_used_again(service, server):
    server.stop()
    failure(service)
    server.start()
    assert len(service.embed(["one"])) == 1


@pytest.mark.req("D11")
def test_a_server_that_hangs_times_out(server):
    impatient = HttpEmbedder("openai:tiny", f"{server.url}/v1", "tiny", timeout=0.1)
    server.behave("hang")
    assert not isinstance(failure(impatient), ProviderRefused)
    impatient.close()


def test_the_embedder_does_not_retry_a_failure(service, server):
    server.behave(500, "answer")
    failure(service)
    assert len(server.requests) == 1
    assert len(service.embed(["one"])) == 1


def test_a_failed_batch_fails_the_call(service, server):
    server.behave("answer", 500)
    with pytest.raises(ProviderError):
        service.embed(["x"] * (BATCH + 1))


def test_a_lone_surrogate_is_invalid_input_and_is_not_sent(service, server):
    with pytest.raises(InvalidInput, match="surrogate"):
        service.embed(["a\ud800b"])
    assert server.requests == []


def test_a_local_server_is_never_called_through_a_proxy(server, monkeypatch):
    for variable in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"):
        monkeypatch.setenv(variable, "http://127.0.0.1:9")
    local = HttpEmbedder("ollama:tiny", f"{server.url}/v1", "tiny")
    assert len(local.embed(["one"])) == 1
    local.close()


def test_a_closed_embedder_reopens_on_use(service):
    service.embed(["one"])
    service.close()
    service.close()
    assert len(service.embed(["one"])) == 1


def test_threads_share_one_embedder(service, server):
    texts = [f"text {number}" for number in range(24)]
    with ThreadPoolExecutor(4) as pool:
        vectors = list(pool.map(lambda text: service.embed([text])[0], texts))
    np.testing.assert_allclose(vectors, [server.vector(text) for text in texts], atol=1e-6)
