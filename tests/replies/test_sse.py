"""Tests the parsing of server-sent events from bytes in pieces of any size."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aforesaid.replies.sse import ServerSentEvent, SSEParser

STREAM = (
    "\ufeff: a comment\r\nevent: first\r\ndata: one\r\ndata:  two\r\n\r\n"
    "data: größe 🦊 水\n\nid: 7\nretry: 10\n\nevent: named\rdata\r\rdata: [DONE]\n\n"
).encode()
EVENTS = [
    ServerSentEvent("first", "one\n two"),
    ServerSentEvent("", "größe 🦊 水"),
    ServerSentEvent("named", ""),
    ServerSentEvent("", "[DONE]"),
]


def heard(pieces):
    events = SSEParser()
    return [event for piece in pieces for event in events.feed(piece)] + events.end()


def cut(data, places):
    edges = [0, *sorted(place % (len(data) + 1) for place in places), len(data)]
    return [data[start:stop] for start, stop in pairwise(edges)]


@pytest.mark.req("X5")
@given(st.lists(st.integers(0, 10_000), max_size=30))
def test_the_events_do_not_depend_on_the_size_of_pieces(places):
    assert heard(cut(STREAM, places)) == EVENTS


@given(st.lists(st.sampled_from([b"data: x", b"event: e", b"\n", b"\r", b"\r\n", b":", "é".encode(), b"\xff"])))
def test_any_bytes_give_the_same_events_one_by_one_as_in_one_piece(parts):
    data = b"".join(parts)
    assert heard([data]) == heard([data[at : at + 1] for at in range(len(data))])


@pytest.mark.parametrize("end", ["\n\n", "\r\n\r\n", "\r\r"])
def test_an_event_is_returned_with_its_last_byte(end):
    events = SSEParser()
    assert events.feed(f"data: here{end}".encode()) == [ServerSentEvent("", "here")]


@pytest.mark.parametrize("end", ["", "\n", "\r", "\r\n"])
def test_an_unterminated_event_is_returned_at_the_end(end):
    assert heard([f"data: [DONE]{end}".encode()]) == [ServerSentEvent("", "[DONE]")]


def test_invalid_utf8_is_replaced():
    assert heard([b"data: a\xffb\n\n"]) == [ServerSentEvent("", "a\ufffdb")]
