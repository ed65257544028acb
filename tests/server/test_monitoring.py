"""Tests metrics, logs and traces of the server, which contain no message text."""

from __future__ import annotations

import json
import signal
from http.server import BaseHTTPRequestHandler

import httpx2
import pytest
from tests.loopback import Request, Service
from tests.serving import served

pytestmark = pytest.mark.req("X16")

WORDS = "xylophone-in-Quimper"


class Collected(BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.server.owner.receive(Request(self.path, dict(self.headers), {"body": body}))
        self.send_response(200)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, format, *args) -> None:
        """Suppresses the access log."""


class Collector(Service):
    """Receives spans like an OpenTelemetry collector."""

    handler = Collected


def use(url: str) -> None:
    """Sends valid and invalid requests with WORDS in every place that could leak."""
    place = f"/api/memory/conversations/{WORDS}/messages"
    with httpx2.Client(base_url=url, timeout=30) as http:
        http.post(place, json={"role": "user", "content": WORDS}).raise_for_status()
        assert http.post(place, json={"role": WORDS, "content": 7}).status_code == 422
        assert http.get(f"/{WORDS}?q={WORDS}").status_code == 404
        assert http.get(place, params={"space": WORDS}).json() == {"items": []}


def test_requests_are_counted_by_route_template(serve):
    http = serve()
    use(str(http.base_url).rstrip("/"))
    page = http.get("/metrics")
    assert page.headers["content-type"].startswith("text/plain")
    route = "/api/memory/conversations/{conversation}/messages"
    assert f'aforesaid_requests_total{{method="POST",route="{route}",status="201"}} 1.0' in page.text
    assert f'aforesaid_requests_total{{method="POST",route="{route}",status="422"}} 1.0' in page.text
    assert 'aforesaid_requests_total{method="GET",route="other",status="404"} 1.0' in page.text
    assert f'aforesaid_request_seconds_count{{method="GET",route="{route}"}} 1.0' in page.text
    assert "aforesaid_messages 1.0" in page.text
    assert 'aforesaid_jobs{state="queued"}' in page.text
    assert WORDS not in page.text


def test_retrievals_are_in_the_metrics(serve, store):
    store.conversation("c").add("user", "hello Lisbon")
    store.flush()
    store.space("default").recall("Lisbon")
    page = serve().get("/metrics").text
    assert "aforesaid_retrievals_recent" in page


def test_metrics_require_an_admin_key_to_all_spaces(serve, store):
    key = store.create_key("a", access="admin", spaces=["alice"])
    http = serve()
    assert http.get("/metrics").status_code == 401
    assert http.get("/metrics", headers={"Authorization": f"Bearer {key.secret}"}).status_code == 403
    whole = store.create_key("b", access="admin")
    assert http.get("/metrics", headers={"Authorization": f"Bearer {whole.secret}"}).status_code == 200


def test_logs_record_requests_without_message_text(path):
    with served(path, "--log", "debug") as server:
        use(server.url)
        assert server.stop(signal.SIGTERM) == 0
    lines = [json.loads(line) for line in server.lines if line.startswith("{")]
    asked = [line for line in lines if line.get("action") == "request"]
    assert [line["status"] for line in asked] == [201, 422, 404, 200]
    assert all(line["milliseconds"] > 0 and line["level"] == "info" for line in asked)
    assert WORDS not in server.said


def test_spans_are_exported_with_routes_and_without_message_text(path):
    with Collector() as collector:
        with served(path, OTEL_EXPORTER_OTLP_ENDPOINT=collector.url, OTEL_SERVICE_NAME="mine") as server:
            parent = {"traceparent": "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"}
            httpx2.get(f"{server.url}/api/memory/conversations", headers=parent, timeout=30).raise_for_status()
            use(server.url)
            assert server.stop(signal.SIGTERM) == 0
        sent = b"".join(request.body["body"] for request in collector.requests)
    assert {request.path for request in collector.requests} == {"/v1/traces"}
    assert b"POST /api/memory/conversations/{conversation}/messages" in sent
    assert bytes.fromhex("0af7651916cd43dd8448eb211c80319c") in sent
    assert b"mine" in sent
    assert WORDS.encode() not in sent
