"""Tests the security headers of responses, and that errors and logs reveal no content."""

from __future__ import annotations

import logging

import pytest
from tests.serving import client

from aforesaid.errors import StoreError
from aforesaid.server.app import make_app


def test_every_response_has_security_headers(serve, store):
    http = serve()
    made = store.create_key("a", access="read")
    for answer in (
        http.get("/api/health"),
        http.get("/api/memory/conversations"),
        http.get("/api/memory/conversations", headers={"X-Api-Key": made.secret}),
        http.get("/api/memory/keys", headers={"X-Api-Key": made.secret}),
        http.get("/nowhere"),
        http.get("/docs"),
        http.get("/docs.css"),
        http.get("/openapi.json"),
        http.get("/api/health", headers={"Host": "evil.example"}),
        http.get("/api/health", headers={"Host": "evil@127.0.0.1"}),
        http.post("/api/health"),
    ):
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert answer.headers["content-security-policy"].startswith("default-src 'none'")
        assert answer.headers["referrer-policy"] == "no-referrer"
        assert answer.headers["x-frame-options"] == "DENY"
        assert answer.headers["cross-origin-resource-policy"] == "same-origin"
        assert answer.headers["cross-origin-opener-policy"] == "same-origin"
        assert "server" not in answer.headers
        if answer.request.url.path.startswith("/api/"):
            assert answer.headers["cache-control"] == "no-store"


@pytest.mark.req("X16")
def test_an_unexpected_error_is_a_500_problem_and_its_text_is_not_revealed(store, caplog, capfd):
    app = make_app(store)

    @app.get("/api/broken")
    def broken() -> None:
        raise RuntimeError("somebody's secret words") from KeyError("secret")

    with client(app) as http:
        answer = http.get("/api/broken")
    assert (answer.status_code, answer.json()["code"]) == (500, "error")
    assert answer.headers["content-type"] == "application/problem+json"
    assert answer.headers["x-content-type-options"] == "nosniff"
    told = capfd.readouterr()
    assert "secret" not in answer.text + caplog.text + told.out + told.err
    line = one_failure(caplog)
    assert (line.error, line.causes) == ("RuntimeError", ["KeyError"])
    assert line.raised[-1].endswith(" broken")
    assert __file__ in line.raised[-1]


@pytest.mark.req("X16")
def test_a_store_error_is_logged_with_its_cause_and_location(store, caplog):
    app = make_app(store)

    @app.get("/api/broken")
    def broken() -> None:
        try:
            raise OSError("somebody's secret words")
        except OSError as exc:
            raise StoreError("m.db: reading or writing failed") from exc

    with client(app) as http:
        answer = http.get("/api/broken")
    assert (answer.status_code, answer.json()["code"]) == (500, "store_error")
    line = one_failure(caplog)
    assert (line.error, line.causes) == ("StoreError", ["OSError"])
    assert line.raised[-1].endswith(" broken")
    assert "secret" not in str(vars(line))


def one_failure(caplog) -> logging.LogRecord:
    (line,) = (line for line in caplog.records if line.name.startswith("aforesaid"))
    assert (line.message, line.action) == ("request failed", "request_failed")
    return line
