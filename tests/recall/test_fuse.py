"""Tests that fused scores have visible parts, are bounded, and never fall with more evidence."""

from dataclasses import fields, replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from aforesaid.recall.bm25 import DenseScores, LexicalScores
from aforesaid.recall.fuse import (
    BOOST_WEIGHT,
    FULL_SCORE,
    LEXICAL_WEIGHTS,
    ScoreColumns,
    Weights,
    dense_part,
    identifier_share,
    lexical_part,
    relevance_of_total,
)
from aforesaid.recall.scoring import top_positions

NAMES = [field.name for field in fields(ScoreColumns)]
SHARE = st.floats(0, 1, allow_nan=False)
COSINE = st.floats(-1, 1, allow_nan=False)
WEIGHT = st.floats(0, 2, allow_nan=False)
WEIGHTS = st.builds(Weights, *[WEIGHT] * len(NAMES))
SIZES = st.integers(1, 12)


def column(draw, values, size):
    return np.array(draw(st.lists(values, min_size=size, max_size=size)), np.float64)


@st.composite
def parts(draw):
    size = draw(SIZES)
    return ScoreColumns(*(column(draw, SHARE, size) for _ in NAMES))


@st.composite
def lexicals(draw):
    """Generates lexical scores, an optional boost, and a mask of candidate messages."""
    size = draw(SIZES)
    own, pair, window, session = (column(draw, SHARE, size) for _ in LEXICAL_WEIGHTS)
    boost = draw(st.one_of(st.none(), st.just(column(draw, SHARE, size))))
    inside = np.array(draw(st.lists(st.booleans(), min_size=size, max_size=size)))
    return LexicalScores(own, np.zeros(size, np.int64), pair, window, session, np.ones(1)), boost, inside


@st.composite
def denses(draw):
    size = draw(SIZES)
    own, session = column(draw, COSINE, size), column(draw, COSINE, size)
    return DenseScores(own, np.zeros(size, np.int64), session), column(draw, SHARE, size)


@pytest.mark.req("B11", "D7")
@given(parts(), WEIGHTS)
def test_a_total_is_the_weighted_sum_of_its_visible_parts(given_parts, weights):
    totals = given_parts.total(weights)
    for at, score in enumerate(given_parts.scores(totals, relevance_of_total(totals))):
        assert all(getattr(score, name) == getattr(given_parts, name)[at] for name in NAMES)
        assert score.total == pytest.approx(sum(getattr(weights, name) * getattr(score, name) for name in NAMES))


@given(parts(), WEIGHTS)
def test_weights_and_parts_have_the_same_names_and_zero_weights_are_skipped(given_parts, weights):
    assert [field.name for field in fields(Weights)] == NAMES
    assert all(weight > 0 for _, weight in weights.counted())
    alone = replace(Weights(0, 0, 0), time=1.0)
    assert given_parts.total(alone).tolist() == given_parts.time.tolist()


@given(parts(), WEIGHTS, st.sampled_from(NAMES), SHARE, st.booleans())
def test_raising_a_part_never_lowers_its_score_or_changes_others(given_parts, weights, name, gain, last):
    at = -1 if last else 0
    risen = getattr(given_parts, name).copy()
    risen[at] = min(1.0, risen[at] + gain)
    before, after = given_parts.total(weights), replace(given_parts, **{name: risen}).total(weights)
    assert after[at] >= before[at] - 1e-12
    others = np.arange(len(before)) != np.arange(len(before))[at]
    assert after[others].tolist() == before[others].tolist()


@given(lexicals())
def test_the_lexical_part_is_normalized_by_the_best_candidate(found):
    words, boost, inside = found
    part = lexical_part(words, boost, inside)
    assert ((part >= 0) & (part <= 1)).all()
    raw = sum(weight * getattr(words, name) for name, weight in LEXICAL_WEIGHTS.items()) / sum(LEXICAL_WEIGHTS.values())
    raw = raw if boost is None else raw + BOOST_WEIGHT * boost
    best_of_all = max(FULL_SCORE, raw[inside].max(initial=0.0))
    assert part[inside].tolist() == pytest.approx((raw[inside] / best_of_all).tolist())


@given(lexicals(), st.sampled_from([*LEXICAL_WEIGHTS, "boost"]), SHARE)
def test_a_higher_score_never_lowers_the_lexical_part(found, name, gain):
    words, boost, inside = found
    before = lexical_part(words, boost, inside)
    if name == "boost":
        risen = np.zeros(len(inside)) if boost is None else boost.copy()
        risen[0] = min(1.0, risen[0] + gain)
        after = lexical_part(words, risen, inside)
    else:
        risen = getattr(words, name).copy()
        risen[0] = min(1.0, risen[0] + gain)
        after = lexical_part(replace(words, **{name: risen}), boost, inside)
    assert after[0] >= before[0] - 1e-12
    assert (after[1:] <= before[1:] + 1e-12).all()


@given(lexicals())
def test_excluded_messages_do_not_change_the_scores_of_candidates(found):
    words, boost, inside = found
    outside = {name: np.where(inside, getattr(words, name), 1.0) for name in LEXICAL_WEIGHTS}
    before, after = lexical_part(words, boost, inside), lexical_part(replace(words, **outside), boost, inside)
    assert after[inside].tolist() == before[inside].tolist()


@given(denses(), COSINE)
def test_the_dense_part_is_between_0_and_1_and_never_falls_with_similarity(found, gain):
    similar, answered = found
    before = dense_part(similar, answered)
    assert ((before >= 0) & (before <= 1)).all()
    assert (dense_part(similar) <= before + 1e-12).all()
    for name in ("own", "session"):
        risen = getattr(similar, name).copy()
        risen[0] = min(1.0, risen[0] + abs(gain))
        after = dense_part(replace(similar, **{name: risen}), answered)
        assert after[0] >= before[0] - 1e-12
        assert after[1:].tolist() == before[1:].tolist()


def test_the_dense_part_maps_cosine_minus_1_0_and_1_to_0_half_and_1():
    same = np.array([-1.0, 0.0, 1.0])
    assert dense_part(DenseScores(same, np.zeros(3, np.int64), same)).tolist() == pytest.approx([0.0, 0.5, 1.0])


@given(parts(), WEIGHTS, st.floats(0.2, 3))
def test_rank_fusion_depends_on_ranks_only(given_parts, weights, power):
    ranks = {name: np.unique(getattr(given_parts, name), return_inverse=True)[1] for name in NAMES}
    bent = {}
    for name, rank in ranks.items():
        there = getattr(given_parts, name) > 0
        bent[name] = np.where(there, ((rank + 1) / (len(rank) + 2)) ** power, 0.0)
    before, after = given_parts.rank_fused(weights), ScoreColumns(**bent).rank_fused(weights)
    assert after.tolist() == pytest.approx(before.tolist())


@given(parts(), WEIGHTS)
def test_rank_fusion_gives_the_first_rank_the_full_weight(given_parts, weights):
    rank_fused = given_parts.rank_fused(weights)
    assert (rank_fused >= 0).all()
    assert (rank_fused <= sum(weight for _, weight in weights.counted()) + 1e-9).all()
    for name in NAMES:
        alone = given_parts.rank_fused(replace(Weights(0, 0, 0), **{name: 1.0}))
        part = getattr(given_parts, name)
        assert alone[part == part.max()] == pytest.approx(1.0 if part.max() > 0 else 0.0)
        assert (np.diff(alone[np.argsort(part)]) >= 0).all()


@given(parts(), WEIGHTS, st.integers(1, 15))
def test_top_positions_are_sorted_by_score_and_ties_by_newest(given_parts, weights, limit):
    totals = np.round(given_parts.total(weights), 1)
    among = given_parts.dense > 0.3
    expected = sorted(np.flatnonzero(among).tolist(), key=lambda at: (-totals[at], -at))[:limit]
    assert top_positions(totals, among, limit).tolist() == expected


@given(parts(), st.data())
def test_parts_at_positions_are_the_parts_of_those_messages(given_parts, data):
    at = np.array(data.draw(st.lists(st.integers(0, len(given_parts.dense) - 1))), np.int64)
    taken = given_parts.at(at)
    assert all(getattr(taken, name).tolist() == getattr(given_parts, name)[at].tolist() for name in NAMES)


def test_the_identifier_share_is_the_fraction_of_identifiers_in_the_text():
    assert identifier_share("call parse_config() in main.py", ("parseconfig", "mainpy")) == 1.0
    assert identifier_share("call parseConfig", ("parseconfig", "mainpy")) == 0.5
    assert identifier_share("nothing here", ("parseconfig",)) == 0.0
    assert identifier_share("anything", ()) == 0.0
