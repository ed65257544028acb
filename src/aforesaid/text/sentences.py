"""Sentence boundaries: the one place that splits text into sentences.

- `SENTENCE_END` and `SENTENCE_BREAK` are patterns for text of any script; chunks and truncated text end there.
- `split_sentences` and `speaker_sentences` split text of any script for summaries.
- `own_prose` and `prose_sentences` find what an author asserts. They hide code, quotes, lists and inserted memory
  blocks, and keep all offsets.
- `rough_sentences` and `CLAUSE_END` are cheap approximations for scoring.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

import regex

from aforesaid.models.message import Utterance
from aforesaid.text.analyzer import index_terms
from aforesaid.text.memory_blocks import memory_block_spans
from aforesaid.text.normalize import storable_text

_STOP = r"[.!?…]"
_CLOSERS = r"[\"'”’»)\]]*+"
_DENSE_END = r"[。！？｡．؟۔।॥။።፧՞][\"'”’»」』）)\]]*+"  # scripts that need no space after a sentence
SENTENCE_END = rf"{_STOP}{_CLOSERS}(?=\s|\Z)|{_DENSE_END}"
SENTENCE_BREAK = rf"(?<!{_STOP}){_STOP}++{_CLOSERS}\s+|{_DENSE_END}\s*"  # includes the white space after the sentence
CLAUSE_END = re.compile(r"[.!?](?=\s)|\n")
_ROUGH = re.compile(r"[^.!?。！？؟\n]+[.!?。！？؟\n]*")


def rough_sentences(text: str) -> list[str]:
    """Splits at every mark, also inside numbers and abbreviations."""
    return [sentence.strip() for sentence in _ROUGH.findall(text)]


LONGEST_PART = 20_000  # characters read from the beginning and from the end of a message, each
DIALOGUE_ROLES = ("user", "assistant")

_FENCED_CODE = regex.compile(r"(?ms)^[ \t]*+(?P<fence>`{3,}+|~{3,}+).*?(?:^[ \t]*+(?P=fence)[^\n]*+$|\Z)")
_MARKUP = regex.compile(r"^(?:[-*+>#•]{1,6}[ \t]++|[0-9]{1,3}[.)][ \t]++)++|\*\*|__")
_SPACE = regex.compile(r"\s+")
_ABBREVIATIONS = r"\p{Lu}|Mr|Mrs|Ms|Dr|Prof|St|No|Nr|vs|etc|e\.g|i\.e|z\.\s?B|ca|bzw|usw"
_END = regex.compile(
    rf"(?<!\b(?:{_ABBREVIATIONS})){_STOP}++{_CLOSERS}\s+(?!\p{{Ll}})|{_DENSE_END}\s*|[\n\r\u2028\u2029]\s*"
)


@dataclass(frozen=True, slots=True)
class SpeakerSentence:
    """One sentence, on one line, of message number `place` by `speaker`. `terms` are its index terms, each once."""

    place: int
    speaker: str
    role: str
    text: str
    terms: tuple[str, ...]


def dialogue_messages(utterances: Sequence[Utterance]) -> tuple[Utterance, ...]:
    """The non-empty messages of user and assistant; no system messages and no tool results."""
    return tuple(utterance for utterance in utterances if utterance.role in DIALOGUE_ROLES and utterance.text.strip())


def speaker_sentences(utterances: Sequence[Utterance]) -> list[SpeakerSentence]:
    """The sentences of user and assistant in order, without code."""
    return [
        SpeakerSentence(place, _speaker_name(message), message.role, sentence, unique_terms(sentence))
        for place, message in enumerate(dialogue_messages(utterances))
        for sentence in split_sentences(message.text)
    ]


def unique_terms(text: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(index_terms(text)))


def split_sentences(text: str) -> Iterator[str]:
    """The sentences of a text in any script, each on one line, without code and list marks."""
    if len(text) > 2 * LONGEST_PART:
        text = f"{text[:LONGEST_PART]}\n{text[-LONGEST_PART:]}"
    prose = _FENCED_CODE.sub("\n", storable_text(text))
    edges = [0, *(match.end() for match in _END.finditer(prose)), len(prose)]
    for start, stop in pairwise(edges):
        if sentence := _SPACE.sub(" ", _MARKUP.sub("", prose[start:stop].strip())).strip():
            yield sentence


def _speaker_name(utterance: Utterance) -> str:
    """The speaker's name on one line, without the bracket that ends it in a summary."""
    name = _SPACE.sub(" ", storable_text(utterance.speaker)).replace("]", ")").strip()
    return name[:40] or utterance.role


READ_CHARACTERS = 20_000  # characters of a message; a longer one is a paste
LONGEST_SENTENCE = 600  # characters; a longer one is a table or a log, and the bound keeps every pattern fast
MOST_SENTENCES = 400
HIDDEN_MARK = "\ufffc"  # replaces each hidden character, so that offsets stay the same

_INLINE_CODE = re.compile(r"```.*?(?:```|\Z)|~~~.*?(?:~~~|\Z)|`[^`\n]{1,400}`|\bhttps?://\S+", re.DOTALL)
_QUOTES = re.compile(
    r"\"[^\"\n]{2,600}\"|“[^”\n]{2,600}”|„[^“”\n]{2,600}[“”]|«[^»\n]{2,600}»|»[^«\n]{2,600}«|「[^」\n]{1,600}」|『[^』\n]{1,600}』"
    r"|(?<!\w)'(?!(?:ve|re|ll|[mds])\b)[^'\n]{12,600}'(?!\w)|‘[^’\n]{12,600}’(?!\w)"
)
_QUOTED_NAME = regex.compile(
    r"[\"“„«]\p{Lu}[\p{L}\p{N}.'&\-]*(?:\s(?:of|the|and|\p{Lu}[\p{L}\p{N}.'&\-]*|&)){0,4}[\"”“»]"
)
_ITEM = re.compile(r"^[ \t]*(?:[-*•+]|\d{1,2}[.)]|[A-Za-z]{1,20}:)[ \t]+\S.*$", re.MULTILINE)
_PASTED = re.compile(r":[ \t]*\n")
_ABOUT_SELF = re.compile(
    r"\b(?:about me|about myself|über mich|sur moi|sobre mí|su di me|sobre mim|over mij|over mezelf)\b", re.I
)
_DAY = r"(?<!\d)(?<!\d[,.])(?:[12]?\d|3[01])\.(?=\s(?!(?:I|We|My|It|The|So)\b)\p{L})"  # "3. Oktober" does not end here
_PROSE_END = regex.compile(
    rf"{_DAY}(*SKIP)(*FAIL)|(?:[.!?…]+(?<!\b(?:e\.g|i\.e|Mrs?|Ms|Dr|St)\.)[\"')\]]*(?=\s|$))|[。！？]+|\n|;(?=\s)"
)
_PLAIN = str.maketrans({"’": "'", "‘": "'", "ʼ": "'", "＇": "'", "\u00a0": " ", "\u202f": " "})


@dataclass(frozen=True, slots=True)
class ProseSentence:
    """A sentence in its author's own words, with its closing mark. It begins at offset `start` of the message."""

    text: str
    start: int

    @property
    def asks(self) -> bool:
        return self.text.rstrip().endswith(("?", "？")) or "¿" in self.text


def own_prose(text: str) -> str:
    """The start of a message with plain apostrophes. Hides all but the author's own prose, and keeps the offsets."""
    prose = text[:READ_CHARACTERS].translate(_PLAIN)
    for start, stop in memory_block_spans(prose):
        prose = prose[:start] + _hidden(prose[start:stop]) + prose[stop:]
    prose = _QUOTES.sub(_without_quotation, _hide(_INLINE_CODE, prose))
    pasted = _PASTED.search(prose)
    if pasted is not None and not _ABOUT_SELF.search(prose, max(0, pasted.start() - 80), pasted.start()):
        prose = prose[: pasted.end()] + _hidden(prose[pasted.end() :])
    is_list = len(_ITEM.findall(prose)) > 1 and not _ABOUT_SELF.search(prose)
    return _hide(_ITEM, prose) if is_list else prose


def prose_sentences(prose: str) -> Iterator[ProseSentence]:
    """The sentences of what `own_prose` returns, in order; at most the first few hundred."""
    start = 0
    for number, end in enumerate(_PROSE_END.finditer(prose)):
        if number == MOST_SENTENCES:
            return
        yield from _prose_sentence(prose, start, end.end())
        start = end.end()
    yield from _prose_sentence(prose, start, len(prose))


def _prose_sentence(prose: str, start: int, stop: int) -> Iterator[ProseSentence]:
    while start < stop and prose[start].isspace():
        start += 1
    words = prose[start:stop].rstrip()
    if len(words) > LONGEST_SENTENCE:
        words = words[:LONGEST_SENTENCE].rpartition(" ")[0]
    if words.strip(HIDDEN_MARK):
        yield ProseSentence(words, start)


def _hide(pattern: re.Pattern[str], text: str) -> str:
    return pattern.sub(lambda match: _hidden(match[0]), text)


def _without_quotation(quote: re.Match[str]) -> str:
    """The quote hidden, unless it is a name."""
    return quote[0] if _QUOTED_NAME.fullmatch(quote[0]) else _hidden(quote[0])


def _hidden(text: str) -> str:
    """Text of the same length with the same line ends."""
    return "\n".join(HIDDEN_MARK * len(line) for line in text.split("\n"))
