"""What a text must hold for a pattern to match it, read off the pattern: a look that spares compiling it."""

from __future__ import annotations

import re
from collections import deque
from typing import TypeAlias

Needs: TypeAlias = tuple[frozenset[str], ...]  # of each, one must stand somewhere in the folded text

_TOKEN = re.compile(
    r"<\w+(?::\w+)?>"  # a gap
    r"|\((?:\?(?:P<\w+>|<?[=!]|-?[a-z]*:)|(?!\?))|\)|\|"
    r"|(?:[*+?]|\{\d*,?\d*\})[+?]?"  # how often the token before it stands
    r"|\\p\{\w+\}|\\.|\[(?:\\.|[^\]\\])*\]"
    r"|[\w']+(?![*+?{])|[^(]",
    re.DOTALL,
)
_COUNTS = "*+?{"
_OTHER = "<\\[.^$ "  # how a token begins that stands for no letter of its own


def folded(text: str) -> str:
    """The text with cases made one: what a pattern that ignores case takes for the same is the same here, the Turkish
    letter İ and an i with it."""
    return text.replace("İ", "i").casefold()


def may_match(needs: Needs, text: str) -> bool:
    """Whether a folded text holds all that is needed; where it does not, the pattern matches nowhere in it."""
    return all(any(map(text.__contains__, words)) for words in needs)


def needs(pattern: str) -> Needs:
    """What every text holds in which the pattern matches; nothing for what its gaps stand for.

    Raises `ValueError` for a kind of group that is not known here, as it would be misread.
    """
    tokens = deque(_TOKEN.findall(pattern))
    if sum(map(len, tokens)) < len(pattern):
        raise ValueError(f"an unknown kind of group in a pattern: {pattern!r}")
    return _group(tokens)


def _group(tokens: deque[str]) -> Needs:
    """What the tokens up to the group's end need, which are taken: all that its one branch does, or one of what each
    of several does."""
    branches: list[Needs] = []
    while True:
        branch, goes_on = _branch(tokens)
        branches.append(branch)
        if not goes_on:
            return branch if len(branches) == 1 else _one_of(branches)


def _branch(tokens: deque[str]) -> tuple[Needs, bool]:
    """What the tokens up to the branch's end need, which are taken, and whether another branch follows."""
    letters: list[str] = []  # with blanks where other things stand between
    inner: list[frozenset[str]] = []
    token = ""
    while tokens and (token := tokens.popleft()) not in (")", "|"):
        group = _group(tokens) if token[0] == "(" else ()
        count = tokens.popleft() if tokens and tokens[0][0] in _COUNTS else ""
        stays = not count.startswith(("*", "?", "{0", "{,"))
        if token[0] == "(":
            inner += group if stays and token[-1] != "!" else ()
        letters += (token if stays and token[0] not in _OTHER + "(" else " ", count and " ")
    runs = folded("".join(letters)).split()
    return (*(frozenset({run}) for run in runs), *inner), token == "|"


def _one_of(branches: list[Needs]) -> Needs:
    if not all(branches):
        return ()
    return (frozenset[str]().union(*(max(branch, key=_worth) for branch in branches)),)


def _worth(words: frozenset[str]) -> tuple[int, int]:
    """How seldom one of the words will be found: the shortest of them tells most."""
    return min(map(len, words)), -len(words)
