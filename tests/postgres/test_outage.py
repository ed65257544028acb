"""Tests the errors and log messages during a server outage."""

from __future__ import annotations

import logging

import pytest
from tests.postgres_server import Server, running

from aforesaid import Memory, StoreError


def test_an_outage_raises_an_error_and_the_pool_logs_nothing(caplog: pytest.LogCaptureFixture):
    with running(Server()) as server:
        address = f"{server.address(server.make_database())}?pool_timeout=1"
        with Memory(address, worker=False, environment={}) as memory:
            memory.conversation("c").add("user", "hello")
            server.stop("immediate")
            with caplog.at_level(logging.INFO), pytest.raises(StoreError):
                memory.conversation("c").messages()
    assert [record for record in caplog.records if record.name == "psycopg.pool"] == []
    logging.getLogger("psycopg.pool").warning("error connecting in %r: %s", "an application's own", "refused")
    assert caplog.records[-1].getMessage() == 'error connecting in "an application\'s own": refused'
