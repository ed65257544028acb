"""Tests the download of a backup from a running server."""

from __future__ import annotations

import tempfile
from pathlib import Path

import pytest
from tests.server.conftest import bearer

from aforesaid import Memory

pytestmark = pytest.mark.req("X19")


def test_the_whole_store_is_downloaded_and_restored(http, store, tmp_path):
    for space in ("alice", "bob"):
        said = {"role": "user", "content": f"I am {space}"}
        http.post("conversations/c/messages", params={"space": space}, json=said)
    with http.stream("POST", "backup") as answer:
        assert answer.status_code == 200
        assert answer.headers["content-type"] == "application/octet-stream"
        assert answer.headers["content-disposition"] == 'attachment; filename="aforesaid.db"'
        (tmp_path / "b.db").write_bytes(answer.read())
    assert int(answer.headers["content-length"]) == (tmp_path / "b.db").stat().st_size
    assert Memory.restore(tmp_path / "b.db", tmp_path / "new.db").messages == 2
    with Memory(tmp_path / "new.db", worker=False, environment={}) as copy:
        assert [message.text for message in copy.space("bob").conversation("c").messages()] == ["I am bob"]
    assert list(Path(tempfile.gettempdir()).glob("aforesaid-backup-*")) == []


def test_backup_requires_an_admin_key_to_all_spaces(http, store):
    store.conversation("c").add("user", "hello")
    some = [store.create_key("a", access="admin", spaces=["alice"]), store.create_key("w", access="write")]
    for key in some:
        assert http.post("backup", headers=bearer(key.secret)).status_code == 403
    assert http.post("backup").status_code == 401
    assert http.get("backup", headers=bearer(some[0].secret)).status_code == 405
    whole = store.create_key("all", access="admin")
    assert http.post("backup", headers=bearer(whole.secret)).content.startswith(b"SQLite format 3")
