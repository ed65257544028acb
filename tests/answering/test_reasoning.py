"""Tests that the filter removes reasoning from a reply in pieces of any size."""

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
def test_the_filter_removes_the_same_text_as_strip_reasoning(pieces):
    assert passed(pieces).rstrip() == strip_reasoning("".join(pieces))


@given(st.lists(WORDS, max_size=8), st.data())
def test_the_output_does_not_depend_on_the_size_of_pieces(pieces, data):
    text = "".join(pieces)
    cuts = sorted(data.draw(st.sets(st.integers(0, len(text)))))
    parts = [text[begin:end] for begin, end in zip([0, *cuts], [*cuts, len(text)], strict=True)]
    assert passed(parts) == passed([text])


def test_text_after_the_reasoning_is_returned_immediately():
    aloud = ReasoningFilter()
    assert [aloud.feed(piece) for piece in ("Lis", "bon", " <think>")] == ["Lis", "bon", " <think>"]
    aloud = ReasoningFilter()
    assert [aloud.feed(piece) for piece in ("<th", "ink>so</think>", " \n", "We", " go")] == ["", "", "", "We", " go"]
