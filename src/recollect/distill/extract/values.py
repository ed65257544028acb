"""What a pattern found, made into the values of a claim; nothing where it means nothing by itself."""

from __future__ import annotations

import re
from collections.abc import Iterator

import regex

from recollect.distill.extract.language import Language, Pattern, finder
from recollect.distill.extract.slots import SLOTS, Slot
from recollect.distill.extract.technologies import part_of
from recollect.records import Claim
from recollect.text import secrets
from recollect.text.credentials import named
from recollect.text.times import hints

MOST = 16  # things of one list
WORDED = ("goal", "procedure", "constraint")  # kinds whose values are whole phrases

_EDGE = " \t\n.,;:!?\"'()[]…-–—。，！？、"
_AMOUNT = re.compile(r"\d")
_TIME = re.compile(
    r"\d|\b(?:mon|tues|wednes|thurs|fri|satur|sun)day\b|montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonntag"
    r"|lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche|lunes|martes|miércoles|jueves|viernes|sábado|domingo"
    r"|lunedì|martedì|mercoledì|giovedì|venerdì|sabato|domenica|segunda|terça|quarta|quinta|sexta"
    r"|maandag|dinsdag|woensdag|donderdag|vrijdag|zaterdag|zondag",
    re.IGNORECASE,
)


def filled(language: Language, pattern: Pattern, match: regex.Match[str]) -> Iterator[Claim]:
    """The claims of one match: several where its slot takes a list apart, none where its value is vague or is not what
    the slot asks for. Quote and place are still to come."""
    slot = SLOTS[pattern.slot]
    groups = match.groupdict()
    other = (groups.get("other") or "").strip()
    raw = groups.get("value") or match[0]
    for value, against in _values(language, slot, raw):
        if value and _fits(slot, value) and not _vague(language, slot, value):
            yield _claim(slot, value, other, (pattern.confidence, pattern.against or against))


def secret(text: str) -> bool:
    """Whether words name a credential or look like one."""
    return named(text) or bool(secrets.found(text))


def _values(language: Language, slot: Slot, raw: str) -> list[tuple[str, bool]]:
    """The values of a text, each with whether it is denied: a negation in a list denies all that
    follows."""
    if slot.attribute is None:
        return [(_plain(language, raw) if slot.kind != "fact" else " ".join(raw.split()).strip(_EDGE), False)]
    said, against = _affirmed(language, raw)
    found = []
    for piece in _apart(language, said) if slot.many else [said]:
        thing, denied = _affirmed(language, piece)
        against = against or denied
        found.append((_plain(language, _once(language, thing) if slot.many else thing), against))
    return found


def _affirmed(language: Language, raw: str) -> tuple[str, bool]:
    """The words without the negation that they begin with, and whether there is one."""
    bare = raw.strip()
    found = finder(language, language.denial, bare).match(bare)
    return (raw, False) if found is None else (bare[found.end() :], True)


def _apart(language: Language, raw: str) -> list[str]:
    """The things of a list."""
    joins = language.joins if language.spaced else f"(?:{language.joins})"
    apart = (
        regex.split(rf"[,、]|(?<!\w)(?:{joins})(?!\w)".replace(" ", r"\s+"), raw)
        if language.spaced
        else regex.split(rf"[,、]|{joins}", raw)
    )
    cut = finder(language, language.ends, raw).search
    pieces = [piece[: end.start()] if (end := cut(piece)) and end.start() else piece for piece in apart]
    return [piece for piece in pieces if piece.strip()][:MOST]


def _once(language: Language, piece: str) -> str:
    """A thing of a list without the words that are said again before each."""
    again = rf"^\s*(?:{language.lists.get('again', '(?!)')})(?:\s+|(?<='))".replace(" ", r"\s+")
    return str(regex.sub(again, "", piece, flags=regex.IGNORECASE))


def _plain(language: Language, raw: str) -> str:
    """White space made single, edges and the article off."""
    value = " ".join(raw.split()).strip(_EDGE if raw.strip()[:1] not in "([" else " ")
    return (
        regex.sub(rf"^(?:{language.articles})(?:\s+|(?<='))", "", value, flags=regex.IGNORECASE)
        if language.articles
        else value
    )


def _vague(language: Language, slot: Slot, value: str) -> bool:
    if slot.category == "manner" or slot.kind == "procedure":
        return False
    if finder(language, language.pointing, value).search(value) is not None:
        return slot.attribute is not None or slot.kind != "fact"
    return slot.kind not in WORDED and finder(language, language.vague, value).fullmatch(value) is not None


def _fits(slot: Slot, value: str) -> bool:
    if slot.check == "technology":
        return part_of(value) is not None
    if slot.check == "time":
        return _TIME.search(value) is not None or hints(value)
    return slot.check != "amount" or _AMOUNT.search(value) is not None


def _claim(slot: Slot, value: str, other: str, how: tuple[float, bool]) -> Claim:
    confidence, against = how
    words = {"value": value, "other": other, "part": part_of(value) or ""}
    given = slot.value.format_map(words)
    text = slot.text.format_map(words)
    if against:
        given = "no" if given == "yes" else f"not {given}"
        text = slot.against.format_map(words) if slot.against else f"no longer or not true: {text}"
    return Claim(
        kind=slot.kind,
        subject=slot.subject.format_map({**words, "value": value.lower()}),
        attribute=slot.attribute.format_map(words) if slot.attribute else None,
        value=given,
        text=text,
        quote="",
        start=0,
        confidence=confidence,
    )
