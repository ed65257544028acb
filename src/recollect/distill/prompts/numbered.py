"""Messages as data inside a prompt, each behind a number by which the answer can name it."""

from __future__ import annotations

from collections.abc import Sequence

from recollect.records import Utterance
from recollect.text.injected import injected

LONGEST = 6_000  # characters of a message that are shown: what matters stands near its beginning, or it is a paste


def numbered(utterances: Sequence[Utterance]) -> str:
    """These messages, numbered from 1. What recollect injected is not shown, nor are tools' and system messages."""
    shown = [
        _shown(number, utterance)
        for number, utterance in enumerate(utterances, 1)
        if utterance.role in ("user", "assistant")
    ]
    return "\n\n".join(shown)


def _shown(number: int, utterance: Utterance) -> str:
    """A message behind its number; each of its lines begins with a bar, so that none can pass for a header."""
    lines = _without_injected(utterance.text[:LONGEST]).splitlines() or [""]
    body = "\n".join(f"| {line}" for line in lines)
    return f"[{number}] {utterance.role}, {utterance.at.date().isoformat()}\n{body}"


def _without_injected(text: str) -> str:
    for start, stop in reversed(injected(text)):
        text = text[:start] + text[stop:]
    return text
