"""Tests the OpenAPI description and the reference page that the server renders from it."""

from __future__ import annotations

import json
import re
import shlex
from html import unescape
from html.parser import HTMLParser

import pytest

from aforesaid.server.app import make_app
from aforesaid.server.reference.examples import SchemaExample
from aforesaid.server.reference.html_page import render_page
from aforesaid.server.reference.openapi import TAGS, resolve_parts


@pytest.fixture
def schema(store):
    return resolve_parts(make_app(store).openapi())


def operations(schema):
    return [(method, path, one) for path, all in schema["paths"].items() for method, one in all.items()]


def test_every_operation_has_a_tag_description_access_and_examples(schema):
    nouns = {tag["name"] for tag in TAGS}
    for method, path, one in operations(schema):
        where = f"{method} {path}"
        assert set(one["tags"]) <= nouns, where
        assert one["description"], where
        assert one["x-access"] in {"none", "read", "write", "admin", "admin, all spaces"}, where
        assert (one["x-access"] == "none") == (one["security"] == []), where
        bodies = [one.get("requestBody", {}), *one["responses"].values()]
        for media, content in ((media, c) for body in bodies for media, c in body.get("content", {}).items()):
            assert not media.endswith("json") or "example" in content, where


def test_an_operation_accepts_both_key_headers_and_errors_are_problems(schema):
    assert {one["type"] for one in schema["components"]["securitySchemes"].values()} == {"http", "apiKey"}
    one = schema["paths"]["/api/memory/facts"]["post"]
    assert one["security"] == [{"bearer": []}, {"header": []}]
    assert list(one["responses"]["409"]["content"]) == ["application/problem+json"]
    assert one["responses"]["409"]["content"]["application/problem+json"]["example"]["code"] == "conflict"
    assert one["requestBody"]["content"]["application/json"]["example"]["text"] == "Lives in Lisbon"


def test_example_bodies_are_accepted(http, schema):
    """No example is malformed; some name records that do not exist."""
    for method, path, one in operations(schema):
        content = one.get("requestBody", {}).get("content", {}).get("application/json")
        if content and "keys" not in path and "{" not in path.replace("{conversation}", "").replace("{name}", ""):
            place = path.replace("{conversation}", "trip").replace("{name}", "chunk_tokens")
            answer = http.request(method, http.base_url.join(place), json=content["example"])
            taken = (200, 201, 403, 404, 409)
            assert answer.status_code in taken or answer.json()["code"] == "no_model", (method, path, answer.text)


class Seen(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))


def test_the_page_lists_every_operation_and_loads_no_external_resources(serve, store, schema):
    store.create_key("a")
    http = serve()
    answer = http.get("/docs")
    assert answer.status_code == 200
    policy = answer.headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    for _, path, one in operations(schema):
        assert f"<code>{path}</code>" in answer.text
        assert f'id="{one["operationId"]}"' in answer.text
    seen = Seen()
    seen.feed(answer.text)
    assert "script" not in {tag for tag, _ in seen.tags}
    assert not [name for _, given in seen.tags for name in given if name.startswith("on") or name == "style"]
    links = {value for _, given in seen.tags for name, value in given.items() if name in ("href", "src")}
    assert {link for link in links if not link.startswith("#")} == {"/docs.css", "/openapi.json"}
    ids = {given["id"] for _, given in seen.tags if "id" in given}
    assert {link[1:] for link in links if link.startswith("#")} <= ids
    style = http.get("/docs.css")
    assert style.headers["content-type"].startswith("text/css")
    assert "prefers-color-scheme: dark" in style.text
    assert "http" not in style.text
    assert resolve_parts(http.get("/openapi.json").json()) == schema


def test_the_curl_examples_are_valid_shell_commands(schema):
    found = render_page(schema, "http://localhost:8765")
    lines = [shlex.split(unescape(line)) for line in re.findall(r"<pre class=try>(.*?)</pre>", found, re.S)]
    assert len(lines) == len(operations(schema))
    for words in lines:
        assert words[0] == "curl"
        assert "{" not in next(word for word in words if word.startswith("http"))
        if "-d" in words:
            json.loads(words[words.index("-d") + 1])
    made = next(words for words in lines if words[-2] == "-d" and words[3].endswith("/memory/facts"))
    assert made[4:8] == ["-H", "Authorization: Bearer $AFORESAID_KEY", "-H", "Content-Type: application/json"]


def test_descriptions_are_escaped():
    hostile = "<script>alert(1)</script>"
    call = {"tags": [hostile], "operationId": hostile, "description": hostile, "responses": {"200": {}}}
    made = render_page(
        {"info": {"title": hostile, "version": "1"}, "paths": {f"/{hostile}": {"get": call}}}, "http://x"
    )
    assert "<script" not in made


def test_the_example_of_a_recursive_schema_is_finite():
    endless = {"Tree": {"type": "object", "properties": {"left": {"$ref": "#/components/schemas/Tree"}}}}
    assert "left" in SchemaExample(endless).of(endless["Tree"])


def test_names_are_unique_and_short_and_repeated_parts_are_shared(store):
    """Generators name classes by titles, and methods by operation ids."""
    document = make_app(store).openapi()
    ids = [one["operationId"] for _, _, one in operations(document)]
    assert len(set(ids)) == len(ids)
    assert [id for id in ids if not re.fullmatch(r"[a-z]+\.[a-z]+([A-Z][a-z]+)*", id)] == []
    assert [
        id for id, (_, _, one) in zip(ids, operations(document), strict=True) if id.partition(".")[0] != one["tags"][0]
    ] == []
    schemas = document["components"]["schemas"]
    assert {name: schema["title"] for name, schema in schemas.items()} == {name: name for name in schemas}
    errors = [one["responses"]["default"] for _, _, one in operations(document)]
    assert errors == [{"$ref": "#/components/responses/OtherProblem"}] * len(ids)
    assert len(json.dumps(document, ensure_ascii=False, separators=(",", ":")).encode()) <= 250_000


def test_streams_are_described_as_events(schema):
    for path, method in (("events", "get"), ("conversations/{conversation}/reply", "post")):
        assert list(schema["paths"][f"/api/memory/{path}"][method]["responses"]["200"]["content"]) == [
            "text/event-stream"
        ]
