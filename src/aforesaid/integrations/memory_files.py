"""Text files in a tree of folders, kept as items: what Anthropic's memory tool reads and writes.

A file is an item, a folder a namespace: `/memories/work/plan.md` is the item `plan.md` of the namespace
`("memories", "work")`. A folder exists while it has files. The results are the texts that the model was trained with,
those of the SDK's `BetaLocalFilesystemMemoryTool`.
"""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import count

from aforesaid.errors import ConflictError, InvalidInput, NotFound
from aforesaid.items import Items
from aforesaid.models.item import Item
from aforesaid.space import Space

ROOT = "/memories"
MOST_LINES = 999_999
NUMBER_WIDTH = 6  # characters of a line's number
DEPTH = 2  # levels of folders that a view lists
EVERY = 1_000_000  # files
AROUND = 2  # lines before and after a change
UNITS = ("B", "K", "M", "G")


@dataclass(frozen=True, slots=True)
class FileEntry:
    """A line of a listing."""

    path: str
    size: int


class MemoryFiles:
    """The files below a namespace of a space. Each change is one transaction, and none is lost: a change of text that
    another writer changed meanwhile is made again, on the new text."""

    def __init__(self, space: Space, namespace: str | Sequence[str] = "memories") -> None:
        self._space = space
        self._root = space.items(namespace)

    def view(self, path: str, view_range: Sequence[int] | None = None) -> str:
        """The lines of a file, all or those of a range; or what is in a folder, down to two levels."""
        folder, name = self._place(path)
        item = folder.get(name) if name else None
        if item is not None:
            return _numbered(path, _content(item, path), view_range)
        inside = self._folder(path)
        files = [hit.item for hit in inside.search(limit=EVERY)]
        if name and not files:
            raise NotFound(f"The path {path} does not exist. Please provide a valid path.")
        header = f"Here're the files and directories up to 2 levels deep in {path}, excluding hidden items:"
        sizes = {(*item.namespace[len(inside.namespace) :], item.key): _size(item) for item in files}
        listed = "".join(f"\n{_written_size(one.size)}\t{path}/{one.path}" for one in _listing(sizes))
        return f"{header}\n{_written_size(sum(sizes.values()))}\t{path}{listed}"

    def create(self, path: str, file_text: str) -> str:
        """Writes a new file. The folders around it need not exist."""
        folder, name = self._place(path)
        self._require_folders(folder)
        if not name or self._is_folder(path):
            raise ConflictError(f"File {path} already exists", id=path)
        try:
            folder.put(name, file_text, replaces=None)
        except ConflictError as exc:
            raise ConflictError(f"File {path} already exists", id=path) from exc
        return f"File created successfully at: {path}"

    def str_replace(self, path: str, old_str: str, new_str: str) -> str:
        """Replaces a text that occurs once in a file."""

        def change(content: str) -> str:
            places = list(_places(content, old_str))
            if not places:
                raise InvalidInput(
                    f"No replacement was performed, old_str `{old_str}` did not appear verbatim in {path}."
                )
            if content.count(old_str) > 1:
                raise InvalidInput(
                    f"No replacement was performed. Multiple occurrences of old_str `{old_str}` in lines: "
                    f"{', '.join(str(content.count(chr(10), 0, place) + 1) for place in places)}. "
                    "Please ensure it is unique"
                )
            return content.replace(old_str, new_str)

        before, after = self._change(path, change)
        at = before.count("\n", 0, before.find(old_str))
        lines = after.split("\n")
        start = max(0, at - AROUND)
        shown = _with_numbers(lines[start : at + AROUND + 1], start + 1)
        return f"The memory file has been edited. Here is the snippet showing the change (with line numbers):\n{shown}"

    def insert(self, path: str, insert_line: int, insert_text: str) -> str:
        """Inserts lines after a line of a file; 0 is its beginning."""

        def change(content: str) -> str:
            lines = content.split("\n")
            if lines[-1] == "":
                lines.pop()
            if not 0 <= insert_line <= len(lines):
                raise InvalidInput(
                    f"Invalid `insert_line` parameter: {insert_line}. It should be within the range [0, {len(lines)}]."
                )
            lines.insert(insert_line, insert_text.rstrip("\n"))
            joined = "\n".join(lines)
            return joined if joined.endswith("\n") else f"{joined}\n"

        self._change(path, change)
        return f"The file {path} has been edited."

    def delete(self, path: str) -> str:
        """Deletes a file, or a folder with everything in it."""
        folder, name = self._place(path)
        if not name:
            raise InvalidInput(f"Cannot delete the {ROOT} directory itself")
        if not folder.delete(name) and not self._folder(path).clear():
            raise NotFound(f"The path {path} does not exist")
        return f"Successfully deleted {path}"

    def rename(self, old_path: str, new_path: str) -> str:
        """Renames or moves a file, or a folder with everything in it."""
        folder, name = self._place(old_path)
        new_folder, new_name = self._place(new_path)
        if not name:
            raise InvalidInput(f"Cannot rename the {ROOT} directory itself")
        taken = f"The destination {new_path} already exists"
        if not new_name or new_folder.get(new_name) is not None or self._is_folder(new_path):
            raise ConflictError(taken, id=new_path)
        self._require_folders(new_folder)
        try:
            if folder.get(name) is not None:
                folder.rename(name, new_name, namespace=new_folder.namespace)
            elif not self._is_folder(old_path):
                raise NotFound(f"The path {old_path} does not exist")
            else:
                self._folder(old_path).move(self._folder(new_path).namespace)
        except ConflictError as exc:
            raise ConflictError(taken, id=new_path) from exc
        except NotFound as exc:
            raise NotFound(f"The path {old_path} does not exist") from exc
        return f"Successfully renamed {old_path} to {new_path}"

    def clear(self) -> str:
        """Deletes every file."""
        self._root.clear()
        return "All memory cleared"

    def _change(self, path: str, change: Callable[[str], str]) -> tuple[str, str]:
        """Changes the text of a file, and returns the old and the new one."""
        folder, name = self._place(path)
        while True:
            item = folder.get(name) if name else None
            if item is None:
                if not name or self._is_folder(path):
                    raise InvalidInput(f"The path {path} is not a file.")
                raise NotFound(f"The path {path} does not exist. Please provide a valid path.")
            before = _content(item, path)
            after = change(before)
            try:
                folder.put(name, after, index=item.index, expires=item.expires_at, replaces=item)
            except ConflictError:
                continue  # another writer was faster
            return before, after

    def _segments(self, path: str) -> list[str]:
        """The names below the root."""
        if path != ROOT and not path.startswith(f"{ROOT}/"):
            raise InvalidInput(f"Path must start with {ROOT}, got: {path}")
        plain = posixpath.normpath(f"{ROOT}/{path.removeprefix(ROOT).lstrip('/')}")
        if plain != ROOT and not plain.startswith(f"{ROOT}/"):
            raise InvalidInput(f"Path {path} would escape {ROOT} directory")
        return plain.split("/")[2:]

    def _place(self, path: str) -> tuple[Items, str]:
        """The folder of a file, and its name, which is empty for the root."""
        *folder, name = self._segments(path) or [""]
        return self._space.items((*self._root.namespace, *folder)), name

    def _folder(self, path: str) -> Items:
        return self._space.items((*self._root.namespace, *self._segments(path)))

    def _is_folder(self, path: str) -> bool:
        return bool(self._folder(path).search(limit=1))

    def _require_folders(self, folder: Items) -> None:
        """Raises InvalidInput if there is a file where a folder is needed."""
        for end in range(len(self._root.namespace) + 1, len(folder.namespace) + 1):
            *above, name = folder.namespace[:end]
            if self._space.items(above).get(name) is not None:
                path = "/".join((ROOT, *folder.namespace[len(self._root.namespace) : end]))
                raise InvalidInput(f"The path {path} is not a directory.")


def _content(item: Item, path: str) -> str:
    if not isinstance(item.value, str):
        raise InvalidInput(f"Unsupported file type for {path}")
    return item.value


def _numbered(path: str, content: str, view_range: Sequence[int] | None) -> str:
    lines = content.split("\n")
    if len(lines) > MOST_LINES:
        raise InvalidInput(f"File {path} exceeds maximum line limit of {MOST_LINES:,} lines.")
    start, end = 0, len(lines)
    if view_range and len(view_range) == 2:
        start, last = max(1, view_range[0]) - 1, view_range[1]
        end = len(lines) if last == -1 else last
    return f"Here's the content of {path} with line numbers:\n{_with_numbers(lines[start:end], start + 1)}"


def _with_numbers(lines: Sequence[str], first: int) -> str:
    numbers = count(first)
    return "\n".join(f"{next(numbers):>{NUMBER_WIDTH}}\t{line}" for line in lines)


def _places(content: str, part: str) -> Iterator[int]:
    """Where a text occurs, also where the occurrences overlap."""
    at = content.find(part)
    while at != -1:
        yield at
        at = content.find(part, at + 1) if part else -1


def _size(item: Item) -> int:
    return len(item.value.encode()) if isinstance(item.value, str) else 0


def _written_size(size: int) -> str:
    unit = min(max(size.bit_length() - 1, 0) // 10, len(UNITS) - 1)
    amount = size / 1024**unit
    return f"{int(amount)}{UNITS[unit]}" if amount == int(amount) else f"{amount:.1f}{UNITS[unit]}"


def _listing(sizes: dict[tuple[str, ...], int], above: str = "", depth: int = 1) -> Iterator[FileEntry]:
    """The files and folders in order, each folder before its content; without hidden ones."""
    for name in sorted({path[0] for path in sizes}):
        if name.startswith("."):
            continue
        if (name,) in sizes:
            yield FileEntry(above + name, sizes[name,])
        inside = {path[1:]: size for path, size in sizes.items() if path[0] == name and len(path) > 1}
        if inside:
            yield FileEntry(f"{above}{name}/", sum(inside.values()))
            if depth < DEPTH:
                yield from _listing(inside, f"{above}{name}/", depth + 1)
