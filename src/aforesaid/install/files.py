"""What `install` adds to each kind of configuration file, and how `uninstall` finds it again."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from aforesaid.errors import InvalidInput
from aforesaid.install import json_edit, toml_edit
from aforesaid.install.json_edit import JsonPath
from aforesaid.install.toml_edit import TomlPath, TomlTables

SERVER_NAME = "aforesaid"  # of the MCP entry


class ConfigFile(Protocol):
    """A file of a client. `None` stands for a file that does not exist."""

    @property
    def path(self) -> Path: ...

    def added(self, text: str | None) -> str:
        """The text with our entries. Added twice, it is the same."""

    def removed(self, text: str) -> str | None:
        """The text without our entries; None if nothing else is left, the same if it has none of ours."""


@dataclass(frozen=True, slots=True)
class JsonFile:
    """A JSON file with members, items of lists, and defaults: members that only a new file needs."""

    path: Path
    members: Mapping[JsonPath, object]
    items: Mapping[JsonPath, object]
    is_ours: Callable[[object], bool]
    defaults: Mapping[JsonPath, object]

    def added(self, text: str | None) -> str:
        text = "{}\n" if text is None or not text.strip() else text
        for path, value in self.defaults.items():
            if json_edit.find(text, path) is None:
                text = json_edit.set_member(text, path, value)
        for path, value in self.items.items():
            found = self._ours(text, path)
            if [item for _, item in found] != [value]:
                text = json_edit.append_item(self._without_items(text, path), path, value)
        for path, value in self.members.items():
            text = json_edit.set_member(text, path, value)
        return text

    def removed(self, text: str) -> str | None:
        if not text.strip():
            return text
        new = text
        for path in self.items:
            new = self._without_items(new, path)
        for path in self.members:
            new = json_edit.remove(new, path)
        nothing = ({}, *({path[0]: value} for path, value in self.defaults.items()))
        return None if new != text and json_edit.parse(new).value in nothing else new

    def _ours(self, text: str, path: JsonPath) -> list[tuple[int, object]]:
        node = json_edit.find(text, path)
        items = node.value if node is not None and isinstance(node.value, list) else []
        return [(at, item) for at, item in enumerate(items) if self.is_ours(item)]

    def _without_items(self, text: str, path: JsonPath) -> str:
        for at, _ in reversed(self._ours(text, path)):
            text = json_edit.remove(text, path, at)
        return text


@dataclass(frozen=True, slots=True)
class TomlFile:
    """A TOML file with tables. `owned` are all that may be ours, also those that are not written now."""

    path: Path
    tables: TomlTables
    owned: Sequence[TomlPath]

    def added(self, text: str | None) -> str:
        text = text or ""
        for path, table in self.tables.items():
            text = toml_edit.add_table(text, path, table)
        return text

    def removed(self, text: str) -> str | None:
        new = text
        for path in self.owned:
            new = toml_edit.remove_table(new, path)
        return None if new != text and not new.strip() else new


@dataclass(frozen=True, slots=True)
class WholeFile:
    """A file that is ours as a whole. `mark` is a text that only our file has."""

    path: Path
    text: str
    mark: str

    def added(self, text: str | None) -> str:
        if text is not None and text.strip() and self.mark not in text:
            raise InvalidInput("it exists, and is not from aforesaid; rename it first")
        return self.text

    def removed(self, text: str) -> str | None:
        return None if self.mark in text else text


def has_command(agent: str) -> Callable[[object], bool]:
    """Recognizes a hook of ours by its command, wherever aforesaid is installed."""
    command = re.compile(rf"aforesaid(?:\.exe)?['\"]*\s+hook\s+['\"]*{re.escape(agent)}\b")

    def is_ours(item: object) -> bool:
        found = re.findall(r'"(?:command|bash|powershell)": ("(?:[^"\\]|\\.)*")', json.dumps(item))
        return any(command.search(json.loads(each)) for each in found)

    return is_ours
