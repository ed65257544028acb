from __future__ import annotations

from collections.abc import Callable

import pytest

from aforesaid import Memory


@pytest.fixture
def store(open_memory: Callable[..., Memory], clock: Callable[..., object]) -> Memory:
    """A store in memory with a clock set to March 2026."""
    return open_memory(":memory:", clock=clock)
