"""Opens the store for one command. Background work is done by the command itself or left to a worker."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from recollect.errors import NotFound

if TYPE_CHECKING:
    from recollect import Memory


def reading(store: str) -> Memory:
    """The store, which must be there: looking at something never makes it."""
    from recollect.memory import is_address

    if not is_address(store) and not Path(store).exists():
        raise NotFound(f"no store at {store}; add a message first")
    return writing(store)


def refuse_unknown(memory: Memory, space: str) -> None:
    """NotFound where there is no such space: a mistyped name must not look like an empty one."""
    if memory.space(space).info() is None:
        raise NotFound(f"there is no space {space!r}; `recollect spaces` lists them")


def writing(store: str) -> Memory:
    """The store, made where there is none."""
    from recollect import Memory

    return Memory(store, worker=False)


def working(store: str) -> Memory:
    """The same for a command that goes on: the background work is done beside it."""
    from recollect import Memory

    return Memory(store)
