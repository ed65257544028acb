"""Group commit: threads that wait to write share one commit. Many writers then cost far fewer waits for the disk than
commits. A task that fails fails alone.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from aforesaid.errors import StoreError

W = TypeVar("W")


@dataclass(slots=True)
class WriteTask(Generic[W]):
    """A write that a thread waits for."""

    work: W
    space: str | None
    durable: bool = True
    done: bool = False
    result: Any = None
    error: Exception | None = None


class GroupCommit(Generic[W]):
    """A queue of tasks. `commit` does up to `limit` of them in one transaction, and leaves each error with its task. If
    it takes two transactions, a task that the first one stored is marked as done."""

    def __init__(self, commit: Callable[[Sequence[WriteTask[W]]], None], limit: int) -> None:
        self.lock = threading.RLock()  # held while something is committed
        self._commit = commit
        self._limit = limit
        self._queue: deque[WriteTask[W]] = deque()

    @property
    def waiting(self) -> int:
        """The number of tasks that are not started."""
        return len(self._queue)

    def run(self, task: WriteTask[W]) -> Any:  # noqa: ANN401 (whatever the work gives)
        """Returns the result of a task when it is committed, or raises its error."""
        self._queue.append(task)
        with self.lock:
            while not task.done:
                self._run([self._queue.popleft() for _ in range(min(len(self._queue), self._limit))])
        if task.error is not None:
            raise task.error
        return task.result

    def _run(self, tasks: Sequence[WriteTask[W]]) -> None:
        try:
            self._commit(tasks)
        except Exception as exc:  # noqa: BLE001 (raised again by each thread that asked for the work)
            _fail(tasks, exc)
        except BaseException:  # meant for this thread only: the others get an error of their own
            _fail(tasks, StoreError("the write was interrupted, and may or may not be stored"))
            raise
        finally:
            for task in tasks:
                task.done = True


def _fail(tasks: Sequence[WriteTask[W]], error: Exception) -> None:
    for task in tasks:
        if not task.done:
            task.error = task.error or error
