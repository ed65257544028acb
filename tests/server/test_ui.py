"""Tests how the server delivers the files of the web page: encoding, caching and security policy."""

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


def test_a_file_is_compressed_if_the_browser_accepts_it(dist):
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


def test_hashed_assets_are_immutable_and_the_index_is_not(dist):
    asset, index = find_asset("assets/index-abc.js", "", dist), find_asset("index.html", "", dist)
    assert asset is not None
    assert index is not None
    assert (asset.immutable, index.immutable) == (True, False)


@pytest.mark.parametrize(
    "name", ["../secret.txt", "assets/../../secret.txt", "/etc/passwd", "", "assets", "a\0b", "x" * 9000]
)
def test_files_outside_the_folder_are_not_delivered(dist, name):
    assert find_asset(name, "gzip", dist) is None


@pytest.mark.parametrize("asked", ["/assets/nothing.js", "/assets/..%2f__init__.py", "/assets/..%2f..%2fbuilt.py"])
def test_an_unknown_file_gets_a_404_problem(serve, asked):
    answer = serve().get(asked)
    assert (answer.status_code, answer.headers["content-type"]) == (404, "application/problem+json")


@needs_page
def test_the_content_security_policy_allows_only_the_pages_own_scripts(serve):
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
def test_the_page_needs_no_key_but_rejects_unknown_hosts(serve, store):
    store.create_key("a", access="read")
    http = serve()
    assert http.get("/").status_code == 200
    assert http.get("/api/memory/conversations").status_code == 401
    assert http.get("/", headers={"Host": "evil.example"}).status_code == 421


@needs_page
def test_the_licences_of_bundled_packages_are_delivered(serve):
    answer = serve().get("/licences.txt")
    assert answer.text.startswith("preact ")
    assert "Permission is hereby granted" in answer.text
