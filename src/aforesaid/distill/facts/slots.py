"""The slots that a claim can fill, and the values that a pattern match puts into them. A vague value gives no claim."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import regex

from aforesaid.distill.grammar import ClaimGrammar, ClaimPattern, compile_search, search
from aforesaid.models.fact import Claim, FactKind
from aforesaid.text import masking
from aforesaid.text.credentials import names_credential


@dataclass(frozen=True, slots=True)
class ClaimSlot:
    """Templates for a claim. `{value}` and `{other}` are groups of the pattern. A `many` slot splits a list into its
    values. `listed` names the list of the grammar that has all its values. `denied` is the text for a denied value."""

    kind: FactKind
    subject: str
    attribute: str
    value: str
    text: str
    category: str
    many: bool = False
    listed: str | None = None
    denied: str | None = None


SLOTS: dict[str, ClaimSlot] = {
    "name": ClaimSlot("fact", "user", "name", "{value}", "user's name is {value}", "person"),
    "nickname": ClaimSlot("fact", "user", "nickname", "{value}", "people call the user {value}", "person"),
    "home": ClaimSlot("fact", "user", "home", "{value}", "user lives in {value}", "person"),
    "near home": ClaimSlot("fact", "user", "home", "near {value}", "user lives near {value}", "person"),
    "origin": ClaimSlot("fact", "user", "origin", "{value}", "user comes from {value}", "person"),
    "nationality": ClaimSlot("fact", "user", "nationality", "{value}", "user is {value}", "person"),
    "birthday": ClaimSlot("fact", "user", "birthday", "{value}", "user's birthday is {value}", "person"),
    "age": ClaimSlot("fact", "user", "age", "{value}", "user is {value} years old", "person"),
    "employer": ClaimSlot("fact", "user", "employer", "{value}", "user works for {value}", "work"),
    "occupation": ClaimSlot("fact", "user", "occupation", "{value}", "user's occupation is {value}", "work"),
    "partner": ClaimSlot("fact", "user", "partner", "{value}", "user's partner is {value}", "person"),
    "children": ClaimSlot("fact", "user", "children", "{value}", "user has {value} children", "person"),
    "relative": ClaimSlot(  # friends, colleagues and pets too
        "entity", "{value}", "relation to user", "{other}", "{value} is the user's {other}", "person", many=True,
        denied="{value} is not the user's {other}",
    ),
    "possession": ClaimSlot("entity", "{value}", "relation to user", "{other}", "{value} is the user's {other}", "person"),
    "vehicle": ClaimSlot("fact", "user", "vehicle", "{value}", "user's vehicle is a {value}", "person"),
    "diet": ClaimSlot("fact", "user", "diet", "{value}", "user is {value}", "health"),
    "no food": ClaimSlot("fact", "user", "diet", "no {value}", "user eats no {value}", "health"),
    "allergy": ClaimSlot(
        "fact", "user", "allergy to {value}", "yes", "user is allergic to {value}", "health", many=True,
        denied="user is not allergic to {value}",
    ),
    "speaks": ClaimSlot(
        "fact", "user", "speaks {value}", "yes", "user speaks {value}", "person", many=True, listed="tongues",
        denied="user does not speak {value}",
    ),
    "native language": ClaimSlot("fact", "user", "native language", "{value}", "user's native language is {value}", "person"),
    "answer language": ClaimSlot(
        "preference", "user", "answer language", "{value}", "user wants answers in {value}", "manner",
        denied="user wants no answers in {value}",
    ),
    "manner": ClaimSlot(
        "preference", "user", "manner: {value}", "yes", "user wants the assistant to {value}", "manner",
        denied="user wants the assistant to never {value}",
    ),
}  # fmt: skip


MOST_VALUES = 16  # values of one list

_EDGE = " \t\n.,;:!?\"'()[]…-–—。，！？、"


def claims_of_match(language: ClaimGrammar, pattern: ClaimPattern, match: regex.Match[str]) -> Iterator[Claim]:
    """The claims of a match, without quote and start: several for a list, none for a vague or unaccepted value."""
    slot = SLOTS[pattern.slot]
    groups = match.groupdict()
    other = (groups.get("other") or "").strip()
    raw = groups.get("value") or match[0]
    for value, denied in _values(language, slot, raw):
        if value and _is_listed(language, slot, value) and not _is_vague(language, slot, value):
            yield _claim(slot, value, other, (pattern.confidence, pattern.denies or denied))


def has_credential(text: str) -> bool:
    """Returns True if the text names a credential or contains one."""
    return names_credential(text) or bool(masking.find_secrets(text))


def _values(language: ClaimGrammar, slot: ClaimSlot, raw: str) -> list[tuple[str, bool]]:
    """The values of a text, each with True if it is denied. A negation in a list denies all following values."""
    words, denied = _strip_negation(language, raw)
    values = []
    for item in _list_items(language, words) if slot.many else [words]:
        value, item_denied = _strip_negation(language, item)
        denied = denied or item_denied
        values.append((_plain(language, _strip_repeated(language, value) if slot.many else value), denied))
    return values


def _strip_negation(language: ClaimGrammar, raw: str) -> tuple[str, bool]:
    """The words without the negation that they begin with, and True if there is one."""
    words = raw.strip()
    match = compile_search(language, language.denial, words).match(words)
    return (raw, False) if match is None else (words[match.end() :], True)


def _list_items(language: ClaimGrammar, raw: str) -> list[str]:
    joins = rf"(?<!\w)(?:{language.joins})(?!\w)".replace(" ", r"\s+") if language.spaced else f"(?:{language.joins})"
    cut = compile_search(language, language.ends, raw).search
    pieces = [
        piece[: end.start()] if (end := cut(piece)) and end.start() else piece
        for piece in regex.split(rf"[,、&]|{joins}", raw)
    ]
    return [piece for piece in pieces if piece.strip()][:MOST_VALUES]


def _strip_repeated(language: ClaimGrammar, item: str) -> str:
    """An item of a list without the words that are repeated before each item."""
    again = rf"^\s*(?:{language.lists.get('again', '(?!)')})(?:\s+|(?<='))".replace(" ", r"\s+")
    return str(regex.sub(again, "", item, flags=regex.IGNORECASE))


def _plain(language: ClaimGrammar, raw: str) -> str:
    """The value with single spaces, without punctuation at its ends and without its article."""
    value = " ".join(raw.split()).strip(_EDGE if raw.strip()[:1] not in "([" else " ")
    if not language.articles:
        return value
    return str(regex.sub(rf"^(?:{language.articles})(?:\s+|(?<='))", "", value))


def _is_listed(language: ClaimGrammar, slot: ClaimSlot, value: str) -> bool:
    listed = language.lists.get(slot.listed or "")
    return listed is None or compile_search(language, listed, value).fullmatch(value) is not None


def _is_vague(language: ClaimGrammar, slot: ClaimSlot, value: str) -> bool:
    if slot.category == "manner":
        return False
    if search(language, language.pointing, value):
        return True
    return bool(compile_search(language, language.vague, value).fullmatch(value))


def _claim(slot: ClaimSlot, value: str, other: str, how: tuple[float, bool]) -> Claim:
    confidence, denied = how
    words = {"value": value, "other": other}
    claimed = slot.value.format_map(words)
    text = slot.text.format_map(words)
    if denied:
        claimed = "no" if claimed == "yes" else f"not {claimed}"
        text = slot.denied.format_map(words) if slot.denied else f"no longer or not true: {text}"
    return Claim(
        kind=slot.kind,
        subject=slot.subject.format_map({**words, "value": value.lower()}),
        attribute=slot.attribute.format_map(words),
        value=claimed,
        text=text,
        quote="",
        start=0,
        confidence=confidence,
    )
