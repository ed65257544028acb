"""Tests the errors and log messages during a server outage."""

from __future__ import annotations

import logging
import threading
import time

import pytest
from tests.postgres_server import Server, running

from aforesaid import Memory, StoreError
from aforesaid.storage.postgres import notify


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


@pytest.mark.req("X15")
def test_an_outage_is_logged_once_when_it_begins_and_once_when_it_ends(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(notify, "TROUBLE_SECONDS", 0.01)
    failures: list[logging.LogRecord] = []
    with running(Server()) as server, caplog.at_level(logging.WARNING):
        address = f"{server.address(server.make_database())}?pool_timeout=1"
        heard = threading.Event()
        with Memory(address, worker=False, environment={}) as memory, memory.on_change(heard.set):
            server.stop("immediate")
            deadline = time.monotonic() + 60
            while "notification by the server failed" not in caplog.text and time.monotonic() < deadline:
                heard.wait(0.02)
            threading.Event().wait(0.5)  # many attempts
            failures = [record for record in caplog.records if getattr(record, "action", "") == "notify_failed"]
            server.start()
            heard.clear()
            while "works again" not in caplog.text and time.monotonic() < deadline:
                heard.wait(0.02)
    (over,) = [record for record in caplog.records if getattr(record, "action", "") == "notify_failed_over"]
    assert 1 <= len(failures) <= 3  # the reason can change while the server stops
    assert "failed: " in failures[0].getMessage()
    assert over.failures > len(failures)  # type: ignore[attr-defined]
