"""Splits the text of a message into chunks of code and prose that are small enough to embed and to quote."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import regex

from aforesaid.models.message import ChunkDraft, ChunkKind
from aforesaid.text.sentences import SENTENCE_BREAK

Count = Callable[[str], int]

_BREAKS = r"\n\r\v\f\x85\u2028\u2029"
_BREAK = rf"(?>\r\n|[{_BREAKS}])"
_EDGE = r"(?![\p{GCB=Extend}\p{GCB=ZWJ}\p{GCB=SpacingMark}]|(?<=\r)\n)"  # between two grapheme clusters
_PARAGRAPH = regex.compile(rf"(?:{_BREAK}[^\S{_BREAKS}]*+{_BREAK}|\u2029)\s*{_EDGE}")
_SENTENCE = regex.compile(rf"(?:{SENTENCE_BREAK}|{_BREAK}\s*){_EDGE}")
_LINE = regex.compile(_BREAK)
_WORD = regex.compile(rf"\s+{_EDGE}")
_CUTS: dict[ChunkKind, tuple[regex.Pattern[str], ...]] = {
    "prose": (_PARAGRAPH, _SENTENCE, _WORD),
    "code": (_LINE, _WORD),
}
_GRAPHEME = regex.compile(r"\X")
_SPACE = regex.compile(r"\s*+")

_START = r"(?<![^\r\n])(?=[^\r\n])"  # of a line that is not empty
_ITEM = r"(?:[-*+]|[0-9]{1,9}[.)])[ \t]++"
_LIST = regex.compile(rf"{_START}[ \t]*+{_ITEM}")
_OPENING = regex.compile(
    rf"{_START}(?P<margin>[ \t]*+(?P<items>(?:{_ITEM}){{0,8}}+))"
    r"(?P<fence>`{3,}+(?=[^`\r\n]*+(?:[\r\n]|\Z))|~{3,}+)(?P<info>[^\r\n]*+)(?:\r\n|\r|\n|\Z)"
)
_CLOSING = regex.compile(rf"{_START}(?P<margin>[ \t]*+)(?P<fence>`{{3,}}+|~{{3,}}+)[ \t]*+(?:\r\n|\r|\n|\Z)")
_MARGIN = 3  # most columns before a fence
_LONGEST_LANGUAGE = 40


@dataclass(frozen=True, slots=True)
class _TokenLimit:
    """Counts the tokens of parts of one text, which may have at most `limit`."""

    text: str
    count: Count
    limit: int

    def tokens(self, start: int, stop: int) -> int:
        return self.count(self.text[start:stop])

    def block(self, kind: ChunkKind, language: str | None, start: int, stop: int) -> ChunkDraft:
        return ChunkDraft(kind, language, start, stop, self.tokens(start, stop))


def split(text: str, count: Count, max_tokens: int, tokens: int | None = None) -> list[ChunkDraft]:
    """Chunks without terms, in order and without gaps: joined, they are the text.

    A chunk has at most `max_tokens` tokens, unless it is a single larger grapheme cluster, and no cut is inside a
    cluster. A fenced code block that fits is one chunk, and so is a text without code that fits. Pass the `tokens` of
    the whole text if they are known; this saves a count.
    """
    if not text:
        return []
    scale = _TokenLimit(text, count, max_tokens)
    if "```" in text or "~~~" in text:
        return [chunk for block in _blocks(scale) for chunk in _split_block(scale, block)]
    if tokens is not None and tokens <= max_tokens:
        return [ChunkDraft("prose", None, 0, len(text), tokens)]
    return list(_split_block(scale, scale.block("prose", None, 0, len(text))))


def _blocks(scale: _TokenLimit) -> Iterator[ChunkDraft]:
    """Alternating prose and code. Blank lines belong to the code before them, unless it fits only without them."""
    end = 0
    for language, start, stop in _fenced_code(scale.text):
        first = 0 if end == 0 and start <= _SPACE.match(scale.text).end() else start
        block = scale.block("code", language, first, _after_blank_lines(scale.text, stop))
        if block.tokens > scale.limit:
            block = scale.block("code", language, start, stop)
        if end < block.start:
            yield scale.block("prose", None, end, block.start)
        yield block
        end = block.stop
    if end < len(scale.text):
        yield scale.block("prose", None, end, len(scale.text))


def _after_blank_lines(text: str, at: int) -> int:
    stop = int(_SPACE.match(text, at).end())
    if stop == len(text):
        return stop
    return max(at, 1 + text.rfind("\n", at, stop), 1 + text.rfind("\r", at, stop))


def _fenced_code(text: str) -> Iterator[tuple[str | None, int, int]]:
    """The language, start and stop of each fenced code block. An unclosed block ends with the text."""
    item = _LIST.search(text)
    list_start = item.start() if item else len(text)  # after it, a fence can be indented as far as list items are
    at = 0
    while opening := _OPENING.search(text, at):
        at = opening.end()
        if opening["items"] or _columns(opening["margin"]) <= _MARGIN or opening.start() > list_start:
            at = _closing_end(text, opening)
            yield _language(opening["info"]), opening.start(), at


def _closing_end(text: str, opening: regex.Match[str]) -> int:
    margin = _columns(opening["margin"]) + _MARGIN
    for closing in _CLOSING.finditer(text, opening.end()):
        if closing["fence"].startswith(opening["fence"]) and _columns(closing["margin"]) <= margin:
            return int(closing.end())
    return len(text)


def _columns(margin: str) -> int:
    return len(margin.expandtabs(4))


def _language(info: str) -> str | None:
    word = next(iter(info.split(maxsplit=1)), "").lower()
    return word if 0 < len(word) <= _LONGEST_LANGUAGE else None


def _split_block(scale: _TokenLimit, block: ChunkDraft) -> Iterator[ChunkDraft]:
    """The whole block if it fits, else the longest pieces that fit, cut at the best kind of boundary."""
    if block.tokens <= scale.limit:
        yield block
        return
    at, width = block.start, _width(scale, block.stop - block.start, block.tokens)
    while at < block.stop:
        stop, tokens = _too_far(scale, at, block.stop, width)
        width = _width(scale, stop - at, tokens)
        if tokens > scale.limit:
            stop, tokens = _cut(scale, block.kind, at, (stop, tokens))
        yield ChunkDraft(block.kind, block.language, at, stop, tokens)
        at = stop


def _width(scale: _TokenLimit, characters: int, tokens: int) -> int:
    """An estimate of slightly more characters than fit."""
    return 16 + 5 * characters * scale.limit // (4 * max(1, tokens))


def _too_far(scale: _TokenLimit, at: int, stop: int, width: int) -> tuple[int, int]:
    """A position that is too far from `at`, or `stop` if all of the text fits; and the tokens up to it."""
    while True:
        position = min(stop, at + width)
        tokens = scale.tokens(at, position)
        if tokens > scale.limit or position == stop:
            return position, tokens
        width *= 2


def _cut(scale: _TokenLimit, kind: ChunkKind, at: int, beyond: tuple[int, int]) -> tuple[int, int]:
    """The end of the piece that starts at `at`, and its tokens. `beyond` is a position that is too far, with tokens."""
    for pattern in _CUTS[kind]:
        ends = [match.end() for match in pattern.finditer(scale.text, at, beyond[0]) if match.end() < beyond[0]]
        if cut := _furthest(scale, at, ends, beyond):
            return cut
    if cut := _furthest(scale, at, _graphemes(scale.text, at, beyond[0]), beyond):
        return cut
    stop = _GRAPHEME.match(scale.text, at).end()
    return stop, scale.tokens(at, stop)


def _graphemes(text: str, at: int, stop: int) -> Sequence[int]:
    window = text[at:stop]
    if window.isascii() and "\r" not in window:
        return range(at + 1, stop)
    return [match.end() for match in _GRAPHEME.finditer(text, at, stop)][:-1]


def _furthest(scale: _TokenLimit, at: int, ends: Sequence[int], beyond: tuple[int, int]) -> tuple[int, int] | None:
    """The last of `ends` up to which the text fits: four interpolated guesses, then a binary search."""
    low, high = -1, len(ends)
    fits, fails = (at, 0), beyond
    guesses = 4
    while high - low > 1:
        probe = (low + high) // 2
        if guesses:
            share = (scale.limit - fits[1]) / (fails[1] - fits[1])
            likely = bisect_right(ends, fits[0] + int((fails[0] - fits[0]) * share)) - 1
            probe = min(max(likely, low + 1), high - 1)
            guesses -= 1
        tokens = scale.tokens(at, ends[probe])
        if tokens <= scale.limit:
            low, fits = probe, (ends[probe], tokens)
        else:
            high, fails = probe, (ends[probe], tokens)
    return fits if low >= 0 else None
