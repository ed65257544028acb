"""Keeps the words and the value of an edited fact in agreement. All functions are pure."""

from __future__ import annotations

import json
import re
from dataclasses import replace

from aforesaid.distill.facts.compare import DENIED, WITHOUT
from aforesaid.errors import InvalidInput
from aforesaid.models.fact import Fact
from aforesaid.models.json import Json
from aforesaid.models.record import Schema, record_json, record_subject, record_text
from aforesaid.text.analyzer import index_terms
from aforesaid.text.schemas import errors

YES_OR_NO = ("yes", "no")  # values of an attribute that has the content itself, such as "allergy to peanuts"
STEM = 6  # characters of a term, with its sign, that two forms of a word share


def agreeing(old: Fact, new: Fact, *, slot_given: bool) -> Fact:
    """The new version, with the value that its new words state, or with words that state its new value. Raises
    InvalidInput if they cannot be found, or if the given ones do not agree although the old ones did."""
    if old.value is None or (new.text, new.value) == (old.text, old.value):
        return new
    if new.value is not None and new.text == old.text:
        return replace(new, text=_text_with(new.value, old, old.value))
    if new.attribute is None:
        return new if slot_given else replace(new, value=_value_in(new.text, old.text, old.value))
    if not slot_given:
        value = _value_in(new.text, old.text, old.value)
        if value is None:
            raise InvalidInput(
                f"the new words do not show the value of {old.attribute!r}, which is {old.value!r}: change the value "
                "too, or remove the attribute"
            )
        return replace(new, value=value)
    if _states(old.text, _content(old)) and not _states(new.text, _content(new)):
        raise InvalidInput(f"the words {new.text!r} do not state the value {new.value!r} of {new.attribute!r}")
    return new


def edited_record(old: Fact, new: Fact, schema: Schema | None) -> Fact:
    """The new version of a record, whose text and subject follow its value. Raises InvalidInput for a value that does
    not fit the schema, and for a change of its other content."""
    if (new.text, new.subject, new.attribute) != (old.text, old.subject, old.attribute):
        raise InvalidInput("a record is edited by its value: pass `value` as a JSON object")
    try:
        value: Json = json.loads(new.value or "")
    except (ValueError, RecursionError) as exc:
        raise InvalidInput(f"the value of a record is a JSON object: {exc}") from exc
    if not isinstance(value, dict):
        raise InvalidInput("the value of a record is a JSON object")
    problems = [] if schema is None else errors(value, schema.json_schema, schema.json_schema)
    if problems:
        raise InvalidInput(f"the value does not fit the schema {new.schema!r}: {'; '.join(problems)}")
    stored = record_json(value)
    subject = new.subject if schema is None or not schema.key else record_subject(schema, value)
    return replace(new, value=stored, subject=subject, text=record_text(old.schema or "", stored))


def _text_with(value: str, old: Fact, replaced: str) -> str:
    """The words of a fact with another value."""
    span = _span(old.text, replaced)
    if span is None:
        raise InvalidInput(f"the words {old.text!r} do not show the value {replaced!r}: change the text too")
    return old.text[: span[0]] + value + old.text[span[1] :]


def _value_in(text: str, old_text: str, old_value: str) -> str | None:
    """The value in a text that differs from the old one only by it; None if it differs otherwise."""
    span = _span(old_text, old_value)
    if span is None:
        return None
    before, after = old_text[: span[0]].casefold(), old_text[span[1] :].rstrip(".").casefold()
    folded, bare = text.casefold(), text.rstrip(".")
    if len(folded) != len(text) or not folded.startswith(before) or not folded.rstrip(".").endswith(after):
        return None
    return bare[len(before) : len(bare) - len(after)].strip() or None


def _span(text: str, value: str) -> tuple[int, int] | None:
    """The place of a value in a text; None if it is not there exactly once."""
    places = list(re.finditer(rf"(?<!\w){re.escape(value)}(?!\w)", text, re.ASCII | re.IGNORECASE))
    return places[0].span() if len(places) == 1 else None


def _content(fact: Fact) -> str | None:
    return fact.attribute if fact.value in YES_OR_NO else fact.value


def _states(text: str, words: str | None) -> bool:
    """Returns True if a text has all of these words, in any form. A denial counts as what it denies."""
    stems = {term[:STEM] for term in index_terms((words or "").removeprefix(DENIED).removeprefix(WITHOUT))}
    return bool(stems) and stems <= {term[:STEM] for term in index_terms(text)}
