"""Tests a PostgreSQL server that restarts under load."""

from __future__ import annotations

import pytest
from tests.faults.conftest import first_lines

ADDERS = 3


@pytest.mark.req("X15", "C11")
@pytest.mark.parametrize("mode", ["fast", "immediate"])
def test_writers_continue_after_the_server_restarts(server, address, crowd, opened, kept, mode):
    opened(address).close()
    adders = crowd("add", ADDERS, address, 0)
    adders.say("go")
    lines = first_lines(adders, ADDERS, 30)
    server.stop(mode)
    server.start()
    lines += [adders.line() for _ in range(30)]
    adders.say("stop")
    kept(address, lines + adders.finish())
