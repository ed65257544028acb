from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack

import anthropic
import httpx2
import openai
import pytest
from tests.proxy.upstream import Model
from tests.serving import serving

from aforesaid import Memory
from aforesaid.proxy.upstream import UpstreamOptions
from aforesaid.server.app import AppOptions, make_app


@pytest.fixture
def store(open_memory, clock) -> Memory:
    """The Memory behind the proxy, with a clock that the test controls."""
    return open_memory(clock=clock)


@pytest.fixture
def model() -> Iterator[Model]:
    with Model() as made:
        yield made
        made.go_on.set()


@pytest.fixture
def serve(store: Memory, model: Model) -> Iterator[Callable[..., str]]:
    """Starts the proxy in front of the model and returns its URL. `options` are the server's."""
    with ExitStack() as stack:

        def start(options: dict | None = None, **upstream) -> str:
            to = UpstreamOptions(**{"url": model.url, "patience": 60.0, **upstream})
            return stack.enter_context(serving(make_app(store, AppOptions(upstream=to, **(options or {})))))

        yield start


@pytest.fixture
def url(serve) -> str:
    return serve()


@pytest.fixture
def clients() -> Iterator[ExitStack]:
    with ExitStack() as stack:
        yield stack


@pytest.fixture
def gpt(url: str, clients: ExitStack) -> openai.OpenAI:
    """The OpenAI client, in the conversation `trip` of the space `ada`."""
    return openai_client(clients, url, {"X-Aforesaid-Space": "ada", "X-Aforesaid-Conversation": "trip"})


@pytest.fixture
def claude(url: str, clients: ExitStack) -> anthropic.Anthropic:
    """The Anthropic client, in the same conversation."""
    headers = {"X-Aforesaid-Space": "ada", "X-Aforesaid-Conversation": "trip"}
    made = anthropic.Anthropic(base_url=url, api_key="sk-theirs", default_headers=headers, max_retries=0, timeout=30)
    return clients.enter_context(made)


@pytest.fixture
def http(url: str) -> Iterator[httpx2.Client]:
    with httpx2.Client(base_url=f"{url}/v1", timeout=30) as made:
        yield made


def openai_client(clients: ExitStack, url: str, headers: dict[str, str] | None = None, key="sk-theirs"):
    made = openai.OpenAI(base_url=f"{url}/v1", api_key=key, default_headers=headers or {}, max_retries=0, timeout=30)
    return clients.enter_context(made)


def user(text: str) -> dict[str, str]:
    return {"role": "user", "content": text}


def assistant(text: str) -> dict[str, str]:
    return {"role": "assistant", "content": text}


def stored(store: Memory, conversation: str = "trip", space: str = "ada") -> list[tuple[str, str]]:
    """The role and text of each message in the conversation."""
    return [(one.role, one.text) for one in store.space(space).conversation(conversation).messages(1000)]
