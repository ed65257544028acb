"""Tests export and import of a space as a ZIP archive over HTTP, including hostile archives."""

from __future__ import annotations

import io
import json
import tempfile
import zipfile
from pathlib import Path

import pytest
from tests.server.conftest import FILE, bearer

EXPORT, IMPORT = "/api/memory/export", "/api/memory/import"


@pytest.fixture(autouse=True)
def room(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """The folder for temporary files; it is empty after each test."""
    made = tmp_path / "room"
    made.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(made))
    yield made
    assert list(made.iterdir()) == []


@pytest.fixture
def archive(store, serve) -> bytes:
    """The exported space `alice`."""
    chat = store.space("alice").conversation("trip/1")
    chat.add_many({"role": "user", "content": f"message {number} ✈"} for number in range(50))
    chat.pin("Budget 900 €")
    store.space("alice").remember("Lives in Lisbon")
    return serve().get(EXPORT, params={"space": "alice"}).content


@pytest.mark.req("B16")
def test_an_exported_space_is_imported_unchanged(serve, store, archive):
    http = serve()
    answer = http.get(EXPORT, params={"space": "alice"})
    assert answer.headers["content-type"] == "application/octet-stream"
    assert answer.headers["content-disposition"] == "attachment; filename*=UTF-8''alice.zip"
    assert int(answer.headers["content-length"]) == len(archive)
    assert answer.content == archive
    for _ in range(2):
        back = http.post(IMPORT, params={"space": "copy"}, content=archive, headers=FILE)
        assert (back.status_code, back.json()["id"], back.json()["messages"]) == (200, "copy", 50)
    assert [m.text for m in store.space("copy").conversation("trip/1").messages(limit=100)] == [
        f"message {number} ✈" for number in range(50)
    ]
    files = zipfile.ZipFile(io.BytesIO(http.get(EXPORT, params={"space": "copy"}).content))
    before = zipfile.ZipFile(io.BytesIO(archive))
    for name in set(before.namelist()) - {"manifest.json"}:
        assert files.read(name) == before.read(name)


def test_export_of_an_unknown_space_is_not_found(serve):
    answer = serve().get(EXPORT, params={"space": "nobody"})
    assert (answer.status_code, answer.json()["code"]) == (404, "not_found")


@pytest.mark.req("X17")
def test_an_import_uses_the_callers_space_not_the_one_in_the_archive(serve, store, archive):
    store.space("alice").delete()
    http = serve(headers=bearer(store.create_key("b", access="admin", spaces=["bob"]).secret))
    assert http.post(IMPORT, content=archive, headers=FILE).json()["id"] == "bob"
    assert http.post(IMPORT, params={"space": "alice"}, content=archive, headers=FILE).status_code == 403
    two = serve(headers=bearer(store.create_key("b", access="admin", spaces=["bob", "carl"]).secret))
    assert two.post(IMPORT, content=archive, headers=FILE).json()["code"] == "which_space"
    assert [one.id for one in store.spaces()] == ["bob"]
    everywhere = serve(headers=bearer(store.create_key("c", access="admin").secret))
    assert everywhere.post(IMPORT, content=archive, headers=FILE).json()["id"] == "alice"


def test_an_archive_with_an_unsafe_file_name_is_rejected(serve, store, room, archive):
    http = serve()
    for name in (
        "../escape.json",
        "/escape.json",
        "a/b.json",
        "a\\b.json",
        "C:x.json",
        "..",
        "x.txt",
        "A.json",
        "x" * 50,
    ):
        answer = http.post(IMPORT, params={"space": "copy"}, content=with_file(archive, name, b"[]"), headers=FILE)
        assert answer.status_code == 422, name
    assert [one.id for one in store.spaces()] == ["alice"]
    assert not list(room.parent.rglob("*escape*"))


def test_a_zip_bomb_is_rejected_while_it_is_unpacked(serve, store, archive):
    bomb = with_file(archive, "bomb.json", b"0" * 20_000_000)
    assert len(bomb) < 100_000
    answer = serve(unpacked=1_000_000).post(IMPORT, params={"space": "copy"}, content=bomb, headers=FILE)
    assert (answer.status_code, answer.json()["code"]) == (413, "too_large")
    lying = bytearray(bomb)
    size = (20_000_000).to_bytes(4, "little")
    while size in lying:
        lying[lying.index(size) : lying.index(size) + 4] = (10).to_bytes(4, "little")
    assert serve(unpacked=1_000_000).post(IMPORT, content=bytes(lying), headers=FILE).status_code in (413, 422)
    assert [one.id for one in store.spaces()] == ["alice"]


def test_an_archive_with_too_many_files_is_rejected(serve, archive):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as made:
        for number in range(20_000):
            made.writestr(f"{number:060}", b"")
    assert serve().post(IMPORT, content=out.getvalue(), headers=FILE).status_code == 422
    out = io.BytesIO(archive)
    with zipfile.ZipFile(out, "a") as made:
        for number in range(50):
            made.writestr(f"{chr(97 + number // 26)}{chr(97 + number % 26)}.json", b"[]")
    assert serve().post(IMPORT, content=out.getvalue(), headers=FILE).status_code == 422


def test_an_import_has_its_own_larger_size_limit(serve, archive):
    http = serve(largest=500)
    assert http.post(IMPORT, params={"space": "copy"}, content=archive, headers=FILE).status_code == 200
    assert http.put("/api/memory/conversations/c", json={"title": "x" * 600}).status_code == 413
    small = serve(imports=500)
    for body in (archive, iter([archive])):  # with and without a Content-Length header
        answer = small.post(IMPORT, params={"space": "copy"}, content=body, headers=FILE)
        assert (answer.status_code, answer.json()["code"]) == (413, "too_large")


def test_a_body_that_is_not_an_archive_is_rejected(serve, store):
    http = serve()
    for body in (b"", b"not a zip", b"PK\x05\x06" + bytes(18), b"PK\x03\x04" + bytes(1000)):
        assert http.post(IMPORT, content=body, headers=FILE).status_code == 422
    assert store.spaces() == []


def test_a_damaged_archive_is_rejected_without_a_server_error(serve, store, archive):
    http = serve()
    places = [*range(0, len(archive), max(1, len(archive) // 20)), *range(len(archive) - 22, len(archive))]
    for at in places:  # sampled bytes, and every byte of the end record that locates the directory
        damaged = archive[:at] + bytes([archive[at] ^ 0xFF]) + archive[at + 1 :]
        assert http.post(IMPORT, params={"space": "copy"}, content=damaged, headers=FILE).status_code in (200, 422)
        assert http.post(IMPORT, params={"space": "copy"}, content=archive[:at], headers=FILE).status_code == 422


def test_an_import_error_does_not_reveal_the_temporary_path(serve, room, archive):
    http = serve()
    for body in (
        packed({"manifest.json": b"{}"}),
        packed({"pins.json": b"[]"}),
        packed({"manifest.json": b"[" * 100_000}),
        with_file(archive, "messages.json", b"[" * 100_000, replace=True),
        with_file(archive, "messages.json", b'[{"a":' + b"[" * 100_000, replace=True),
    ):
        answer = http.post(IMPORT, content=body, headers=FILE)
        assert answer.status_code == 422
        assert str(room) not in answer.text


def test_an_encrypted_archive_or_another_compression_is_rejected(serve, archive):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_LZMA) as made:
        made.writestr("manifest.json", json.dumps({}))
    assert "deflate" in serve().post(IMPORT, content=out.getvalue(), headers=FILE).json()["detail"]
    marked = bytearray(packed({"manifest.json": b"{}"}))
    marked[marked.index(b"PK\x01\x02") + 8] |= 1
    assert serve().post(IMPORT, content=bytes(marked), headers=FILE).status_code == 422


def test_a_disconnected_client_leaves_no_data_behind(serve, store, archive):
    http = serve()
    with http.stream("GET", EXPORT, params={"space": "alice"}) as answer:
        next(answer.iter_raw(1))

    def half():
        yield archive[: len(archive) // 2]
        raise ConnectionError

    with pytest.raises(ConnectionError):
        http.post(IMPORT, params={"space": "copy"}, content=half(), headers=FILE)
    assert http.get("/api/health").status_code == 200
    assert [one.id for one in store.spaces()] == ["alice"]


def packed(files: dict[str, bytes]) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as made:
        for name, content in files.items():
            made.writestr(name, content)
    return out.getvalue()


def with_file(archive: bytes, name: str, content: bytes, *, replace: bool = False) -> bytes:
    with zipfile.ZipFile(io.BytesIO(archive)) as found:
        files = {one: found.read(one) for one in found.namelist() if not (replace and one == name)}
    return packed(files | {name: content})
