"""Code that a conversation comes back to: a block that names something which later turns speak of."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import accumulate

import regex

from recollect.records import Utterance
from recollect.text.identifiers import identifiers

TURNS = 2  # later turns that must speak of it
LONGEST = 600  # characters of a block that is pinned whole; of a longer one the line that names it
LOOKED_AT = 20_000  # characters of a message

_BLOCK = regex.compile(r"(?ms)^[ \t]*+(?P<fence>`{3,}+|~{3,}+)[^\n]*+\n(?P<code>.*?)^[ \t]*+(?P=fence)[ \t]*+$")
_DEFINES = regex.compile(
    r"(?m)^[ \t]*+(?:(?:export|default|public|private|protected|static|async|pub|final|abstract)[ \t]++)*+"
    r"(?:def|class|function|fn|func|interface|struct|enum|trait|type|const|let|var"
    r"|CREATE[ \t]+TABLE(?:[ \t]+IF[ \t]+NOT[ \t]+EXISTS)?)"
    r"[ \t]++(?P<name>[\p{L}_][\p{L}\p{N}_]{2,80}+)",
    regex.IGNORECASE,
)
_FILE = regex.compile(r"\A[ \t]*(?:#|//|--|/\*)[ \t]*(?P<name>[\w./-]{1,80}\.[a-z]{1,5})\b")


def referred(window: Sequence[Utterance]) -> Iterator[tuple[Utterance, str, str]]:
    """Each block of code that two later turns speak of by a name that it defines: its message, what to pin, the name.

    A turn is a user's message and what answers it. A name counts as spoken of where it is written as code is.
    """
    turns = list(accumulate(int(one.role == "user") for one in window))
    spoken = [frozenset(identifiers(_BLOCK.sub("", one.text[:LOOKED_AT]))) for one in window]
    for place, one in enumerate(window):
        if one.role == "tool" or ("```" not in one.text and "~~~" not in one.text):
            continue
        for block in _BLOCK.finditer(one.text[:LOOKED_AT]):
            named = _spoken_of(_names(block["code"]), turns[place:], spoken[place:])
            if named is not None:
                yield one, _shown(block["code"], named), named


def blocks(text: str) -> Iterator[str]:
    """All that may be pinned of a message's code: each block, or each line of a long one."""
    for block in _BLOCK.finditer(text[:LOOKED_AT]):
        whole = block["code"].strip("\n").rstrip()
        yield from [whole] if len(whole) <= LONGEST else (line.strip()[:LONGEST] for line in whole.splitlines())


def _names(code: str) -> Mapping[str, str]:
    """What a block defines: as later turns would write it, and as the index has it."""
    found = [*_FILE.finditer(code), *_DEFINES.finditer(code)]
    return {joined: match["name"] for match in found for joined in identifiers(f"`{match['name']}`")[:1]}


def _spoken_of(names: Mapping[str, str], turns: Sequence[int], spoken: Sequence[frozenset[str]]) -> str | None:
    for joined, name in names.items():
        later = {turn for turn, words in zip(turns, spoken, strict=True) if turn > turns[0] and joined in words}
        if len(later) >= TURNS:
            return name
    return None


def _shown(code: str, name: str) -> str:
    whole = code.strip("\n").rstrip()
    if len(whole) <= LONGEST:
        return whole
    return next(line.strip() for line in whole.splitlines() if name in line)[:LONGEST]
