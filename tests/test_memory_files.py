"""Tests the files of Anthropic's memory tool on every store, without the SDK; tests/adapters/anthropic has it."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import pytest

from aforesaid import ConflictError, InvalidInput, Memory, NotFound
from aforesaid.integrations.memory_files import MemoryFiles

pytestmark = pytest.mark.req("X7")


@pytest.fixture
def files(memory: Memory) -> MemoryFiles:
    return MemoryFiles(memory.space("ana"))


def test_files_are_items_and_folders_are_namespaces(files: MemoryFiles, memory: Memory):
    assert files.create("/memories/work/plan.md", "buy tea\n") == "File created successfully at: /memories/work/plan.md"
    item = memory.space("ana").items(("memories", "work")).get("plan.md")
    assert item is not None
    assert item.value == "buy tea\n"
    assert [hit.item.key for hit in memory.space("ana").items("memories").search("tea")] == ["plan.md"]


def test_a_folder_is_listed_two_levels_deep_with_sizes(files: MemoryFiles):
    assert files.view("/memories").splitlines()[1:] == ["0B\t/memories"]
    for path, text in (("b.txt", "é" * 3), ("a/x.txt", "x" * 1536), ("a/deep/y.txt", "y" * 512), (".secret/k", "k")):
        files.create(f"/memories/{path}", text)
    assert files.view("/memories").splitlines() == [
        "Here're the files and directories up to 2 levels deep in /memories, excluding hidden items:",
        "2.0K\t/memories",
        "2K\t/memories/a/",
        "512B\t/memories/a/deep/",
        "1.5K\t/memories/a/x.txt",
        "6B\t/memories/b.txt",
    ]
    assert files.view("/memories/a/deep").splitlines()[1:] == ["512B\t/memories/a/deep", "512B\t/memories/a/deep/y.txt"]


def test_lines_are_numbered_and_can_be_chosen(files: MemoryFiles):
    files.create("/memories/f", "one\r\ntwo\nthree\n")
    head = "Here's the content of /memories/f with line numbers:\n"
    assert files.view("/memories/f") == f"{head}     1\tone\r\n     2\ttwo\n     3\tthree\n     4\t"
    assert files.view("/memories/f", [2, 3]) == f"{head}     2\ttwo\n     3\tthree"
    assert files.view("/memories/f", [3, -1]) == f"{head}     3\tthree\n     4\t"
    files.create("/memories/long", "\n" * 999_999)
    with pytest.raises(InvalidInput, match="File /memories/long exceeds maximum line limit of 999,999 lines"):
        files.view("/memories/long")


def test_text_is_replaced_once_and_lines_are_inserted(files: MemoryFiles):
    files.create("/memories/f", "1\n2\n3\n4\n5\n6")
    assert files.str_replace("/memories/f", "4", "four").splitlines()[1:] == [
        "     2\t2", "     3\t3", "     4\tfour", "     5\t5", "     6\t6"
    ]  # fmt: skip
    assert files.insert("/memories/f", 0, "zero\n") == "The file /memories/f has been edited."
    assert files.view("/memories/f").count("\n") == 8
    files.create("/memories/twice", "aXa\na")
    with pytest.raises(InvalidInput, match=r"Multiple occurrences of old_str `a` in lines: 1, 1, 2\. Please"):
        files.str_replace("/memories/twice", "a", "b")
    with pytest.raises(InvalidInput, match=r"old_str `none` did not appear verbatim in /memories/f\."):
        files.str_replace("/memories/f", "none", "b")
    with pytest.raises(
        InvalidInput, match=r"Invalid `insert_line` parameter: 8. It should be within the range \[0, 7\]"
    ):
        files.insert("/memories/f", 8, "x")


def test_files_and_folders_are_renamed_and_deleted(files: MemoryFiles):
    files.create("/memories/a/b/c", "c")
    files.create("/memories/d", "d")
    for old, new in (
        ("/memories/d", "/memories/a/b/c"),
        ("/memories/a", "/memories/d"),
        ("/memories/d", "/memories/a"),
    ):
        with pytest.raises(ConflictError, match=f"The destination {new} already exists"):
            files.rename(old, new)
    assert files.rename("/memories/a/b", "/memories/e") == "Successfully renamed /memories/a/b to /memories/e"
    assert files.rename("/memories/d", "/memories/e/f/g").startswith("Successfully renamed")
    assert files.view("/memories").count("\t") == 4
    assert files.delete("/memories/e/f/g") == "Successfully deleted /memories/e/f/g"
    assert files.delete("/memories/e") == "Successfully deleted /memories/e"
    for gone in ("/memories/e", "/memories/a"):
        with pytest.raises(NotFound, match=f"The path {gone} does not exist"):
            files.delete(gone)
    files.create("/memories/x", "x")
    assert files.clear() == "All memory cleared"
    assert files.view("/memories").splitlines()[1:] == ["0B\t/memories"]


@pytest.mark.parametrize(
    ("call", "error"),
    [
        (lambda files: files.view("/etc/passwd"), "Path must start with /memories, got: /etc/passwd"),
        (
            lambda files: files.create("/memories/../../x", ""),
            "Path /memories/../../x would escape /memories",
        ),
        (lambda files: files.view("/memories/a/../../b"), "would escape /memories directory"),
        (lambda files: files.view("/memoriesx"), "Path must start with /memories"),
        (lambda files: files.delete("/memories/a/.."), "Cannot delete the /memories directory itself"),
        (lambda files: files.rename("/memories/.", "/memories/b"), "Cannot rename the /memories directory itself"),
        (lambda files: files.create("/memories/f/inside", ""), "The path /memories/f is not a directory."),
        (lambda files: files.rename("/memories/f", "/memories/f/g"), "The path /memories/f is not a directory."),
        (lambda files: files.create("/memories/f", ""), "File /memories/f already exists"),
        (lambda files: files.create("/memories/a", ""), "File /memories/a already exists"),
        (lambda files: files.create("/memories", ""), "File /memories already exists"),
        (lambda files: files.insert("/memories/a", 0, ""), "The path /memories/a is not a file."),
        (lambda files: files.str_replace("/memories", "a", "b"), "The path /memories is not a file."),
        (lambda files: files.insert("/memories/no", 0, ""), "The path /memories/no does not exist. Please provide a"),
        (lambda files: files.view("/memories/json"), "Unsupported file type for /memories/json"),
        (lambda files: files.view("/memories/*"), "The path /memories/\\* does not exist"),
    ],
)
def test_what_cannot_be_done_is_refused(files: MemoryFiles, memory: Memory, call: Callable[..., str], error: str):
    files.create("/memories/f", "text")
    files.create("/memories/a/b", "text")
    memory.space("ana").items("memories").put("json", {"n": 1})
    before = files.view("/memories")
    with pytest.raises((InvalidInput, NotFound, ConflictError), match=error.replace("..", r"\.\.")):
        call(files)
    assert files.view("/memories") == before


def test_the_edits_of_several_writers_are_all_kept(files: MemoryFiles, memory: Memory):
    files.create("/memories/log", "begin\n")

    def write(writer: int) -> None:
        mine = MemoryFiles(memory.space("ana"))
        for n in range(4):
            mine.insert("/memories/log", 1, f"{writer}.{n}")
            mine.str_replace("/memories/log", f"{writer}.{n}\n", f"{writer}.{n}!\n")

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(write, range(4)))
    lines = {line.partition("\t")[2] for line in files.view("/memories/log").splitlines()[1:]}
    assert lines == {"begin", "", *(f"{writer}.{n}!" for writer in range(4) for n in range(4))}


def test_one_of_two_writers_creates_a_file(files: MemoryFiles, memory: Memory):
    def write(writer: int) -> str:
        try:
            MemoryFiles(memory.space("ana")).create("/memories/first", str(writer))
        except ConflictError as error:
            return str(error)
        return "made"

    with ThreadPoolExecutor(4) as pool:
        results = list(pool.map(write, range(4)))
    assert sorted(results) == ["File /memories/first already exists"] * 3 + ["made"]
    assert files.view("/memories/first").endswith(f"\t{results.index('made')}")


def test_an_edit_keeps_the_expiry_of_the_item(files: MemoryFiles, memory: Memory):
    item = memory.space("ana").items("memories").put("f", "a", expires="30d", index=False)
    files.insert("/memories/f", 0, "b")
    edited = memory.space("ana").items("memories").get("f")
    assert edited is not None
    assert (edited.value, edited.expires_at, edited.index) == ("b\na\n", item.expires_at, ())
