"""The learned fusion: its table, the features that it reads, and what it does for a new store."""

from __future__ import annotations

import json
import math
from dataclasses import replace
from importlib.resources import files
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from aforesaid import Memory
from aforesaid.ports import RerankRequest
from aforesaid.recall.learned_fusion import LearnedFusion, learned_fusion

TABLE = json.loads(files("aforesaid.recall").joinpath("fusion.json").read_text("utf-8"))
SMALL = {
    "features": ["a", "b", "total"],
    "slope": 10.0,
    "bias": -1.0,
    "split_features": [[0, 1], [1, 1]],
    "split_borders": [[0.5, 2.0], [0.0, 1.0]],
    "leaves": [[0.1, 0.2, 0.3, 0.4], [1.0, 2.0, 3.0, 4.0]],
}


def request_of(**features: list[float]) -> RerankRequest:
    columns = {name: np.array(column) for name, column in features.items()}
    columns.setdefault("terms", np.full(len(next(iter(columns.values()))), 5.0))
    return RerankRequest("a question", ["text"] * len(next(iter(features.values()))), columns)


def by_hand(table: dict, row: dict[str, float]) -> float:
    """Walks each tree from its root."""
    logit = table["bias"] + table["slope"] * row["total"]
    for split_features, borders, leaves in zip(
        table["split_features"], table["split_borders"], table["leaves"], strict=True
    ):
        leaf = 0
        for level, (feature, border) in enumerate(zip(split_features, borders, strict=True)):
            leaf += (row[table["features"][feature]] > border) << level
        logit += leaves[leaf]
    return 1 / (1 + math.exp(-logit))


def test_a_row_is_scored_by_the_leaves_that_its_answers_select():
    scores = LearnedFusion(SMALL).rerank(request_of(a=[0.0, 1.0], b=[0.0, 3.0], total=[0.0, 0.1]))
    assert scores == pytest.approx([1 / (1 + math.exp(1.0 - 0.1 - 1.0)), 1 / (1 + math.exp(1.0 - 0.4 - 4.0 - 1.0))])


@given(st.lists(st.floats(-5, 5, width=32), min_size=len(TABLE["features"]), max_size=len(TABLE["features"])))
def test_the_table_of_the_package_is_read_like_its_trees(values):
    row = dict(zip(TABLE["features"], values, strict=True))
    scores = learned_fusion().rerank(request_of(**{name: [value] for name, value in row.items()}))
    assert scores == pytest.approx([by_hand(TABLE, row)], abs=1e-9)


def test_a_single_word_is_scored_by_its_total_only():
    request = request_of(a=[0.0, 1.0], b=[0.0, 3.0], total=[0.2, 0.1], terms=[1.0, 1.0])
    scores = LearnedFusion(SMALL).rerank(replace(request, query="heron"))
    assert scores == pytest.approx([1 / (1 + math.exp(1.0 - 2.0)), 1 / (1 + math.exp(1.0 - 1.0))])


class KeepsFeatures:
    """A reranker that keeps what it gets."""

    name = "keeps"

    def __init__(self) -> None:
        self.request: RerankRequest | None = None

    def rerank(self, request: RerankRequest) -> list[float]:
        self.request = request
        return [0.5] * len(request.texts)


def test_recall_computes_every_feature_of_the_table_for_every_candidate():
    reranker = KeepsFeatures()
    with Memory(":memory:", worker=False, reranker=reranker) as memory:
        chat = memory.space("alice").conversation("birds")
        for number in range(50):
            chat.add("user" if number % 2 else "assistant", f"The heron stood by the weir {number}")
        memory.flush()
        memory.space("alice").recall("When did I see the heron?", 3)
    assert reranker.request is not None
    assert set(TABLE["features"]) <= set(reranker.request.features)
    assert {len(column) for column in reranker.request.features.values()} == {len(reranker.request.texts)}
    assert all(np.isfinite(column).all() for column in reranker.request.features.values())


@pytest.mark.parametrize("count", [1, 2, 3])
def test_a_store_with_hardly_a_message_is_searched(count):
    with Memory(":memory:", worker=False) as memory:
        chat = memory.space("alice").conversation("birds")
        for number in range(count):
            chat.add("user", f"The heron number {number} stood by the weir")
        memory.flush()
        hits = memory.space("alice").recall("heron", 10)
        assert len(hits) == count
        assert all(0 <= hit.score.relevance <= 1 for hit in hits)


@pytest.mark.req("X33")
@pytest.mark.parametrize(("name", "least"), [("first_minute", 56), ("first_minute_notes", 25)])
def test_plain_questions_to_a_new_store_find_their_answer_first(name, least):
    """Sixty questions to fifteen chats of six to eight messages, written by somebody who has not seen the code; and
    forty in another style to ten: notes, logs, names, long answers."""
    right = 0
    for chat in json.loads(Path(__file__).with_name(f"{name}.json").read_text("utf-8")):
        with Memory(":memory:", worker=False) as memory:
            conversation = memory.space("alice").conversation("first")
            stored = [conversation.add(**message) for message in chat["messages"]]
            memory.flush()
            for question in chat["questions"]:
                hits = memory.space("alice").recall(question["text"], 1, kinds=["message"])
                right += [hit.id for hit in hits] == [stored[question["answer"]].id]
    assert right >= least
