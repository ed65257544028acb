"""The process of one store of `aforesaid bench peers`: `python chroma_store.py FOLDER VECTORS`.

Each file beside this one has the class of a store, which gets the folder for its files, a function that returns the
vectors of texts, and the time of the questions. Requests and answers are JSON objects, one per line, on standard input
and output. This file uses only the standard library, because aforesaid is not in the environment of a peer. Importing
it stops connections of Python code to other hosts, so a store imports it before its peer.
"""

from __future__ import annotations

import json
import os
import sys
import threading
import time
from array import array
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import IO, Any

LOCAL_HOSTS = {"localhost", "127.0.0.1", "::1", "", None}
Answer = dict[str, Any]
Embed = Callable[[list[str]], list[list[float]]]
OpenStore = Callable[[str, Embed, str | None], Any]


def refuse_network(event: str, arguments: tuple[Any, ...]) -> None:
    """An audit hook that stops connections and name lookups that leave this machine."""
    if event == "socket.connect":
        address = arguments[1]
        host = address[0] if isinstance(address, tuple) else None
    elif event == "socket.getaddrinfo":
        host = arguments[0]
    else:
        return
    if host not in LOCAL_HOSTS:
        raise PermissionError(f"a peer may not connect to {host!r}")


class VectorTable:
    """Vectors by text, computed by the benchmark. Asks the benchmark for the vectors of other texts."""

    def __init__(self, path: str, ask: Embed) -> None:
        with open(f"{path}.json", encoding="utf-8") as file:
            texts = json.load(file)
        values = array("f")
        with open(f"{path}.f32", "rb") as data:
            values.frombytes(data.read())
        size = len(values) // len(texts)
        self._known = {text: values[at * size : (at + 1) * size].tolist() for at, text in enumerate(texts)}
        self._ask = ask

    def __call__(self, texts: list[str]) -> list[list[float]]:
        missing = [text for text in texts if text not in self._known]
        if missing:
            self._known.update(zip(missing, self._ask(missing), strict=True))
        return [self._known[text] for text in texts]


class Driver:
    """Answers requests about one store."""

    def __init__(self, open_store: OpenStore, folder: str, vectors: str) -> None:
        self._open_store, self._folder, self._path = open_store, folder, vectors
        self._lock = threading.Lock()
        self._output = take_standard_output()
        self._store: Any = None

    def serve(self) -> None:
        for line in sys.stdin:
            request = json.loads(line)
            try:
                answer = getattr(self, request.pop("call"))(**request)
            except Exception as exc:  # noqa: BLE001 - the benchmark reports what a peer raises
                answer = {"error": reason(exc)}
            self._write(answer)

    def open(self, now: str | None) -> Answer:
        table = VectorTable(self._path, self._ask)
        self._store = self._open_store(self._folder, table, now)
        return {}

    def add(self, messages: list[dict[str, str]], threads: int) -> Answer:
        """Adds each message by a call of its own. The answer has the milliseconds of each and what failed."""
        with ThreadPoolExecutor(threads) as pool:
            results = list(pool.map(self._add, messages))
        self._store.settle()
        failures = [result for result in results if isinstance(result, str)]
        return {"milliseconds": [result for result in results if not isinstance(result, str)], "failures": failures}

    def search(self, questions: list[str], limit: int) -> Answer:
        rankings, milliseconds = [], []
        for question in questions:
            before = time.perf_counter()
            rankings.append(self._store.search(question, limit))
            milliseconds.append((time.perf_counter() - before) * 1000)
        return {"rankings": rankings, "milliseconds": milliseconds}

    def ids(self) -> Answer:
        """The ids of all messages in the store."""
        return {"ids": self._store.ids()}

    def close(self) -> Answer:
        self._store.close()
        return {}

    def _add(self, message: dict[str, str]) -> float | str:
        before = time.perf_counter()
        try:
            self._store.add(message)
        except Exception as exc:  # noqa: BLE001 - the benchmark counts what a peer raises
            return reason(exc)
        return (time.perf_counter() - before) * 1000

    def _ask(self, texts: list[str]) -> list[list[float]]:
        with self._lock:
            self._write({"embed": texts})
            vectors: list[list[float]] = json.loads(sys.stdin.readline())["vectors"]
        return vectors

    def _write(self, answer: Answer) -> None:
        self._output.write(json.dumps(answer) + "\n")
        self._output.flush()


def reason(exc: Exception) -> str:
    first = (str(exc).strip().splitlines() or [""])[0]
    return f"{type(exc).__name__}: {first}"[:200]


def take_standard_output() -> IO[str]:
    """The answers go to standard output. What a peer prints goes to standard error."""
    output = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    return output


def serve(open_store: OpenStore) -> None:
    """Answers requests until standard input ends."""
    Driver(open_store, *sys.argv[1:]).serve()
    os._exit(0)  # threads of a peer may not delay the end


sys.addaudithook(refuse_network)
