"""The requests of real clients, as they were captured, through the proxy."""

from __future__ import annotations

import json

import httpx2
import pytest
from tests.proxy.captured_requests import CapturedRequest, captured, captured_clients


def send(client: httpx2.Client, request: CapturedRequest, **headers: str) -> httpx2.Response:
    return client.post(request.path, content=request.raw, headers=request.headers | headers)


@pytest.mark.parametrize("name", captured_clients())
def test_with_memory_off_every_request_arrives_byte_for_byte(url, model, name):
    with httpx2.Client(base_url=url, timeout=30) as client:
        for session in captured(name).values():
            for request in session:
                assert send(client, request, **{"X-Aforesaid-Memory": "off"}).status_code == 200
                assert model.raw[-1] == request.raw


@pytest.mark.req("X5")
@pytest.mark.parametrize("name", captured_clients())
def test_with_memory_on_only_text_of_the_user_is_added_to(url, model, name):
    with httpx2.Client(base_url=url, timeout=30) as client:
        for session in captured(name).values():
            for request in session:
                assert send(client, request).status_code == 200
                arrived = json.loads(model.raw[-1])
                assert {k: v for k, v in arrived.items() if k not in ("messages", "input")} == {
                    k: v for k, v in request.body.items() if k not in ("messages", "input")
                }
                assert not_of_the_user(arrived) == not_of_the_user(request.body)


def not_of_the_user(body: dict) -> list[dict]:
    return [item for item in body.get("messages") or body["input"] if item.get("role") != "user"]
