"""The features of the best candidates, which a reranker reads: one row per message, one column per feature.

Similarities are in standard deviations from the mean of the space, so that the features of any embedder are alike.
Ranks, and features of a session, look at the first `POOL` candidates only, so that they do not depend on the limit."""

from __future__ import annotations

from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

from aforesaid.recall.bm25 import Column, Mask, Positions
from aforesaid.recall.fuse import ScoreColumns
from aforesaid.recall.intent import ASSISTANT, USER
from aforesaid.recall.scoring import CandidateSet

POOL = 40
TINY = 1e-9
STANDARD_NORMAL = NormalDist()
LEXICAL = ("own", "pair", "window", "session")
PARTS = ("dense", "lexical", "identifier", "speaker", "time", "statement")

Features = NDArray[np.float64]


def feature_table(candidates: CandidateSet, at: Positions, parts: ScoreColumns, totals: Column) -> dict[str, Column]:
    """The features of the candidates at the positions `at`, best first by `totals`. `parts` are those of the rows."""
    inside = candidates.inside
    columns = {
        **_lexical(candidates, at, inside),
        **_dense(candidates, at, inside),
        **{f"part_{name}": getattr(parts, name) for name in PARTS},
        **_ranks(totals),
        **_session(candidates, at, totals),
        **_message(candidates, at, inside),
    }
    question = _question(candidates)
    return columns | {name: np.full(len(at), value) for name, value in question.items()}


def _lexical(candidates: CandidateSet, at: Positions, inside: Mask) -> dict[str, Column]:
    lexical, directory = candidates.lexical, candidates.directory
    own = np.append(lexical.own, 0.0)
    columns = {f"lexical_{name}": getattr(lexical, name)[at] for name in LEXICAL}
    columns |= {
        f"lexical_{name}_share": columns[f"lexical_{name}"] / _best(getattr(lexical, name), inside) for name in LEXICAL
    }
    columns |= {"lexical_previous": own[directory.previous[at]], "lexical_next": own[directory.following[at]]}
    return columns | {"lexical_rank": _rank(columns["lexical_own"]), "window_rank": _rank(columns["lexical_window"])}


def _dense(candidates: CandidateSet, at: Positions, inside: Mask) -> dict[str, Column]:
    """Similarities, in standard deviations of the space."""
    own, rest = candidates.dense.own, candidates.dense.rest
    searched = own[inside]
    best, session = float(searched.max()), candidates.dense.session
    if rest is None:
        mean, deviation = float(searched.mean()), max(float(searched.std()), TINY)
    else:
        mean, deviation = _extrapolated(searched, rest)
        own = np.where(own == rest, mean, own)
        session = np.where(session == rest, mean + deviation, session)
    columns = {"dense": own[at], "dense_session": session[at]}
    scaled = {name: (column - mean) / deviation for name, column in columns.items()}
    highest = (best - mean) / deviation
    gaps = {f"{name}_gap": scaled[name] - highest for name in ("dense", "dense_session")}
    return scaled | gaps | {"dense_rank": _rank(scaled["dense"]), "dense_best": np.full(len(at), highest)}


def _extrapolated(searched: Column, rest: float) -> tuple[float, float]:
    """The mean and the deviation of all similarities, from those above `rest`: the tail of a normal distribution."""
    tail = searched[searched > rest]
    share = min(max(len(tail) / len(searched), TINY), 1 - TINY)
    cut = STANDARD_NORMAL.inv_cdf(1 - share)
    above = (float(tail.mean()) if len(tail) else rest) - rest
    deviation = max(above / max(STANDARD_NORMAL.pdf(cut) / share - cut, TINY), TINY)
    return rest - cut * deviation, deviation


def _ranks(totals: Column) -> dict[str, Column]:
    best = float(totals.max(initial=0.0))
    return {
        "total": totals,
        "total_gap": totals - best,
        "total_share": totals / max(best, TINY),
        "rank": _rank(totals),
    }


def _session(candidates: CandidateSet, at: Positions, totals: Column) -> dict[str, Column]:
    """How many candidates the session of a message has, how good they are, and if its neighbours are among them."""
    directory, pool = candidates.directory, at[:POOL]
    same = directory.sessions[at][:, None] == directory.sessions[pool][None, :]
    inside = np.where(same, totals[None, :POOL], 0.0)
    return {
        "session_candidates": same.sum(axis=1).astype(np.float64),
        "session_gap": totals - inside.max(axis=1, initial=0.0),
        "session_total": inside.sum(axis=1),
        "previous_found": (directory.previous[at][:, None] == pool).any(axis=1).astype(np.float64),
        "next_found": (directory.following[at][:, None] == pool).any(axis=1).astype(np.float64),
    }


def _message(candidates: CandidateSet, at: Positions, inside: Mask) -> dict[str, Column]:
    directory = candidates.directory
    tokens = np.log1p(directory.tokens[at])
    usual = float(np.log1p(directory.tokens[inside].mean()))
    return {
        "user": (directory.roles[at] == USER).astype(np.float64),
        "assistant": (directory.roles[at] == ASSISTANT).astype(np.float64),
        "salience": directory.saliences[at].astype(np.float64),
        "tokens": tokens,
        "tokens_gap": tokens - usual,
        "usual_tokens": np.full(len(at), usual),
        "chunks": directory.chunks[at].astype(np.float64),
    }


def _question(candidates: CandidateSet) -> dict[str, float]:
    query, weights = candidates.query.parsed, candidates.lexical.weights
    return {
        "first_person": float(query.first),
        "second_person": float(query.second),
        "asks_time": float(query.wants_time),
        "names_time": float(query.when is not None),
        "terms": float(len(query.terms)),
        "known_terms": float((weights > 0).mean()) if len(weights) else 0.0,
        "rarest_term": float(weights.max(initial=0.0)),
        "lexical_best": _best(candidates.lexical.own, candidates.inside),
        "messages": float(np.log1p(candidates.inside.sum())),
    }


def _best(column: Column, inside: Mask) -> float:
    return max(float(column[inside].max(initial=0.0)), TINY)


def _rank(column: Column) -> Column:
    """How many of the first `POOL` rows come before each row. Of equal values, the first row is first."""
    pool = -column[:POOL]
    order = np.argsort(pool, kind="stable")
    ranks = np.searchsorted(pool[order], -column, side="right").astype(np.float64)
    ranks[order] = np.arange(len(pool))
    return ranks
