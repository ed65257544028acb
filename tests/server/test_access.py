"""Tests API keys, host and origin checks, and request limits."""

from __future__ import annotations

import httpx2
import pytest
from tests.server.conftest import bearer
from tests.serving import serving

from aforesaid import InvalidInput
from aforesaid.server.app import AppOptions, make_app
from aforesaid.server.connections import ConnectionLimits
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


@pytest.mark.parametrize(
    "host", ["evil@127.0.0.1", "127.0.0.1/x", "127.0.0.1?x", "127.0.0.1#x", "127.0.0.1:", "127.0.0.1:99999", "a b", ""]
)
def test_a_malformed_host_is_a_bad_request(serve, host):
    answer = serve().get(LIST, headers={"Host": host})
    assert (answer.status_code, answer.headers["connection"]) == (400, "close")


FOREIGN = (
    "http://evil.example",
    "null",
    "https://localhost.evil.example",
    "x",
    "http://localhost:5173",
    "http://localhost:8765",
    "https://127.0.0.1:8765",
    "http://127.0.0.1",
    "http://127.0.0.1:8765/",
    "http://x@127.0.0.1:8765",
    "http://127.0.0.1:8765, http://127.0.0.1:8765",
)


def test_a_foreign_origin_is_rejected(serve):
    """The port and the scheme are part of an origin: another program on this machine has another port."""
    http = serve(headers={"Host": "127.0.0.1:8765"})
    for origin in FOREIGN:
        for headers in ({"Origin": origin}, {"Origin": origin, "Sec-Fetch-Site": "same-origin"}):
            assert http.get(LIST, headers=headers).status_code == 403, origin
            assert http.post(f"{LIST}/c/messages", json={}, headers=headers).status_code == 403, origin


@pytest.mark.parametrize(
    ("host", "origin"),
    [
        ("127.0.0.1:8765", "http://127.0.0.1:8765"),
        ("LOCALHOST:8765", "http://localhost:8765"),
        ("localhost", "http://localhost"),
        ("localhost:80", "http://localhost"),
        ("[::1]:8765", "http://[::1]:8765"),
        ("127.0.0.1:8765", "https://memory.example"),
    ],
)
def test_the_own_origin_and_configured_origins_are_accepted(serve, host, origin):
    http = serve(origins=("https://memory.example",))
    assert http.get(LIST, headers={"Host": host, "Origin": origin}).status_code == 200


@pytest.mark.parametrize("site", ["cross-site", "same-site", "unheard-of"])
def test_a_browser_that_reports_another_site_is_rejected_before_routing(serve, store, site):
    """The response does not depend on the path, so that a page learns nothing from its status, size or time."""
    http = serve()
    store.conversation("trip").add("user", "We settled on Lisbon.")
    paths = (f"{LIST}/trip", f"{LIST}/none", "/nowhere", "/api/health", "/mcp", "/icon.svg")
    answers = [http.get(path, headers={"Sec-Fetch-Site": site, "Sec-Fetch-Mode": "no-cors"}) for path in paths]
    assert {(answer.status_code, answer.text) for answer in answers} == {(403, answers[0].text)}


def test_a_link_from_another_site_opens_the_page_but_not_the_api(serve):
    http = serve()
    link = {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "document"}
    assert http.get("/docs", headers=link).status_code == 200
    assert http.get("/", headers=link).status_code != 403
    assert http.get("/docs", headers=link | {"Sec-Fetch-Dest": "iframe"}).status_code == 403
    assert http.get("/api/memory/export", headers=link).status_code == 403
    typed = {"Sec-Fetch-Site": "none", "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "document"}
    assert http.get(LIST, headers=typed).status_code == 200


ROUTES = ("import-chats", "import", "rechunk", "doctor", "backup", "conversations/c/messages")


@pytest.mark.parametrize(
    "kind", ["text/plain", "Text/Plain;charset=UTF-8", "application/x-www-form-urlencoded", "multipart/form-data", None]
)
def test_a_post_that_a_form_could_send_is_rejected(serve, store, kind):
    http, headers = serve(), {} if kind is None else {"Content-Type": kind}
    for route in ROUTES:
        answer = http.post(f"/api/memory/{route}", content=b'{"role": "user", "content": "hello"}', headers=headers)
        assert (answer.status_code, answer.json()["code"]) == (415, "unsupported_media_type")
    assert store.spaces() == []


def test_a_header_that_no_foreign_page_can_set_allows_any_content_type(serve, store):
    form = {"Content-Type": "application/x-www-form-urlencoded"}
    body = b'{"role": "user", "content": "hello"}'
    http = serve()
    assert http.post("/api/memory/import-chats", content=body, headers=form | {"X-Aforesaid-Space": "a"}).is_success
    key = store.create_key("k", access="admin")
    assert http.post("/api/memory/import-chats", content=body, headers=form | bearer(key.secret)).is_success


def test_a_post_without_a_body_works_for_programs_and_for_the_own_page_only(serve):
    http = serve()
    assert http.post("/api/memory/doctor").status_code == 200
    assert http.post("/api/memory/doctor", headers={"Origin": str(http.base_url).rstrip("/")}).status_code == 200
    for origin in ("null", "http://localhost:5000"):
        assert http.post("/api/memory/doctor", headers={"Origin": origin}).status_code == 403


def test_wrong_keys_are_limited_by_address_and_the_right_key_is_not(serve, store):
    key = store.create_key("laptop", access="read")
    http = serve()
    wrong = [http.get(LIST, headers=bearer(f"ak_x_{n}") | {"X-Forwarded-For": f"10.0.0.{n}"}) for n in range(40)]
    codes = [answer.status_code for answer in wrong]
    assert codes == sorted(codes)
    assert set(codes) == {401, 429}
    assert int(wrong[-1].headers["Retry-After"]) > 0
    assert "wrong keys" in wrong[-1].json()["detail"]
    assert http.post("/mcp", json={}, headers=bearer("ak_x_y")).status_code == 429
    assert http.get(LIST, headers=bearer(key.secret)).status_code == 200
    assert http.get(LIST).status_code == 401


def test_a_forwarded_address_does_not_evade_the_rate_limit(serve):
    http = serve(rate="2/day")
    codes = [http.get(LIST, headers={"X-Forwarded-For": f"10.0.0.{n}"}).status_code for n in range(4)]
    assert codes == [200, 200, 429, 429]


def test_a_trusted_proxy_forwards_the_address_and_the_scheme(store):
    limits = ConnectionLimits(proxies=("127.0.0.0/8",))
    options = AppOptions(rate="2/day", hosts=("memory.example",))
    host = {"Host": "memory.example"}
    with serving(make_app(store, options), limits=limits) as url, httpx2.Client(base_url=url, timeout=30) as http:
        codes = [http.get(LIST, headers=host | {"X-Forwarded-For": f"10.0.0.{n}"}).status_code for n in range(4)]
        assert codes == [200] * 4
        tls = host | {"X-Forwarded-Proto": "https", "X-Forwarded-For": "10.0.0.9"}
        assert http.get(LIST, headers=tls | {"Origin": "https://memory.example"}).status_code == 200
        assert http.get(LIST, headers=tls | {"Origin": "http://memory.example"}).status_code == 403


def test_an_invalid_proxy_or_origin_is_refused_at_the_start(store):
    with pytest.raises(InvalidInput, match="not an address"):
        ConnectionLimits(proxies=("proxy.example",))
    with pytest.raises(InvalidInput, match="not an origin"):
        make_app(store, AppOptions(origins=("example",)))


def test_requests_above_the_rate_limit_get_429_with_retry_after(serve):
    http = serve(rate="2/day")
    assert [http.get(LIST).status_code for _ in range(3)] == [200, 200, 429]
    assert int(http.get(LIST).headers["Retry-After"]) > 0


def test_a_body_that_is_too_large_is_rejected(serve, store):
    answer = serve(largest=1000).post(f"{LIST}/c/messages", json={"role": "user", "content": "x" * 1000})
    assert (answer.status_code, answer.json()["code"]) == (413, "too_large")
    assert store.spaces() == []
