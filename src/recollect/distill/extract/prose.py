"""What of a message its author says in their own voice: code, quotes, lists and injected text are left out."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

import regex

from recollect.text.injected import injected

READ = 20_000  # characters of a message: who writes more has pasted something
LONGEST = 600  # characters of a sentence; what goes on longer is a table or a log, and every pattern stays fast
MOST_SENTENCES = 400
HIDDEN = "\ufffc"  # stands for what is left out, so that places stay the same

_CODE = re.compile(r"```.*?(?:```|\Z)|~~~.*?(?:~~~|\Z)|`[^`\n]{1,400}`|\bhttps?://\S+", re.DOTALL)
_QUOTES = re.compile(
    r"\"[^\"\n]{2,600}\"|“[^”\n]{2,600}”|„[^“”\n]{2,600}[“”]|«[^»\n]{2,600}»|»[^«\n]{2,600}«|「[^」\n]{1,600}」|『[^』\n]{1,600}』"
    r"|(?<!\w)'(?!(?:ve|re|ll|[mds])\b)[^'\n]{12,600}'(?!\w)|‘[^’\n]{12,600}’(?!\w)"
)
_ITEM = re.compile(r"^[ \t]*(?:[-*•+]|\d{1,2}[.)]|[A-Za-z]{1,20}:)[ \t]+\S.*$", re.MULTILINE)
_PASTED = re.compile(r":[ \t]*\n")
_OWN = re.compile(
    r"\b(?:about me|about myself|über mich|sur moi|sobre mí|su di me|sobre mim|over mij|over mezelf)\b", re.I
)
_DAY = r"(?<!\d)(?<!\d[,.])(?:[12]?\d|3[01])\.(?=\s(?!(?:I|We|My|It|The|So)\b)\p{L})"  # "3. Oktober" goes on
_END = regex.compile(
    rf"{_DAY}(*SKIP)(*FAIL)|(?:[.!?…]+(?<!\be\.g\.)(?<!\bi\.e\.)[\"')\]]*(?=\s|$))|[。！？]+|\n|;(?=\s)"
)
_SAME = str.maketrans({"’": "'", "‘": "'", "ʼ": "'", "＇": "'", "\u00a0": " ", "\u202f": " "})


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence in its author's own voice, from `start` on in the message, with its closing mark."""

    text: str
    start: int

    @property
    def asks(self) -> bool:
        return self.text.rstrip().endswith(("?", "？")) or "¿" in self.text


def voice(text: str) -> str:
    """The beginning of the message, as long as it is, with apostrophes made plain and all that is not its author's own
    voice hidden."""
    own = text[:READ].translate(_SAME)
    for start, stop in injected(own):
        own = own[:start] + _hidden(own[start:stop]) + own[stop:]
    own = _hide(_CODE, own)
    own = _hide(_QUOTES, own)
    pasted = _PASTED.search(own)
    if pasted is not None and not _OWN.search(own, max(0, pasted.start() - 80), pasted.start()):
        own = own[: pasted.end()] + _hidden(own[pasted.end() :])
    items = _ITEM.findall(own)
    return _hide(_ITEM, own) if len(items) > 1 and not _OWN.search(own) else own


def sentences(own: str) -> Iterator[Sentence]:
    """The sentences of what `voice` gave, in order; the first few hundred."""
    start = 0
    for number, end in enumerate(_END.finditer(own)):
        if number == MOST_SENTENCES:
            return
        yield from _sentence(own, start, end.end())
        start = end.end()
    yield from _sentence(own, start, len(own))


def _sentence(own: str, start: int, stop: int) -> Iterator[Sentence]:
    while start < stop and own[start].isspace():
        start += 1
    words = own[start:stop].rstrip()
    if len(words) > LONGEST:
        words = words[:LONGEST].rpartition(" ")[0]
    if words and any(char != HIDDEN for char in words):
        yield Sentence(words, start)


def _hide(form: re.Pattern[str], text: str) -> str:
    return form.sub(lambda found: _hidden(found[0]), text)


def _hidden(text: str) -> str:
    """As long as the text, and with its line ends."""
    return "\n".join(HIDDEN * len(line) for line in text.split("\n"))
