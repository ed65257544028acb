"""Opens the store, space or conversation of a command, without a worker, and resolves id prefixes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from aforesaid import Conversation, Fact, Memory, Space
from aforesaid.errors import InvalidInput, NotFound
from aforesaid.memory import is_address

FACTS_PER_PAGE = 1000
MAX_IDS_NAMED = 3  # ids that an error names


def open_existing(store: str) -> Memory:
    """Opens the store. Raises NotFound if there is none: reading never creates a store."""
    if not is_address(store) and not Path(store).exists():
        raise NotFound(f"no store at {store}; add a message first")
    return open_or_create(store)


def open_or_create(store: str) -> Memory:
    return Memory(store, worker=False)


def require_space(memory: Memory, space: str) -> Space:
    """Returns the space. Raises NotFound if it does not exist: a mistyped name must not look like an empty space."""
    existing = memory.space(space)
    if existing.info() is None:
        raise NotFound(f"there is no space {space!r}; `aforesaid spaces` lists them")
    return existing


@contextmanager
def open_space(store: str, space: str) -> Iterator[Space]:
    """Opens an existing space of an existing store."""
    with open_existing(store) as memory:
        yield require_space(memory, space)


@contextmanager
def open_conversation(store: str, space: str, name: str) -> Iterator[Conversation]:
    """Opens an existing conversation of an existing store."""
    with open_existing(store) as memory:
        conversation = memory.space(space).conversation(name)
        conversation.info()  # raises NotFound if it does not exist
        yield conversation


def resolve_fact_id(space: Space, prefix: str) -> str:
    ids = (fact.id for fact in _all_facts(space))
    return _resolve_prefix(ids, prefix, "fact", f"space {space.id!r} has no fact {prefix!r}")


def resolve_key_id(memory: Memory, prefix: str) -> str:
    ids = [key.id for key in memory.keys()]  # noqa: SIM118 (a method of Memory)
    return _resolve_prefix(ids, prefix, "key", f"there is no key {prefix!r}")


def _resolve_prefix(ids: Iterable[str], prefix: str, noun: str, missing: str) -> str:
    """Returns the id that equals the prefix, or else the only id that begins with it."""
    matches = [id for id in ids if id.startswith(prefix)] if prefix.strip() else []
    if prefix in matches:
        return prefix
    if not matches:
        raise NotFound(missing)
    if len(matches) > 1:
        named = ", ".join(matches[:MAX_IDS_NAMED]) + (", …" if len(matches) > MAX_IDS_NAMED else "")
        raise InvalidInput(f"{prefix!r} begins the ids of {len(matches)} {noun}s ({named}); give more characters")
    return matches[0]


def _all_facts(space: Space) -> Iterator[Fact]:
    page = space.facts(FACTS_PER_PAGE, status=None)
    while page:
        yield from page
        page = space.facts(FACTS_PER_PAGE, status=None, after=page[-1].id)
