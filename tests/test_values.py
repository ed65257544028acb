"""Tests that every public value survives JSON, and that the REST API writes the same fields."""

from __future__ import annotations

import json
from dataclasses import fields, is_dataclass, replace
from datetime import UTC, datetime
from functools import cache
from types import NoneType, UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pydantic import TypeAdapter

import aforesaid
from aforesaid import Context, Fact, Hits, InvalidInput, Memory, Message, Record
from aforesaid.models.value import Value, decode

VALUES = [
    kind for name in aforesaid.__all__ if isinstance(kind := getattr(aforesaid, name), type) and issubclass(kind, Value)
]
NOT_RETURNED = {"ImportanceRule", "ChatPrompt", "Completion", "ExtractedClaim", "Prompt"}  # what a caller passes

texts = st.text(max_size=5)
json_values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**53), 2**53)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.text(), inner, max_size=2),
    max_leaves=4,
)
SCALARS: dict[Any, st.SearchStrategy[Any]] = {
    str: texts,
    int: st.integers(-(2**53), 2**53),
    float: st.floats(allow_nan=False, allow_infinity=False),
    bool: st.booleans(),
    datetime: st.datetimes(timezones=st.just(UTC)),
    NoneType: st.none(),
    Any: json_values,
}


@cache
def of(hint: Any) -> st.SearchStrategy[Any]:
    """Returns values of an annotation."""
    origin, arguments = get_origin(hint), get_args(hint)
    if origin in (Union, UnionType):
        return st.one_of(map(of, arguments))
    if origin is Literal:
        return st.sampled_from(arguments)
    if origin is tuple and arguments[-1] is ...:
        return st.lists(of(arguments[0]), max_size=1).map(tuple)
    if origin is tuple:
        return st.tuples(*map(of, arguments))
    if origin is list:
        return st.lists(of(arguments[0]), max_size=1)
    if origin is not None:
        return st.dictionaries(texts, of(arguments[1]), max_size=1)
    if is_dataclass(hint):
        return made(hint)
    return SCALARS[hint]


@cache
def made(kind: Any) -> st.SearchStrategy[Any]:
    if kind is Record:  # its value is that of its fact
        objects = st.dictionaries(texts, json_values, max_size=2)
        made_of = st.tuples(texts, objects, made(Fact))
        return made_of.map(lambda parts: Record(*parts[:2], replace(parts[2], value=json.dumps(parts[1]))))
    hints = get_type_hints(kind)
    given_fields = {field.name: st.deferred(lambda hint=hints[field.name]: of(hint)) for field in fields(kind)}
    return st.builds(kind, **given_fields)


adapter = cache(TypeAdapter)


def test_every_returned_dataclass_is_a_value():
    found = {name for name in aforesaid.__all__ if is_dataclass(getattr(aforesaid, name))}
    assert {kind.__name__ for kind in VALUES} == found - NOT_RETURNED


@pytest.mark.req("X7")
@pytest.mark.parametrize("kind", [kind for kind in VALUES if kind is not Context], ids=lambda kind: kind.__name__)
@settings(max_examples=10, deadline=None, suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_every_value_survives_json(kind: type[Value], data: st.DataObject):
    value = data.draw(made(kind))
    record = value.to_dict()
    assert kind.from_dict(json.loads(json.dumps(record))) == value
    answered = adapter(kind).dump_json(value)  # as a route of the REST API that answers with the value itself
    assert kind.from_dict(json.loads(answered)) == value
    with pytest.raises(InvalidInput, match=f"{kind.__name__} has an unknown field 'mood'"):
        kind.from_dict(record | {"mood": 1})
    gone = next(iter(record))
    with pytest.raises(InvalidInput, match=f"{kind.__name__} has no field '{gone}'"):
        kind.from_dict({name: inner for name, inner in record.items() if name != gone})


MESSAGE = Message(
    "m", "s", "c", 0, "user", "hello", None, None, None, None, 0.5, 1, datetime(2026, 3, 1, tzinfo=UTC), {}
)


@pytest.mark.parametrize(
    ("change", "advice"),
    [
        ({"seq": "0"}, "Message.seq must be a whole number, not str"),
        ({"seq": True}, "Message.seq must be a whole number, not bool"),
        ({"seq": None}, "Message.seq must be a whole number, not null"),
        ({"role": "owner"}, "Message.role must be one of system, user, assistant, tool, not 'owner'"),
        ({"created_at": "2026-03-01T00:00:00"}, "Message.created_at '2026-03-01T00:00:00' has no offset"),
        ({"created_at": 7}, "Message.created_at must be a time"),
        ({"metadata": []}, "Message.metadata must be an object, not list"),
        ({"content": 7}, "Message.content must be one of str, list"),
        ({"tool_calls": [7]}, r"Message.tool_calls\[0\] must be an object, not int"),
    ],
)
def test_a_field_of_another_type_is_refused_by_name(change: dict[str, Any], advice: str):
    with pytest.raises(InvalidInput, match=advice):
        Message.from_dict(MESSAGE.to_dict() | change)
    with pytest.raises(InvalidInput, match="Message must be an object, not list"):
        Message.from_dict([])  # type: ignore[arg-type]


def test_a_value_shares_nothing_with_its_record():
    message = Message.from_dict(MESSAGE.to_dict() | {"metadata": {"a": [1]}})
    message.to_dict()["metadata"]["a"].append(2)
    assert message.metadata == {"a": [1]}


def test_what_another_version_wrote_can_be_read_leniently():
    record = MESSAGE.to_dict() | {"mood": 1}
    del record["raw"], record["expires_at"]
    assert decode(Message, record, lenient=True) == MESSAGE
    with pytest.raises(InvalidInput, match="has no field 'seq'"):
        decode(Message, {name: value for name, value in record.items() if name != "seq"}, lenient=True)


@pytest.mark.req("X7")
def test_hits_and_contexts_of_a_store_survive_json():
    with Memory(worker=False, environment={}) as memory:
        chat = memory.space("ann").conversation("trip")
        chat.add_many([{"role": "user", "content": f"The ferry {n} leaves at noon", "raw": "[1]"} for n in range(30)])
        chat.pin("Pier nine")
        memory.flush()
        hits = memory.space("ann").recall("ferry", explain=True, group="turn")
        context = chat.context("When does the ferry leave?")
        read = Context.from_dict(json.loads(json.dumps(context.to_dict())))
        assert Hits.from_dict(json.loads(json.dumps(hits.to_dict()))) == hits
        assert read == context
        assert (read.receipt, read.text) == (context.receipt, context.text)
        assert (read.to_openai(), read.to_anthropic(cache=True)) == (
            context.to_openai(),
            context.to_anthropic(cache=True),
        )
