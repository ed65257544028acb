"""Forks of a process that has loaded everything: a fork starts in milliseconds, a new interpreter in a second."""

import os
import sys
from collections.abc import Callable

from aforesaid import Memory
from aforesaid.ports import Embedder
from aforesaid.providers.embedders import embedder


def preload() -> Embedder:
    """Loads all that a Memory loads late; returns the default embedder."""
    loaded = embedder("wordllama:256", environment={})
    loaded.embed(["warm"])
    with Memory(":memory:", embedder=loaded, worker=False) as memory:
        memory.conversation("c").add("user", "loads the tokenizer")
    return loaded


def fork(task: Callable[..., object], *arguments: object) -> int:
    """Runs `task` in a new process, which then ends as every interpreter does; returns its pid."""
    child = os.fork()
    if child == 0:
        task(*arguments)
        sys.exit()
    return child


def exit_code(child: int) -> int:
    """Waits for the end of a process; returns the negative signal if it was killed."""
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def say(line: object) -> None:
    os.write(1, f"{line}\n".encode())
