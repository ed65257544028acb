"""Tests that the search for weights never gives a worse result and evaluates on held-out data."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from aforesaid.bench import metrics
from aforesaid.bench.tune import PARTS, QuestionScores, best_weights, held_out_ndcg, mean_ndcg, question_scores, simplex

NOW = (0.6, 0.3, 0.1)
SHARE = st.floats(0, 1).map(lambda value: round(value, 3))
HITS = st.lists(st.tuples(SHARE, SHARE, SHARE, st.booleans()), min_size=1, max_size=12)


def question(hits, fold="a"):
    parts = np.array([hit[:3] for hit in hits])
    gold = np.array([hit[3] for hit in hits])
    return QuestionScores(parts, np.zeros(len(hits)), gold, max(1, int(gold.sum())), fold)


@given(st.lists(HITS, min_size=1, max_size=5))
def test_the_best_weights_are_never_worse_than_the_current_ones(asked):
    questions = [question(hits) for hits in asked]
    before, after = mean_ndcg(questions, [NOW, best_weights(questions, NOW)])
    assert after >= before - 1e-9


def test_equally_good_weights_are_chosen_by_distance_to_the_current_ones():
    found = question([(0.9, 0.9, 0.0, True), (0.1, 0.1, 0.0, False)])
    assert best_weights([found], NOW) == NOW
    words = question([(0.9, 0.0, 0.0, False), (0.0, 0.9, 0.0, True)])
    dense, lexical, _ = best_weights([words], NOW)
    assert lexical > dense
    assert dense > 0.3


@given(HITS, st.tuples(SHARE, SHARE, SHARE))
def test_the_score_is_the_ndcg_of_the_weighted_ranking(hits, weights):
    one = question(hits)
    scores = one.parts @ np.array(weights)
    ranking = [str(at) for at in sorted(range(len(hits)), key=lambda at: -scores[at])]
    gold = {str(at) for at in range(len(hits)) if hits[at][3]} or {"none of them"}
    assert one.ndcg(np.array([weights]))[0] == pytest.approx(metrics.ndcg(ranking, gold, 5))


@pytest.mark.parametrize("step", [0.5, 0.1, 0.02])
def test_the_grid_has_all_weights_that_sum_to_one(step):
    points = simplex(step)
    assert len(points) == len(set(points)) == (round(1 / step) + 1) * (round(1 / step) + 2) // 2
    assert all(sum(point) == pytest.approx(1) for point in points)


def test_weights_that_fit_only_one_fold_do_not_score_better():
    words = [(0.9, 0.0, 0.0, False), (0.0, 0.9, 0.0, True)]
    meaning = [(0.0, 0.9, 0.0, False), (0.9, 0.0, 0.0, True)]
    alike = [question(words, "a"), question(words, "b")]
    assert held_out_ndcg(alike, NOW) == 1.0
    unlike = [question(words, "a"), question(meaning, "b")]
    assert held_out_ndcg(unlike, NOW) < mean_ndcg(unlike, [NOW])[0]


def test_the_unweighted_rest_of_a_score_is_kept(open_memory):
    memory = open_memory(":memory:")
    chat = memory.space("s").conversation("c")
    for id, text in {"a": "The heron stands in the lake.", "b": "My sister plays the oboe."}.items():
        chat.add("user", text, id=id)
    memory.flush()
    hits = memory.space("s").recall("who plays the oboe?")
    one = question_scores(hits, frozenset({"b"}), NOW, "s")
    assert one.parts @ np.array(NOW) + one.rest == pytest.approx([hit.score.total for hit in hits])
    assert one.parts.shape == (len(hits), len(PARTS))
    assert one.ndcg(np.array([NOW]))[0] == 1.0
    assert (
        question_scores(memory.space("empty").recall("oboe"), frozenset({"b"}), NOW, "s").ndcg(np.array([NOW]))[0]
        == 0.0
    )
