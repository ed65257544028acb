"""Tests API keys, host and origin checks, and request limits."""

from __future__ import annotations

import pytest
from tests.server.conftest import bearer

from aforesaid import InvalidInput
from aforesaid.server.serve import require_key

pytestmark = pytest.mark.req("X17")

LIST = "/api/memory/conversations"


def test_local_requests_need_no_key_until_the_first_key_is_created(serve, store):
    http = serve()
    assert http.get(LIST).status_code == 200
    made = store.create_key("laptop")
    assert http.get(LIST).status_code == 401
    assert http.get(LIST, headers=bearer(made.secret)).status_code == 200
    assert http.get(LIST, headers={"X-Api-Key": made.secret}).status_code == 200
    store.revoke_key(made.key.id)
    assert http.get(LIST, headers=bearer(made.secret)).status_code == 401
    assert http.get(LIST).status_code == 401


def test_a_server_on_a_public_address_requires_a_key(serve, store):
    assert serve(open=False).get(LIST).status_code == 401
    require_key(store, "127.0.0.1", "localhost")
    with pytest.raises(InvalidInput, match=r"memory\.example\.org"):
        require_key(store, "127.0.0.1", "memory.example.org")
    with pytest.raises(InvalidInput, match="aforesaid keys create"):
        require_key(store, "0.0.0.0")
    made = store.create_key("laptop")
    require_key(store, "0.0.0.0")
    store.revoke_key(made.key.id)
    with pytest.raises(InvalidInput):
        require_key(store, "0.0.0.0")


def test_a_key_accesses_only_its_own_spaces(serve, store):
    store.space("bob").conversation("c").add("user", "bob's words")
    made = store.create_key("a", access="read", spaces=["alice"])
    http = serve(headers=bearer(made.secret))
    assert http.get(LIST).json() == {"items": [], "next": None}
    for space in ("bob", "nobody"):
        answers = [http.get(LIST, params={"space": space}), http.get(LIST, headers={"X-Aforesaid-Space": space})]
        assert {answer.status_code for answer in answers} == {403}
        assert {answer.json()["detail"] for answer in answers} == {"this key does not open that space"}
    assert http.put(f"{LIST}/c", json={}).status_code == 403


def test_a_key_to_several_spaces_must_name_the_space(serve, store):
    http = serve(headers=bearer(store.create_key("a", spaces=["alice", "ål/ice"]).secret))
    assert http.get(LIST).json()["code"] == "which_space"
    assert http.get(LIST, params={"space": "ål/ice"}).status_code == 200
    assert http.get(LIST, headers={"X-Aforesaid-Space": "%C3%A5l%2Fice"}).status_code == 200
    twice = http.get(LIST, params={"space": "alice"}, headers={"X-Aforesaid-Space": "bob"})
    assert twice.json()["code"] == "which_space"


@pytest.mark.parametrize(
    "host", ["evil.example", "localhost.evil.example", "127.0.0.1.evil.example", ":80", "[::1", ""]
)
def test_an_unknown_host_is_rejected(serve, host):
    answer = serve().get(LIST, headers={"Host": host})
    assert answer.status_code in (400, 421)


@pytest.mark.parametrize("host", ["localhost:8765", "LOCALHOST", "127.0.0.1", "[::1]:8765"])
def test_local_host_names_are_accepted(serve, host):
    assert serve().get(LIST, headers={"Host": host}).status_code == 200


@pytest.mark.parametrize("origin", ["http://evil.example", "null", "https://localhost.evil.example", "x"])
def test_a_foreign_origin_is_rejected(serve, origin):
    assert serve().get(LIST, headers={"Origin": origin}).status_code == 403
    assert serve().get(LIST, headers={"Origin": "http://localhost:5173"}).status_code == 200


def test_requests_above_the_rate_limit_get_429_with_retry_after(serve):
    http = serve(rate="2/day")
    assert [http.get(LIST).status_code for _ in range(3)] == [200, 200, 429]
    assert int(http.get(LIST).headers["Retry-After"]) > 0


def test_a_body_that_is_too_large_is_rejected(serve, store):
    answer = serve(largest=1000).post(f"{LIST}/c/messages", json={"role": "user", "content": "x" * 1000})
    assert (answer.status_code, answer.json()["code"]) == (413, "too_large")
    assert store.spaces() == []
