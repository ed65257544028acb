"""A server that goes away and comes back under load."""

from __future__ import annotations

import pytest

ADDERS = 3


def acknowledged(crowd, count):
    """The next lines of a crowd."""
    return [crowd.line() for _ in range(count)]


@pytest.mark.req("X15", "C11")
@pytest.mark.parametrize("mode", ["fast", "immediate"])
def test_adders_go_on_when_the_server_was_restarted(server, address, crowd, opened, kept, mode):
    opened(address).close()
    adders = crowd("add", ADDERS, address, 0)
    adders.say("go")
    lines = acknowledged(adders, 30)
    server.stop(mode)
    server.start()
    lines += acknowledged(adders, 30)
    adders.say("stop")
    kept(address, lines + adders.finish())
