"""These tests need a framework each: `make adapters` runs them in its environment, `make test` collects none."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from aforesaid import Memory

FRAMEWORK = "AFORESAID_ADAPTER"  # set by run.py: the folder whose tests can be collected

if FRAMEWORK not in os.environ:
    collect_ignore_glob = ["*/test_*.py"]


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture(params=["file", "server"])
def memory(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Memory]:
    """A store in a file, and the same store behind a server on the loopback interface."""
    with Memory(tmp_path / "app.db", environment={}) as near:
        if request.param == "file":
            yield near
            return
        from aforesaid.server.app import make_app
        from tests.serving import serving

        with serving(make_app(near)) as url, Memory(url, environment={}) as far:
            yield far
