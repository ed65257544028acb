"""Plans and makes the changes to a client's files, and keeps a copy of each file as it was."""

from __future__ import annotations

import difflib
import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from aforesaid.errors import InvalidInput
from aforesaid.install.files import ConfigFile

COPY_SUFFIX = ".before-aforesaid"


@dataclass(frozen=True, slots=True)
class FileChange:
    """The text of a file before and after; None if the file does not exist then. `copy` is where the text before is
    kept; None: it is not kept. `obsolete` is a copy that is not needed any more."""

    path: Path
    before: str | None
    after: str | None
    copy: Path | None = None
    obsolete: Path | None = None

    def diff(self) -> str:
        old, new = ((text or "").splitlines(keepends=True) for text in (self.before, self.after))
        names = ["/dev/null" if text is None else str(self.path) for text in (self.before, self.after)]
        return "".join(map(_ended, difflib.unified_diff(old, new, names[0], names[1])))

    def make(self) -> None:
        """Replaces the file in one step, through a link if it is one. Its permissions stay."""
        target = Path(os.path.realpath(self.path))
        if self.copy is not None and self.before is not None:
            _write(self.copy, self.before, _mode(target))
        if self.after is None:
            target.unlink(missing_ok=True)
            with suppress(OSError):  # not empty, so not only ours
                self.path.parent.rmdir()
        else:
            _write(target, self.after, _mode(target))
        if self.obsolete is not None:
            self.obsolete.unlink(missing_ok=True)


def plan_install(files: Iterable[ConfigFile]) -> list[FileChange]:
    """The changes that add our entries; none for a file that has them."""
    changes = []
    for file in files:
        before = _read(file.path)
        with _naming(file.path):
            after = file.added(before)
            installed = before is not None and file.removed(before) != before
        if after != before and (before is not None or after.strip() not in ("", "{}")):
            copy = None if before is None or installed else _copy(file.path)
            changes.append(FileChange(file.path, before, after, copy))
    return changes


def plan_uninstall(files: Iterable[ConfigFile]) -> list[FileChange]:
    """The changes that remove our entries. A file that nobody changed since is restored byte by byte."""
    changes = []
    for file in files:
        before = _read(file.path)
        if before is None:
            continue
        copy = _copy(file.path)
        original = _read(copy)
        with _naming(file.path):
            after = file.removed(before)
            unchanged = original is not None and (after == original or file.added(original) == before)
        if after == before:
            continue
        if unchanged:
            changes.append(FileChange(file.path, before, original, obsolete=copy))
        else:
            changes.append(FileChange(file.path, before, after if original is None or after else "{}\n"))
    return changes


@contextmanager
def _naming(path: Path) -> Iterator[None]:
    """Adds the name of the file to an error."""
    try:
        yield
    except InvalidInput as exc:
        raise InvalidInput(f"{path}: {exc}") from exc


def _copy(path: Path) -> Path:
    return path.with_name(path.name + COPY_SUFFIX)


def _ended(line: str) -> str:
    return line if line.endswith("\n") else f"{line}\n"


def _read(path: Path) -> str | None:
    try:
        return path.read_bytes().decode("utf-8")
    except FileNotFoundError:
        return None
    except UnicodeDecodeError as exc:
        raise InvalidInput(f"{path}: it is not UTF-8; correct it first") from exc


def _mode(path: Path) -> int:
    return path.stat().st_mode & 0o777 if path.exists() else 0o600


def _write(path: Path, text: str, mode: int) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    new = path.with_name(f"{path.name}.{os.getpid()}")
    with open(os.open(new, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, mode), "wb") as file:
        file.write(text.encode())
    new.chmod(mode)
    new.replace(path)
