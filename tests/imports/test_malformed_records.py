"""Tests that malformed records are imported or counted, and never raise an error."""

import copy
from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.imports.test_chat import DUMPED, LANGCHAIN, MEMORIES, TALK
from tests.imports.test_claude import MEMORY
from tests.imports.test_detection import KNOWN
from tests.imports.world import claude, human, trip, written

from aforesaid import InvalidInput
from aforesaid.models.transfer import IMPORT_FORMATS

pytestmark = pytest.mark.req("X8")

SOUND = [
    trip(),
    claude("c", human("a", "Hello"), human("b", "Again", "a")),
    MEMORY,
    {"messages": TALK},
    TALK[2],
    {"messages": LANGCHAIN},
    LANGCHAIN[2],
    DUMPED[2],
    {"results": MEMORIES},
    MEMORIES[0],
    *(record for records in KNOWN.values() for record in records[:12]),
]
TEXT = st.text(max_size=5)
SCALARS = st.none() | st.booleans() | st.integers() | st.floats() | TEXT
ANYTHING = st.recursive(SCALARS, lambda inner: st.lists(inner) | st.dictionaries(TEXT, inner), max_leaves=4)


def places(value: object, path: tuple = ()) -> Iterator[tuple]:
    if path:
        yield path
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, each in inner:
        yield from places(each, (*path, key))


@st.composite
def spoiled(draw: st.DrawFn) -> object:
    """Generates a record with arbitrary values in one or two positions."""
    value = copy.deepcopy(draw(st.sampled_from(SOUND)))
    for _ in range(draw(st.integers(1, 2))):
        *way, last = draw(st.sampled_from(list(places(value))))
        owner = value
        for key in way:
            owner = owner[key]
        owner[last] = draw(ANYTHING)
    return value


@settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.lists(spoiled(), min_size=1, max_size=2), st.sampled_from([None, *IMPORT_FORMATS]))
def test_a_malformed_record_is_imported_or_counted_and_importing_it_again_adds_nothing(store, tmp_path, values, format):
    path = written(tmp_path / "a.json", values if len(values) > 1 else values[0])
    space = store.space(f"space {len(store.spaces(1000))}")
    space.grant_consent()
    try:
        first = space.import_chats(path, format=format)
    except InvalidInput as exc:
        if "a.json has no records of " not in str(exc):
            raise
        return
    again = space.import_chats(path, format=format)
    assert (again.messages, again.facts) == (0, 0)
    assert again.known + again.changed == first.messages + first.known + first.changed
    assert again.skipped == first.skipped
