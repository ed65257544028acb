"""Properties of the fusion: visible parts, bounds, and that more evidence never lowers a score."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.models import Ranked
from recollect.recall.fuse import Weights, fuse, share

KEYS = st.integers(1, 15)
SCORES = st.floats(-1, 50, allow_nan=False)
RANKED = st.dictionaries(KEYS, SCORES).map(lambda found: [Ranked(key, score) for key, score in found.items()])
WEIGHT = st.floats(0, 2, allow_nan=False)
WEIGHTS = st.builds(Weights, WEIGHT, WEIGHT, WEIGHT)


def texts_of(*rankings):
    return {ranked.chunk: f"text {ranked.chunk}" for ranking in rankings for ranked in ranking}


@given(RANKED, RANKED, WEIGHTS)
def test_a_total_is_the_weighted_sum_of_its_parts_and_each_part_lies_between_0_and_1(dense, lexical, weights):
    for score in fuse(dense, lexical, texts_of(dense, lexical), (), weights).values():
        parts = (score.dense, score.lexical, score.identifier)
        assert all(0 <= part <= 1 for part in parts)
        sums = weights.dense * parts[0] + weights.lexical * parts[1] + weights.identifier * parts[2]
        assert score.total == pytest.approx(sums)


@given(RANKED, RANKED, WEIGHTS)
def test_every_candidate_gets_a_score_and_nobody_else(dense, lexical, weights):
    texts = texts_of(dense, lexical)
    assert set(fuse(dense, lexical, texts, (), weights)) == set(texts)


@given(RANKED, RANKED, WEIGHTS, KEYS, st.floats(0, 1))
def test_more_similarity_never_lowers_a_score(dense, lexical, weights, key, gain):
    before = fuse(dense, lexical, texts_of(dense, lexical, [Ranked(key, 0)]), (), weights)
    risen = {ranked.chunk: ranked.score for ranked in dense}
    risen[key] = risen.get(key, 0.0) + gain
    ranked = [Ranked(chunk, score) for chunk, score in risen.items()]
    after = fuse(ranked, lexical, texts_of(dense, lexical, [Ranked(key, 0)]), (), weights)
    assert after[key].total >= before[key].total - 1e-12
    assert all(after[other] == before[other] for other in before if other != key)


@given(RANKED, WEIGHTS, st.floats(0.1, 100))
def test_the_scale_of_bm25_does_not_matter(lexical, weights, factor):
    larger = [Ranked(ranked.chunk, ranked.score * factor) for ranked in lexical]
    one = fuse([], lexical, texts_of(lexical), (), weights)
    two = fuse([], larger, texts_of(lexical), (), weights)
    assert all(one[key].total == pytest.approx(two[key].total, abs=1e-9) for key in one)


def test_identifiers_count_as_the_share_that_a_text_has():
    assert share("call parse_config() in main.py", ("parseconfig", "mainpy")) == 1.0
    assert share("call parseConfig", ("parseconfig", "mainpy")) == 0.5
    assert share("nothing here", ("parseconfig",)) == 0.0
    assert share("anything", ()) == 0.0
