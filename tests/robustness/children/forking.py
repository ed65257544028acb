"""Forks a process that has loaded all modules: a fork starts in milliseconds, a new interpreter takes a second."""

import gc
import os
from collections.abc import Callable

from aforesaid import Memory
from aforesaid.ports import Embedder
from aforesaid.providers.embedders import embedder


def preload() -> Embedder:
    """Loads all modules that a Memory loads lazily; returns the default embedder."""
    loaded = embedder("static:256", environment={})
    loaded.embed(["warm"])
    with Memory(":memory:", embedder=loaded, worker=False) as memory:
        memory.conversation("c").add("user", "loads the tokenizer")
    gc.freeze()  # keeps the garbage collector of a fork away from inherited objects
    return loaded


def fork(task: Callable[..., object], *arguments: object) -> int:
    """Runs `task` in a new process; returns its pid. The process exits without freeing inherited objects, because that
    would copy every page. An error ends the process like any interpreter."""
    child = os.fork()
    if child == 0:
        task(*arguments)
        os._exit(0)
    return child


def exit_code(child: int) -> int:
    """Waits for a process to exit; returns the negative signal number if it was killed."""
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def say(line: object) -> None:
    os.write(1, f"{line}\n".encode())
