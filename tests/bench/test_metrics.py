"""Tests the bounds of the ranking metrics, the score of a perfect ranking, and the effect of order."""

from hypothesis import given
from hypothesis import strategies as st

from aforesaid.bench import metrics

IDS = st.lists(st.sampled_from([f"m{n}" for n in range(12)]), unique=True)
GOLD = st.frozensets(st.sampled_from([f"m{n}" for n in range(12)]), min_size=1)
DEPTH = st.integers(1, 12)


@given(IDS, GOLD, DEPTH)
def test_every_metric_is_between_zero_and_one(found, gold, at):
    for measure in (metrics.recall, metrics.recall_all, metrics.recall_any, metrics.ndcg):
        assert 0 <= measure(found, gold, at) <= 1 + 1e-12


@given(GOLD, IDS)
def test_a_perfect_ranking_scores_one(gold, others):
    found = [*sorted(gold), *(one for one in others if one not in gold)]
    for measure in (metrics.recall, metrics.recall_all, metrics.recall_any, metrics.ndcg):
        assert abs(measure(found, gold, len(gold)) - 1) < 1e-12


@given(IDS, GOLD, DEPTH)
def test_recall_all_means_full_recall_and_recall_any_means_some(found, gold, at):
    share = metrics.recall(found, gold, at)
    assert metrics.recall_all(found, gold, at) == float(share == 1)
    assert metrics.recall_any(found, gold, at) == float(share > 0)


def test_ndcg_is_higher_for_earlier_ranks():
    assert metrics.ndcg(["gold", "a", "b"], {"gold"}, 3) > metrics.ndcg(["a", "gold", "b"], {"gold"}, 3) > 0


@given(IDS, IDS)
def test_rank_fusion_keeps_every_item_once_and_rewards_agreement(one, two):
    joined = metrics.fused([one, two])
    assert sorted(joined) == sorted(set(one) | set(two))
    if one and two and one[0] == two[0]:
        assert joined[0] == one[0]
