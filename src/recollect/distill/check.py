"""Whether a small model's answer is a summary, or something that it made up instead."""

from __future__ import annotations

import re
from collections.abc import Sequence

from recollect.records import Utterance
from recollect.text.terms import index_terms

LONGEST = 300  # characters
LARGEST_SHARE = 0.3  # of the length of what was said
LEAST_OVERLAP = 0.1  # of the summary's words were said
_QUOTE = "['’]"

SIGNS: tuple[tuple[re.Pattern[str], str], ...] = (
    (re.compile(rf"(?:here{_QUOTE}s|certainly|let me|i{_QUOTE}ll create)\b", re.IGNORECASE), "begins like an answer"),
    (re.compile(r"title:", re.IGNORECASE), "begins with a title"),
    (re.compile(r"(?:in fields where|once upon)\b", re.IGNORECASE), "begins like a story"),
)


def fault(summary: str, utterances: Sequence[Utterance]) -> str | None:
    """What is wrong with a summary of these; None for one that can be taken."""
    text = summary.strip()
    original = " ".join(one.text for one in utterances)
    if not text:
        return "is empty"
    if len(text) > LONGEST:
        return f"has {len(text)} characters, more than {LONGEST}"
    if len(text) > LARGEST_SHARE * len(original):
        return "is longer than 30 % of what it sums up"
    if "```" in text:
        return "has a code fence"
    for sign, what in SIGNS:
        if sign.match(text):
            return what
    return None if overlap(text, original) >= LEAST_OVERLAP else "shares under 10 % of its words with what was said"


def overlap(summary: str, original: str) -> float:
    """The share of the summary's words that were said; 1 where it has none."""
    words = index_terms(summary)
    said = set(index_terms(original))
    return sum(word in said for word in words) / len(words) if words else 1.0
