"""Tests a PostgreSQL server that restarts under load."""

from __future__ import annotations

import pytest

ADDERS = 3


def acknowledged(crowd, count):
    """Returns the next lines of a group of processes."""
    return [crowd.line() for _ in range(count)]


@pytest.mark.req("X15", "C11")
@pytest.mark.parametrize("mode", ["fast", "immediate"])
def test_writers_continue_after_the_server_restarts(server, address, crowd, opened, kept, mode):
    opened(address).close()
    adders = crowd("add", ADDERS, address, 0)
    adders.say("go")
    lines = acknowledged(adders, 30)
    server.stop(mode)
    server.start()
    lines += acknowledged(adders, 30)
    adders.say("stop")
    kept(address, lines + adders.finish())
