"""Tests compressed requests: memory reads them, and the upstream gets them as they are unless memory adds something."""

from __future__ import annotations

import json

import pytest
from tests.proxy.conftest import stored, user
from tests.proxy.upstream import Packed

pytestmark = pytest.mark.req("X5")

PLACE = {"X-Aforesaid-Space": "ada", "X-Aforesaid-Conversation": "trip", "Content-Type": "application/json"}
ASKED = json.dumps({"model": "m-1", "messages": [user("Where do the tomatoes go?")]}).encode()
ENCODINGS = ["gzip", "deflate", "bare deflate", "zstd", "br"]


@pytest.fixture
def past(store):
    store.space("ada").conversation("garden").add("user", "The tomatoes go along the south wall.")
    store.flush()


def sent_encoding(model, at=-1):
    return {name.lower(): value for name, value in model.requests[at].headers.items()}.get("content-encoding")


def post(http, packed: Packed, body: bytes = ASKED):
    return http.post("/chat/completions", content=packed.pack([body]), headers=PLACE | packed.headers())


@pytest.mark.parametrize("how", ENCODINGS)
def test_a_compressed_request_is_read_and_forwarded_as_it_is(http, model, store, how):
    answer = post(http, Packed(how))
    assert answer.headers["x-aforesaid-memory"].startswith("none; reason=nothing_relevant")
    assert model.raw[-1] == Packed(how).pack([ASKED])
    assert sent_encoding(model) == Packed(how).headers()["Content-Encoding"]
    assert stored(store) == [("user", "Where do the tomatoes go?"), ("assistant", "Noted.")]


@pytest.mark.parametrize("how", ENCODINGS)
def test_a_request_with_memory_is_sent_plain(http, model, past, how):
    post(http, Packed(how))
    assert "south wall" in model.requests[-1].body["messages"][0]["content"]
    assert sent_encoding(model) is None


def test_a_request_that_is_refused_with_memory_is_sent_again_as_it_came(http, model, past):
    model.behave("fussy")
    answer = post(http, Packed("zstd"))
    assert answer.headers["x-aforesaid-memory"] == "off; reason=upstream_refused"
    assert model.raw[-1] == Packed("zstd").pack([ASKED])
    assert [sent_encoding(model, at) for at in (0, 1)] == [None, "zstd"]


@pytest.mark.parametrize(
    ("encoding", "body", "reason"),
    [
        ("compress", ASKED, "encoding"),
        ("gzip, br", ASKED, "encoding"),
        ("gzip", ASKED, "encoding"),  # it is not compressed
        ("gzip", Packed("gzip").pack([ASKED])[:-30], "unreadable"),
        ("zstd", Packed("zstd").pack([bytes(80 * 2**20)]), "too_large"),  # 64 MiB are read
    ],
)
def test_a_request_that_cannot_be_read_is_forwarded_and_the_header_says_so(http, model, store, encoding, body, reason):
    answer = http.post("/chat/completions", content=body, headers=PLACE | {"Content-Encoding": encoding})
    assert answer.status_code == 200
    assert answer.headers["x-aforesaid-memory"] == f"off; reason={reason}"
    assert (model.raw[-1], sent_encoding(model)) == (body, encoding)
    assert stored(store) == []
