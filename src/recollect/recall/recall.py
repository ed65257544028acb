"""A question comes in: query → candidates → first look → second look → hits."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import partial
from itertools import compress

import numpy as np
from numpy.typing import NDArray

from recollect.errors import StoreDamaged
from recollect.models import Chunk, Explanation, Hit, Hits, Message, Score
from recollect.ports import Store
from recollect.recall import first, grains, second
from recollect.recall.beside import beside
from recollect.recall.boost import boosted
from recollect.recall.candidates import Asked, Candidates, Meaning, Words, no_words
from recollect.recall.duplicates import distinct
from recollect.recall.fields import Fields
from recollect.recall.filters import Filter, Scope, allowed, as_known
from recollect.recall.first import Known
from recollect.recall.fuse import Weights
from recollect.recall.grains import rarity
from recollect.recall.notes import Notes, Wanted
from recollect.recall.query import Query, understand
from recollect.recall.second import Reader
from recollect.records import Directory, Sought

FEW = 3  # fewer hits than this in a conversation, and its space is searched too
BESIDE = 20  # notes at most where there are messages too
SPARE = 32  # candidates beyond the limit that are read


@dataclass(frozen=True, slots=True)
class Request:
    """A question: how many hits, with which weights and bounds, by words too or by meaning alone.

    `threshold` is the least total of a hit; `rank_fusion` adds reciprocal ranks instead of scores; the rare words of
    `boost` count beside the question's own. `room` is how many tokens the hits shall fill: more than do are not read.
    """

    text: str
    limit: int
    weights: Weights
    hybrid: bool = True
    rank_fusion: bool = False
    bounds: Filter = field(default_factory=Filter)
    threshold: float = 0.0
    boost: str | None = None
    room: int | None = None
    explain: bool = False


@dataclass(frozen=True, slots=True)
class Ranking:
    """Messages that were read and scored, best first; `limit` is how many of them are wanted."""

    at: tuple[int, ...] = ()
    scores: tuple[Score, ...] = ()
    texts: tuple[str, ...] = ()
    limit: int = 0


@dataclass(frozen=True, slots=True, eq=False)
class Worded:
    """What a question's words found, among which messages, and the model to ask for its meaning."""

    directory: Directory
    inside: NDArray[np.bool_]
    words: Words
    serving: str | None


@dataclass(frozen=True, slots=True)
class Noted:
    """What was found beside messages, or the reason why that cannot be said."""

    found: list[Hit]
    failure: Exception | None = None


class Recall:
    def __init__(self, store: Store, candidates: Candidates, now: Callable[[], datetime]) -> None:
        self._store = store
        self._candidates = candidates
        self._now = now
        self._notes = Notes(store.notes, store.facts, store.directories)
        self._fields = Fields(store.profiles)

    def within(self, scope: Scope, request: Request) -> Hits:
        """The best of a scope, each once, best first. Equal scores keep the newer message first.

        What cannot be searched is left out and said; where nothing can be searched, this raises.
        """
        watch = Stopwatch()
        query = understand(request.text, self._now())
        with self._store.still(scope.space):
            worded = self._worded(scope, request, query, watch)
        if worded is None:
            return Hits()
        asked = self._candidates.asked(worded.directory, query, worded.serving)
        with self._store.still(scope.space):
            known = self._known(scope, request, query, worded, asked)
            watch.lap("dense")
            ranking = self._ranked(scope, request, known, watch)
            messages, duplicates = self._hits(scope, request, known, ranking)
            watch.lap("read")
            noted = self._noted(scope, request, known)
        notes = [note for note in noted.found if note.score.total >= request.threshold]
        hits = beside(messages, notes)[: request.limit]
        watch.lap("notes")
        explanation = _explained(known, ranking, duplicates) if request.explain else None
        return Hits(hits, *_said(known.meaning, known.words, noted), explanation, watch.milliseconds)

    def widening(self, scope: Scope, request: Request) -> Hits:
        """The conversation first; where that gives few hits, the rest of its space after them. Not for a muted one."""
        near = self.within(scope, request)
        if len(near) >= min(FEW, request.limit) or self._muted(scope):
            return near
        wide = self.within(Scope(scope.space), request)
        known = {(hit.kind, hit.id) for hit in near}
        more = tuple(hit for hit in wide if (hit.kind, hit.id) not in known)
        both = {name: near.milliseconds.get(name, 0.0) + spent for name, spent in wide.milliseconds.items()}
        return Hits((*near, *more)[: request.limit], wide.degraded, wide.warnings, wide.explanation, both)

    def forget(self) -> None:
        """Keeps nothing in memory of texts that were compared."""
        self._candidates.forget()

    def _muted(self, scope: Scope) -> bool:
        if scope.conversation is None:
            return False
        muted = self._store.directories.muted(scope.space)
        return bool(muted) and self._store.directories.key(scope.space, scope.conversation) in muted

    def _worded(self, scope: Scope, request: Request, query: Query, watch: Stopwatch) -> Worded | None:
        """What can be known before the question has a vector. None in a space that does not exist."""
        directory = self._store.directories.get(scope.space)
        if directory is None:
            return None
        inside = allowed(self._store.directories, directory, scope, request.bounds)
        directory, serving = as_known(directory, request.bounds), self._candidates.serving(scope.space)
        watch.lap("directory")
        words = Words(no_words(directory, query))
        if request.hybrid:
            words = self._candidates.words(scope.space, directory, query)
        watch.lap("lexical")
        return Worded(directory, inside, words, serving)

    def _known(self, scope: Scope, request: Request, query: Query, worded: Worded, asked: Asked) -> Known:
        directory, words = worded.directory, worded.words
        meaning = self._candidates.meaning(scope.space, directory, asked, _sought(request, worded))
        if meaning.failure and not request.hybrid:
            words = self._candidates.words(scope.space, directory, query)
        if meaning.failure and words.failure:
            raise words.failure
        mentioning: frozenset[int] = frozenset()
        if query.when is not None:
            mentioning = self._store.mentions.within(scope.space, query.when.start, query.when.stop)
        return Known(query, directory, worded.inside, words, meaning, mentioning)

    def _ranked(self, scope: Scope, request: Request, known: Known, watch: Stopwatch) -> Ranking:
        reader, answers = Reader(self._store.messages, scope.space, known.directory), known.answers()
        column = None
        if request.boost and not known.words.failure:
            column = boosted(self._store.lexical, scope.space, known.directory, request.boost)
        parts = first.look(known, request.weights, self._now(), column)
        watch.lap("fuse")
        totals = first.total(parts, request.weights, request.rank_fusion)
        limit = request.limit
        at = first.best(totals, answers, limit + SPARE)
        if request.room is not None:
            limit = min(limit, first.filling(known.directory, at, request.room))
            at = at[: limit + SPARE]
        texts = reader.texts(at)
        candidates = second.Read(at, parts.at(at), texts, self._accesses(scope, request, known, at))
        read = second.look(known, candidates, reader.before(at), self._now())
        totals = first.total(read, request.weights, request.rank_fusion)
        order = np.lexsort((-at, -totals))
        scores = read.scores(totals)
        watch.lap("rerank")
        return Ranking(
            tuple(at[order].tolist()), tuple(scores[one] for one in order), tuple(texts[one] for one in order), limit
        )

    def _accesses(self, scope: Scope, request: Request, known: Known, at: NDArray[np.int64]) -> Sequence[int]:
        if not request.weights.access:
            return [0] * len(at)
        counts = self._store.accesses.counts(scope.space, known.directory.messages[at].tolist())
        return [counts.get(int(key), 0) for key in known.directory.messages[at]]

    def _hits(self, scope: Scope, request: Request, known: Known, ranking: Ranking) -> tuple[list[Hit], int]:
        places = [(place, text) for place, text in enumerate(ranking.texts)]
        chosen: list[int] = []
        duplicates = 0
        for place, again in distinct(places):
            if len(chosen) == ranking.limit:
                break
            duplicates += again
            if not again and ranking.scores[place].total >= request.threshold:
                chosen.append(place)
        at = np.array([ranking.at[place] for place in chosen], np.int64)
        chunks = _chunks(known, at)
        stored = self._store.messages.by_chunk(scope.space, sorted(set(chunks)))
        hits = [
            _hit(*stored[chunk], ranking.scores[place], sources)
            for place, chunk, sources in zip(chosen, chunks, _sources(known, at), strict=True)
            if chunk in stored
        ]
        return hits, duplicates

    def _noted(self, scope: Scope, request: Request, known: Known) -> Noted:
        query, meaning = known.query, known.meaning
        weights, unheard = known.words.found.weights.tolist(), rarity(0, len(known.directory))
        rarities = {term: weight or unheard for term, weight in zip(query.terms, weights, strict=True)}
        most = min(request.limit, BESIDE) if known.inside.any() else request.limit
        wanted = Wanted(query, rarities, len(known.directory), meaning.model, meaning.vector, most, self._now())
        similarity = partial(self._candidates.similarity, meaning)
        try:
            notes = self._notes.find(scope, request.bounds, wanted, request.weights)
            return Noted([*notes, *self._fields.find(scope, request.bounds, wanted, request.weights, similarity)])
        except StoreDamaged as exc:
            return Noted([], exc)


class Stopwatch:
    """Milliseconds by stage."""

    def __init__(self) -> None:
        self._begin = self._last = time.perf_counter()
        self._laps: dict[str, float] = {}

    def lap(self, stage: str) -> None:
        now = time.perf_counter()
        self._laps[stage] = (now - self._last) * 1000
        self._last = now

    @property
    def milliseconds(self) -> dict[str, float]:
        return {**self._laps, "total": (self._last - self._begin) * 1000}


def _sought(request: Request, worded: Worded) -> Sought:
    directory, inside, found = worded.directory, worded.inside, worded.words.found
    return Sought(
        request.limit + SPARE,
        None if inside.all() else directory.messages[inside],
        lambda: directory.messages[grains.around(directory, inside)],
        lambda: directory.messages[first.by_words(found, inside)],
    )


def _chunks(known: Known, at: NDArray[np.int64]) -> list[int]:
    """The chunk of each message that answers best: by its words, else by its meaning, else the first."""
    words, meaning, firsts = known.words.found.chunk[at], known.meaning.found.chunk[at], known.directory.firsts[at]
    best: list[int] = np.where(words != 0, words, np.where(meaning != 0, meaning, firsts)).tolist()
    return best


def _hit(message: Message, chunk: Chunk, score: Score, sources: tuple[str, ...]) -> Hit:
    return Hit("message", message.id, chunk.content, score, sources, message.conversation, message, chunk)


def _sources(known: Known, at: NDArray[np.int64]) -> list[tuple[str, ...]]:
    """What found each message."""
    words, meaning = known.words.found, known.meaning.found
    own = words.own[at]
    found = (meaning.own[at] > 0).tolist(), (own > 0).tolist(), ((own == 0) & (words.window[at] > 0)).tolist()
    names = ("dense", "lexical", "neighbours")
    return [tuple(compress(names, there)) for there in zip(*found, strict=True)]


def _said(meaning: Meaning, words: Words, noted: Noted) -> tuple[tuple[str, ...], tuple[str, ...]]:
    failures = list(_failures(meaning, words, noted))
    return tuple(name for name, _ in failures), tuple(f"{name} search left out: {exc}" for name, exc in failures)


def _failures(meaning: Meaning, words: Words, noted: Noted) -> Iterator[tuple[str, Exception]]:
    if meaning.failure:
        yield "dense", meaning.failure
    if words.failure:
        yield "lexical", words.failure
    if noted.failure:
        yield "notes", noted.failure


def _explained(known: Known, ranking: Ranking, duplicates: int) -> Explanation:
    query = known.query
    return Explanation(
        query.terms,
        query.identifiers,
        None if query.when is None else (query.when.start, query.when.stop),
        int(known.inside.sum()),
        len(ranking.at),
        duplicates,
    )
