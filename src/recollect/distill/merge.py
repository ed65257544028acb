"""Old chunks become one: what they said, in order, in fewer words."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from datetime import datetime

import regex

from recollect.distill.due import MERGED, MOST_CHUNKS
from recollect.distill.extractive import MOST_TOKENS, choose
from recollect.distill.sayings import Saying, sentences
from recollect.distill.topics import MOST
from recollect.models import Summary
from recollect.ports import Clock, Store, Tokenizer
from recollect.text.scripts import fold
from recollect.text.terms import index_terms

ALL = 1_000  # chunks that are looked at
LINES = 1_000  # more than a summary has

_SPEAKER = regex.compile(r"^\[(?P<speaker>[^\]\n]{1,40})\] ")
_TOPICS = regex.compile(r"^Topics: [^\n]*+\n?")

log = logging.getLogger(__name__)


class Merging:
    """Keeps the chunks of the recipe `project` from growing without end. The merged ones stay stored."""

    def __init__(self, store: Store, tokenizer: Tokenizer, clock: Clock, make_id: Callable[[datetime], str]) -> None:
        self._store = store
        self._count = tokenizer.count
        self._clock = clock
        self._make_id = make_id

    def merge(self, space: str, conversation: str, rule: str) -> None:
        """Merges the oldest while too many stand."""
        while rule == "project":
            standing = self._store.summaries.standing(space, conversation, "segment", "completed", ALL)
            if len(standing) <= MOST_CHUNKS:
                return
            oldest = alike(standing)
            if not self._store.summaries.merge(self._merged(oldest), [one.id for one in oldest]):
                return  # one of them was withdrawn: the next look finds what stands
            log.info("summaries merged", extra={"action": "summaries_merged", "count": len(oldest)})

    def _merged(self, parts: Sequence[Summary]) -> Summary:
        now, first = self._clock(), parts[0]
        text, topics = combine(parts, self._count)
        return Summary(
            self._make_id(now), first.space, first.conversation, "segment",
            min(one.first_seq for one in parts), max(one.last_seq for one in parts),
            sum(one.message_count for one in parts), text, topics, max(one.importance for one in parts), None,
            "completed", "extractive", None, self._count(text), None, None, now,
        )  # fmt: skip


def combine(parts: Sequence[Summary], count: Callable[[str], int]) -> tuple[str, tuple[str, ...]]:
    """What the summaries say, in their order and within 200 tokens, and their topics, each once: those of the most
    summaries first."""
    topics = shared(parts)
    found: list[Saying] = []
    groups: list[range] = []
    for number, part in enumerate(parts):
        begin = len(found)
        found += _sayings(number, part.text)
        groups.append(range(begin, len(found)))
    return choose(found, topics, count, MOST_TOKENS, groups), topics


def alike(standing: Sequence[Summary]) -> Sequence[Summary]:
    """The oldest in a row that are about as many messages each: so nothing is condensed again and again while its
    neighbours are not. The oldest of all where no such row is long enough."""
    for begin in range(len(standing) - MERGED + 1):
        row = standing[begin : begin + MERGED]
        sizes = [one.message_count for one in row]
        if max(sizes) <= 2 * min(sizes):
            return row
    return standing[:MERGED]


def shared(parts: Sequence[Summary]) -> tuple[str, ...]:
    written: dict[str, str] = {}
    often: dict[str, int] = {}
    for part in parts:
        for topic in part.topics:
            written.setdefault(fold(topic), topic)
            often[fold(topic)] = often.get(fold(topic), 0) + 1
    ranked = sorted(often, key=lambda key: -often[key])
    return tuple(written[key] for key in ranked[:MOST])


def _sayings(part: int, text: str) -> list[Saying]:
    """The sentences of a summary, each with who said it; nobody in a model's prose."""
    found: list[Saying] = []
    for number, line in enumerate(_TOPICS.sub("", text).splitlines()):
        match = _SPEAKER.match(line)
        speaker, words = (match["speaker"], line[match.end() :]) if match else ("", line)
        for sentence in sentences(words):
            terms = tuple(dict.fromkeys(index_terms(sentence)))
            found.append(Saying(part * LINES + number, speaker, "assistant", sentence, terms))
    return found
