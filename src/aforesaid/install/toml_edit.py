"""Adds tables to TOML text, and removes them. Everything else in the text stays as it is."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Mapping, Sequence
from contextlib import suppress

from aforesaid.errors import InvalidInput

TomlPath = tuple[str, ...]
TomlTable = Mapping[str, object]
TomlTables = Mapping[TomlPath, TomlTable]
_HEADER = re.compile(r"^[ \t]*\[", re.MULTILINE)


def add_table(text: str, path: TomlPath, table: TomlTable) -> str:
    """Appends a table, or replaces it if its values differ. Raises InvalidInput if the text defines it in another
    form, such as in one line."""
    present = _get(parse(text), path)
    if present == table:
        return text
    base = remove_table(text, path) if present is not None else text
    gap = "" if not base else "\n" if base.endswith("\n") else "\n\n"
    lines = [f"[{'.'.join(map(_key, path))}]", *(f"{_key(name)} = {_value(value)}" for name, value in table.items())]
    newline = "\r\n" if "\r\n" in text else "\n"
    new = base + (gap + "\n".join(lines) + "\n").replace("\n", newline)
    if parse(new) != _with(parse(base), path, table):
        raise InvalidInput(f"{'.'.join(path)} cannot be added without changing more; edit the file by hand")
    return new


def remove_table(text: str, path: TomlPath) -> str:
    """Removes a table with its keys, and the empty line before it. Comments around it stay."""
    if _get(parse(text), path) is None:
        return text
    rest = _with(parse(text), path, None)
    for header in _HEADER.finditer(text):
        line = text[header.start() :].partition("\n")[0].strip()
        if _header_path(line) == path:
            new = _without_lines(text, header)
            with suppress(InvalidInput):  # the line is in a text of several lines
                if parse(new) == rest:
                    return new
    raise InvalidInput(f"{'.'.join(path)} is not a table of its own; remove it by hand")


def _without_lines(text: str, header: re.Match[str]) -> str:
    stop = _HEADER.search(text, header.end())
    end = _last_key_end(text, header.start(), len(text) if stop is None else stop.start())
    before = re.search(r"(?:\A|(?<=\n))[ \t]*\r?\n\Z", text[: header.start()])
    return text[: before.start() if before else header.start()] + text[end:]


def parse(text: str) -> TomlTable:
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as exc:
        raise InvalidInput(f"it is not valid TOML ({exc}); correct it first") from exc


def _last_key_end(text: str, start: int, stop: int) -> int:
    """The end of the last line of a table that is neither empty nor a comment."""
    end = at = start
    for line in text[start:stop].splitlines(keepends=True):
        at += len(line)
        if line.strip() and not line.lstrip().startswith("#"):
            end = at
    return end


def _with(tables: TomlTable, path: Sequence[str], table: TomlTable | None) -> TomlTable:
    first, *rest = path
    inner = tables.get(first, {})
    if not isinstance(inner, dict):
        raise InvalidInput(f"{first} is not a table; edit the file by hand")
    value = _with(inner, rest, table) if rest else table
    others = {name: each for name, each in tables.items() if name != first}
    return {**others, first: value} if value else others


def _get(tables: TomlTable, path: TomlPath) -> object:
    value: object = tables
    for name in path:
        value = value.get(name) if isinstance(value, dict) else None
    return value


def _header_path(line: str) -> TomlPath | None:
    try:
        value: object = tomllib.loads(line)
    except tomllib.TOMLDecodeError:
        return None
    path: list[str] = []
    while isinstance(value, dict) and len(value) == 1:
        name, value = next(iter(value.items()))
        path.append(name)
    return tuple(path)


def _key(name: str) -> str:
    return name if re.fullmatch(r"[A-Za-z0-9_-]+", name) else _value(name)


def _value(value: object) -> str:
    """JSON's strings, numbers, booleans and lists are written the same way in TOML."""
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
