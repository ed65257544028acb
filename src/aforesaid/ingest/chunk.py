"""Splits a message's text into code and prose, each stretch small enough to embed and to quote."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import regex

from aforesaid.models.message import ChunkKind
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
_MARGIN = 3  # columns that a fence may be indented by
_LONGEST_LANGUAGE = 40


@dataclass(frozen=True, slots=True)
class ChunkSpan:
    """A stretch of a text, text[start:stop], and how many tokens that is."""

    kind: ChunkKind
    language: str | None
    start: int
    stop: int
    tokens: int


@dataclass(frozen=True, slots=True)
class _Block:
    """A stretch of code or of prose, however large, and its tokens if they have been counted."""

    kind: ChunkKind
    language: str | None
    start: int
    stop: int
    tokens: int | None = None


@dataclass(frozen=True, slots=True)
class _TokenLimit:
    """Weighs stretches of one text against the limit."""

    text: str
    count: Count
    limit: int

    def tokens(self, start: int, stop: int) -> int:
        return self.count(self.text[start:stop])


def split(text: str, count: Count, max_tokens: int, tokens: int | None = None) -> list[ChunkSpan]:
    """Spans that lie end to end and give the text back when put together.

    None has more than `max_tokens` tokens, except one grapheme cluster that alone is larger, and no cut goes
    through a cluster. A fenced code block that fits is one span, as is a text without code that fits. Whoever
    knows how many `tokens` the whole text has may say so and spare a count.
    """
    if not text:
        return []
    scale = _TokenLimit(text, count, max_tokens)
    if "```" in text or "~~~" in text:
        return [span for block in _blocks(scale) for span in _spans(scale, block)]
    if tokens is not None and tokens <= max_tokens:
        return [ChunkSpan("prose", None, 0, len(text), tokens)]
    return list(_spans(scale, _Block("prose", None, 0, len(text))))


def _blocks(scale: _TokenLimit) -> Iterator[_Block]:
    """Prose and code in turn. Blank lines go with the code before them, unless it fits only without them."""
    done = 0
    for code in _fenced(scale.text):
        start = 0 if done == 0 and code.start <= _SPACE.match(scale.text).end() else code.start
        stop = _after_blank_lines(scale.text, code.stop)
        tokens = scale.tokens(start, stop)
        block = code if tokens > scale.limit else _Block(code.kind, code.language, start, stop, tokens)
        if done < block.start:
            yield _Block("prose", None, done, block.start)
        yield block
        done = block.stop
    if done < len(scale.text):
        yield _Block("prose", None, done, len(scale.text))


def _after_blank_lines(text: str, at: int) -> int:
    stop = int(_SPACE.match(text, at).end())
    if stop == len(text):
        return stop
    return max(at, 1 + text.rfind("\n", at, stop), 1 + text.rfind("\r", at, stop))


def _fenced(text: str) -> Iterator[_Block]:
    """The fenced code blocks. A fence that is never closed runs to the end."""
    item = _LIST.search(text)
    deep = item.start() if item else len(text)  # from here on a fence may be indented as far as list items are
    at = 0
    while opening := _OPENING.search(text, at):
        at = opening.end()
        if opening["items"] or _columns(opening["margin"]) <= _MARGIN or opening.start() > deep:
            at = _closed(text, opening)
            yield _Block("code", _language(opening["info"]), opening.start(), at)


def _closed(text: str, opening: regex.Match[str]) -> int:
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


def _spans(scale: _TokenLimit, block: _Block) -> Iterator[ChunkSpan]:
    """The block whole if it fits, else the longest pieces that do, cut at the best kind of place there is."""
    tokens = scale.tokens(block.start, block.stop) if block.tokens is None else block.tokens
    if tokens <= scale.limit:
        yield ChunkSpan(block.kind, block.language, block.start, block.stop, tokens)
        return
    at, width = block.start, _width(scale, block.stop - block.start, tokens)
    while at < block.stop:
        stop, tokens = _too_far(scale, at, block.stop, width)
        width = _width(scale, stop - at, tokens)
        if tokens > scale.limit:
            stop, tokens = _cut(scale, block.kind, at, (stop, tokens))
        yield ChunkSpan(block.kind, block.language, at, stop, tokens)
        at = stop


def _width(scale: _TokenLimit, characters: int, tokens: int) -> int:
    """How many characters are likely to be a little more than fits."""
    return 16 + 5 * characters * scale.limit // (4 * max(1, tokens))


def _too_far(scale: _TokenLimit, at: int, stop: int, width: int) -> tuple[int, int]:
    """A place that is too far for what starts at `at`, or `stop` if all of it fits; and the tokens up to it."""
    while True:
        place = min(stop, at + width)
        tokens = scale.tokens(at, place)
        if tokens > scale.limit or place == stop:
            return place, tokens
        width *= 2


def _cut(scale: _TokenLimit, kind: ChunkKind, at: int, beyond: tuple[int, int]) -> tuple[int, int]:
    """Where to end the piece that starts at `at`, and its tokens."""
    for pattern in _CUTS[kind]:
        ends = [match.end() for match in pattern.finditer(scale.text, at, beyond[0])]
        if found := _furthest(scale, at, _before(ends, beyond[0]), beyond):
            return found
    if found := _furthest(scale, at, _graphemes(scale.text, at, beyond[0]), beyond):
        return found
    stop = _GRAPHEME.match(scale.text, at).end()
    return stop, scale.tokens(at, stop)


def _before(ends: list[int], place: int) -> list[int]:
    return ends[:-1] if ends and ends[-1] == place else ends


def _graphemes(text: str, at: int, stop: int) -> Sequence[int]:
    window = text[at:stop]
    if window.isascii() and "\r" not in window:
        return range(at + 1, stop)
    return [match.end() for match in _GRAPHEME.finditer(text, at, stop)][:-1]


def _furthest(scale: _TokenLimit, at: int, ends: Sequence[int], beyond: tuple[int, int]) -> tuple[int, int] | None:
    """The last of `ends` up to which the text fits, found by a few guesses, then by halving."""
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
