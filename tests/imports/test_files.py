"""Tests that damaged, malicious and large files give a clear error or are read with bounded resources."""

import json
import struct
import subprocess
import sys
import zipfile

import pytest
from tests.imports.samples import telegram_message
from tests.imports.world import archive, chatgpt, lines, node, packed, said, trip, written

from aforesaid import InvalidInput

pytestmark = pytest.mark.req("X8")

WHOLE = {"conversations.json": [trip()]}


def refused(store, path, match):
    with pytest.raises(InvalidInput, match=match):
        store.space("alice").import_chats(path)
    assert store.space("alice").info() is None


@pytest.mark.parametrize("share", [0.1, 0.5, 0.9, 0.99])
def test_a_truncated_archive_is_rejected(store, tmp_path, share):
    whole = packed(WHOLE)
    (tmp_path / "a.zip").write_bytes(whole[: int(len(whole) * share)])
    refused(store, tmp_path / "a.zip", "damaged or not complete")


def test_a_corrupt_archive_is_rejected(store, tmp_path):
    broken = bytearray(packed(WHOLE))
    at = broken.index(b"conversations.json") + 60
    broken[at] ^= 0xFF
    (tmp_path / "a.zip").write_bytes(bytes(broken))
    refused(store, tmp_path / "a.zip", "damaged or not complete")


def test_an_encrypted_archive_is_rejected(store, tmp_path):
    locked = bytearray(packed(WHOLE))
    for mark, offset in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        at = locked.index(mark) + offset
        locked[at : at + 2] = struct.pack("<H", 1)
    (tmp_path / "a.zip").write_bytes(bytes(locked))
    refused(store, tmp_path / "a.zip", "cannot be unpacked.*password")


def test_a_zip_bomb_is_rejected_before_extraction(store, tmp_path):
    with zipfile.ZipFile(tmp_path / "bomb.zip", "w", zipfile.ZIP_DEFLATED) as made:
        made.writestr("conversations.json", b"[]")
    bomb = bytearray((tmp_path / "bomb.zip").read_bytes())
    at = bomb.index(b"PK\x01\x02") + 24
    bomb[at : at + 4] = struct.pack("<L", 3 << 30)
    (tmp_path / "bomb.zip").write_bytes(bytes(bomb))
    refused(store, tmp_path / "bomb.zip", "far more than an export")


def test_deeply_nested_archives_are_rejected(store, tmp_path):
    inner = packed(WHOLE)
    for _ in range(2):
        inner = packed({"conversations-000.zip": inner})
    (tmp_path / "two.zip").write_bytes(inner)
    assert store.space("bob").import_chats(tmp_path / "two.zip").messages == 2
    (tmp_path / "deep.zip").write_bytes(packed({"conversations-000.zip": inner}))
    refused(store, tmp_path / "deep.zip", "nested archives")


def test_path_traversal_names_write_no_files(store, tmp_path):
    path = archive(tmp_path / "a.zip", {"../../conversations.json": [trip()], "/etc/conversations-001.json": []})
    assert store.space("alice").import_chats(path).messages == 2
    assert [one.name for one in tmp_path.iterdir()] == ["a.zip"]
    assert not (tmp_path.parent / "conversations.json").exists()


def test_any_json_file_is_imported_if_no_file_name_is_known(store, tmp_path):
    path = archive(tmp_path / "a.zip", {"talk/one.jsonl": {"role": "user", "content": "Hello"}, "readme.txt": b"hi"})
    done = store.space("alice").import_chats(path)
    assert (done.messages, done.skipped) == (1, {"other files of the archive": 1})


def test_an_archive_or_folder_without_json_is_rejected(store, tmp_path):
    refused(store, archive(tmp_path / "a.zip", {"readme.txt": b"hi"}), "no file to import")
    (tmp_path / "empty").mkdir()
    refused(store, tmp_path / "empty", "no file to import")


@pytest.mark.parametrize(
    ("content", "match"),
    [
        (b"\x00\x01\x02", "not valid JSON"),
        (b"hello", "not valid JSON"),
        (b'[{"mapping": {}}', "not valid JSON"),
        (b'[{"mapping": {}}] trailing', "not valid JSON"),
        (b"\xff\xfe[\x00]\x00", "not UTF-8"),
        ('["é"]'.encode("latin-1"), "not UTF-8"),
        (b"[" * 100_000, "nested"),
        (b'[{"role": "user", "content": ' + b"[" * 300 + b"]" * 300 + b"}]", "nested"),
        (b"[" + b"9" * 5000 + b"]", "not valid JSON"),
    ],
)
def test_invalid_json_raises_an_error_that_names_the_file(store, tmp_path, content, match):
    (tmp_path / "a.json").write_bytes(content)
    refused(store, tmp_path / "a.json", f"a.json .*{match}")


def test_a_byte_order_mark_is_ignored(store, tmp_path):
    (tmp_path / "a.json").write_bytes(b"\xef\xbb\xbf" + json.dumps([trip()]).encode())
    assert store.space("alice").import_chats(tmp_path / "a.json").messages == 2


def test_nul_and_lone_surrogates_become_replacement_characters(store, tmp_path):
    content = "one\\u0000two \\udfff \\ud83d\\ude00 مرحبا"
    text = f'{{"role": "user", "id": "a\\u0000b", "name": "x\\ud800", "content": "{content}"}}'
    (tmp_path / "a.jsonl").write_text(text, "utf-8")
    assert store.space("alice").import_chats(tmp_path / "a.jsonl").messages == 1
    (message,) = said(store, "chat:a")
    assert (message.id, message.name, message.text) == ("a�b", "x�", "one�two � 😀 مرحبا")
    assert store.space("alice").import_chats(tmp_path / "a.jsonl").known == 1


def test_a_message_of_megabytes_is_imported_in_full(store, tmp_path):
    text = "word " * 400_000
    path = lines(tmp_path / "a.jsonl", {"role": "assistant", "content": text})
    store.space("alice").import_chats(path)
    assert said(store, "chat:a")[0].text == text


def test_a_message_with_nan_is_rejected_and_the_others_are_imported(store, tmp_path):
    (tmp_path / "a.jsonl").write_text(
        '{"role": "user", "content": [{"type": "chart", "value": NaN}]}\n{"role": "user", "content": "fine"}', "utf-8"
    )
    done = store.space("alice").import_chats(tmp_path / "a.jsonl")
    assert (done.messages, done.skipped) == (1, {"refused: expired, or not valid as a message": 1})


MEASURE = """
import resource, sys
from pathlib import Path
from aforesaid.interop.chat_import.read import read_export
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
messages = sum(len(found.messages) for found in read_export(Path(sys.argv[1]), None) if hasattr(found, "messages"))
print(messages, (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) // 1024)
"""


@pytest.mark.parametrize("form", ["json", "zip", "jsonl", "telegram"])
def test_a_file_of_fifty_megabytes_is_read_with_less_than_25_megabytes_of_memory(tmp_path, form):
    text = "We settled on Lisbon. " * 500
    long = {"role": "user", "content": text} if form == "jsonl" else chatgpt("c", node("a", None, "user", text))
    one = json.dumps(long)
    times = 50_000_000 // len(one)
    between, edges = ("\n", ("", "")) if form == "jsonl" else (",", ("[", "]"))
    if form == "telegram":  # one object
        one, edges = json.dumps(telegram_message(1, "Ada", text)), ('{"name": "Bob", "id": 2, "messages": [', "]}")
        times = 50_000_000 // len(one)
    path = tmp_path / f"conversations.{form}"
    plain = tmp_path / "conversations.json" if form == "zip" else path
    with plain.open("w", encoding="utf-8") as file:
        file.write(edges[0] + one)
        for _ in range(times - 1):
            file.write(between + one)
        file.write(edges[1])
    if form == "zip":
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as made:
            made.write(plain, "conversations.json")
    done = subprocess.run([sys.executable, "-c", MEASURE, path], capture_output=True, text=True, check=True)
    messages, megabytes = map(int, done.stdout.split())
    assert messages == times
    assert megabytes < 25


def test_a_relative_path_is_resolved_from_the_working_directory(store, tmp_path, monkeypatch):
    written(tmp_path / "a.json", [trip()])
    monkeypatch.chdir(tmp_path)
    assert store.space("alice").import_chats("a.json").messages == 2
