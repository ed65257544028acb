"""Tests the examples and the access levels in docs/reference/rest.md."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from tests.server.conftest import bearer

PAGE = (Path(__file__).parent.parent.parent / "docs/reference/rest.md").read_text("utf-8")
EXAMPLE = re.compile(r"^```http\n(\w+) (\S+)\n(.*?)^```\n\n```json\n(.*?)^```", re.MULTILINE | re.DOTALL)
ROW = re.compile(r"^\| (GET|POST|PUT|PATCH|DELETE) \| `([^`]+)` \|.*\| (\w+) \|$", re.MULTILINE)
LESS = {"write": "read", "admin": "write"}  # the next lower access level


def matches(expected: object, found: object) -> bool:
    """Returns whether the response contains the expected JSON; … matches any value."""
    if isinstance(expected, dict):
        return isinstance(found, dict) and all(
            name in found and matches(value, found[name]) for name, value in expected.items()
        )
    if isinstance(expected, list):
        return (
            isinstance(found, list)
            and len(found) == len(expected)
            and all(matches(*pair) for pair in zip(expected, found, strict=True))
        )
    return expected in ("…", found)


def test_the_examples_get_the_documented_responses(serve):
    http = serve()
    examples = EXAMPLE.findall(PAGE)
    assert len(examples) >= 5
    for method, path, body, expected in examples:
        answer = http.request(method, path, json=json.loads(body) if body.strip() else None)
        assert matches(json.loads(expected), answer.json()), answer.text


@pytest.mark.req("X17")
def test_a_key_below_the_documented_access_level_is_rejected(serve, store):
    http = serve(open=False)
    secrets = {access: store.create_key(access, access=access, spaces=["alice"]).secret for access in ("read", "write")}
    secrets["admin"] = store.create_key("admin", access="admin", spaces=["alice"]).secret
    for method, path, access in ROW.findall(PAGE):
        if access == "none":
            continue
        place = (path if path.startswith("/api") else f"/api/memory{path}").replace("{", "").replace("}", "")
        body = None if method == "GET" else {}
        assert http.request(method, place, json=body).status_code == 401, path
        less = "admin" if access == "all" else LESS.get(access)
        if less is not None:
            assert http.request(method, place, json=body, headers=bearer(secrets[less])).status_code == 403, path
    assert store.spaces() == []
