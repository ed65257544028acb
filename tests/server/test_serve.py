"""Tests the server's socket options and its shutdown."""

from __future__ import annotations

import asyncio
import logging
import socket
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing

import httpx2
from tests.proxy.upstream import Model
from tests.serving import serving

from aforesaid import Memory
from aforesaid.proxy.upstream import UpstreamOptions
from aforesaid.server.app import AppOptions, make_app
from aforesaid.server.serve import GRACEFUL_SECONDS, listen
from aforesaid.server.supervisor import STOP_SECONDS


def test_connections_use_tcp_nodelay():
    asked: list[int] = []

    async def answer(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        asked.append(writer.get_extra_info("socket").getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY))
        writer.close()

    async def connect(bound: socket.socket) -> None:
        async with await asyncio.start_server(answer, sock=bound):
            reader, writer = await asyncio.open_connection(*bound.getsockname())
            await reader.read()
            writer.close()

    with closing(listen("127.0.0.1", 0)) as bound:
        asyncio.run(connect(bound))
    assert asked
    assert all(asked)


def test_a_request_cancelled_by_shutdown_gets_503(store: Memory, caplog):
    caplog.set_level(logging.INFO)
    asked = {"model": "m-1", "messages": [{"role": "user", "content": "Hi"}]}
    with Model() as model, ThreadPoolExecutor() as pool:
        model.behave("hang")
        with serving(make_app(store, AppOptions(upstream=UpstreamOptions(model.url))), patience=1) as url:
            waiting = pool.submit(httpx2.post, f"{url}/v1/chat/completions", json=asked, timeout=60)
            assert model.asked.wait(30)
        answer = waiting.result()
        assert model.left.wait(30)
    assert (answer.status_code, answer.json()["code"]) == (503, "closing")
    assert answer.headers["content-type"] == "application/problem+json"
    assert answer.headers["retry-after"] == "1"
    assert "request cancelled" in caplog.messages
    assert "Exception in ASGI application" not in caplog.text


def test_the_graceful_timeout_is_shorter_than_the_stop_timeout():
    assert 20 < GRACEFUL_SECONDS <= STOP_SECONDS - 5
