"""Tests that clients with both hosts in the address continue when a replica replaces the primary."""

from __future__ import annotations

import pytest
from tests.faults.conftest import DURABLE, first_lines
from tests.postgres_server import Server, running


@pytest.fixture
def primary():
    with running(Server(DURABLE)) as server:
        yield server


@pytest.fixture
def replica(primary):
    """Starts a synchronous replica: every acknowledged commit is on both servers."""
    with running(Server.replica_of(primary)) as server:
        primary.execute("ALTER SYSTEM SET synchronous_standby_names = '*'", "SELECT pg_reload_conf()")
        yield server


@pytest.mark.req("X15", "C11")
def test_writers_continue_after_a_replica_is_promoted(primary, replica, crowd, opened, kept):
    hosts = f"127.0.0.1:{primary.port},127.0.0.1:{replica.port}"
    address = f"postgresql://aforesaid@{hosts}/postgres?target_session_attrs=read-write"
    opened(address).close()
    adders = crowd("add", 3, address, 0)
    adders.say("go")
    lines = first_lines(adders, 3, 20)
    primary.stop("immediate")
    replica.promote()
    lines += [adders.line() for _ in range(20)]
    adders.say("stop")
    kept(address, lines + adders.finish())
