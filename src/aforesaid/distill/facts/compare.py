"""Compares facts: same slot, same statement, or mutual exclusion. A slot is an attribute of a subject."""

from __future__ import annotations

from datetime import datetime
from typing import TypeAlias

from aforesaid.distill.facts.places import may_contain
from aforesaid.models.fact import Claim, Fact
from aforesaid.text.similarity import SAME, comparison_key, same_beginning, same_text

SlotValue: TypeAlias = Fact | Claim

# Attributes that hold several values at a time. Patterns of other slots put the value into the attribute instead.
_SEVERAL = """
pet pets language languages hobby hobbies interest interests like likes dislike dislikes allergy allergies friend
friends sibling siblings brother sister colleague colleagues skill skills tool tools task tasks device devices
medication medications trip trips possession possessions
"""
MULTI_VALUE_SLOTS = frozenset(_SEVERAL.split())
# Attributes whose values end only if the words say so: a second job is no end of the first.
ADDITIVE_SLOTS = frozenset({"employer", "occupation", "diet", "origin", "nationality", "nickname", "vehicle"})
RELATION = "relation to "  # begins attributes of the second kind: a friend can be a colleague too
HOME = "home"
EXACT_VALUE_SLOTS = frozenset({"deadline", "birthday", "budget", "age", "children"})  # "Friday" ≠ "Friday in two weeks"
WITHOUT = "no "  # two values that begin so can both be true
DENIED = "not "  # a value that denies another one


def same_slot(fact: SlotValue, other: SlotValue) -> bool:
    if fact.attribute is None or other.attribute is None or fact.schema != other.schema:
        return False
    if fact.schema is not None:
        return fact.subject == other.subject
    return _equal(fact.subject, other.subject) and _equal(fact.attribute, other.attribute)


def says_same(fact: SlotValue, other: SlotValue, least: float = SAME) -> bool:
    """Returns True if both say the same about the same subject, in the same or nearly the same words."""
    if fact.schema is not None or other.schema is not None:
        return _same_record(fact, other)
    if same_slot(fact, other):
        return _same_value(fact, other)
    if fact.attribute and other.attribute and not _equal(fact.value or "", other.value or ""):
        return False
    return _equal(fact.subject, other.subject) and same_text(fact.text, other.text, least)


def says_same_exactly(fact: SlotValue, other: SlotValue) -> bool:
    """Returns True if both have the same value in the same slot, or the same text, apart from case and punctuation."""
    if fact.schema is not None or other.schema is not None:
        return _same_record(fact, other)
    if same_slot(fact, other):
        return _value_key(fact) == _value_key(other)
    return _equal(fact.subject, other.subject) and _equal(fact.text, other.text)


def excludes(fact: SlotValue, other: SlotValue) -> bool:
    """Returns True if only one of two can be true: different values in a slot that holds one, or a value and its
    denial. A part of a place is no different home."""
    if not same_slot(fact, other) or _value_key(fact) == _value_key(other):
        return False
    if fact.schema is not None:
        return True
    if _denied_value(fact) or _denied_value(other):
        return _denies(fact, other) or _denies(other, fact)
    attribute = comparison_key(fact.attribute or "")
    if attribute in MULTI_VALUE_SLOTS | ADDITIVE_SLOTS or attribute.startswith(RELATION) or _both_without(fact, other):
        return False
    return attribute != HOME or not may_contain(fact.value or "", other.value or "")


def can_replace(fact: SlotValue, other: SlotValue) -> bool:
    """Returns True if one ends the other when the words say that the value is new."""
    if fact.schema is not None or _denied_value(fact) or _denied_value(other):
        return excludes(fact, other)
    if comparison_key(fact.attribute or "") in MULTI_VALUE_SLOTS:
        return excludes(fact, other)
    return same_slot(fact, other) and _value_key(fact) != _value_key(other) and not _both_without(fact, other)


def _both_without(fact: SlotValue, other: SlotValue) -> bool:
    return all(comparison_key(each.value or "").startswith(WITHOUT) for each in (fact, other))


def _same_record(fact: SlotValue, other: SlotValue) -> bool:
    """Returns True if both are the same record of the same schema, apart from case and white space."""
    same = fact.schema == other.schema and fact.subject == other.subject
    return same and _value_key(fact) == _value_key(other)


def is_held(fact: Fact) -> bool:
    """Returns True if the fact is believed: true now, or true in its time."""
    return fact.status in ("active", "superseded") and fact.known_until is None


def last_said(fact: Fact) -> datetime:
    """The time of the newest evidence; the time of creation if there is none."""
    return max((each.said_at for each in fact.evidence), default=fact.created_at)


def first_said(fact: Fact) -> datetime:
    return min((each.said_at for each in fact.evidence), default=fact.created_at)


def _equal(text: str, other: str) -> bool:
    return comparison_key(text) == comparison_key(other)


def _value_key(fact: SlotValue) -> str:
    return comparison_key(fact.text if fact.value is None else fact.value)


def _denied_value(fact: SlotValue) -> str:
    """The value that this one denies; empty if it is no denial."""
    value = " ".join((fact.value or "").split())
    return value[len(DENIED) :] if value.casefold().startswith(DENIED) else ""


def _denies(fact: SlotValue, other: SlotValue) -> bool:
    denied = _denied_value(fact)
    return bool(denied) and other.value is not None and same_beginning(denied, other.value)


def _same_value(fact: SlotValue, other: SlotValue) -> bool:
    if fact.value is None or other.value is None:
        return fact.value == other.value and same_text(fact.text, other.text)
    if comparison_key(fact.attribute or "") in EXACT_VALUE_SLOTS:
        return _equal(fact.value, other.value)
    return same_beginning(fact.value, other.value)
