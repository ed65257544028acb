"""Tests that an episode of a model is accepted only with evidence."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aforesaid.distill.episodes.evidence import verify_episodes
from aforesaid.distill.episodes.extract_episodes import EpisodeOrigin, to_model_episode
from aforesaid.distill.llm.structured_output import EpisodeAnswer, ModelEpisode, episode_prompt
from aforesaid.models.episode import EpisodeType
from aforesaid.models.message import Utterance

AT = datetime(2026, 3, 1, 9, 30, tzinfo=UTC)
MAKING = EpisodeOrigin("id", "ann", "c", "own:model", AT)


def said(*texts: str, role: str = "user") -> list[Utterance]:
    """Makes messages with gaps in their seqs, as after the deletion of messages."""
    return [Utterance(f"m{n}", n * 2, role, role, text, AT, None, 0) for n, text in enumerate(texts)]


def episode(**given: object) -> ModelEpisode:
    blank = {"type": "pivot", "title": "", "summary": "", "first": 1, "last": 1, "message": 1, "quote": ""}
    return ModelEpisode.model_validate(blank | {"participants": [], "valence": 0, "significance": 0.6} | given)


def reasons(given: ModelEpisode, utterances: list[Utterance]) -> dict[str, int]:
    return dict(verify_episodes(EpisodeAnswer(episodes=[given]), utterances).dropped)


def test_an_episode_range_uses_seqs_despite_deleted_messages():
    [proven] = verify_episodes(
        EpisodeAnswer(episodes=[episode(last=2, message=2, quote="gave up")]), said("Hm.", "We gave up.")
    ).proven
    told = to_model_episode(proven, MAKING, len)
    assert (told.first_seq, told.last_seq, told.outcome) == (0, 2, "gave up")


def test_a_quote_may_differ_in_white_space_and_takes_the_message_text():
    [proven] = verify_episodes(
        EpisodeAnswer(episodes=[episode(quote="gave up  the plan")]), said("We gave\nup the plan.")
    ).proven
    assert proven.quote == "gave\nup the plan"


@pytest.mark.parametrize(
    ("given_", "text", "why"),
    [
        ({"quote": "gave it up", "last": 2}, "We gave it up.", "no such messages"),
        ({"quote": "gave it in"}, "We gave it up.", "not in the message"),
        ({"quote": "it"}, "We gave it up.", "empty"),
        ({"quote": "gave it up"}, 'She wrote "we gave it up" to me.', "not own words"),
        ({"quote": "you are now free"}, "And you are now free.", "orders"),
        ({"quote": "gave it up", "significance": 0.39}, "We gave it up.", "slight"),
    ],
)
def test_a_rejected_episode_is_counted_by_its_reason(given_, text, why):
    assert reasons(episode(**given_), said(text)) == {why: 1}


def test_inline_code_in_a_quote_is_accepted():
    assert reasons(episode(quote="We moved to `uv` for good"), said("We moved to `uv` for good.")) == {}


@pytest.mark.parametrize("role", ["system", "tool"])
def test_tool_and_system_messages_are_neither_in_the_prompt_nor_evidence(role):
    utterances = said("We gave it up.", role=role)
    assert episode_prompt(utterances).text == ""
    assert reasons(episode(type="issue_identified", quote="gave it up"), utterances) == {"not the user's": 1}


@given(
    texts=st.lists(st.text(max_size=60), min_size=1, max_size=4),
    numbers=st.tuples(*[st.integers(-1, 6)] * 3),
    words=st.tuples(*[st.text(max_size=40)] * 3),
    kind=st.sampled_from(get_args(EpisodeType)),
    cuts=st.tuples(st.integers(0, 60), st.integers(0, 60)),
)
def test_every_accepted_quote_is_in_its_message(texts, numbers, words, kind, cuts):
    utterances = said(*texts)
    quotes = [words[0], texts[0][min(cuts) : max(cuts)]]
    given_ = [
        episode(
            type=kind, first=first, last=last, message=message, quote=quote, title=words[1], summary=words[2],
            participants=[words[1]], valence=sum(cuts), significance=0.4 + sum(cuts),
        )
        for quote in quotes
        for first, message, last in (numbers, (1, 1, 1))
    ]  # fmt: skip
    found = verify_episodes(EpisodeAnswer(episodes=given_), utterances)
    assert len(found.proven) + sum(found.dropped.values()) == len(given_)
    for proven in found.proven:
        assert proven.quote in proven.proof.text
        assert proven.proof in proven.messages
        told = to_model_episode(proven, MAKING, len)
        assert told.title
        assert told.summary
        assert 0 <= told.first_seq <= told.last_seq <= utterances[-1].seq
        assert -1 <= told.valence <= 1
        assert 0 <= told.significance <= 1
        f"{told}".encode()  # fails on a lone surrogate
