"""Tests how long messages are split into chunks."""

from itertools import pairwise

import pytest
import regex
import toktok
from hypothesis import example, given
from hypothesis import strategies as st

from aforesaid.ingest.chunk import split
from aforesaid.models.message import ChunkDraft

pytestmark = pytest.mark.req("D9")


def real(text: str) -> int:
    return toktok.batch_count([text], "o200k_base", 1)[0]


def pieces(text: str, max_tokens: int, count=real) -> list[str]:
    return [text[span.start : span.stop] for span in split(text, count, max_tokens)]


def kinds(text: str, max_tokens: int = 500) -> list[tuple[str, str | None]]:
    return [(span.kind, span.language) for span in split(text, real, max_tokens)]


def test_empty_text_has_no_spans():
    assert split("", real, 500) == []


def test_text_that_fits_is_one_prose_span():
    assert split("Hello.\n\nYou there?", real, 500) == [ChunkDraft("prose", None, 0, 18, real("Hello.\n\nYou there?"))]


def test_a_given_token_count_is_not_computed_again():
    def refuse(text: str) -> int:
        raise AssertionError(text)

    assert split("Hello", refuse, 500, tokens=1) == [ChunkDraft("prose", None, 0, 5, 1)]


def test_a_text_with_a_given_token_count_over_the_limit_is_split():
    text = "one two three four"
    assert len(split(text, lambda piece: len(piece.split()), 2, tokens=4)) == 2


def test_code_and_prose_are_separate_chunks():
    text = "Look:\n\n```Python title=x\nprint(1)\n```\n\nand\n~~~\nraw\n~~~\n"
    spans = split(text, real, 500)
    assert [(span.kind, span.language, text[span.start : span.stop]) for span in spans] == [
        ("prose", None, "Look:\n\n"),
        ("code", "python", "```Python title=x\nprint(1)\n```\n\n"),
        ("prose", None, "and\n"),
        ("code", None, "~~~\nraw\n~~~\n"),
    ]


def test_blank_lines_around_code_are_not_separate_chunks():
    assert pieces("\n\n  ```js\nx\n```\n \n\n```py\ny\n```\n\n", 500) == [
        "\n\n  ```js\nx\n```\n \n\n",
        "```py\ny\n```\n\n",
    ]


def test_code_that_fits_only_without_its_blank_lines_stays_whole():
    code = "```\nabcd\n```\n"
    assert pieces(code + "\n\n\nmore", len(code), count=len)[0] == code


@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
def test_a_fence_line_ends_at_any_newline_style(newline):
    text = newline.join(["Hi", "```py", "x = 1", "```", "bye"])
    assert kinds(text) == [("prose", None), ("code", "py"), ("prose", None)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("```py\nnever closed\n", [("code", "py")]),
        ("````md\n```py\nx\n```\n````\nbye", [("code", "md"), ("prose", None)]),
        ("~~~\n```\n~~~\nbye", [("code", None), ("prose", None)]),
        ("```\n``` not a close\n```\nbye", [("code", None), ("prose", None)]),
        ("``` inline ``` code", [("prose", None)]),
        ("say ```py\nx", [("prose", None)]),
        ("    ```\n    indented\n    ```", [("prose", None)]),
        ("   ```C++\nx\n  ```", [("code", "c++")]),
        ("```" + "x" * 100 + "\ny\n```", [("code", None)]),
        ("```", [("code", None)]),
        ("\u2028```\nx", [("prose", None)]),
    ],
)
def test_fences_are_detected_as_in_markdown(text, expected):
    assert kinds(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "- do this:\n\n  ```sh\n  ls\n  ```\n- then that",
        "- ```sh\n  ls\n  ```\n- then that",
        "10. do this:\n\n    ```sh\n    ls\n    ```\n11. then that",
        "1. a\n   - b\n     ```sh\n     ls\n     ```\n2. then that",
        "* a\n\n\t```sh\n\tls\n\t```\n* then that",
    ],
)
def test_a_fence_in_a_list_is_code(text):
    assert [kind for kind, _ in kinds(text)][-2:] == ["code", "prose"]
    assert ("code", "sh") in kinds(text)


def test_large_code_is_split_at_lines_and_keeps_its_language():
    code = "```py\n" + "".join(f"value_{n} = compute({n})\n" for n in range(100)) + "```\n"
    spans = split("Intro\n\n" + code, real, 60)
    parts = spans[1:]
    assert len(parts) > 5
    assert all((part.kind, part.language) == ("code", "py") for part in parts)
    assert all(("Intro\n\n" + code)[part.stop - 1] == "\n" for part in parts)


def test_small_paragraphs_are_packed_together():
    text = "\n\n".join(f"Paragraph number {n} says little." for n in range(40))
    parts = pieces(text, 100)
    assert all(part.endswith("\n\n") for part in parts[:-1])
    assert len(parts) <= real(text) // 100 + 2


def test_a_paragraph_that_fits_in_a_chunk_is_not_split():
    first, second = "a " * 6 + "\n\n", "b " * 6
    assert pieces(first + second, 8, count=lambda text: len(text.split())) == [first, second]


def test_a_large_paragraph_is_split_after_sentences():
    text = "One two three. Four five six! Seven (eight) nine? Ten."
    assert pieces(text, 4, count=lambda text: len(text.split())) == [
        "One two three. ",
        "Four five six! ",
        "Seven (eight) nine? Ten.",
    ]


def test_sentence_ends_are_detected_in_every_script():
    assert pieces("今天很好。明天呢？「好！」走", 5, count=len) == ["今天很好。", "明天呢？", "「好！」走"]
    assert pieces("यह है। वह है।", 8, count=len) == ["यह है। ", "वह है।"]
    assert pieces("كيف حالك؟ بخير", 11, count=len) == ["كيف حالك؟ ", "بخير"]


def test_a_large_sentence_is_split_between_words():
    assert pieces("alpha beta gamma delta", 11, count=len) == ["alpha beta ", "gamma delta"]


def test_white_space_stays_with_the_preceding_text():
    parts = pieces("aaaa   \n\n  bbbb   cccc", 12, count=len)
    assert parts == ["aaaa   \n\n  ", "bbbb   cccc"]


def test_a_word_over_the_limit_is_split_at_the_limit():
    parts = pieces("x" * 100, 30, count=len)
    assert [len(part) for part in parts] == [30, 30, 30, 10]


def test_a_grapheme_cluster_over_the_limit_is_a_chunk():
    family = "👨‍👩‍👧‍👦"
    assert pieces("ab" + family + "cd", 2, count=len) == ["ab", family, "cd"]


@pytest.mark.parametrize("text", [" ", "\n\n\n", " \t\r\n\f\u2028\u2029\x85 "])
def test_white_space_alone_is_prose(text):
    assert kinds(text) == [("prose", None)]
    assert "".join(pieces(text, 1, count=len)) == text


@pytest.mark.parametrize("unit", ["x", "!", " ", "\n", "\r\n", "猫", "`", "```\n", " \u0301", ". ", "- "])
def test_a_megabyte_of_any_character_is_split_within_the_limit(unit):
    text = unit * (1_000_000 // len(unit.encode()) if unit != "```\n" else 10_000)
    spans = split(text, real, 500)
    assert spans[0].start == 0
    assert spans[-1].stop == len(text)
    assert all(one.stop == two.start for one, two in pairwise(spans))
    assert all(span.tokens <= 500 for span in spans)


PIECE = st.one_of(
    st.text(max_size=12),
    st.sampled_from(
        ["\n", "\r\n", "\r", "\n\n", "```", "```py\n", "\n```\n", "~~~\n", "````", "    ", "- ", " ", ". ", "。", "! "]
    ),
    st.sampled_from(
        ["👨‍👩‍👧", "🇩🇪", "é", "e\u0301", " \u0301", "한", "각", "क्षि", "กำ", "\u06001", "猫", "\u2028", "\f", "word "]
    ),
)
TEXT = st.lists(PIECE, max_size=40).map("".join)


def halves(text: str) -> int:
    """Counts tokens non-additively."""
    return (len(text) + 1) // 2


@given(TEXT, st.integers(1, 40), st.sampled_from([real, len, halves]))
@example("a \r\n\u0301b", 1, len)
@example("\r\n" * 5, 1, len)
def test_spans_cover_the_text_within_the_limit_and_never_split_a_grapheme_cluster(text, max_tokens, count):
    spans = split(text, count, max_tokens)
    clusters = regex.findall(r"\X", text)
    edges = {0}
    for cluster in clusters:
        edges.add(max(edges) + len(cluster))
    assert "".join(text[span.start : span.stop] for span in spans) == text
    assert [span.start for span in spans[1:]] == [span.stop for span in spans[:-1]]
    for span in spans:
        piece = text[span.start : span.stop]
        assert piece
        assert span.start in edges
        assert span.tokens == count(piece)
        assert span.tokens <= max_tokens or len(regex.findall(r"\X", piece)) == 1


@given(TEXT, st.lists(st.sampled_from(["x = 1", "", "  猫()", "é", "~~~"]), max_size=6), st.integers(8, 60))
def test_code_is_kept_whole_when_it_fits(before, lines, max_tokens):
    prose = before.replace("`", "").replace("~", "")
    code = "\n".join(["```py", *lines, "```"])
    text = f"{prose}\n{code}\nafter"
    spans = [span for span in split(text, real, max_tokens) if span.kind == "code"]
    assert {span.language for span in spans} == {"py"}
    if real(code + "\n") <= max_tokens:
        assert [text[span.start : span.stop].strip() for span in spans] == [code]


@given(st.lists(st.integers(1, 20), min_size=1, max_size=60), st.integers(20, 60))
def test_two_adjacent_prose_chunks_never_fit_in_one(sizes, max_tokens):
    text = "\n\n".join("word " * size for size in sizes)
    spans = split(text, lambda piece: len(piece.split()), max_tokens)
    assert all(one.tokens + two.tokens > max_tokens for one, two in pairwise(spans))
