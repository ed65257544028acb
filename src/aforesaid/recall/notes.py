"""Finds notes: pins, facts, episodes, summaries of the searched conversation, and profile fields. The index contains
no profile fields; they are read and compared for each query."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial

import numpy as np

from aforesaid.ids import microseconds
from aforesaid.models.fact import Fact
from aforesaid.models.index import NOTE_KINDS, NoteDirectory, NoteMatch
from aforesaid.models.profile import ProfileField
from aforesaid.models.recall import Hit, Score
from aforesaid.recall.bm25 import Column, Mask, idf
from aforesaid.recall.candidates import EmbeddedQuery
from aforesaid.recall.filters import ConversationFilter, RecallFilter
from aforesaid.recall.fuse import Weights, identifier_share, relevance_of_total
from aforesaid.recall.intent import time_closeness
from aforesaid.recall.rerank import FULL_ACCESSES
from aforesaid.recall.scoring import recency, top_positions
from aforesaid.storage.repositories.facts import Facts
from aforesaid.storage.repositories.metadata import MetadataIndex
from aforesaid.storage.repositories.note_index import NoteIndex
from aforesaid.storage.repositories.profiles import Profiles
from aforesaid.text.analyzer import index_terms
from aforesaid.text.decay import decay
from aforesaid.text.questions import question_share

MIN_SIMILARITY = 0.5  # of a note that shares no word with the query
BATCH = 32  # notes per read
SPARE = 6  # notes beyond the limit that are read, because their text may raise their score
SUMMARY = NOTE_KINDS.index("summary")
FACT = NOTE_KINDS.index("fact")
PROFILE_IMPORTANCE = 0.8  # the same as a pin's

Similarity = Callable[[Sequence[str]], Sequence[float]]  # of texts to the query


@dataclass(frozen=True, slots=True)
class NoteQuery:
    """A query for at most `limit` notes. `idf` is the weight of each term among the space's `messages`."""

    embedded: EmbeddedQuery
    bounds: RecallFilter
    weights: Weights
    idf: Mapping[str, float]
    messages: int
    limit: int
    now: datetime


class NoteSearch:
    def __init__(self, notes: NoteIndex, facts: Facts, profiles: Profiles, metadata: MetadataIndex) -> None:
        self._notes = notes
        self._facts = facts
        self._profiles = profiles
        self._metadata = metadata

    def find(self, scope: ConversationFilter, query: NoteQuery) -> list[Hit]:
        """The best notes in scope that share a word or meaning with the query, best first."""
        bounds, space = query.bounds, scope.space
        kinds = [number for number, kind in enumerate(NOTE_KINDS) if kind in bounds.kinds]
        if not kinds:
            return []
        directory = self._notes.directory(space)
        if not len(directory):
            return []
        inside = np.isin(np.arange(len(NOTE_KINDS)), kinds)[directory.kinds]
        inside &= notes_within(directory, bounds, query.now)
        if inside.any():
            inside &= self._inside(directory, scope, bounds)
        if not inside.any():
            return []
        lexical, dense = self._lexical(space, directory, query), self._dense(space, directory, query.embedded)
        inside &= (lexical > 0) | (dense >= MIN_SIMILARITY)
        ranked = _ranked(directory, inside, _parts(directory, lexical, dense, query), query.weights)
        notes = self._read(scope, ranked, query.limit)
        facts = self._facts.named(space, [note.id for note, _ in notes if note.kind == "fact"])
        hits = [replace(_hit(note, score, query, facts.get(note.id)), space=space) for note, score in notes]
        return sorted(hits, key=lambda hit: -hit.score.total)[: query.limit]

    def find_profile(self, space: str, query: NoteQuery, similarity: Similarity) -> list[Hit]:
        """The profile fields that share a word or meaning with the query. None without consent."""
        bounds = query.bounds
        if "profile" not in bounds.kinds or bounds.categories or bounds.tags or bounds.types or bounds.metadata:
            return []
        profile = self._profiles.get(space, bounds.as_of or query.now, bounds.known_at or query.now)
        present = (*profile.fields, *([profile.free] if profile.free else []))
        fields = [field for field in present if bounds.allows(field.since, PROFILE_IMPORTANCE)]
        texts = [f"{field.name}: {field.value}" if field.name else str(field.value) for field in fields]
        cosines = similarity(texts) if fields else []
        hits = (_profile_hit(*each, query) for each in zip(fields, texts, cosines, strict=True))
        return [replace(hit, space=space) for hit in hits if hit is not None]

    def _read(
        self, scope: ConversationFilter, ranked: Iterable[Sequence[tuple[int, Score]]], limit: int
    ) -> list[tuple[NoteMatch, Score]]:
        """The first of the ranked notes that still exist and match the filter over metadata, and a few more."""
        read: list[tuple[NoteMatch, Score]] = []
        for batch in ranked:
            notes = self._matching(scope, self._notes.get(scope.space, [key for key, _ in batch]))
            read += [(notes[key], score) for key, score in batch if key in notes]
            if len(read) >= limit:
                break
        return read[: limit + SPARE]

    def _matching(self, scope: ConversationFilter, notes: Mapping[int, NoteMatch]) -> Mapping[int, NoteMatch]:
        """Those of these notes that one of the matching messages is a source of."""
        if scope.matching is None:
            return notes
        keys = self._metadata.message_keys(scope.space, sorted({id for note in notes.values() for id in note.messages}))
        found = np.isin(list(keys.values()), scope.matching)
        matching = {id for id, inside in zip(keys, found, strict=True) if inside}
        return {key: note for key, note in notes.items() if not matching.isdisjoint(note.messages)}

    def _inside(self, directory: NoteDirectory, scope: ConversationFilter, bounds: RecallFilter) -> Mask:
        inside = scope.allows(directory.conversations, partial(self._on_line, directory, scope))
        if len(scope.expired.notes):
            inside &= np.isin(directory.keys, scope.expired.notes, invert=True)
        if scope.only is None:  # a summary is found only inside its own conversation
            inside &= directory.kinds != SUMMARY
        if bounds.categories or bounds.tags:
            at, known = directory.places(self._notes.labelled(scope.space, bounds.categories, bounds.tags))
            inside &= np.bincount(at[known], minlength=len(directory)) > 0
        return inside

    def _on_line(self, directory: NoteDirectory, scope: ConversationFilter) -> Mask:
        """The notes on the line of the searching branch. A fact is known in the whole space."""
        own = scope.line[-1].conversation_key
        mask: Mask = directory.conversations == own
        mask |= np.isin(directory.keys, self._notes.shared(scope.space, scope.line[:-1]))
        return mask if scope.only is not None else mask | (directory.kinds == FACT)

    def _lexical(self, space: str, directory: NoteDirectory, query: NoteQuery) -> Column:
        """The share of the query's terms that each note has, weighted by IDF."""
        part, whole = np.zeros(len(directory)), 0.0
        terms = list(query.idf)
        for term, keys in zip(terms, self._notes.having(space, terms), strict=True):
            weight = min(query.idf[term], idf(len(keys), len(directory) + query.messages))
            whole += weight
            if len(keys):
                at, known = directory.places(keys)
                part[at[known]] += weight
        return part / whole if whole else part

    def _dense(self, space: str, directory: NoteDirectory, query: EmbeddedQuery) -> Column:
        """The similarity of each note; 0 for a note without a vector."""
        part = np.zeros(len(directory))
        if query.vector is not None:
            similar = self._notes.similarity(space, query.model, query.vector)
            at, known = directory.places(similar.chunks)
            part[at[known]] = similar.scores[known]
        return part


def notes_within(directory: NoteDirectory, bounds: RecallFilter, now: datetime) -> Mask:
    """The notes of the given types and times. Without a time, superseded and expired notes are left out."""
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
    return inside & _valid_at(directory, bounds, now)


def _valid_at(directory: NoteDirectory, bounds: RecallFilter, now: datetime) -> Mask:
    """The notes that were true at `as_of` (default: `known_at`), as known at `known_at` (default: now)."""
    if bounds.as_of is None and bounds.known_at is None:
        current: Mask = directory.current & (directory.valid_until > microseconds(now))
        return current
    known = microseconds(bounds.known_at or now)
    at = microseconds(bounds.as_of or bounds.known_at or now)
    until = np.where(directory.closed_at > known, np.iinfo(np.int64).max, directory.valid_until)
    valid: Mask = (directory.valid_from <= at) & (at < until)
    return valid & (directory.known_from <= known) & (known < directory.known_until)


def _parts(directory: NoteDirectory, lexical: Column, dense: Column, query: NoteQuery) -> dict[str, Column]:
    """The parts of every note's score that need no text."""
    return {
        "dense": np.clip((1 + dense) / 2, 0, 1) if query.embedded.vector is not None else 0 * dense,
        "lexical": lexical,
        "recency": recency(directory.moments, query.now),
        "importance": directory.importances,
        "speaker": np.full(len(directory), float(query.embedded.parsed.first)),
        "time": time_closeness(directory.moments, query.embedded.parsed),
    }


def _ranked(
    directory: NoteDirectory, among: Mask, parts: Mapping[str, Column], weights: Weights
) -> Iterator[list[tuple[int, Score]]]:
    """The keys of notes with the parts of their scores, best first, in batches."""
    totals = np.zeros(len(directory))
    for name, weight in weights.counted():
        if name in parts:
            totals += weight * parts[name]
    while among.any():
        at = top_positions(totals, among, BATCH)
        among[at] = False
        scores = [Score(0.0, **{name: float(part[row]) for name, part in parts.items()}) for row in at.tolist()]
        yield list(zip(directory.keys[at].tolist(), scores, strict=True))


def _complete(score: Score, text: str, query: NoteQuery) -> Score:
    """The score with the parts that need the text, and its total."""
    identifier = identifier_share(text, query.embedded.parsed.identifiers)
    score = replace(score, identifier=identifier, statement=1.0 - question_share(text))
    total = sum(weight * getattr(score, name) for name, weight in query.weights.counted())
    return replace(score, total=total, relevance=float(relevance_of_total(np.array(total))))


def _hit(note: NoteMatch, score: Score, query: NoteQuery, fact: Fact | None) -> Hit:
    """The importance of a fact decays with the time since its last access."""
    if fact is not None:
        left = decay(fact.accessed_at or fact.created_at, fact.accesses, query.now)
        score = replace(score, importance=fact.importance * left, access=min(fact.accesses / FULL_ACCESSES, 1.0))
    total = _complete(score, note.text, query)
    place = note.conversation
    return Hit(note.kind, note.id, note.text, total, (note.kind,), place, messages=note.messages, fact=fact, at=note.at)


def _profile_hit(field: ProfileField, text: str, cosine: float, query: NoteQuery) -> Hit | None:
    terms, whole = set(index_terms(text)), sum(query.idf.values())
    lexical = sum(weight for term, weight in query.idf.items() if term in terms) / whole if whole else 0.0
    if not lexical and cosine < MIN_SIMILARITY:
        return None
    dense = float(np.clip((1 + cosine) / 2, 0, 1)) if cosine else 0.0
    score = Score(0.0, dense, lexical, importance=PROFILE_IMPORTANCE, speaker=float(query.embedded.parsed.first))
    total = _complete(score, text, query)
    return Hit("profile", field.name, text, total, ("profile",), field.conversation or "")
