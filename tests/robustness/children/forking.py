"""Forks of a process that has loaded everything: a fork starts in milliseconds, a new interpreter in a second."""

import gc
import os
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
    gc.freeze()  # no fork looks for garbage in what it has inherited
    return loaded


def fork(task: Callable[..., object], *arguments: object) -> int:
    """Runs `task` in a new process; returns its pid. The process ends without freeing what it has inherited: that
    would copy every page. An error ends it as every interpreter."""
    child = os.fork()
    if child == 0:
        task(*arguments)
        os._exit(0)
    return child


def exit_code(child: int) -> int:
    """Waits for the end of a process; returns the negative signal if it was killed."""
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def say(line: object) -> None:
    os.write(1, f"{line}\n".encode())
