"""Runs the steps of a recall. The package docstring lists them."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import partial
from itertools import compress

import numpy as np

from aforesaid.errors import ProviderError, StoreDamaged, provider_failures
from aforesaid.models.index import Directory, VectorQuery
from aforesaid.models.message import Message
from aforesaid.models.recall import Explanation, GroupKind, Hit, Hits, Score
from aforesaid.ports import Reranker, RerankRequest
from aforesaid.recall.answerable import is_answerable
from aforesaid.recall.bm25 import Column, LexicalScores, Mask, Positions, boost_column, idf, session_mask
from aforesaid.recall.candidates import CandidateSearch, EmbeddedQuery, QueryPlan, embed
from aforesaid.recall.features import POOL, feature_table
from aforesaid.recall.feedback import corrections, feedback_column, hashed_terms
from aforesaid.recall.filters import ConversationFilter, RecallFilter, SearchScope, allowed_messages, as_of_directory
from aforesaid.recall.fuse import ScoreColumns, Weights, relevance_of_total, shift_relevance
from aforesaid.recall.groups import HitGrouper
from aforesaid.recall.intent import USER
from aforesaid.recall.items import ItemSearch
from aforesaid.recall.learned_fusion import LearnedFusion
from aforesaid.recall.merge import duplicated_row, mark_duplicates, merge_hits
from aforesaid.recall.notes import NoteQuery, NoteSearch
from aforesaid.recall.pasted_text import PastedTextSearch
from aforesaid.recall.query import parse_query
from aforesaid.recall.rerank import RerankCandidates, read_texts, rerank, validated_scores
from aforesaid.recall.scoring import CandidateSet, best_by_words, count_to_fill, score_messages, top_positions
from aforesaid.recall.several_spaces import SpaceHits, merge_spaces
from aforesaid.recall.standing import (
    MOST_RANKED,
    Standing,
    find_barrier,
    find_position,
    has_vector,
    shared_terms,
    similarity_at,
)
from aforesaid.storage.store import Store
from aforesaid.text.questions import question_share

LEARNED, WEIGHTED, RANKS = FUSIONS = ("learned", "weighted", "ranks")
MIN_HITS = 3  # with fewer hits in a conversation, its space is searched too
MAX_NOTES = 20  # notes at most, if there are messages too
SPARE_CANDIDATES = 32  # candidates beyond the limit that are read
HIGHEST_FLOOR = 0.02  # relevance below which a hit is noise, in a small space
ConversationSeqs = tuple[str, Collection[int]]  # a conversation, and the seqs of some of its messages
ABOVE_ALL = 2.0  # a floor that no relevance reaches
LEAST_RELEVANCE = 1e-9  # a floor for what has any
FLOOR_SHARE = 0.2  # the floor of a larger space, as a share of the chance that a message drawn at random answers


@dataclass(frozen=True, slots=True)
class RecallRequest:
    """A query with its limit, weights and filter.

    Without `hybrid`, only meaning is searched, not words. A hit has a relevance of at least `min_score`; `floor` leaves
    out those that are no better than chance. `fusion` says how the parts of a score become an order. The rare words of
    `boost` count too. `room` is the number of tokens that the hits are to fill: no more messages than that are read.
    `shown` are a conversation and the seqs of its messages that fill none of it. `asked` are those of the question
    itself: they are searched as if they were not stored. `feedback` is the weight of feedback. `trace` is told of each
    search that is made with the request.
    """

    text: str
    limit: int
    weights: Weights
    hybrid: bool = True
    fusion: str = LEARNED
    bounds: RecallFilter = field(default_factory=RecallFilter)
    min_score: float = 0.0
    floor: bool = False
    boost: str | None = None
    room: int | None = None
    shown: ConversationSeqs = ("", ())
    asked: ConversationSeqs = ("", ())
    explain: bool = False
    feedback: float = 0.0
    trace: Callable[[SearchTrace], object] | None = None


@dataclass(frozen=True, slots=True, eq=False)
class SearchTrace:
    """A search that was made."""

    scope: SearchScope
    request: RecallRequest
    query: EmbeddedQuery


@dataclass(frozen=True, slots=True, eq=False)
class FirstScores:
    """The scores of all messages before any text is read: the parts, the feedback, the totals, and the messages that
    share a word or meaning with the query."""

    parts: ScoreColumns
    feedback: Column
    totals: Column
    among: Mask


@dataclass(frozen=True, slots=True)
class Ranking:
    """Messages that were read and scored, best first. At most `limit` of them, of at least `min_score`, are returned.
    `failure` is the reason why they were not reranked."""

    at: Sequence[int]
    scores: Sequence[Score]
    texts: Sequence[str]
    limit: int
    min_score: float
    failure: ProviderError | None = None


@dataclass(frozen=True, slots=True, eq=False)
class RelevanceEstimate:
    """The relevance of the candidates, what a context asks of it at least, and why the reranker failed."""

    relevance: Column
    floor: float = 0.0
    failure: ProviderError | None = None


@dataclass(frozen=True, slots=True, eq=False)
class ScoredCandidates:
    """The candidates for the reranker, with their texts, the parts of their scores, and their totals."""

    at: Positions
    texts: Sequence[str]
    parts: ScoreColumns
    totals: Column


class Recall:
    def __init__(
        self, store: Store, candidates: CandidateSearch, reranker: Reranker, now: Callable[[], datetime]
    ) -> None:
        self._store = store
        self._candidates = candidates
        self._reranker = reranker
        self._now = now
        self.items = ItemSearch(store, candidates, now)
        self.pasted = PastedTextSearch(store, candidates)
        self._grouper = HitGrouper(store)
        self._notes = NoteSearch(store.notes, store.facts, store.profiles, store.metadata)

    def plan(self, space: str, text: str) -> QueryPlan:
        """Parses a query, and reads the parameters of its embedding."""
        return self._candidates.plan(space, self._store.directories.get(space), text, self._now())

    def search(self, scope: SearchScope, request: RecallRequest, query: EmbeddedQuery | None = None) -> Hits:
        """The best hits of a scope, best first; of equal scores, the newer message first. Embeds the query unless the
        caller did, then reads in one snapshot. `degraded` names a failed search. Raises if no search works."""
        query = query or embed(self.plan(scope.space, request.text))
        if request.trace is not None:
            request.trace(SearchTrace(scope, request, query))
        watch = Stopwatch()
        with self._store.snapshot(scope.space):
            directory = self._store.directories.get(scope.space)
            if directory is None:
                return Hits()
            conversations = self._filter(scope, request, directory)
            candidates = self._candidate_set(conversations, request, query, directory, watch)
            ranking = self._rank(scope.space, request, candidates, watch)
            damaged: list[StoreDamaged] = []
            messages, duplicates = self._hits(scope.space, candidates, ranking, damaged)
            watch.lap("read")
            notes, failure = self._find_notes(conversations, request, candidates)
        notes = [note for note in notes if note.score.relevance >= request.min_score]
        hits = merge_hits(messages, notes)[: request.limit]
        watch.lap("notes")
        explanation = _explanation(candidates, ranking, duplicates) if request.explain else None
        failures = {"dense": candidates.dense.failure, "lexical": candidates.lexical.failure, "notes": failure}
        failures |= {"reranker": ranking.failure}
        degraded = tuple(name for name, exc in failures.items() if exc)
        warnings = tuple(f"{name} search left out: {failures[name]}" for name in degraded)
        warnings += tuple(f"left out: {exc}" for exc in damaged)
        return Hits(hits, degraded, warnings, explanation, watch.milliseconds)

    def standing(self, made: SearchTrace, message: Message) -> Standing:
        """How a message did in a search. Makes the search again, and ranks all messages that it found."""
        scope, request, query = made.scope, made.request, made.query
        watch = Stopwatch()
        with self._store.snapshot(scope.space):
            directory = self._store.directories.get(scope.space)
            key = self._store.directories.key(scope.space, message.conversation)
            at = None if directory is None else find_position(directory, key, message.seq)
            if directory is None or at is None:
                return Standing("not_searchable")
            conversations = self._filter(scope, request, directory)
            candidates = self._candidate_set(conversations, request, query, directory, watch)
            found = Standing(
                similarity=similarity_at(candidates, at),
                shared=shared_terms(query.parsed.terms, message.text),
                indexed=candidates.dense.failure is not None or has_vector(candidates, at),
            )
            if not candidates.inside[at]:
                return replace(found, barrier=find_barrier(conversations, directory, at))
            ranked = self._ranked(scope.space, request, candidates, at)
            return replace(ranked, similarity=found.similarity, shared=found.shared, indexed=found.indexed)

    def _ranked(self, space: str, request: RecallRequest, candidates: CandidateSet, at: int) -> Standing:
        """The standing of a message that a search found. The ranking that the search made says what was returned, a
        ranking of all messages says the place."""
        first, watch = self._first_scores(space, request, candidates), Stopwatch()
        if not first.among[at]:
            return Standing()
        made = self._rank(space, request, candidates, watch)
        every = self._rank(space, replace(request, limit=MOST_RANKED, room=None), candidates, watch, at)
        better = (first.totals > first.totals[at]) | (
            (first.totals == first.totals[at]) & (np.arange(len(first.totals)) > at)
        )
        before = int((first.among & better).sum())
        read = made if at in made.at else every
        other = duplicated_row(made.texts, made.at.index(at)) if read is made else None
        return Standing(
            rank=1 + (before if before >= MOST_RANKED + SPARE_CANDIDATES else every.at.index(at)),
            first_rank=1 + before,
            found=int(first.among.sum()),
            read=len(made.at),
            wanted=made.limit,
            score=read.scores[read.at.index(at)],
            least=made.min_score,
            answerable=made.min_score < ABOVE_ALL,
            duplicate=None if other is None else self._message_at(space, candidates.directory, made.at[other]),
        )

    def _message_at(self, space: str, directory: Directory, at: int) -> Message | None:
        key = int(directory.firsts[at])
        found = self._store.messages.by_chunk(space, [key], [])
        return found[key][0] if key in found else None

    def salient(self, space: str, count: int) -> list[Message]:
        """The messages of people with the highest salience, best first, without those of muted conversations."""
        with self._store.snapshot(space):
            directory = self._store.directories.get(space)
            if directory is None:
                return []
            scope = ConversationFilter.of(self._store.directories, SearchScope(space))
            inside = allowed_messages(self._store.directories, directory, scope, RecallFilter())
            at = np.flatnonzero(inside & (directory.roles == USER))
            at = at[np.lexsort((-at, -directory.saliences[at]))][:count]
            keys = directory.firsts[at].tolist()
            stored = self._store.messages.by_chunk(space, sorted(keys), [])
        return [stored[key][0] for key in keys if key in stored]

    def search_wider(self, scope: SearchScope, request: RecallRequest, query: EmbeddedQuery | None = None) -> Hits:
        """Searches the conversation, then the rest of its space if that gives few hits and it is not muted."""
        query = query or embed(self.plan(scope.space, request.text))
        near = self.search(scope, request, query)
        if len(near) >= min(MIN_HITS, request.limit) or self._is_muted(scope):
            return near
        rest = SearchScope(scope.space, seen_from=scope.conversation)
        wide = self.search(rest, request, replace(query, milliseconds=0.0))
        known = {(hit.kind, hit.id) for hit in near}
        more = tuple(hit for hit in wide if (hit.kind, hit.id) not in known)
        both = {stage: near.milliseconds.get(stage, 0.0) + spent for stage, spent in wide.milliseconds.items()}
        return Hits((*near, *more)[: request.limit], wide.degraded, wide.warnings, wide.explanation, both)

    def search_spaces(self, requests: Mapping[SearchScope, RecallRequest], query: EmbeddedQuery | None = None) -> Hits:
        """The best hits of several spaces, each searched with its own request, with comparable scores. `query` is that
        of the first space, if the caller embedded it."""
        first = next(iter(requests.values()))
        terms = parse_query(first.text, self._now()).terms
        queries = [query, *[None] * (len(requests) - 1)]
        searched = zip(requests.items(), queries, strict=True)
        found = [self._space_hits(scope, request, terms, own) for (scope, request), own in searched]
        return merge_spaces(found, first.weights, first.limit)

    def _space_hits(
        self, scope: SearchScope, request: RecallRequest, terms: Sequence[str], query: EmbeddedQuery | None
    ) -> SpaceHits:
        directory = self._store.directories.get(scope.space)
        if directory is None:
            return SpaceHits(scope.space, Hits(), 0, {})
        hits = self.search(scope, request, query)
        if "lexical" in hits.degraded:
            return SpaceHits(scope.space, hits, len(directory), {})
        counts = map(len, self._store.lexical.having(scope.space, terms))
        return SpaceHits(scope.space, hits, len(directory), dict(zip(terms, counts, strict=True)))

    def group(
        self, hits: Hits, kind: GroupKind, limit: int, bounds: RecallFilter, seen_from: str | None = None
    ) -> Hits:
        """The best groups of hits, and the hits in them."""
        return self._grouper.group(hits, kind, limit, bounds, seen_from)

    def forget(self) -> None:
        """Empties the cache of compared texts."""
        self._candidates.forget()

    def _is_muted(self, scope: SearchScope) -> bool:
        if scope.conversation is None:
            return False
        muted = self._store.directories.muted(scope.space)
        return bool(muted) and self._store.directories.key(scope.space, scope.conversation) in muted

    def _filter(self, scope: SearchScope, request: RecallRequest, directory: Directory) -> ConversationFilter:
        conversations = ConversationFilter.of(self._store.directories, scope)
        if request.asked[1]:
            asked = directory.messages[self._positions(scope.space, directory, request.asked)]
            conversations = replace(conversations, asked=asked)
        return conversations.narrowed(self._store.metadata, directory, request.bounds.metadata)

    def _candidate_set(
        self,
        scope: ConversationFilter,
        request: RecallRequest,
        query: EmbeddedQuery,
        directory: Directory,
        watch: Stopwatch,
    ) -> CandidateSet:
        """Scores every message by words and by meaning."""
        parsed, search = query.parsed, self._candidates
        inside = allowed_messages(self._store.directories, directory, scope, request.bounds)
        directory = as_of_directory(directory, request.bounds, scope.hidden)
        watch.lap("directory")
        lexical = LexicalScores.none(directory, len(parsed.terms))
        if request.hybrid:
            lexical = search.lexical(scope.space, directory, parsed)
        watch.lap("lexical")
        dense = search.dense(scope.space, directory, query, _vector_query(request.limit, directory, inside, lexical))
        if dense.failure:
            query = replace(query, vector=None)
            if not request.hybrid:
                lexical = search.lexical(scope.space, directory, parsed)
            if lexical.failure:
                raise lexical.failure
        mentioning: frozenset[int] = frozenset()
        if parsed.when is not None:
            mentioning = self._store.mentions.within(scope.space, parsed.when.start, parsed.when.stop)
        watch.lap("dense", query.milliseconds)
        return CandidateSet(query, directory, inside, lexical, dense, mentioning)

    def _first_scores(self, space: str, request: RecallRequest, candidates: CandidateSet) -> FirstScores:
        """Scores all messages by their columns."""
        boost = None
        if request.boost and not candidates.lexical.failure:
            boost = boost_column(self._store.lexical, space, candidates.directory, request.boost)
        parts = score_messages(candidates, request.weights, self._now(), boost)
        feedback = request.feedback * self._feedback(space, request, candidates)
        totals = parts.total(request.weights, rank_fusion=request.fusion == RANKS) + feedback
        return FirstScores(parts, feedback, totals, candidates.relevant() | (candidates.inside & (feedback > 0)))

    def _rank(
        self, space: str, request: RecallRequest, candidates: CandidateSet, watch: Stopwatch, also: int | None = None
    ) -> Ranking:
        """Selects the best messages by their columns, then reranks them by their text. The message at the position
        `also` is one of them, whatever its score."""
        first = self._first_scores(space, request, candidates)
        parts, feedback = first.parts, first.feedback
        watch.lap("fuse")
        at = top_positions(first.totals, first.among, max(request.limit + SPARE_CANDIDATES, POOL))
        limit = request.limit
        if request.room is not None:
            shown = self._positions(space, candidates.directory, request.shown)[at]
            limit = min(limit, count_to_fill(candidates.directory, at, request.room, shown))
            at = at[: max(limit + SPARE_CANDIDATES, POOL)]
        if also is not None and also not in at:
            at = np.append(at, also)
        texts, before = read_texts(self._store.messages, space, candidates.directory, at)
        accesses = self._accesses(space, request, candidates.directory.messages[at].tolist())
        parts = rerank(candidates, RerankCandidates(at, parts.at(at), texts, before, accesses), self._now())
        totals = parts.total(request.weights, rank_fusion=request.fusion == RANKS)
        estimate = self._relevance(request, candidates, ScoredCandidates(at, texts, parts, totals))
        relevance, totals = shift_relevance(estimate.relevance, feedback[at]), totals + feedback[at]
        scores, order = parts.scores(totals, relevance), np.lexsort((-at, -totals, -relevance)).tolist()
        if request.feedback:
            given = (feedback[at] / request.feedback).tolist()
            scores = [replace(score, feedback=value) for score, value in zip(scores, given, strict=True)]
        watch.lap("rerank")
        least = max(request.min_score, estimate.floor if request.floor else 0.0)
        ranked = [scores[row] for row in order], [texts[row] for row in order]
        return Ranking(at[order].tolist(), *ranked, limit, least, estimate.failure)

    def _relevance(self, request: RecallRequest, candidates: CandidateSet, top: ScoredCandidates) -> RelevanceEstimate:
        """The relevance of the candidates, or that of their totals and the reason why the reranker failed. While one of
        them has no vector, it is not asked; a context then includes, of a small space, only what shares words with the
        query."""
        by_total = RelevanceEstimate(relevance_of_total(top.totals))
        if len(top.at) == 0 or not _is_reranked(request, candidates):
            return by_total
        floor = noise_floor(int(candidates.inside.sum()))
        if candidates.dense.without_vector(top.at).any():
            if not request.floor or floor < HIGHEST_FLOOR:
                return by_total
            shares_words = (top.parts.lexical > 0) | (top.parts.identifier > 0)
            return RelevanceEstimate(by_total.relevance * shares_words, LEAST_RELEVANCE)
        features = feature_table(candidates, top.at, top.parts, top.totals)
        try:
            with provider_failures(self._reranker.name):
                scores = self._reranker.rerank(RerankRequest(request.text, top.texts, features))
            relevance = validated_scores(scores, len(top.at), self._reranker.name)
        except ProviderError as exc:
            return replace(by_total, failure=exc)
        asked = isinstance(self._reranker, LearnedFusion) and question_share(request.text) > 0
        answerable = not asked or is_answerable(features, relevance)
        return RelevanceEstimate(relevance, floor if answerable else ABOVE_ALL)

    def _positions(self, space: str, directory: Directory, messages: ConversationSeqs) -> Mask:
        """Where these messages are in the directory."""
        conversation, seqs = messages
        if not seqs:
            return np.zeros(len(directory), bool)
        scope = ConversationFilter.of(self._store.directories, SearchScope(space, conversation))
        here = scope.allows(directory.conversations, partial(scope.on_line, directory))
        these: Mask = here & np.isin(directory.seqs, list(seqs))
        return these

    def _feedback(self, space: str, request: RecallRequest, candidates: CandidateSet) -> Column:
        """The correction of each message from feedback; 0 for all if its weight is 0."""
        if not request.feedback:
            return np.zeros(len(candidates.directory))
        now, terms = self._now(), hashed_terms(request.text)
        feedback = self._store.feedback.latest(space).items()
        return feedback_column(
            candidates.directory, {key: sum(corrections(own, terms, now).values()) for key, own in feedback}
        )

    def _accesses(self, space: str, request: RecallRequest, keys: Sequence[int]) -> Sequence[int]:
        if not request.weights.access:
            return [0] * len(keys)
        counts = self._store.accesses.counts(space, keys)
        return [counts.get(key, 0) for key in keys]

    def _hits(
        self,
        space: str,
        candidates: CandidateSet,
        ranking: Ranking,
        damaged: list[StoreDamaged],
    ) -> tuple[list[Hit], int]:
        """The hits of a ranking, and the number of near-duplicates that were left out. Adds damaged messages to
        `damaged`."""
        chosen: list[int] = []
        duplicates = 0
        for row, duplicate in mark_duplicates(enumerate(ranking.texts)):
            if len(chosen) == ranking.limit:
                break
            duplicates += duplicate
            if not duplicate and ranking.scores[row].relevance >= ranking.min_score:
                chosen.append(row)
        at = np.array([ranking.at[row] for row in chosen], np.int64)
        chunks = _best_chunks(candidates, at)
        stored = self._store.messages.by_chunk(space, sorted(set(chunks)), damaged)
        hits = []
        for row, key, sources in zip(chosen, chunks, _sources(candidates, at), strict=True):
            if key in stored:
                message, chunk = stored[key]
                place = message.conversation, message, chunk
                hits.append(
                    Hit("message", message.id, chunk.content, ranking.scores[row], sources, *place, space=space)
                )
        return hits, duplicates

    def _find_notes(
        self, scope: ConversationFilter, request: RecallRequest, candidates: CandidateSet
    ) -> tuple[list[Hit], StoreDamaged | None]:
        """The notes, or the reason why they could not be searched."""
        query, size = candidates.query, len(candidates.directory)
        weights, unknown = candidates.lexical.weights.tolist(), idf(0, size)
        by_term = {term: weight or unknown for term, weight in zip(query.parsed.terms, weights, strict=True)}
        limit = min(request.limit, MAX_NOTES) if candidates.inside.any() else request.limit
        note_query = NoteQuery(query, request.bounds, request.weights, by_term, size, limit, self._now())
        try:
            notes = self._notes.find(scope, note_query)
            fields = self._notes.find_profile(scope.space, note_query, partial(self._candidates.similarity, query))
        except StoreDamaged as exc:
            return [], exc
        return [*notes, *fields], None


class Stopwatch:
    """Milliseconds by stage."""

    def __init__(self) -> None:
        self._last = time.perf_counter()
        self._laps: dict[str, float] = {}

    def lap(self, stage: str, before: float = 0.0) -> None:
        """Ends a stage. `before` is the time that it took before this stopwatch started."""
        now = time.perf_counter()
        self._laps[stage] = before + (now - self._last) * 1000
        self._last = now

    @property
    def milliseconds(self) -> dict[str, float]:
        return {**self._laps, "total": sum(self._laps.values())}


def noise_floor(messages: int) -> float:
    """The relevance below which a hit of a search among this many messages is no better than chance."""
    return min(HIGHEST_FLOOR, FLOOR_SHARE / max(messages, 1))


def _is_reranked(request: RecallRequest, candidates: CandidateSet) -> bool:
    """A reranker compares both searches, so both must have worked."""
    failed = candidates.lexical.failure or candidates.dense.failure
    return request.fusion == LEARNED and request.hybrid and not failed


def _vector_query(limit: int, directory: Directory, inside: Mask, lexical: LexicalScores) -> VectorQuery:
    return VectorQuery(
        limit + SPARE_CANDIDATES,
        None if inside.all() else directory.messages[inside],
        lambda: directory.messages[session_mask(directory, inside)],
        lambda: directory.messages[best_by_words(lexical, inside)],
    )


def _best_chunks(candidates: CandidateSet, at: Positions) -> list[int]:
    """The best chunk of each message: by words, else by meaning, else the first."""
    lexical, dense, firsts = candidates.lexical.chunk[at], candidates.dense.chunk[at], candidates.directory.firsts[at]
    best: list[int] = np.where(lexical != 0, lexical, np.where(dense != 0, dense, firsts)).tolist()
    return best


def _sources(candidates: CandidateSet, at: Positions) -> list[tuple[str, ...]]:
    """The names of the searches that found each message."""
    own, window = candidates.lexical.own[at], candidates.lexical.window[at]
    columns = (candidates.dense.own[at] > 0).tolist(), (own > 0).tolist(), ((own == 0) & (window > 0)).tolist()
    names = ("dense", "lexical", "neighbours")
    return [tuple(compress(names, flags)) for flags in zip(*columns, strict=True)]


def _explanation(candidates: CandidateSet, ranking: Ranking, duplicates: int) -> Explanation:
    parsed = candidates.query.parsed
    when = None if parsed.when is None else (parsed.when.start, parsed.when.stop)
    messages = int(candidates.inside.sum())
    return Explanation(parsed.terms, parsed.identifiers, when, messages, len(ranking.at), duplicates)
