"""The page's files: who gets them, how they are kept, and what they may do."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from aforesaid.ui.assets import DIST, find_asset

BUILT = (DIST / "index.html").exists()
needs_page = pytest.mark.skipif(not BUILT, reason="the page was not built (`make page`)")


@pytest.fixture
def dist(tmp_path: Path) -> Path:
    (tmp_path / "dist" / "assets").mkdir(parents=True)
    (tmp_path / "secret.txt").write_text("not part of it")
    (tmp_path / "dist" / "index.html").write_text("<!doctype html>")
    script = b"export const answer = 42;" * 100
    (tmp_path / "dist" / "assets" / "index-abc.js").write_bytes(script)
    (tmp_path / "dist" / "assets" / "index-abc.js.gz").write_bytes(gzip.compress(script))
    return tmp_path / "dist"


def test_a_file_comes_in_the_form_that_the_browser_takes(dist):
    plain = find_asset("assets/index-abc.js", "", dist)
    packed = find_asset("assets/index-abc.js", "br, gzip;q=0.8", dist)
    assert plain is not None
    assert packed is not None
    assert (plain.encoding, packed.encoding) == (None, "gzip")
    assert gzip.decompress(packed.content) == plain.content
    assert packed.media_type.endswith("javascript; charset=utf-8")
    refused = find_asset("assets/index-abc.js", "gzip;q=0", dist)
    assert refused is not None
    assert refused.encoding is None


def test_what_changes_its_name_is_kept_for_ever_and_the_page_is_not(dist):
    asset, index = find_asset("assets/index-abc.js", "", dist), find_asset("index.html", "", dist)
    assert asset is not None
    assert index is not None
    assert (asset.immutable, index.immutable) == (True, False)


@pytest.mark.parametrize(
    "name", ["../secret.txt", "assets/../../secret.txt", "/etc/passwd", "", "assets", "a\0b", "x" * 9000]
)
def test_no_other_file_is_given_away(dist, name):
    assert find_asset(name, "gzip", dist) is None


@pytest.mark.parametrize("asked", ["/assets/nothing.js", "/assets/..%2f__init__.py", "/assets/..%2f..%2fbuilt.py"])
def test_a_file_that_is_not_there_is_a_problem(serve, asked):
    answer = serve().get(asked)
    assert (answer.status_code, answer.headers["content-type"]) == (404, "application/problem+json")


@needs_page
def test_the_page_may_run_its_own_script_and_nothing_else(serve):
    answer = serve().get("/")
    policy = answer.headers["content-security-policy"]
    assert policy.startswith("default-src 'none'")
    assert "script-src 'self'" in policy
    assert "style-src 'self'" in policy
    assert "unsafe" not in policy
    assert "<script>" not in answer.text
    assert "<style" not in answer.text
    assert answer.headers["cache-control"] == "no-cache"
    again = serve().get("/", headers={"If-None-Match": answer.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")


@needs_page
def test_the_page_needs_no_key_but_answers_no_other_host(serve, store):
    store.create_key("a", access="read")
    http = serve()
    assert http.get("/").status_code == 200
    assert http.get("/api/memory/conversations").status_code == 401
    assert http.get("/", headers={"Host": "evil.example"}).status_code == 421


@needs_page
def test_the_licences_of_what_is_shipped_are_shipped(serve):
    answer = serve().get("/licences.txt")
    assert answer.text.startswith("preact ")
    assert "Permission is hereby granted" in answer.text
