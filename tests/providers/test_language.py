import pytest

from aforesaid.errors import InvalidInput, ProviderError
from aforesaid.ports import Completion, Prompt
from aforesaid.providers.address import loopback
from aforesaid.providers.language_models import ModelRegistry, language_model

PROMPT = Prompt("", "hello", 9)


@pytest.mark.parametrize("name", ["", "openai", "openai:", "gpt-4o", "claude:x", "OPENAI:x", " ollama:x"])
def test_an_unknown_name_raises_an_error_that_lists_the_known_names(name):
    with pytest.raises(InvalidInput, match=r"openai:MODEL.*anthropic:MODEL.*ollama:MODEL.*http://HOST/v1#MODEL"):
        language_model(name, environment={"OPENAI_API_KEY": "k"})


@pytest.mark.parametrize(("name", "variable"), [("openai:m", "OPENAI_API_KEY"), ("anthropic:m", "ANTHROPIC_API_KEY")])
def test_a_provider_without_a_key_raises_an_error_that_names_the_variable(name, variable):
    with pytest.raises(InvalidInput, match=f"set {variable}"):
        language_model(name, environment={variable: " \n"})
    with pytest.raises(InvalidInput, match=variable) as caught:
        language_model(name, environment={variable: "sk-ключ"})
    assert "ключ" not in str(caught.value)


def test_openai_requests_use_the_base_url_and_the_key(chat):
    environment = {"OPENAI_API_KEY": "sk-1\n", "OPENAI_BASE_URL": f"{chat.url}/v1/", "ANTHROPIC_API_KEY": "sk-2"}
    model = language_model("openai:gpt-5-mini", environment=environment)
    assert (model.name, model.complete(PROMPT).text) == ("openai:gpt-5-mini", "Hello.")
    (request,) = chat.requests
    assert (request.path, request.body["model"]) == ("/v1/chat/completions", "gpt-5-mini")
    assert request.headers["Authorization"] == "Bearer sk-1"
    assert "sk-2" not in str(request)


def test_anthropic_requests_use_the_base_url_and_the_key(chat):
    environment = {"ANTHROPIC_API_KEY": "sk-2", "ANTHROPIC_BASE_URL": chat.url, "OPENAI_API_KEY": "sk-1"}
    model = language_model("anthropic:claude-haiku", environment=environment)
    assert model.complete(PROMPT).text == "Hello."
    (request,) = chat.requests
    assert (request.path, request.body["model"]) == ("/v1/messages", "claude-haiku")
    assert {name.lower(): value for name, value in request.headers.items()}["x-api-key"] == "sk-2"
    assert "sk-1" not in str(request)


def test_ollama_requests_use_the_host_without_a_key(chat):
    environment = {"OLLAMA_HOST": chat.url.removeprefix("http://"), "OPENAI_API_KEY": "sk-1"}
    model = language_model("ollama:qwen3:8b", environment=environment)
    model.complete(PROMPT)
    (request,) = chat.requests
    assert (request.path, request.body["model"]) == ("/v1/chat/completions", "qwen3:8b")
    assert "Authorization" not in request.headers


def test_a_server_named_by_url_gets_no_key(chat):
    model = language_model(f"{chat.url}/api/v2#org/tiny", environment={"OPENAI_API_KEY": "sk-1"})
    model.complete(PROMPT)
    (request,) = chat.requests
    assert (request.path, request.body["model"]) == ("/api/v2/chat/completions", "org/tiny")
    assert "Authorization" not in request.headers


@pytest.mark.req("A9")
@pytest.mark.parametrize(
    ("name", "environment", "local"),
    [
        ("ollama:qwen3", {}, True),
        ("ollama:qwen3", {"OLLAMA_HOST": "box"}, False),
        ("ollama:gpt-oss:120b-cloud", {}, False),
        ("ollama:kimi-k2:cloud", {}, False),
        ("openai:m", {"OPENAI_API_KEY": "k"}, False),
        ("openai:m", {"OPENAI_API_KEY": "k", "OPENAI_BASE_URL": "http://localhost:1234/v1"}, True),
        ("anthropic:m", {"ANTHROPIC_API_KEY": "k"}, False),
        ("http://127.0.0.1:8080/v1#m", {}, True),
        ("https://box/v1#m", {}, False),
    ],
)
def test_a_model_is_local_if_its_address_is_local(name, environment, local):
    assert language_model(name, environment=environment).local is local


@pytest.mark.parametrize(
    ("base", "expected"),
    [
        ("http://localhost:1", True),
        ("http://LOCALHOST./v1", True),
        ("http://127.8.9.1/v1", True),
        ("http://[::1]:80/v1", True),
        ("http://a.localhost/v1", True),
        ("http://localhost.evil.com/v1", False),
        ("http://127.0.0.1.evil.com", False),
        ("http://192.168.0.1", False),
        ("http://0.0.0.0", False),
        ("http://2130706433", False),
    ],
)
def test_only_local_addresses_are_loopback(base, expected):
    assert loopback(base) is expected


@pytest.mark.parametrize("wanted", [None, "", "none", " "])
def test_an_empty_name_or_none_means_no_model(wanted):
    assert ModelRegistry({}, wanted).default is None


class Parrot:
    name = "parrot"
    local = True

    def complete(self, prompt: Prompt) -> Completion:
        return Completion(prompt.text)


def test_a_custom_model_is_found_by_its_name():
    models = ModelRegistry({}, Parrot())
    assert models.default == "parrot"
    assert models.find("parrot").complete(PROMPT).text == "hello"
    assert models.local("parrot")


def test_a_model_is_created_once_and_an_unknown_stored_name_is_a_provider_error():
    models = ModelRegistry({}, "ollama:a")
    assert models.find("ollama:b") is models.find("ollama:b")
    assert not models.local("gpt-4o")
    with pytest.raises(ProviderError, match="gpt-4o"):
        models.find("gpt-4o")
    with pytest.raises(InvalidInput, match="gpt-4o"):
        ModelRegistry({}, "gpt-4o")
