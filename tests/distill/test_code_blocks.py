"""Tests the detection of code blocks that later messages refer to."""

from __future__ import annotations

from datetime import UTC, datetime

from hypothesis import given
from hypothesis import strategies as st

from aforesaid.distill.pins import referenced_blocks
from aforesaid.models.message import Utterance

AT = datetime(2026, 3, 1, 9, tzinfo=UTC)


def talk(*said: tuple[str, str]) -> list[Utterance]:
    return [Utterance(f"m{n}", n, role, role, text, AT, None, 1) for n, (role, text) in enumerate(said)]  # type: ignore[arg-type]


def block(code: str) -> str:
    return f"Look:\n```\n{code}\n```\n"


def test_a_long_block_and_a_single_line_are_not_pinned():
    for code in ("class CartParser:\n" + "    x = 1\n" * 200, "class CartParser: ..."):
        window = talk(
            ("assistant", block(code)), ("user", "Is `CartParser` fast?"), ("user", "And CartParser() twice?")
        )
        assert list(referenced_blocks(window)) == []


def test_a_block_that_a_later_one_defines_again_is_outdated():
    old, new = ("class CartParser:\n    x = 1", "class CartParser:\n    x = 2")
    uses = ("user", "Is `CartParser` fast?"), ("user", "And CartParser() twice?")
    window = talk(("assistant", block(old)), *uses, ("assistant", block(new)), *uses)
    assert [code for _, code, _ in referenced_blocks(window)] == [new]


def test_a_file_name_in_the_first_line_is_a_reference_target():
    window = talk(("user", block("# carts.py\nx = 1")), ("user", "Open carts.py again"), ("user", "carts.py is long"))
    assert [name for _, _, name in referenced_blocks(window)] == ["carts.py"]


def test_a_single_reference_or_an_ordinary_word_is_ignored():
    window = talk(("user", block("def total():\n    ...")), ("user", "The total is 5"), ("user", "In total it is fine"))
    assert list(referenced_blocks(window)) == []
    window = talk(("user", block("def sum_up():\n    ...")), ("user", "sum_up?"), ("assistant", "sum_up adds."))
    assert list(referenced_blocks(window)) == []


@given(st.lists(st.text(alphabet="`~\n def_abc", max_size=80), max_size=6))
def test_any_text_is_accepted(texts):
    for message, code, name in referenced_blocks(talk(*[("user", text) for text in texts])):
        assert name in code
        assert code in message.text
