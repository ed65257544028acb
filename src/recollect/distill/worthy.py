"""What of a user's words is worth pinning without being asked: what shall be remembered, appointments, decisions."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cache

import regex

from recollect.distill.extract.claims import spoken
from recollect.distill.extract.language import Compiled, Language, finder, may_hold
from recollect.distill.extract.languages import LANGUAGES
from recollect.distill.extract.prose import HIDDEN, voice
from recollect.distill.moments.find import moments, stated
from recollect.distill.moments.languages import WAYS
from recollect.models import PinType
from recollect.records import Utterance
from recollect.text.credentials import named
from recollect.text.orders import orders
from recollect.text.secrets import found as secrets
from recollect.text.times import mentioned

LEAST_WORDS = 3  # of what shall be remembered; fewer only point at something
LONGEST = 400  # characters of a sentence that is pinned; a longer one is not to the point
LONGEST_SPAN = timedelta(days=32)  # what is to be some time in a year is no appointment

_WORD = regex.compile(r"[\p{L}\p{N}]+")
_LANGUAGE = {language.code: language for language in LANGUAGES}
_LINKS = frozenset({"that", "dass", "que", "che", "dat"})
_THANKS = regex.compile(
    r"[\s,]+(?:please|thanks|thank you|bitte|danke|merci|s'il (?:te|vous) plaît|por favor|gracias|per favore|grazie"
    r"|obrigad[oa]|alsjeblieft|bedankt|dank je)\W*\Z",
    regex.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Worthy:
    """Words to pin, as they stand in their message, and why."""

    text: str
    reason: str
    importance: float
    type: PinType
    message: Utterance


def worthy(utterance: Utterance, now: datetime) -> list[Worthy]:
    """The sentences of a user that are worth pinning, in their order.

    None from a message with a credential in it or with words about one, nor any that reads like orders to a model.
    Questions, hypotheses and negations give none. An appointment must still be to come, now and when it was spoken of.
    """
    if utterance.role != "user" or guarded(utterance.text):
        return []
    own = voice(utterance.text)
    decided = {moment.sentence for moment in moments(utterance) if moment.type == "decision_made" and not moment.hedged}
    for language in spoken(own):
        if language.code in WAYS and (decided or _may_be(language, own)):
            found = list(_in_language(language, own, utterance, now, decided))
            if found:
                return found
    return []


def guarded(text: str) -> bool:
    """Whether a text holds a credential, or speaks of one, or gives orders to a model: it is never pinned."""
    return bool(secrets(text)) or named(text) or orders(text)


def gist(text: str) -> str:
    """The words of a text without those that only ask to keep it in mind, or thank for that."""
    for code, ways in WAYS.items():
        asked = _remember(_LANGUAGE[code]).match(text) if may_hold(ways.remember, text) else None
        if asked is not None:
            *_, last = _WORD.findall(asked[0]) or [""]
            kept = "" if last.casefold() in _LINKS or asked[0].endswith(":") else f"{last} "
            return str(_THANKS.sub("", kept + text[asked.end() :]))
    return text


def _may_be(language: Language, own: str) -> bool:
    """Whether a text can hold anything to be remembered, or an appointment."""
    ways = WAYS[language.code]
    return may_hold(ways.remember, own) or may_hold(ways.events, own)


def _in_language(
    language: Language, own: str, utterance: Utterance, now: datetime, decided: set[str]
) -> Iterator[Worthy]:
    for sentence in stated(language, own):
        verbatim = utterance.text[sentence.start : sentence.start + len(sentence.text)]
        if HIDDEN in sentence.text or len(verbatim) > LONGEST:
            continue
        if _is_to_remember(language, sentence.text):
            yield Worthy(verbatim, "shall be remembered", 0.75, "auto", utterance)
        elif finder(language, WAYS[language.code].past, sentence.text).search(sentence.text):
            continue
        elif (when := _appointment(language, sentence.text, utterance.at, now)) is not None:
            yield Worthy(verbatim, f"an appointment: {when:%Y-%m-%d}", 0.7, "auto", utterance)
        elif verbatim in decided:
            yield Worthy(verbatim, "a decision", 0.7, "auto", utterance)


def _is_to_remember(language: Language, text: str) -> bool:
    asked = _remember(language).match(text)
    return asked is not None and len(_WORD.findall(text, asked.end())) >= LEAST_WORDS


def _appointment(language: Language, text: str, at: datetime, now: datetime) -> datetime | None:
    """When it begins, in the offset of the message; None where it is none, or is over."""
    ways = WAYS[language.code]
    if (
        not finder(language, ways.events, text).search(text)
        or finder(language, ways.elsewhere, text).search(text)
        or _doubtful(language, text)
    ):
        return None
    for when in mentioned(text, at, ahead=True):
        if when.start > at and when.stop > now and when.stop - when.start <= LONGEST_SPAN:
            return when.start.astimezone(at.tzinfo)
    return None


def _doubtful(language: Language, text: str) -> bool:
    denied = finder(language, _NOT, text).search(text)
    return denied is not None or any(
        finder(language, words, text).search(text) for words in (language.doubt, language.hedge)
    )


_NOT = (
    r"not|no|never|isn't|won't|don't|doesn't|can't|cancel\w*|nicht|kein\w*|abgesagt|pas|annulé\w*|non|cancelad\w*"
    r"|annullat\w*|não|niet|geen|afgezegd"
)


@cache
def _remember(language: Language) -> Compiled:
    ways = WAYS[language.code]
    fillers = rf"(?:(?:{language.fillers}|please|bitte|por favor|s'il te plaît|per favore)\b[\s,!:]*+){{0,4}}"
    words = rf"\W*{fillers}(?:{ways.remember})(?!\w)"
    return regex.compile(words.replace(" ?", r"\s*").replace(" ", r"\s+"), regex.IGNORECASE)
