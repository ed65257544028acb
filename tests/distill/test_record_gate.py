"""Tests the gate for records: values by kind, a property over generated answers, and schemas of other projects."""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import UTC, date, datetime
from enum import StrEnum
from typing import Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel, Field, TypeAdapter
from typing_extensions import TypedDict  # pydantic takes that of `typing` from Python 3.12 on

from aforesaid.distill.records.definitions import define
from aforesaid.distill.records.record_gate import verify_records
from aforesaid.distill.records.record_prompt import RecordAnswer, answer_schema
from aforesaid.models.message import Utterance
from aforesaid.text.schemas import check_schema, errors

NOW = datetime(2026, 3, 4, 9, 30, tzinfo=UTC)  # a Wednesday


def said(text, role="user"):
    return Utterance("m1", 0, role, role, text, NOW, None, 10)


def gate(schema, text, record, quote=None):
    """Returns the kept values and whether they are sure, or the reason of the refusal."""
    answer = {schema.name: [{"message": 1, "quote": quote or text, "confidence": 0.9, "record": record}]}
    verdicts = verify_records(RecordAnswer.model_validate(answer), {schema.name: schema}, [said(text)])
    if not verdicts.proven:
        (reason,) = verdicts.dropped
        return reason
    (proven,) = verdicts.proven
    return json.loads(proven.claim.value), proven.sure


def of(**types):
    fields = {name: kind if isinstance(kind, dict) else {"type": kind} for name, kind in types.items()}
    return define({"type": "object", "properties": fields}, "", "Thing", None, NOW)


@pytest.mark.req("X29")
@pytest.mark.parametrize(
    ("kind", "text", "value", "kept"),
    [
        ("integer", "I have 3 cats.", 3, True),
        ("integer", "I have three cats.", 3, True),
        ("integer", "I have 13 cats.", 3, None),
        ("integer", "The house costs 1,200,000 euros.", 1_200_000, True),
        ("integer", "The house costs 1.200.000 euros.", 1_200_000, True),
        ("number", "The ring costs 99.50 euros.", 99.5, True),
        ("number", "The ring costs 99,50 euros.", 99.5, True),
        ("number", "The ring costs 99.50 euros.", 9950, None),
        ("number", "The ring costs 1,234.5 euros.", 1234.5, True),
        ("integer", "The order is 12, 34 and 56.", 34, True),
        ({"type": "string", "format": "date"}, "The party is tomorrow.", "2026-03-05", True),
        ({"type": "string", "format": "date"}, "The party is on 5 April 2026.", "2026-04-05", True),
        ({"type": "string", "format": "date"}, "The party is on 5 April 2026.", "2026-04-06", None),
        ({"type": "string", "format": "date"}, "The party is in May.", "2026-05-02", False),
        ({"type": "string", "format": "date"}, "The party is on 1 May 2026.", "May", None),
        ({"type": "string", "format": "date-time"}, "The party is tomorrow at 8 pm.", "2026-03-05T20:00:00", False),
        ({"type": "string", "format": "date-time"}, "The party is tomorrow at 8 pm.", "2026-03-05T21:00:00", None),
        ({"type": "string", "format": "email"}, "My address is ada@example.org.", "ada@example.org", True),
        ({"type": "string", "format": "email"}, "My address is ada@example.org.", "ada@example.com", None),
        ({"enum": ["red", "green"]}, "My car is red.", "red", True),
        ({"enum": ["red", "green"]}, "My car has the colour of blood.", "red", False),
        ("boolean", "The oven is on.", True, False),
        ("string", "The oven is on.", "oven", True),
        ("string", "The oven is on.", "the old wooden table", None),
        ("string", "The oven is on.", "", None),
        ({"type": "array", "items": {"type": "string"}}, "I like figs and plums.", ["figs", "plums"], True),
    ],
)
def test_a_value_is_kept_if_the_quote_says_it(kind, text, value, kept):
    result = gate(of(value=kind), text, {"value": value})
    assert result == ("unsupported" if kept is None else ({"value": value}, kept))


def test_an_item_of_a_list_and_a_key_of_an_object_need_evidence_too():
    things = of(
        names={"type": "array", "items": {"type": "string"}}, sizes={"additionalProperties": {"type": "integer"}}
    )
    record = {"names": ["figs", "mangoes"], "sizes": {"figs": 3, "mangoes": 3}}
    assert gate(things, "I have 3 figs.", record) == ({"names": ["figs"], "sizes": {"figs": 3}}, True)


WORDS = ["figs", "plums", "Lisbon", "Ada", "seven", "42", "red", "boat", "sells", "two"]
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-50, 50) | st.sampled_from(WORDS) | st.text(max_size=12),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from([*WORDS, "x"]), inner, max_size=3),
    max_leaves=6,
)


@pytest.mark.req("X29")
@given(
    words=st.lists(st.sampled_from(WORDS), min_size=1, max_size=6),
    record=st.dictionaries(st.sampled_from(["a", "b", "c"]), VALUES, max_size=3),
    role=st.sampled_from(["user", "assistant"]),
)
def test_nothing_is_kept_that_the_message_does_not_say(words, record, role):
    schema = define({"type": "object", "properties": {"a": {}, "b": {}, "c": {}}}, "", "Thing", None, NOW)
    text = f"I have {' '.join(words)}."
    answer = {"Thing": [{"message": 1, "quote": text, "confidence": 0.9, "record": record}]}
    verdicts = verify_records(RecordAnswer.model_validate(answer), {"Thing": schema}, [said(text, role)])
    for proven in verdicts.proven:
        assert role == "user"
        kept = json.loads(proven.claim.value)
        assert not errors(kept, schema.json_schema, schema.json_schema)
        assert is_part(kept, record)
        leaves = list(leaves_of(kept))
        assert leaves
        for leaf in leaves:
            if isinstance(leaf, str):
                assert any(part.casefold() in text.casefold() for part in leaf.split())
            elif isinstance(leaf, bool):
                assert not proven.sure
            else:
                assert str(abs(leaf)) in text or {7: "seven", 2: "two"}.get(abs(leaf), "-") in text


def leaves_of(value):
    if isinstance(value, dict | list):
        for each in value.values() if isinstance(value, dict) else value:
            yield from leaves_of(each)
    elif value not in (None, ""):
        yield value


def is_part(kept, whole):
    """Returns whether a value has nothing that another one does not have."""
    if isinstance(kept, dict):
        return isinstance(whole, dict) and all(name in whole and is_part(kept[name], whole[name]) for name in kept)
    if isinstance(kept, list):
        return isinstance(whole, list) and all(any(is_part(each, other) for other in whole) for each in kept)
    return type(kept) is type(whole) and kept == whole


# Schemas of other projects' documentation: langmem's guides to semantic, episodic and profile memory, and the first
# examples of instructor.


class Triple(BaseModel):
    """Store all new facts, preferences, and relationships as triples."""

    subject: str
    predicate: str
    object: str
    context: str | None = None


class Episode(BaseModel):
    """Write the episode from the perspective of the agent within it."""

    observation: str = Field(..., description="The context and setup - what happened")
    thoughts: str = Field(..., description="Internal reasoning process and observations of the agent")
    action: str = Field(..., description="What was done, how, and in what format.")
    result: str = Field(..., description="Outcome and retrospective.")


class UserProfile(BaseModel):
    """Represents the full representation of a user."""

    name: str | None = None
    language: str | None = None
    timezone: str | None = None


class PreferenceMemory(BaseModel):
    """Store the user's preference"""

    category: str
    preference: str
    context: str


class PriorityEnum(StrEnum):
    high = "High"
    medium = "Medium"
    low = "Low"


class Subtask(BaseModel):
    """Correctly resolved subtask from the given transcript"""

    id: int = Field(..., description="Unique identifier for the subtask")
    name: str = Field(..., description="Informative title of the subtask")


class Ticket(BaseModel):
    """Correctly resolved ticket from the given transcript"""

    id: int
    name: str
    description: str
    priority: PriorityEnum
    assignees: list[str]
    subtasks: list[Subtask] | None
    dependencies: list[int] | None


class UserDetail(BaseModel):
    name: str
    age: int


@dataclass
class Place:
    city: str
    since: date | None = None


class Pet(TypedDict):
    name: str
    kind: Literal["cat", "dog"]


FOREIGN = [Triple, Episode, UserProfile, PreferenceMemory, Ticket, UserDetail, Place, Pet]


@pytest.mark.req("X29")
@pytest.mark.parametrize("kind", FOREIGN, ids=lambda kind: kind.__name__)
def test_schemas_of_other_projects_are_understood(kind):
    schema = define(kind, "", None, None, NOW)
    assert schema.name == kind.__name__
    assert check_schema(TypeAdapter(kind).json_schema()) == schema.json_schema


def test_the_schemas_of_several_models_are_sent_as_one_without_a_clash_of_names():
    class Other(BaseModel):
        parts: list[Subtask]

    sent = answer_schema(define(kind, "", None, None, NOW) for kind in (*FOREIGN, Other))
    names = {name for name in sent["$defs"] if "Subtask" in name}
    assert names == {"Ticket.Subtask", "Other.Subtask"}
    references = json.dumps(sent).count('"$ref": "#/$defs/')
    assert references >= len(FOREIGN) + 3
    answer = {"Other": [{"message": 1, "quote": "x", "confidence": 1, "record": {"parts": [{"id": 1, "name": "a"}]}}]}
    assert errors(answer | {kind.__name__: [] for kind in FOREIGN}, sent, sent) == []
    answer["Other"][0]["record"]["parts"][0]["id"] = "one"
    assert errors(answer | {kind.__name__: [] for kind in FOREIGN}, sent, sent) == [
        "Other[0].record.parts[0].id must be integer"
    ]


@pytest.mark.parametrize(
    ("kind", "text", "record", "kept"),
    [
        (
            Triple,
            "Alice manages the ML team and mentors Bob.",
            {"subject": "Alice", "predicate": "manages", "object": "ML team", "context": "at Google"},
            {"subject": "Alice", "predicate": "manages", "object": "ML team"},
        ),
        (UserProfile, "I'm called Lance, timezone PST.", {"name": "Lance", "language": "English", "timezone": "PST"},
         {"name": "Lance", "timezone": "PST"}),
        (UserDetail, "Jason is 25 years old.", {"name": "Jason", "age": 25}, {"name": "Jason", "age": 25}),
        (UserDetail, "Jason is 25 years old.", {"name": "Jason", "age": 52}, None),
        (PreferenceMemory, "I prefer dark mode in my editor.",
         {"category": "UI", "preference": "dark mode", "context": "editor"}, None),
        (Pet, "My cat is called Tom.", {"name": "Tom", "kind": "cat"}, {"name": "Tom", "kind": "cat"}),
        (Episode, "The build broke.", {"observation": "The build broke", "thoughts": "I considered the logs",
                                       "action": "reverted", "result": "it works"}, None),
    ],
)  # fmt: skip
def test_records_of_these_schemas_hold_what_the_user_said(kind, text, record, kept):
    result = gate(define(kind, "", None, None, NOW), text, record)
    assert (result if kept is None else result[0]) == ("unsupported" if kept is None else kept)


@given(VALUES)
def test_what_pydantic_accepts_as_json_fits_the_schema_that_it_writes(value):
    class Loose(BaseModel):
        value: str | int | bool | list[int] | dict[str, str] | None

    schema = check_schema(Loose.model_json_schema())
    adapter = TypeAdapter(Loose)
    try:
        adapter.validate_json(json.dumps({"value": value}), strict=True)
    except ValueError:
        assert errors({"value": value}, schema, schema)
    else:
        assert not errors({"value": value}, schema, schema)
