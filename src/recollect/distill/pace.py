"""How many messages make a segment: fewer of long technical talk, more of small talk."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import regex

from recollect.models import Message
from recollect.text.identifiers import identifiers

SOONEST, LATEST = 10, 20
LONG = 120  # tokens of a message, on the mean, from which on talk is as long as it gets
DENSE = 0.5  # share of messages about technical things from which on talk is as technical as it gets
LOOKED_AT = 1_000  # characters of a message

_TECHNICAL = regex.compile(
    r"```|~~~|[A-Za-z_]\w*\([^()\n]{0,80}\)|\b\w*(?:Error|Exception)\b|\b(?:traceback|stack trace|null|HTTP|SQL|API)\b"
    r"|[{};=<>]{2}|\b\d+(?:[.,]\d+)?\s?(?:ms|kB|MB|GB|mg|ml|kW|°C|%)(?!\w)",
    regex.IGNORECASE,
)


def paces(messages: Sequence[Message]) -> Iterator[int]:
    """After each message, how many make a segment: from 10 to 20, by the mean length of those so far and the share of
    them that is technical."""
    spoken = tokens = dense = 0
    for one in messages:
        if one.role in ("user", "assistant"):
            spoken, tokens, dense = spoken + 1, tokens + one.tokens, dense + technical(one.text)
        length = min(1.0, tokens / max(1, spoken) / LONG)
        density = min(1.0, dense / max(1, spoken) / DENSE)
        yield round(LATEST - (LATEST - SOONEST) * (length + density) / 2)


def technical(text: str) -> bool:
    """Whether a text has code, identifiers, errors or measures."""
    beginning = text[:LOOKED_AT]
    return _TECHNICAL.search(beginning) is not None or bool(identifiers(beginning))
