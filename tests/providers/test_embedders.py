import numpy as np
import pytest

from aforesaid.errors import InvalidInput, ProviderError
from aforesaid.providers.address import ollama_address
from aforesaid.providers.embedders import DEFAULT, embedder


def test_the_default_works_offline_with_an_empty_environment():
    vectors = embedder(DEFAULT, environment={}).embed(["hello"])
    assert vectors.shape == (1, 256)


@pytest.mark.parametrize("dimension", [256, 128, 64])
def test_static_is_named_by_its_dimension(dimension):
    named = embedder(f"static:{dimension}", environment={})
    assert named.name == f"static:{dimension}"
    assert named.embed(["hello"]).shape == (1, dimension)


@pytest.mark.parametrize("name", ["", "static", "static:", "openai:", "bert:base", "STATIC:256", " static:256"])
def test_an_unknown_name_raises_an_error_that_lists_the_known_names(name):
    with pytest.raises(InvalidInput, match=r"static:256.*openai:MODEL.*ollama:MODEL.*http://HOST/v1#MODEL"):
        embedder(name, environment={"OPENAI_API_KEY": "k"})


@pytest.mark.parametrize("model", ["512", "256d", "0256", "-64"])
def test_an_unknown_static_size_raises_an_error_that_lists_the_sizes(model):
    with pytest.raises(InvalidInput, match="256, 128, 64"):
        embedder(f"static:{model}", environment={})


@pytest.mark.parametrize("environment", [{}, {"OPENAI_API_KEY": ""}, {"OPENAI_API_KEY": " \n"}])
def test_openai_without_a_key_raises_an_error_that_names_the_variable(environment):
    with pytest.raises(InvalidInput, match="set OPENAI_API_KEY"):
        embedder("openai:text-embedding-3-small", environment=environment)


@pytest.mark.parametrize("key", ["sk-a\nb", "sk-ключ", "sk\0"])
def test_an_error_for_an_invalid_key_does_not_contain_the_key(key):
    with pytest.raises(InvalidInput, match="OPENAI_API_KEY") as caught:
        embedder("openai:m", environment={"OPENAI_API_KEY": key})
    assert key not in str(caught.value)


def test_openai_requests_use_the_base_url_and_the_key(server):
    environment = {"OPENAI_API_KEY": "sk-1\n", "OPENAI_BASE_URL": f"{server.url}/v1/"}
    named = embedder("openai:text-embedding-3-small", environment=environment)
    assert named.name == "openai:text-embedding-3-small"
    assert named.embed(["hello"]).shape == (1, server.dimension)
    (request,) = server.requests
    assert request.path == "/v1/embeddings"
    assert request.body["model"] == "text-embedding-3-small"
    assert request.headers["Authorization"] == "Bearer sk-1"


def test_ollama_requests_use_the_host_and_keep_colons_in_the_model_name(server):
    environment = {"OLLAMA_HOST": server.url.removeprefix("http://"), "OPENAI_API_KEY": "sk-1"}
    named = embedder("ollama:nomic-embed-text:v1.5", environment=environment)
    assert named.name == "ollama:nomic-embed-text:v1.5"
    np.testing.assert_allclose(named.embed(["hello you"]), [server.vector("hello you")], atol=1e-6)
    (request,) = server.requests
    assert request.path == "/v1/embeddings"
    assert request.body["model"] == "nomic-embed-text:v1.5"
    assert "Authorization" not in request.headers


@pytest.mark.parametrize(
    ("host", "expected"),
    [
        ("127.0.0.1", "http://127.0.0.1:11434"),
        ("box", "http://box:11434"),
        ("box:80", "http://box:80"),
        (":9000", "http://127.0.0.1:9000"),
        ("[::1]", "http://[::1]:11434"),
        ("http://box", "http://box"),
        ("https://box/ollama/", "https://box/ollama"),
    ],
)
def test_the_ollama_host_is_parsed_like_ollama_does(host, expected):
    assert ollama_address(host) == expected


def test_a_server_named_by_url_gets_no_key(server):
    name = f"{server.url}/api/v2#BAAI/bge-small"
    named = embedder(name, environment={"OPENAI_API_KEY": "sk-1"})
    assert named.name == name
    named.embed(["hello"])
    (request,) = server.requests
    assert request.path == "/api/v2/embeddings"
    assert request.body["model"] == "BAAI/bge-small"
    assert "Authorization" not in request.headers


@pytest.mark.parametrize("name", ["http://box/v1", "https://box/v1#", "http:box#m", "https://#m", "http:///v1#m"])
def test_a_url_without_a_host_or_model_is_invalid_input(name):
    with pytest.raises(InvalidInput, match="address"):
        embedder(name, environment={})


@pytest.mark.parametrize("host", ["exa mple", "box\n", "[::1", "[zz]", "a..b", "a" * 300, "☃.net", "256.1.1.1"])
def test_an_invalid_host_is_invalid_input(host):
    with pytest.raises(InvalidInput, match="address"):
        embedder(f"http://{host}/v1#m", environment={})


@pytest.mark.parametrize("port", ["99999", "abc", "0", "-1"])
def test_an_invalid_port_is_invalid_input(port):
    with pytest.raises(InvalidInput, match="address"):
        embedder(f"http://box:{port}/v1#m", environment={})
    with pytest.raises(InvalidInput, match="OLLAMA_HOST"):
        embedder("ollama:m", environment={"OLLAMA_HOST": f"box:{port}"})


@pytest.mark.parametrize("address", ["https://me:hunter2@box/v1#m", "https://box/v1?key=hunter2#m"])
def test_a_secret_in_a_url_is_rejected_and_not_in_the_error(address):
    with pytest.raises(InvalidInput, match="OPENAI_API_KEY") as caught:
        embedder(address, environment={})
    assert "hunter2" not in str(caught.value)


def test_the_process_environment_is_not_read(monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "sk-1")
    with pytest.raises(InvalidInput, match="OPENAI_API_KEY"):
        embedder("openai:m", environment={})


@pytest.mark.req("D11")
def test_a_server_that_is_down_raises_only_on_use(server):
    server.stop()
    named = embedder(f"{server.url}/v1#m", environment={})
    with pytest.raises(ProviderError):
        named.embed(["hello"])
