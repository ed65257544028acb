"""What is recalled beside messages: pins, facts, episodes, and the summaries of the conversation that is asked."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

import numpy as np
from numpy.typing import NDArray

from recollect.ids import microseconds
from recollect.models import NOTE_KINDS, Fact, Hit, Score
from recollect.ports import Directories, Facts, Vectors
from recollect.ports import Notes as NoteIndex
from recollect.recall.cues import FADES
from recollect.recall.filters import Filter, Scope
from recollect.recall.first import best, recency
from recollect.recall.fuse import Weights, share
from recollect.recall.grains import rarity
from recollect.recall.query import Query
from recollect.recall.second import OFTEN
from recollect.records import FoundNote, NoteDirectory
from recollect.text.decay import decay
from recollect.text.questions import asking

RELEVANT = 0.5  # a note that shares no word must be this similar
BATCH = 32  # notes that are read at once
SPARE = 6  # of those read, beyond the limit, that may come out better by their words
SUMMARY = NOTE_KINDS.index("summary")

Column = NDArray[np.float64]
Ranked = Sequence[tuple[int, Score]]  # a note's key, and what is known of its score


@dataclass(frozen=True, slots=True)
class Wanted:
    """A question as notes are asked: how rare each of its terms is among so many messages, and the vector of its
    meaning under a model, None where that cannot be had; `most` are wanted."""

    query: Query
    rarities: Mapping[str, float]
    messages: int
    model: str
    vector: Vectors | None
    most: int
    now: datetime


class Notes:
    def __init__(self, notes: NoteIndex, facts: Facts, directories: Directories) -> None:
        self._notes = notes
        self._facts = facts
        self._directories = directories

    def find(self, scope: Scope, bounds: Filter, wanted: Wanted, weights: Weights) -> list[Hit]:
        """The best notes in scope that have something to do with the question, best first. A summary never leaves its
        conversation."""
        kinds = [number for number, kind in enumerate(NOTE_KINDS) if kind in bounds.kinds]
        if not kinds:
            return []
        directory = self._notes.directory(scope.space)
        inside = np.isin(np.arange(len(NOTE_KINDS)), kinds)[directory.kinds] & within(directory, bounds, wanted.now)
        if inside.any():
            inside &= self._inside(directory, scope, bounds)
        if not inside.any():
            return []
        lexical, dense = self._words(scope.space, directory, wanted), self._meaning(scope.space, directory, wanted)
        inside &= (lexical > 0) | (dense >= RELEVANT)
        ranked = _ranked(directory, inside, _parts(directory, lexical, dense, wanted), weights)
        read = self._read(scope.space, ranked, wanted.most)
        facts = self._facts.named(scope.space, [note.id for note, _ in read if note.kind == "fact"])
        hits = [_hit(note, score, wanted, weights, facts.get(note.id)) for note, score in read]
        return sorted(hits, key=lambda hit: -hit.score.total)[: wanted.most]

    def _read(
        self, space: str, ranked: Iterable[Sequence[tuple[int, Score]]], most: int
    ) -> list[tuple[FoundNote, Score]]:
        """The first of the ranked notes that are still there, and a few more."""
        read: list[tuple[FoundNote, Score]] = []
        for batch in ranked:
            found = self._notes.get(space, [key for key, _ in batch])
            read += [(found[key], score) for key, score in batch if key in found]
            if len(read) >= most:
                break
        return read[: most + SPARE]

    def _inside(self, directory: NoteDirectory, scope: Scope, bounds: Filter) -> NDArray[np.bool_]:
        inside = np.ones(len(directory), bool)
        if scope.conversation is None:
            inside &= directory.kinds != SUMMARY
            inside &= ~np.isin(directory.conversations, list(self._directories.muted(scope.space)))
        else:
            key = self._directories.key(scope.space, scope.conversation)
            inside &= directory.conversations == (-1 if key is None else key)
        if bounds.categories or bounds.tags:
            at, known = directory.places(self._notes.labelled(scope.space, bounds.categories, bounds.tags))
            inside &= np.bincount(at[known], minlength=len(directory)) > 0
        return inside

    def _words(self, space: str, directory: NoteDirectory, wanted: Wanted) -> Column:
        """The share of the question's terms that each note has, by their rarity."""
        part, whole = np.zeros(len(directory)), 0.0
        terms = list(wanted.rarities)
        for term, keys in zip(terms, self._notes.having(space, terms), strict=True):
            at, known = directory.places(keys)
            weight = min(wanted.rarities[term], rarity(len(keys), len(directory) + wanted.messages))
            part[at[known]] += weight
            whole += weight
        return part / whole if whole else part

    def _meaning(self, space: str, directory: NoteDirectory, wanted: Wanted) -> Column:
        """How similar each note is; 0, like nothing in particular, for one that has no vector yet."""
        part = np.zeros(len(directory))
        if wanted.vector is None:
            return part
        similar = self._notes.similarity(space, wanted.model, wanted.vector)
        at, known = directory.places(similar.chunks)
        part[at[known]] = similar.scores[known]
        return part


def within(directory: NoteDirectory, bounds: Filter, now: datetime) -> NDArray[np.bool_]:
    """The notes of these types that were said, true and known at these times. Without a time, what was superseded or is
    over is not among them."""
    inside = np.ones(len(directory), bool)
    if bounds.types:
        numbers = [number for number, name in enumerate(directory.names) if name in bounds.types]
        inside &= np.isin(directory.types, numbers)
    if bounds.min_importance > 0:
        inside &= directory.importances >= bounds.min_importance
    if bounds.since is not None:
        inside &= directory.moments >= microseconds(bounds.since)
    if bounds.until is not None:
        inside &= directory.moments <= microseconds(bounds.until)
    return inside & _true(directory, bounds, now)


def _true(directory: NoteDirectory, bounds: Filter, now: datetime) -> NDArray[np.bool_]:
    """What was true as of one time as it was known at another: both are now where nothing is said, and what was known
    at a time was asked as of that time."""
    if bounds.as_of is None and bounds.known_at is None:
        current: NDArray[np.bool_] = directory.current & (directory.valid_until > microseconds(now))
        return current
    known = microseconds(bounds.known_at or now)
    at = microseconds(bounds.as_of or bounds.known_at or now)
    until = np.where(directory.closed_at > known, np.iinfo(np.int64).max, directory.valid_until)
    held: NDArray[np.bool_] = (directory.valid_from <= at) & (at < until)
    return held & (directory.known_from <= known) & (known < directory.known_until)


def _parts(directory: NoteDirectory, lexical: Column, dense: Column, wanted: Wanted) -> dict[str, Column]:
    """The parts of every note's score, as far as they can be told without its words."""
    parts = {
        "dense": np.clip((1 + dense) / 2, 0, 1) if wanted.vector is not None else 0 * dense,
        "lexical": lexical,
        "recency": recency(directory.moments, wanted.now),
        "importance": directory.importances,
        "speaker": np.full(len(directory), float(wanted.query.first)),
    }
    if wanted.query.when is not None:
        start, stop = microseconds(wanted.query.when.start), microseconds(wanted.query.when.stop)
        gap = np.maximum(np.maximum(start - directory.moments, directory.moments - stop), 0)
        parts["time"] = np.exp(-gap / FADES)
    return parts


def _ranked(
    directory: NoteDirectory, among: NDArray[np.bool_], parts: Mapping[str, Column], weights: Weights
) -> Iterator[list[tuple[int, Score]]]:
    """Notes by their keys with the parts of their scores, best first, a batch at a time."""
    totals = np.zeros(len(directory))
    for name, weight in weights.counted():
        if name in parts:
            totals += weight * parts[name]
    while among.any():
        at = best(totals, among, BATCH)
        among[at] = False
        scores = [Score(0.0, **{name: float(part[one]) for name, part in parts.items()}) for one in at.tolist()]
        yield list(zip(directory.keys[at].tolist(), scores, strict=True))


def completed(score: Score, text: str, wanted: Wanted, weights: Weights) -> Score:
    """The score with what only the words can tell, and its total."""
    score = replace(score, identifier=share(text, wanted.query.identifiers), statement=1.0 - asking(text))
    return replace(score, total=sum(weight * getattr(score, name) for name, weight in weights.counted()))


def _hit(note: FoundNote, score: Score, wanted: Wanted, weights: Weights, fact: Fact | None) -> Hit:
    """A fact counts for less the longer nobody has asked for it."""
    if fact is not None:
        left = decay(fact.accessed_at or fact.created_at, fact.accesses, wanted.now)
        score = replace(score, importance=fact.importance * left, access=min(fact.accesses / OFTEN, 1.0))
    total = completed(score, note.text, wanted, weights)
    return Hit(note.kind, note.id, note.text, total, (note.kind,), note.conversation, messages=note.messages, fact=fact)
