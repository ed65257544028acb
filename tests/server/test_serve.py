"""How a server listens."""

from __future__ import annotations

import asyncio
import socket
from contextlib import closing

from recollect.server.serve import listen


def test_an_answer_is_sent_at_once_and_does_not_wait_for_the_one_before_to_be_acknowledged():
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
