"""Extension points: objects that other packages register as entry points. They are looked up when a name is asked for.

The groups are `aforesaid.extractors`, `aforesaid.rerankers`, `aforesaid.embedders` and `aforesaid.importers`. An entry
point is a function or class that makes the object.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal

from aforesaid.errors import AforesaidError, InvalidInput

Group = Literal["extractors", "rerankers", "embedders", "importers"]


def find(group: Group, name: str) -> Callable[..., Any] | None:
    """The registered function of this name; None if no installed package has one. Raises InvalidInput if it cannot be
    imported, or if several packages have one."""
    from importlib.metadata import entry_points  # takes 20 ms to import

    found = entry_points(group=f"aforesaid.{group}", name=name)
    values = {entry.value: entry for entry in found}
    if not values:
        return None
    if len(values) > 1:
        packages = ", ".join(sorted(entry.dist.name if entry.dist else entry.value for entry in values.values()))
        raise InvalidInput(f"several packages have {name!r} among their aforesaid.{group}: {packages}; uninstall one")
    (entry,) = values.values()
    try:
        made: object = entry.load()
    except Exception as exc:
        raise InvalidInput(f"{name!r} of aforesaid.{group} cannot be imported from {entry.value}: {exc}") from exc
    if not callable(made):
        raise InvalidInput(f"{name!r} of aforesaid.{group} must be a function or class, not {made!r}")
    return made


def make(function: Callable[..., Any], group: Group, name: str, *arguments: object) -> Any:  # noqa: ANN401
    """The object that a registered function makes. Raises InvalidInput if the function fails."""
    try:
        return function(*arguments)
    except AforesaidError:
        raise
    except Exception as exc:
        raise InvalidInput(f"{name!r} of aforesaid.{group} failed: {type(exc).__name__}: {exc}") from exc


def names(group: Group) -> list[str]:
    """The names that installed packages register."""
    from importlib.metadata import entry_points

    return sorted({entry.name for entry in entry_points(group=f"aforesaid.{group}")})
