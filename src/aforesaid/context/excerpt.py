"""Excerpts of recalled messages, for a context with little room: the sentences that match the question and say most."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise

from aforesaid.context.quote import Quote
from aforesaid.text.analyzer import index_terms, query_terms
from aforesaid.text.salience import LONGEST, message_salience, sentences

CUT = "…"
LONG = 40  # words; a shorter quote stays as it is, because its sentences need each other
SALIENCE = 0.5  # the weight of a sentence's salience, where 1 is that of all words of the question
CLOSE = 0.5  # a sentence with this share of the best one's score is shown too

_WORD = re.compile(r"[^\W\u2e80-\uffef]+|(?=\w)[\u2e80-\uffef]")  # a character of a dense script counts as a word


def word_count(text: str) -> int:
    return len(_WORD.findall(text))


def excerpt(quote: Quote, message: str, question: str) -> Quote:
    """The quote of a user's `message` with its best sentences in their order, and a mark where others were. Any other
    quote, code, and a short one stay as they are."""
    if quote.kind != "message" or quote.role != "user" or quote.code:
        return quote
    if len(quote.text) > LONGEST or word_count(quote.text) < LONG:
        return quote
    parts = sentences(quote.text)
    kept = _best(parts, frozenset(query_terms(question)))
    if len(kept) == len(parts):
        return quote
    edges = (-1, len(parts)) if quote.whole else (-2, len(parts) + 1)
    text = " ".join(_joined(parts, kept, edges))
    return replace(quote, text=text, whole=False, words=(word_count(text), word_count(message)))


def _best(parts: Sequence[str], asked: frozenset[str]) -> list[int]:
    scores = [_score(part, asked) for part in parts]
    return [at for at, score in enumerate(scores) if score >= CLOSE * max(scores)]


def _score(sentence: str, asked: frozenset[str]) -> float:
    matched = len(asked & frozenset(index_terms(sentence))) / max(len(asked), 1)
    return matched + SALIENCE * message_salience(sentence, person=True)


def _joined(parts: Sequence[str], kept: Sequence[int], edges: tuple[int, int]) -> Iterator[str]:
    """The kept sentences, and one mark for each gap, also between them and the `edges` of the message."""
    for before, at in pairwise((edges[0], *kept, edges[1])):
        if at > before + 1:
            yield CUT
        if at < len(parts):
            yield parts[at].strip()
