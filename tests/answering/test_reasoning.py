"""Thoughts are left out of what is said, however it is cut into pieces."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from aforesaid.answering.reasoning import ReasoningFilter
from aforesaid.distill.llm.llm_call import strip_reasoning

WORDS = st.sampled_from(
    [
        "<think>",
        "<thinking>",
        "</think>",
        "</thinking>",
        "<",
        "<thi",
        "nk>",
        " ",
        "\n",
        "Lisbon",
        " in May.",
        "é",
        "<b>",
    ]
)


def passed(pieces: list[str]) -> str:
    aloud = ReasoningFilter()
    return "".join([*map(aloud.feed, pieces), aloud.end()])


@given(st.lists(WORDS, max_size=12))
def test_what_passes_is_what_was_spoken(pieces):
    assert passed(pieces).rstrip() == strip_reasoning("".join(pieces))


@given(st.lists(WORDS, max_size=8), st.data())
def test_where_it_is_cut_does_not_matter(pieces, data):
    text = "".join(pieces)
    cuts = sorted(data.draw(st.sets(st.integers(0, len(text)))))
    parts = [text[begin:end] for begin, end in zip([0, *cuts], [*cuts, len(text)], strict=True)]
    assert passed(parts) == passed([text])


def test_an_answer_passes_at_once():
    aloud = ReasoningFilter()
    assert [aloud.feed(piece) for piece in ("Lis", "bon", " <think>")] == ["Lis", "bon", " <think>"]
    aloud = ReasoningFilter()
    assert [aloud.feed(piece) for piece in ("<th", "ink>so</think>", " \n", "We", " go")] == ["", "", "", "We", " go"]
