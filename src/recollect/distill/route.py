"""Which model thinks for a conversation, and which answers in it."""

from __future__ import annotations

from collections.abc import Callable


def route(own: str | None, default: str | None, is_local: Callable[[str], bool]) -> str | None:
    """The conversation's own model if it runs on this machine, so that nothing leaves it; else the default; None where
    nobody thinks."""
    if own is not None and is_local(own):
        return own
    return default


def answering(asked: str | None, own: str | None, default: str | None, is_known: Callable[[str], bool]) -> str | None:
    """The model that is asked for; else the conversation's own, wherever it is; else the default. A name that says not
    where its model is, as other programs write them, is nobody's here."""
    if asked is not None:
        return asked
    return own if own is not None and is_known(own) else default
