"""Automatic pins: reminders, appointments, decisions, and code blocks that later turns refer to. A text with a
credential or a prompt injection is never pinned, and a removed pin is never created again."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cache
from itertools import accumulate

import regex

from aforesaid.distill.episodes.event_mentions import event_mentions, statements
from aforesaid.distill.facts.claims import likely_languages
from aforesaid.distill.grammar import ClaimGrammar, CompiledPattern, compile_search, may_match_text, search
from aforesaid.distill.languages import EPISODE_GRAMMARS, GRAMMARS_BY_CODE
from aforesaid.distill.pipeline import Pause, no_pause, unread_batches
from aforesaid.models.message import Utterance
from aforesaid.models.pin import Pin, PinType
from aforesaid.ports import Clock
from aforesaid.settings import Settings
from aforesaid.storage.store import Store
from aforesaid.text.credentials import names_credential
from aforesaid.text.identifiers import identifiers
from aforesaid.text.injection import looks_like_injection
from aforesaid.text.masking import find_secrets
from aforesaid.text.normalize import fold, storable_text
from aforesaid.text.sentences import HIDDEN_MARK, own_prose, prose_sentences
from aforesaid.text.time_expressions import time_mentions

STEP = "pins"
MOST_PINS = 5  # per conversation: each is in every context, and a new one changes the stable prefix
LOOKBACK = 40  # messages before the unread ones whose code blocks the unread ones may refer to
READ_CHARACTERS = 20_000  # characters of a message

_WORD = regex.compile(r"[\p{L}\p{M}\p{N}]+")


@dataclass(frozen=True, slots=True)
class PinCandidate:
    """Text to pin, as it is in its message, and the reason."""

    text: str
    reason: str
    importance: float
    type: PinType
    message: Utterance


@dataclass(frozen=True, slots=True)
class AutoPins:
    """The distillation step that creates pins. The setting `auto_pins` turns it off."""

    store: Store
    settings: Callable[[str], Settings]
    clock: Clock
    make_id: Callable[[datetime], str]
    pause: Pause = no_pause

    def run(self, space: str, conversation: str) -> None:
        if not self.settings(space).flag("auto_pins"):
            return
        pins = self.store.pins
        for batch in unread_batches(self.store, STEP, space, conversation, self.pause):
            known = {mark.mark for mark in pins.marks(space, conversation)}
            known.update(*(_marks(pin.content) for pin in pins.list(space, conversation, None)))
            for candidate in self._candidates(space, conversation, batch.messages):
                exact, words = _marks(candidate.text)
                mark = exact if candidate.type == "code" else words
                if known.isdisjoint((exact, mark)):
                    pins.make(space, conversation, self._pin(candidate), mark, most=MOST_PINS, seen=batch.seen)

    def _candidates(self, space: str, conversation: str, unread: Sequence[Utterance]) -> Iterator[PinCandidate]:
        now = self.clock()
        for utterance in unread:
            yield from pin_candidates(utterance, now)
        before = self.store.messages.utterances(space, conversation, unread[0].seq - LOOKBACK - 1, LOOKBACK)
        window = [*(utterance for utterance in before if utterance.seq < unread[0].seq), *unread]
        for message, code, name in referenced_blocks(window):
            if not is_sensitive(message.text):
                yield PinCandidate(code, f"referenced code: {name}", 0.6, "code", message)

    def _pin(self, candidate: PinCandidate) -> Pin:
        now, text = self.clock(), storable_text(candidate.text)
        source = candidate.message.id
        return Pin(self.make_id(now), text, candidate.importance, candidate.type, source, now, candidate.reason)


def pin_marks(text: str) -> frozenset[str]:
    """The marks of everything in a message that may have been pinned."""
    prose = (text[each.start : each.start + len(each.text)] for each in prose_sentences(own_prose(text)))
    return frozenset(mark for words in (*prose, *code_blocks(text)) for mark in _marks(words))


def _marks(text: str) -> tuple[str, str]:
    """Digests that recognize a text without storing it: of its folded text, and of its words without the request."""
    exact = " ".join(fold(storable_text(text)).split())
    words = " ".join(_WORD.findall(fold(storable_text(strip_request(text)))))
    return _digest(exact), _digest(words or exact)


def _digest(text: str) -> str:
    return hashlib.blake2b(text.encode(), digest_size=16).hexdigest()


LEAST_WORDS = 3  # of a reminder; fewer only refer to something else
LONGEST_SENTENCE = 400  # characters of a sentence that is pinned
LONGEST_SPAN = timedelta(hours=25)  # of the date of an appointment, a day; "in June" is none

_PLAIN_WORD = regex.compile(r"[\p{L}\p{N}]+")
_LINKS = frozenset({"that", "dass", "que", "che", "dat"})
_THANKS = regex.compile(
    r"[\s,]+(?:please|thanks|thank you|bitte|danke|merci|s'il (?:te|vous) plaît|por favor|gracias|per favore|grazie"
    r"|obrigad[oa]|alsjeblieft|bedankt|dank je)\W*\Z",
    regex.IGNORECASE,
)
_NOT = (
    r"not|no|never|isn't|won't|don't|doesn't|can't|cancel\w*|nicht|kein\w*|abgesagt|pas|annulé\w*|non|cancelad\w*"
    r"|annullat\w*|não|niet|geen|afgezegd"
)


def pin_candidates(utterance: Utterance, now: datetime) -> list[PinCandidate]:
    """The sentences of a user to pin. Sensitive messages, questions, hypotheses and negations give none. An appointment
    must be in the future, both now and at the time of the message."""
    if utterance.role != "user" or is_sensitive(utterance.text):
        return []
    prose = own_prose(utterance.text)
    mentions = event_mentions(utterance)
    decided = {each.text for each in mentions if each.type == "decision_made" and each.named}
    for language in likely_languages(prose):
        grammar = EPISODE_GRAMMARS.get(language.code)
        if grammar and (decided or may_match_text(grammar.remember, prose) or may_match_text(grammar.events, prose)):
            candidates = list(_in_language(language, prose, utterance, now, decided))
            if candidates:
                return candidates
    return []


def is_sensitive(text: str) -> bool:
    """Returns True if a text contains or names a credential, or gives orders to a model. It is never pinned."""
    return bool(find_secrets(text)) or names_credential(text) or looks_like_injection(text)


def strip_request(text: str) -> str:
    """The text without a request to remember it and without thanks."""
    for code, grammar in EPISODE_GRAMMARS.items():
        request = _remember(GRAMMARS_BY_CODE[code]).match(text) if may_match_text(grammar.remember, text) else None
        if request is not None:
            *_, last = _PLAIN_WORD.findall(request[0]) or [""]
            word = "" if last.casefold() in _LINKS or request[0].endswith(":") else f"{last} "
            return str(_THANKS.sub("", word + text[request.end() :]))
    return text


def _in_language(
    language: ClaimGrammar, prose: str, utterance: Utterance, now: datetime, decided: set[str]
) -> Iterator[PinCandidate]:
    for sentence in statements(language, prose):
        verbatim = utterance.text[sentence.start : sentence.start + len(sentence.text)]
        if HIDDEN_MARK in sentence.text or len(verbatim) > LONGEST_SENTENCE:
            continue
        if _is_reminder(language, sentence.text):
            yield PinCandidate(verbatim, "a reminder", 0.75, "auto", utterance)
        elif search(language, EPISODE_GRAMMARS[language.code].past, sentence.text):
            continue
        elif (when := _appointment(language, sentence.text, utterance.at, now)) is not None:
            yield PinCandidate(verbatim, f"an appointment: {when:%Y-%m-%d}", 0.7, "auto", utterance)
        elif verbatim in decided:
            yield PinCandidate(verbatim, "a decision", 0.7, "auto", utterance)


def _is_reminder(language: ClaimGrammar, text: str) -> bool:
    """Returns True if a text asks to remember something that it names; "remember that it works" names nothing."""
    request = _remember(language).match(text)
    if request is None:
        return False
    start = len(text) - len(text[request.end() :].lstrip())
    refers = compile_search(language, EPISODE_GRAMMARS[language.code].pronouns, text).match(text, start)
    return refers is None and len(_PLAIN_WORD.findall(text, start)) >= LEAST_WORDS


def _appointment(language: ClaimGrammar, text: str, at: datetime, now: datetime) -> datetime | None:
    """The start of an appointment, in the time zone of the message; None if there is none, or it is over."""
    grammar = EPISODE_GRAMMARS[language.code]
    excluded = (grammar.elsewhere, _NOT, language.doubt, language.hedge)
    if not search(language, grammar.events, text) or any(search(language, words, text) for words in excluded):
        return None
    for span in time_mentions(text, at, ahead=True):
        if span.start > at and span.stop > now and span.stop - span.start <= LONGEST_SPAN:
            return span.start.astimezone(at.tzinfo)
    return None


@cache
def _remember(language: ClaimGrammar) -> CompiledPattern:
    grammar = EPISODE_GRAMMARS[language.code]
    fillers = rf"(?:(?:{language.fillers}|please|bitte|por favor|s'il te plaît|per favore)\b[\s,!:]*+){{0,4}}"
    words = rf"\W*{fillers}(?:{grammar.remember})(?!\w)"
    return regex.compile(words.replace(" ?", r"\s*").replace(" ", r"\s+"), regex.IGNORECASE)


LEAST_REFERENCES = 2  # later turns that refer to a code block
LONGEST_BLOCK = 600  # characters of a block that is pinned, as a whole

_BLOCK = regex.compile(r"(?ms)^[ \t]*+(?P<fence>`{3,}+|~{3,}+)[^\n]*+\n(?P<code>.*?)^[ \t]*+(?P=fence)[ \t]*+$")
_DEFINES = regex.compile(
    r"(?m)^[ \t]*+(?:(?:export|default|public|private|protected|static|async|pub|final|abstract)[ \t]++)*+"
    r"(?:def|class|function|fn|func|interface|struct|enum|trait|CREATE[ \t]+TABLE(?:[ \t]+IF[ \t]+NOT[ \t]+EXISTS)?)"
    r"[ \t]++(?P<name>[\p{L}_][\p{L}\p{N}_]{2,80}+)",
    regex.IGNORECASE,
)
_FILE = regex.compile(r"\A[ \t]*(?:#|//|--|/\*)[ \t]*(?P<name>[\w./-]{1,80}\.[a-z]{1,5})\b")


def referenced_blocks(window: Sequence[Utterance]) -> Iterator[tuple[Utterance, str, str]]:
    """Each short code block with a defined name that two later turns use: its message, the block, the name. A name
    counts if it is written as in code. A block whose name a later one defines again is outdated."""
    turns = list(accumulate(int(utterance.role == "user") for utterance in window))
    used = [frozenset(identifiers(_BLOCK.sub("", utterance.text[:READ_CHARACTERS]))) for utterance in window]
    newest: dict[str, tuple[Utterance, str, str]] = {}
    for place, utterance in enumerate(window):
        for code in code_blocks(utterance.text) if utterance.role != "tool" else ():
            name = _referenced_name(code, turns[place:], used[place:])
            if name is not None:
                newest[name] = utterance, code, name
    yield from newest.values()


def code_blocks(text: str) -> Iterator[str]:
    """The code blocks of a message that may be pinned: neither one line, which says little, nor a long one."""
    if "```" in text or "~~~" in text:
        for block in _BLOCK.finditer(text[:READ_CHARACTERS]):
            code = block["code"].strip("\n").rstrip()
            if "\n" in code and len(code) <= LONGEST_BLOCK:
                yield code


def _referenced_name(code: str, turns: Sequence[int], used: Sequence[frozenset[str]]) -> str | None:
    """The first name that a block defines and that enough later turns use, by its identifier in the index."""
    matches = [*_FILE.finditer(code), *_DEFINES.finditer(code)]
    names = {joined: match["name"] for match in matches for joined in identifiers(f"`{match['name']}`")[:1]}
    for joined, name in names.items():
        later = {turn for turn, words in zip(turns, used, strict=True) if turn > turns[0] and joined in words}
        if len(later) >= LEAST_REFERENCES:
            return str(name)
    return None
