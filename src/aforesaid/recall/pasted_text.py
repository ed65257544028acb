"""Finds the message that a pasted text comes from: the text may be a part of the message, or differ a little."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

import numpy as np

from aforesaid.models.message import Message
from aforesaid.recall.candidates import CandidateSearch
from aforesaid.recall.query import parse_query
from aforesaid.recall.scoring import top_positions
from aforesaid.storage.store import Store
from aforesaid.text.identifiers import PUNCTUATION

MOST_COMPARED = 200  # messages with words of the text that are read
LAST_READ = 1_000  # messages at the end of the conversation that are read if no words are indexed
LEAST_SHARED = 0.6  # share of the words of a text that its message has
EXACT, PART = 3.0, 2.0  # likeness of the same text, and of a part of it; else it is the share of words


@dataclass(frozen=True, slots=True)
class PastedText:
    """The message that a text fits best, and the number of messages that it fits as well. Of equal ones, the newest
    message, and first of all one of the conversation."""

    message: Message | None = None
    matches: int = 0
    likeness: float = 0.0


class PastedTextSearch:
    def __init__(self, store: Store, candidates: CandidateSearch) -> None:
        self._store = store
        self._candidates = candidates

    def find(self, space: str, conversation: str | None, text: str, now: datetime) -> PastedText:
        """Searches all conversations of a space, also muted ones."""
        with self._store.snapshot(space):
            best = _best(text, conversation, self._with_words(space, text, now))
            if best.message is None and conversation is not None:
                last = self._store.messages.recent(space, conversation, LAST_READ, 0, damaged=[])
                best = _best(text, conversation, last)
        return best

    def _with_words(self, space: str, text: str, now: datetime) -> list[Message]:
        """The messages with the most words of a text."""
        directory, parsed = self._store.directories.get(space), parse_query(text, now)
        if directory is None or not parsed.terms:
            return []
        scores = self._candidates.lexical(space, directory, parsed).own
        expired = self._store.directories.expired(space).messages
        at = top_positions(scores, (scores > 0) & np.isin(directory.messages, expired, invert=True), MOST_COMPARED)
        stored = self._store.messages.by_chunk(space, sorted(directory.firsts[at].tolist()), [])
        return [message for message, _ in stored.values()]


def _best(text: str, conversation: str | None, messages: Iterable[Message]) -> PastedText:
    likenesses = [(_likeness(text, message.text), message) for message in messages]
    highest = max((likeness for likeness, _ in likenesses), default=0.0)
    if highest < LEAST_SHARED:
        return PastedText()
    best = [message for likeness, message in likenesses if likeness == highest]
    newest = max(best, key=lambda message: (message.conversation == conversation, message.created_at, message.seq))
    return PastedText(newest, len(best), highest)


def _likeness(text: str, other: str) -> float:
    """A part may begin and end inside a word, and differ in case, spaces and punctuation around words."""
    words, others = _words(text), _words(other)
    plain, whole = " ".join(words), " ".join(others)
    if not plain or plain == whole:
        return EXACT if plain else 0.0
    return PART if plain in whole else (Counter(words) & Counter(others)).total() / len(words)


def _words(text: str) -> list[str]:
    return [bare for word in text.casefold().split() if (bare := word.strip(PUNCTUATION))]
