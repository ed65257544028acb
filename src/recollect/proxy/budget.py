"""What fits into a model's window. Pure; tokens are estimated, rather too many than too few."""

from __future__ import annotations

from collections.abc import Sequence

from recollect.models import Json
from recollect.proxy.wires.dialect import Body, Dialect

BYTES = 3  # of text in a token
FRAME = 8  # tokens around a message
MEDIA = 1500  # tokens of a picture or a document
LONG = 4096  # characters without a space: no words, but data
OUTPUT = 1024  # tokens kept for an answer that names no limit; at most a quarter of the window


def weigh(value: Json) -> int:
    """The tokens of something that is sent."""
    if isinstance(value, str):
        data = len(value) >= LONG and " " not in value[:LONG] and value[:LONG].isascii()
        return MEDIA if data else len(value.encode("utf-8", "replace")) // BYTES + 1
    if isinstance(value, dict):
        return sum(weigh(one) + 1 for one in value.values())
    if isinstance(value, list):
        return sum(map(weigh, value))
    return 1


def room(window: int, body: Body, dialect: Dialect) -> int:
    """The tokens that the history may take, with what memory adds: the answer, the tools and the rest have theirs."""
    answer = dialect.output(body) or min(OUTPUT, window // 4)
    return window - answer - weigh(dialect.put(body, [item for item in dialect.items(body) if dialect.leads(item)]))


def first_shown(items: Sequence[Json], dialect: Dialect, most: int) -> int:
    """The place of the first item that is shown, so that the history takes at most `most` tokens. It moves on in big
    steps, so that the beginning stays the same for many turns, and to where a turn begins: no call loses its result.
    The newest turn stays, whatever it takes."""
    ends: list[int] = []
    for item in items:
        ends.append((ends[-1] if ends else 0) + (0 if dialect.leads(item) else weigh(item) + FRAME))
    total = ends[-1] if ends else 0
    if total <= most:
        return 0
    step = max(1, most // 2)
    cut = step * -(-(total - most) // step)
    turns = [place for place, item in enumerate(items) if dialect.opens(item)]
    after = [place for place in turns if (ends[place - 1] if place else 0) >= cut]
    return (after or turns[-1:] or [0])[0]
