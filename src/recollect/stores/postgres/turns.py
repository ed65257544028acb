"""Writers of one process who wait for the same space share a commit: whoever's turn it is also does the work that piled
up behind it. So many threads that write to one space cost far fewer waits for the server's disk than commits."""

from __future__ import annotations

import threading
import weakref
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

from recollect.errors import StoreError
from recollect.stores.database import Brief
from recollect.stores.postgres.session import PostgresSession

T = TypeVar("T")

SHARED_COMMIT = 64  # how much piled-up work one commit takes along at most


@dataclass(slots=True)
class Task(Generic[T]):
    work: Callable[[PostgresSession], T]
    durable: bool
    brief: Brief[T] | None = None
    done: bool = False
    result: T | None = None
    error: Exception | None = None


@dataclass(slots=True, weakref_slot=True)
class _Turn:
    lock: threading.RLock = field(default_factory=threading.RLock)
    queue: deque[Task[Any]] = field(default_factory=deque)


class Turns:
    """`commit` does tasks of one space in one transaction, and leaves each one's error with it. Where it takes two,
    what the first has stored is done, whatever becomes of the rest."""

    def __init__(self, commit: Callable[[str, Sequence[Task[Any]]], None]) -> None:
        self._commit = commit
        self._lock = threading.Lock()
        self._turns: weakref.WeakValueDictionary[str, _Turn] = weakref.WeakValueDictionary()

    def take(self, space: str, task: Task[T]) -> T:
        with self._lock:
            turn = self._turns.get(space)
            if turn is None:
                turn = self._turns[space] = _Turn()
        turn.queue.append(task)
        with turn.lock:
            while not task.done:
                self._run(space, [turn.queue.popleft() for _ in range(min(len(turn.queue), SHARED_COMMIT))])
        if task.error is not None:
            raise task.error
        return task.result  # type: ignore[return-value]

    def _run(self, space: str, tasks: Sequence[Task[Any]]) -> None:
        try:
            self._commit(space, tasks)
        except Exception as exc:  # noqa: BLE001 (raised again by each thread that asked for the work)
            _fail(tasks, exc)
        except BaseException:  # meant for this thread alone: those whose work it did are told what happened to it
            _fail(tasks, StoreError("the write was interrupted, and may or may not be stored"))
            raise
        finally:
            for task in tasks:
                task.done = True


def _fail(tasks: Sequence[Task[Any]], error: Exception) -> None:
    for task in tasks:
        if not task.done:
            task.error = task.error or error
