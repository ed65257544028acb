"""A slot is a subject's attribute: when two facts fill the same one, and whether both can."""

from __future__ import annotations

from datetime import datetime
from typing import Protocol

from recollect.models import Fact
from recollect.text.likeness import CLOSE, alike, begins_alike, key

_SEVERAL = """
pet pets language languages hobby hobbies interest interests like likes dislike dislikes allergy allergies friend
friends sibling siblings brother sister colleague colleagues skill skills tool tools task tasks device devices
medication medications trip trips possession possessions
"""
MANY = frozenset(_SEVERAL.split())  # attributes with several values at once; patterns name the thing in the attribute
EXACT = frozenset({"deadline", "birthday", "budget", "age", "children"})  # "Friday" is not "Friday in two weeks"
WITHOUT = "no "  # a value that goes without something stands beside another that does
DENIED = "not "  # a value that takes back another one


class Filling(Protocol):
    """What fills a slot: a fact or a claim."""

    @property
    def subject(self) -> str: ...
    @property
    def attribute(self) -> str | None: ...
    @property
    def value(self) -> str | None: ...
    @property
    def text(self) -> str: ...


def same_slot(one: Filling, other: Filling) -> bool:
    if one.attribute is None or other.attribute is None:
        return False
    return key(one.subject) == key(other.subject) and key(one.attribute) == key(other.attribute)


def says_same(one: Filling, other: Filling, least: float = CLOSE) -> bool:
    """Whether two say the same of the same, in the same or nearly the same words."""
    if same_slot(one, other):
        return _same_value(one, other)
    if one.attribute and other.attribute and key(one.value or "") != key(other.value or ""):
        return False
    return key(one.subject) == key(other.subject) and alike(one.text, other.text, least)


def excludes(one: Filling, other: Filling) -> bool:
    """Whether only one of two can be true at a time: the same slot, another value, and the slot holds only one. A
    denial leaves room for every value but the one that it denies."""
    if not same_slot(one, other) or _told(one) == _told(other):
        return False
    if _denied(one) or _denied(other):
        return _denies(one, other) or _denies(other, one)
    if key(one.attribute or "") in MANY:
        return False
    return not all(key(each.value or "").startswith(WITHOUT) for each in (one, other))


def held(fact: Fact) -> bool:
    """Whether it is believed: true now, or true at its time."""
    return fact.status in ("active", "superseded") and fact.known_until is None


def last_said(fact: Fact) -> datetime:
    """When somebody last said so; what was remembered by hand was said when it was written."""
    return max((each.said_at for each in fact.evidence), default=fact.created_at)


def first_said(fact: Fact) -> datetime:
    return min((each.said_at for each in fact.evidence), default=fact.created_at)


def told_same(one: Filling, other: Filling) -> bool:
    """Whether two say the same to the letter, case and marks aside: the same value in the same slot, or the same
    text."""
    if same_slot(one, other):
        return _told(one) == _told(other)
    return key(one.subject) == key(other.subject) and key(one.text) == key(other.text)


def _told(one: Filling) -> str:
    return key(one.text if one.value is None else one.value)


def _denied(one: Filling) -> str:
    """The value that this one denies; empty where it denies none."""
    value = " ".join((one.value or "").split())
    return value[len(DENIED) :] if value.casefold().startswith(DENIED) else ""


def _denies(one: Filling, other: Filling) -> bool:
    denied = _denied(one)
    return bool(denied) and other.value is not None and begins_alike(denied, other.value)


def _same_value(one: Filling, other: Filling) -> bool:
    if one.value is None or other.value is None:
        return one.value == other.value and alike(one.text, other.text)
    if key(one.attribute or "") in EXACT:
        return key(one.value) == key(other.value)
    return begins_alike(one.value, other.value)
