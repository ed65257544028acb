"""Separates what a person typed from what the client program (the harness) put into the same message.

Coding agents and editors insert reminders, file listings, command output and editor state into user messages, and ask
the model for titles and summaries of their own. `harness.toml` lists these texts. Pure.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources

from aforesaid.models.json import Json

HARNESS_PART = "harness"  # the type of a content part with a harness's text: stored, but not searched or distilled

LEAST_REMINDER = 80  # characters; a shorter passage may be in both by chance, unless it ends the instructions
MARKER = 16  # characters at the end of a text, to see quickly that it ends with no reminder

_BLANK_LINE = re.compile(r"\n[ \t]*\n")
_FENCE = re.compile(r"^[ \t]*(?:```|~~~)", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class TextPiece:
    """A piece of a message. `harness` names the wrapper around it; it is None for what the person typed."""

    text: str
    harness: str | None = None

    def part(self) -> dict[str, Json]:
        """The content part to store."""
        if self.harness is None:
            return {"type": "text", "text": self.text}
        return {"type": HARNESS_PART, "name": self.harness, "text": self.text}


@dataclass(frozen=True, slots=True)
class HarnessPatterns:
    """The compiled tables of `harness.toml`. `request` and `block` match the opening of what they name; `closings` are
    the texts that end it, by its name."""

    openings: tuple[str, ...]
    restarts: tuple[str, ...]
    request: re.Pattern[str]
    heading: re.Pattern[str]
    block: re.Pattern[str]
    unwrapped: frozenset[str]
    closings: Mapping[str, str]
    side_requests: Mapping[str, re.Pattern[str]]


@cache
def _patterns() -> HarnessPatterns:
    table = tomllib.loads(resources.files(__package__).joinpath("harness.toml").read_text("utf-8"))
    tags, unwrapped, passages = table["tags"], table["unwrapped_tags"], table["passages"]
    tag = rf"(?:^[ \t]*|(?<=>))<(?P<tag>{_names([*tags, *unwrapped])})(?:\s[^<>\n]*)?>"
    block = rf"{tag}|^(?P<passage>{_names(one['begin'] for one in passages)})$"
    closings = {name: f"</{name}>" for name in (*tags, *unwrapped, *table["request_tags"])}
    sides = {
        one["name"]: re.compile(rf"^[ \t]*(?:{_names(one['phrases'])})", re.MULTILINE) for one in table["side_requests"]
    }
    return HarnessPatterns(
        (*table["openings"], *table["restarts"]),
        tuple(table["restarts"]),
        re.compile(rf"^[ \t]*<(?P<tag>{_names(table['request_tags'])})>", re.MULTILINE),
        re.compile(rf"^(?:{_names(table['request_headings'])})[ \t]*$", re.MULTILINE),
        re.compile(block, re.MULTILINE),
        frozenset(unwrapped),
        closings | {one["begin"]: "\n" + one["end"] for one in passages},
        sides,
    )


def _names(names: Iterable[str]) -> str:
    return "|".join(map(re.escape, names))


def split_harness(text: str, instructions: str = "") -> list[TextPiece]:
    """The pieces of a user message, in order. Joined, they are the text. A text without harness is one piece. An end
    that repeats a passage of the application's `instructions` is a reminder of the program's."""
    end = _reminder_start(text, instructions)
    return [*_split(text[:end]), *([TextPiece(text[end:], "reminder")] if end < len(text) else [])]


def _reminder_start(text: str, instructions: str) -> int:
    end = text[-LEAST_REMINDER:].strip()
    instructions = instructions.rstrip()
    if not end or end[-MARKER:] not in instructions:
        return len(text)
    paragraphs = (match.end() for match in _BLANK_LINE.finditer(text, max(0, len(text) - len(instructions) - 80)))
    tails = ((start, text[start:].strip()) for start in paragraphs)
    return next(
        (
            start
            for start, tail in tails
            if tail and (instructions.endswith(tail) or (len(tail) >= LEAST_REMINDER and tail in instructions))
        ),
        len(text),
    )


@dataclass(frozen=True, slots=True)
class TextBlock:
    """A block of a text: its name, and where it and its inner text begin and end."""

    name: str
    start: int
    inner: int
    end: int
    stop: int


def _blocks(text: str, opening: re.Pattern[str]) -> Iterator[TextBlock]:
    """The blocks of a text that are closed, in order and without overlap. Takes time in proportion to the text."""
    closings, unclosed, place = _patterns().closings, set[str](), 0
    while (match := opening.search(text, place)) is not None:
        place, name = match.end(), match[match.lastgroup or 0]
        end = -1 if name in unclosed else text.find(closings[name], place)
        if end < 0:
            unclosed.add(name)
        else:
            place = end + len(closings[name])
            yield TextBlock(name, match.start(), match.end(), end, place)


def _split(text: str) -> list[TextPiece]:
    patterns = _patterns()
    if text.lstrip().startswith(patterns.openings):
        return [TextPiece(text, "opening")]
    request = next(_blocks(text, patterns.request), None)
    if request is not None:
        return _around(text, request.inner, request.end, request.name)
    heading = patterns.heading.search(text)
    if heading is not None:
        return _around(text, heading.end(), len(text), "heading")
    pieces: list[TextPiece] = []
    end, fences, seen = 0, 0, 0
    for block in _blocks(text, patterns.block):
        fences += len(_FENCE.findall(text, seen, block.start))
        seen = block.start
        if fences % 2:  # in a code block: the person shows it
            continue
        pieces.append(TextPiece(text[end : block.start]))
        if block.name in patterns.unwrapped:
            inside = block.inner - block.start, block.end - block.start
            pieces += _around(text[block.start : block.stop], *inside, block.name)
        else:
            pieces.append(TextPiece(text[block.start : block.stop], block.name))
        end = seen = block.stop
    return list(_merge([*pieces, TextPiece(text[end:])]))


def typed_text(text: str) -> str:
    """What the person typed in a user message; empty if all of it is the harness's."""
    return join_typed(split_harness(text))


def ends_examples(text: str) -> bool:
    """True for a message that says that the turns before it are the program's examples."""
    return text.lstrip().startswith(_patterns().restarts)


def join_typed(pieces: Sequence[TextPiece]) -> str:
    return "\n\n".join(typed for piece in pieces if piece.harness is None and (typed := piece.text.strip()))


def side_request(instructions: str, question: str) -> str | None:
    """The purpose of a request that a program makes for itself (`title`, `summary`, `task`); None for talk."""
    patterns = _patterns().side_requests.items()
    return next((name for name, one in patterns if one.search(question) or one.search(instructions)), None)


def _around(text: str, start: int, stop: int, name: str) -> list[TextPiece]:
    """The typed text from `start` to `stop`, and the harness's text before and after it."""
    return list(_merge([TextPiece(text[:start], name), TextPiece(text[start:stop]), TextPiece(text[stop:], name)]))


def _merge(pieces: Iterable[TextPiece]) -> Iterator[TextPiece]:
    """Joins neighbours of one kind, and attaches white space to the piece before or after it."""
    waiting: TextPiece | None = None
    for piece in pieces:
        if not piece.text:
            continue
        if waiting is not None and (not piece.text.strip() or piece.harness == waiting.harness):
            waiting = TextPiece(waiting.text + piece.text, waiting.harness)
        elif waiting is not None and not waiting.text.strip():
            waiting = TextPiece(waiting.text + piece.text, piece.harness)
        else:
            if waiting is not None:
                yield waiting
            waiting = piece
    if waiting is not None:
        yield waiting
