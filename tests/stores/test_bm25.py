"""Tests that the full-text index returns the exact postings of the text, and that BM25 scores match the formula within
the precision of the index."""

import math
from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from aforesaid import Memory
from aforesaid.recall.bm25 import K1, B, Neighborhood, bm25_share, idf, lexical_scores
from aforesaid.storage.repositories.chunks import code_length, index_terms_of, length_code
from aforesaid.storage.repositories.space_keys import ConversationKeys
from aforesaid.text.analyzer import index_terms

BIRDS = ["heron", "stork", "crane", "ibis", "egret"]
WORDS = st.lists(st.sampled_from(BIRDS), min_size=1, max_size=25)
DOCUMENTS = st.lists(WORDS, min_size=1, max_size=12)
ASKED = ["wheron", "wstork", "wcrane", "wunknown"]


def stored(documents):
    """Opens a store with a message per document, every third one in another conversation, and with a second space."""
    memory = Memory(":memory:", worker=False, embedder="none", environment={})
    for number, document in enumerate(documents):
        chat = memory.space("birds").conversation("few" if number % 3 == 2 else "many")
        chat.add("user", " ".join(document), id=str(number))
    memory.space("noise").conversation("many").add("user", " ".join(BIRDS * 3))
    return memory


def capped(count):
    return 4 if count >= 4 else min(count, 2)


def reference(documents, query):
    """Computes textbook BM25 as a share of the highest possible score, term by term and document by document.

    A term that no document has counts for the highest score, and less in a large store."""
    average = sum(map(len, documents)) / len(documents)
    scores, whole = Counter(), 0.0
    for term in query:
        holders = sum(term in document for document in documents)
        if not holders:
            whole += math.log(1 + (len(documents) + 0.5) / 0.5) * (50 / (50 + len(documents))) ** 2
            continue
        weight = math.log(1 + (len(documents) - holders + 0.5) / (holders + 0.5))
        whole += weight
        for number, document in enumerate(documents):
            if frequency := capped(document.count(term)):
                norm = 1 - B + B * len(document) / max(average, 1.0)
                scores[number] += weight * frequency / (frequency + K1 * norm)
    return {number: score / whole for number, score in scores.items()}


@settings(max_examples=40, deadline=None)
@given(DOCUMENTS)
def test_postings_are_the_chunks_and_frequencies_of_the_text(documents):
    documents = [list(index_terms(" ".join(document))) for document in documents]
    with stored([[term[1:] for term in document] for document in documents]) as memory:
        directory = memory.engine.store.directories.get("birds")
        for term, found in zip(ASKED, memory.engine.store.lexical.postings("birds", ASKED), strict=True):
            counts = {number: capped(document.count(term)) for number, document in enumerate(documents)}
            expected = {number: count for number, count in counts.items() if count}
            at = directory.places(found.chunks).tolist()
            assert dict(zip(at, found.frequencies.tolist(), strict=True)) == expected
            assert len(at) == len(expected)
            lengths = [code_length(length_code(len(documents[number]))) for number in at]
            assert found.lengths.tolist() == pytest.approx(lengths)


@settings(max_examples=40, deadline=None)
@given(DOCUMENTS)
def test_the_chunks_that_contain_a_term_match_its_postings(documents):
    with stored(documents) as memory:
        found = memory.engine.store.lexical.postings("birds", ASKED)
        having = memory.engine.store.lexical.having("birds", ASKED)
        assert [sorted(one.tolist()) for one in having] == [one.chunks.tolist() for one in found]
        assert [len(one) for one in memory.engine.store.lexical.having("nowhere", ASKED)] == [0] * len(ASKED)
        assert all(len(one.chunks) == 0 for one in memory.engine.store.lexical.postings("nowhere", ASKED))


@settings(max_examples=40, deadline=None)
@given(DOCUMENTS, st.sets(st.sampled_from(ASKED), min_size=1))
def test_scores_match_the_bm25_formula(documents, query):
    documents = [list(index_terms(" ".join(document))) for document in documents]
    with stored([[term[1:] for term in document] for document in documents]) as memory:
        directory = memory.engine.store.directories.get("birds")
        found = lexical_scores(Neighborhood.of(directory), memory.engine.store.lexical.postings("birds", sorted(query)))
    expected = reference(documents, sorted(query))
    assert found.own.tolist() == pytest.approx([expected.get(number, 0.0) for number in range(len(documents))])
    assert (found.chunk > 0).tolist() == [number in expected for number in range(len(documents))]


@given(st.integers(0, 10_000), st.integers(0, 10_000))
def test_a_rarer_term_weighs_more_and_every_weight_is_positive(count, more):
    total = count + more
    assert idf(count, total) >= idf(total, total) > 0
    assert idf(count, total) == pytest.approx(math.log(1 + (more + 0.5) / (count + 0.5)))


@given(st.floats(0.5, 50), st.floats(0.1, 50), st.floats(1, 2_000), st.floats(1, 500))
def test_the_share_of_a_term_grows_with_its_frequency_and_falls_with_the_length(frequency, more, length, average):
    once, often = bm25_share(np.array([frequency, frequency + more]), np.array([length, length]), average)
    assert 0 < once <= often < 1
    longer = bm25_share(np.array([frequency]), np.array([length + more]), average)[0]
    assert longer <= once


@given(WORDS)
def test_an_index_term_contains_its_space_and_its_frequency_class(words):
    terms = index_terms_of(ConversationKeys(12, 7), words)
    counts = Counter(words)
    assert "c7" in terms
    assert len(terms) == len(set(terms))
    for word, count in counts.items():
        assert f"12{word}" in terms
        assert (f"122{word}" in terms) == (count >= 2)
        assert (f"124{word}" in terms) == (count >= 4)


def test_a_message_that_repeats_a_word_ranks_before_one_that_has_it_once():
    with Memory(":memory:", worker=False, embedder="none", environment={}) as memory:
        chat = memory.conversation("c")
        chat.add("user", "heron and many other birds stand here by the water today", id="once")
        chat.add("user", "heron heron heron heron and birds stand here by the water today", id="often")
        chat.add("user", "nothing of the kind was seen by anyone in the whole valley", id="never")
        hits = memory.space("default").recall("heron")
        assert [hit.message.id for hit in hits][:2] == ["often", "once"]
        assert [hit.message.id for hit in hits if "lexical" in hit.sources] == ["often", "once"]
