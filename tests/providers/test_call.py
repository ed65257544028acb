import asyncio
import subprocess
import sys
import threading
import time
from concurrent.futures import CancelledError, ThreadPoolExecutor

import pytest

from aforesaid.providers.service_client import BackgroundCall


async def forever() -> None:
    await asyncio.Event().wait()


def test_a_call_returns_the_result_or_raises_the_error_of_its_coroutine():
    async def answer() -> int:
        return 42

    async def fail() -> None:
        raise KeyError("k")

    assert BackgroundCall(answer).result() == 42
    with pytest.raises(KeyError):
        BackgroundCall(fail).result()


def test_a_call_can_be_cancelled_at_any_time():
    for pause in (0, 0.001, 0.01):
        call = BackgroundCall(forever)
        threading.Timer(pause, call.cancel).start()
        with pytest.raises(CancelledError):
            call.result()


def test_cancelling_a_call_ends_its_coroutine():
    ended, begun = threading.Event(), threading.Event()

    async def work() -> None:
        try:
            begun.set()
            await forever()
        finally:
            ended.set()

    call = BackgroundCall(work)
    assert begun.wait(10)
    call.cancel()
    assert ended.wait(10)


def test_cancelling_a_call_releases_the_caller_while_a_thread_of_the_coroutine_hangs():
    """A DNS lookup runs in a thread that cannot be cancelled."""
    hanging = threading.Event()

    async def resolve() -> None:
        await asyncio.to_thread(hanging.wait, 30)

    call = BackgroundCall(resolve)
    with ThreadPoolExecutor(1) as pool:
        waiting = pool.submit(call.result)
        begin = time.monotonic()
        call.cancel()
        with pytest.raises(CancelledError):
            waiting.result(10)
        assert time.monotonic() - begin < 5
    hanging.set()


STALLED = """
import socket, threading
from aforesaid import Memory, Prompt
listening = socket.create_server(("127.0.0.1", 0))
memory = Memory(":memory:", model=f"http://127.0.0.1:{listening.getsockname()[1]}/v1#m", worker=False)
ask = memory.engine.llm_client("default", None).ask_text
threading.Thread(target=lambda: ask(Prompt("", "hi", 5), "test", "default"), daemon=True).start()
listening.accept()[0].recv(1)
"""


def test_a_process_exits_without_waiting_for_a_stalled_model():
    begin = time.monotonic()
    done = subprocess.run([sys.executable, "-c", STALLED], capture_output=True, timeout=60, check=False)
    assert done.returncode == 0
    assert time.monotonic() - begin < 30
