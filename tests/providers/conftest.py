from collections.abc import Iterator

import pytest
from tests.loopback import EmbeddingServer


@pytest.fixture
def server() -> Iterator[EmbeddingServer]:
    with EmbeddingServer() as server:
        yield server
