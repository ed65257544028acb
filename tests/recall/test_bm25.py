"""Tests the lexical and dense scores of messages, pairs, windows and sessions."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.recall.world import directory_of, postings_of, similarities_of

from aforesaid.models.index import Postings
from aforesaid.recall.bm25 import Neighborhood, dense_scores, lexical_scores
from aforesaid.recall.fuse import lexical_part

TERMS = ("wheron", "wstork", "wcrane")
WORDS = st.frozensets(st.sampled_from((*TERMS, "wother")))
SAID = st.lists(st.tuples(st.integers(1, 3), st.sampled_from([0, 1, 5]), WORDS), min_size=1, max_size=30)
ASKED = st.lists(st.sampled_from(TERMS), min_size=1, max_size=3, unique=True)
GRAINS = ("own", "pair", "window", "session")


@given(SAID, ASKED)
def test_every_score_is_between_zero_and_one(said, asked):
    found = lexical_scores(Neighborhood.of(directory_of(said)), postings_of(said, asked))
    for name in GRAINS:
        grain = getattr(found, name)
        assert ((grain >= 0) & (grain <= 1)).all(), name
    assert ((found.own > 0) == (found.chunk > 0)).all()
    assert ((found.weights > 0) == [any(term in words for _, _, words in said) for term in asked]).all()


@given(SAID, ASKED)
def test_a_message_with_all_terms_ranks_above_a_neighbor_with_none(said, asked):
    directory = directory_of(said)
    part = lexical_part(
        lexical_scores(Neighborhood.of(directory), postings_of(said, asked)), None, np.ones(len(said), bool)
    )
    for at, (_, _, words) in enumerate(said):
        if not words.issuperset(asked):
            continue
        for neighbour in (directory.previous[at], directory.following[at]):
            if neighbour < len(said) and said[neighbour][2].isdisjoint(asked):
                assert part[at] > part[neighbour]


@given(SAID, ASKED)
def test_another_matching_term_never_lowers_the_score_of_a_message(said, asked):
    own = lexical_scores(Neighborhood.of(directory_of(said)), postings_of(said, asked)).own
    for at, (_, _, words) in enumerate(said):
        for other, (_, _, more) in enumerate(said):
            if words.intersection(asked) <= more.intersection(asked):
                assert own[other] >= own[at] - 1e-12


@given(SAID, ASKED)
def test_another_conversation_adds_no_score(said, asked):
    found = lexical_scores(Neighborhood.of(directory_of(said)), postings_of(said, asked))
    holders = {conversation for conversation, _, words in said if not words.isdisjoint(asked)}
    for at, (conversation, _, _) in enumerate(said):
        if conversation not in holders:
            assert [getattr(found, name)[at] for name in GRAINS] == [0.0] * 4


@given(SAID, ASKED)
def test_a_window_reaches_three_messages_in_each_direction(said, asked):
    directory = directory_of(said)
    found = lexical_scores(Neighborhood.of(directory), postings_of(said, asked))
    place = {(c, s): at for at, (c, s) in enumerate(zip(directory.conversations, directory.seqs, strict=True))}
    has = [not words.isdisjoint(asked) for _, _, words in said]
    for (conversation, seq), at in place.items():
        near = [place.get((conversation, seq + step), -1) for step in range(-3, 4)]
        assert (found.window[at] > 0) == any(has[one] for one in near if one >= 0)
        assert (found.pair[at] > 0) == any(has[one] for one in near[2:4] if one >= 0)
        together = np.flatnonzero(directory.sessions == directory.sessions[at])
        assert (found.session[at] > 0) == any(has[one] for one in together)


@given(SAID, ASKED, st.integers(1, 400))
def test_a_chunk_that_is_not_in_the_directory_is_ignored(said, asked, key):
    directory, known = directory_of(said), postings_of(said, asked)
    later = np.array([len(said) + key])
    with_more = [
        Postings(np.append(one.chunks, later), np.append(one.frequencies, 4.0), np.append(one.lengths, 3.0))
        for one in known
    ]
    one, other = (
        lexical_scores(Neighborhood.of(directory), known),
        lexical_scores(Neighborhood.of(directory), with_more),
    )
    assert all(getattr(one, name).tolist() == getattr(other, name).tolist() for name in (*GRAINS, "chunk", "weights"))


def test_a_long_message_does_not_lower_the_scores_of_its_neighbors():
    """A window counts at most forty terms of a message, so longer lengths make no difference."""
    said = [(1, 0, frozenset(words)) for words in (["wheron"], [], [], [])]
    directory, windows = directory_of(said), []
    for length in (50.0, 5_000.0):
        directory.lengths[1] = length
        windows.append(lexical_scores(Neighborhood.of(directory), postings_of(said, ["wheron"])).window.tolist())
    assert windows[0] == windows[1] == sorted(windows[0], reverse=True)


@pytest.mark.parametrize(("messages", "least", "most"), [(4, 0.3, 0.6), (400, 0.97, 1.0)])
def test_a_term_that_no_message_has_lowers_the_scores_of_a_small_space(messages, least, most):
    said = [(1, 0, frozenset({"wheron"})), *((1, 0, frozenset({"wother"})) for _ in range(messages - 1))]
    known, both = (
        lexical_scores(Neighborhood.of(directory_of(said)), postings_of(said, asked))
        for asked in (["wheron"], ["wheron", "wstork"])
    )
    for name in ("own", "pair", "window"):
        assert least < getattr(both, name)[0] / getattr(known, name)[0] < most


def test_an_empty_query_or_an_empty_directory_gives_no_score():
    said = [(1, 0, frozenset({"wheron"}))]
    for found in (
        lexical_scores(Neighborhood.of(directory_of(said)), []),
        lexical_scores(Neighborhood.of(directory_of([])), postings_of([], TERMS)),
    ):
        assert not any(getattr(found, name).any() for name in GRAINS)
    assert len(dense_scores(Neighborhood.of(directory_of([])), similarities_of([])).own) == 0


@given(SAID, st.data())
def test_similarity_is_the_maximum_over_chunks_and_over_session_messages(said, data):
    scores = data.draw(st.lists(st.floats(-1, 1, width=32), min_size=len(said), max_size=len(said)))
    directory = directory_of(said)
    doubled = similarities_of(scores)
    doubled = type(doubled)(np.tile(doubled.chunks, 2), np.concatenate([doubled.scores, doubled.scores - 0.5]))
    found = dense_scores(Neighborhood.of(directory), doubled)
    assert found.own.tolist() == pytest.approx(scores)
    assert found.chunk.tolist() == list(range(1, len(said) + 1))
    for session in set(directory.sessions.tolist()):
        inside = directory.sessions == session
        assert found.session[inside].tolist() == [found.own[inside].max()] * int(inside.sum())


def test_a_message_without_a_vector_has_zero_similarity():
    said = [(1, 0, frozenset()), (2, 0, frozenset())]
    found = dense_scores(Neighborhood.of(directory_of(said)), similarities_of([0.3]))
    assert found.own.tolist() == pytest.approx([0.3, 0.0])
    assert found.chunk.tolist() == [1, 0]
