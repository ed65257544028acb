"""What a text must hold for a pattern to match it, read from the pattern's own words: a look that spares compiling it."""

from __future__ import annotations

import re
from collections import deque
from dataclasses import dataclass, field
from typing import TypeAlias

Needs: TypeAlias = tuple[frozenset[str], ...]  # of each, one must stand somewhere in the folded text

_TOKEN = re.compile(
    r"(?P<gap><\w+(?::\w+)?>)"
    r"|(?P<open>\((?:\?(?:P<\w+>|<?[=!]|-?[a-z]*:)|(?!\?)))"
    r"|(?P<close>\))"
    r"|(?P<bar>\|)"
    r"|(?P<count>(?:[*+?]|\{\d*,?\d*\})[+?]?)"
    r"|(?P<any>\\p\{\w+\}|\\.|\[(?:\\.|[^\]\\])*\]|[.^$\s])"
    r"|(?P<letters>[\w']+(?![*+?{])|[^(])",
    re.DOTALL,
)
_TURKISH = str.maketrans("İı", "ii")  # which `regex` takes for an i where case does not count

_Tokens: TypeAlias = "deque[tuple[str | None, str]]"


def folded(text: str) -> str:
    """The text with cases made one: what a pattern that ignores case takes for the same is the same here."""
    return text.translate(_TURKISH).casefold()


def may_match(needs: Needs, text: str) -> bool:
    """Whether a folded text holds all that is needed; where it does not, the pattern matches nowhere in it."""
    return all(any(word in text for word in words) for words in needs)


def needs(pattern: str) -> Needs:
    """What every text holds in which the pattern matches; nothing for what its gaps stand for.

    Raises `ValueError` for a kind of group that is not known here, as it would be misread.
    """
    tokens = deque((token.lastgroup, token[0]) for token in _TOKEN.finditer(pattern))
    if sum(len(text) for _, text in tokens) < len(pattern):
        raise ValueError(f"an unknown kind of group in a pattern: {pattern!r}")
    return _group(tokens)


@dataclass(slots=True)
class _Branch:
    """One way through a group: its letters, with blanks where other things stand between, and its inner groups'."""

    letters: list[str] = field(default_factory=list)
    inner: list[frozenset[str]] = field(default_factory=list)

    def needs(self) -> Needs:
        runs = folded("".join(self.letters)).split()
        return (*(frozenset({run}) for run in runs), *self.inner)


def _group(tokens: _Tokens) -> Needs:
    """What the tokens up to the group's end need, which are taken."""
    branches = [_Branch()]
    while tokens:
        kind, text = tokens.popleft()
        if kind == "close":
            break
        if kind == "bar":
            branches.append(_Branch())
        elif kind == "open":
            inner = _group(tokens)
            branches[-1].letters.append(" ")
            if not _optional(tokens) and not text.endswith("!"):
                branches[-1].inner += inner
        else:
            counted = bool(tokens) and tokens[0][0] == "count"
            stays = kind == "letters" and not _optional(tokens)
            branches[-1].letters += [text if stays else " ", " " if counted else ""]
    return _one_of([branch.needs() for branch in branches])


def _optional(tokens: _Tokens) -> bool:
    """Whether a count follows, which is taken, that lets what it counts be missing."""
    if not tokens or tokens[0][0] != "count":
        return False
    count = tokens.popleft()[1]
    return count[0] in "*?" or count.startswith(("{0", "{,"))


def _one_of(branches: list[Needs]) -> Needs:
    if len(branches) == 1:
        return branches[0]
    if not all(branches):
        return ()
    return (frozenset[str]().union(*(max(branch, key=_worth) for branch in branches)),)


def _worth(words: frozenset[str]) -> tuple[int, int]:
    """How seldom one of the words will be found: the shortest of them tells most."""
    return min(map(len, words)), -len(words)
