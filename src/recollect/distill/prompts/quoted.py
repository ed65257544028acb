"""Messages as data inside a prompt: one JSON object a line, so that nothing in them can end the quotation."""

from __future__ import annotations

import json
from collections.abc import Sequence

from recollect.distill.cut import Count, cut
from recollect.records import Utterance

MOST_TOKENS = 6_000  # of quoted messages: a small local model reads 8,000 in all
LEAST_TOKENS = 40  # of each message, however many there are


def quoted(utterances: Sequence[Utterance], count: Count, most: int = MOST_TOKENS) -> str:
    """The messages in order; where they are too long, each is cut to its fair share, and in the last resort those in
    the middle are left out."""
    texts = _shares(utterances, count, most)
    lines = [
        json.dumps({"seq": one.seq, "speaker": one.speaker, "text": text}, ensure_ascii=False)
        for one, text in zip(utterances, texts, strict=True)
    ]
    kept = max(2, most // LEAST_TOKENS)
    if len(lines) > kept:
        lines = [*lines[: kept // 2], json.dumps({"left_out": len(lines) - kept}), *lines[-(kept - kept // 2) :]]
    return "\n".join(lines)


def _shares(utterances: Sequence[Utterance], count: Count, most: int) -> list[str]:
    sizes = [min(one.tokens, most) if one.tokens else count(one.text[: 8 * most]) for one in utterances]
    if sum(sizes) <= most:
        return [one.text for one in utterances]
    share = _level(sizes, most)
    return [
        one.text if size <= share else cut(one.text, count, share) for one, size in zip(utterances, sizes, strict=True)
    ]


def _level(sizes: Sequence[int], most: int) -> int:
    """The length at which cutting all that is longer makes the whole fit."""
    rest, left = most, len(sizes)
    for size in sorted(sizes):
        if size * left >= rest:
            break
        rest, left = rest - size, left - 1
    return max(LEAST_TOKENS, rest // max(1, left))
