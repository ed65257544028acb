"""Which model thinks for a conversation."""

from __future__ import annotations

from collections.abc import Callable


def route(own: str | None, default: str | None, is_local: Callable[[str], bool]) -> str | None:
    """The conversation's own model if it runs on this machine, so that nothing leaves it; else the default; None where
    nobody thinks."""
    if own is not None and is_local(own):
        return own
    return default
