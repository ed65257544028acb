"""BM25 in numpy gives what the formula says, up to the coarseness that the index has on purpose."""

import math
from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect import Memory
from recollect.stores.sqlite.chunks import LENGTH_CODES, length_code, marked
from recollect.stores.sqlite.lexical import K1, B, bm25

WORDS = st.lists(st.sampled_from(["heron", "stork", "crane", "ibis", "egret"]), min_size=1, max_size=25)
DOCUMENTS = st.lists(WORDS, min_size=1, max_size=12)


def reference(documents, query):
    """The formula, term by term and document by document."""
    average = sum(map(len, documents)) / len(documents)
    scores = Counter()
    for term in query:
        holders = [document for document in documents if term in document]
        rarity = math.log(1 + (len(documents) - len(holders) + 0.5) / (len(holders) + 0.5))
        for number, document in enumerate(documents):
            if frequency := document.count(term):
                norm = 1 - B + B * len(document) / max(average, 1.0)
                scores[number] += rarity * frequency * (K1 + 1) / (frequency + K1 * norm)
    return scores


@given(DOCUMENTS, st.sets(st.sampled_from(["heron", "stork", "crane"]), min_size=1))
def test_scores_are_those_of_the_formula(documents, query):
    keys = [(number + 1) * LENGTH_CODES + length_code(len(document)) for number, document in enumerate(documents)]
    lists = [
        np.array(
            [key for key, document in zip(keys, documents, strict=True) for _ in range(document.count(term))], np.int64
        )
        for term in sorted(query)
    ]
    average = sum(map(len, documents)) / len(documents)
    found, scores = bm25(lists, len(documents), average)
    expected = reference(documents, sorted(query))
    assert {int(key) // LENGTH_CODES - 1: score for key, score in zip(found, scores, strict=True)} == pytest.approx(
        dict(expected)
    )


@given(WORDS)
def test_a_term_is_marked_with_its_space_and_with_how_often_it_occurs(words):
    terms = marked((12, 7), words)
    counts = Counter(words)
    assert "c7" in terms
    assert len(terms) == len(set(terms))
    for word, count in counts.items():
        assert f"12{word}" in terms
        assert (f"122{word}" in terms) == (count >= 2)
        assert (f"124{word}" in terms) == (count >= 4)


def test_a_word_said_often_ranks_before_one_said_once():
    with Memory(":memory:", worker=False, embedder="none", environment={}) as memory:
        chat = memory.conversation("c")
        chat.add("user", "heron and many other birds stand here by the water today", id="once")
        chat.add("user", "heron heron heron heron and birds stand here by the water today", id="often")
        chat.add("user", "nothing of the kind was seen by anyone in the whole valley", id="never")
        assert [hit.message.id for hit in memory.space("default").recall("heron")] == ["often", "once"]
