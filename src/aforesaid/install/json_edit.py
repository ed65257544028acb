"""Edits JSON text in place. Comments, trailing commas, order and formatting of everything else stay as they are."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field

from aforesaid.errors import InvalidInput

JsonPath = tuple[str, ...]
_SPACE = re.compile(r"(?:[\s\ufeff]|//[^\n]*|/\*.*?\*/)*", re.DOTALL)
_STRING = re.compile(r'"(?:[^"\\]|\\.)*"')
_SCALAR = re.compile(r"[^\s,\]}/]+")
_COMMENT = re.compile(r"(?:[ \t]*//[^\r\n]*)?")  # on the same line
_INDENT = re.compile(r"^([ \t]+)\S", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class JsonNode:
    """A value and its place in the text. `keys` are those of an object, with the place of each; `nodes` its values, or
    the items of a list."""

    value: object
    start: int
    end: int
    keys: tuple[tuple[str, int], ...] = ()
    nodes: tuple[JsonNode, ...] = field(default=())

    def get(self, key: str) -> JsonNode | None:
        return next((node for (name, _), node in zip(self.keys, self.nodes, strict=False) if name == key), None)

    def begins(self) -> list[int]:
        """Where each member or item begins."""
        return [at for _, at in self.keys] if self.keys else [node.start for node in self.nodes]


def parse(text: str) -> JsonNode:
    """Raises InvalidInput if the text is not one JSON value, with or without comments."""
    try:
        node = _value(text, _skip(text, 0))
    except (ValueError, IndexError) as exc:
        raise InvalidInput("it is not valid JSON; correct it first") from exc
    if _skip(text, node.end) != len(text):
        raise InvalidInput("it has more than one JSON value; correct it first")
    return node


def find(text: str, path: JsonPath) -> JsonNode | None:
    node: JsonNode | None = parse(text)
    for key in path:
        node = None if node is None else node.get(key)
    return node


def set_member(text: str, path: JsonPath, value: object) -> str:
    """Sets a member, and makes the objects around it that do not exist. An equal value stays as it is written."""
    node, depth = parse(text), 0
    while depth < len(path) and isinstance(node.value, dict) and (child := node.get(path[depth])) is not None:
        node, depth = child, depth + 1
    if depth == len(path):
        return text if node.value == value else _replaced(text, node, value, depth)
    if not isinstance(node.value, dict):
        raise InvalidInput(f"{'.'.join(path[:depth]) or 'it'} is not an object; correct it first")
    for key in reversed(path[depth + 1 :]):
        value = {key: value}
    return _inserted(text, node, depth, value, path[depth])


def append_item(text: str, path: JsonPath, value: object) -> str:
    """Appends an item to a list, and makes the list if it does not exist."""
    node = find(text, path)
    if node is None:
        return set_member(text, path, [value])
    if not isinstance(node.value, list):
        raise InvalidInput(f"{'.'.join(path)} is not a list; correct it first")
    return _inserted(text, node, len(path), value, None)


def remove(text: str, path: JsonPath, index: int | None = None) -> str:
    """Removes a member, or an item of a list. Objects and lists around it that are empty then are removed too."""
    node = find(text, path)
    if node is None:
        return text
    if index is not None and len(node.nodes) > 1:
        return _cut(text, node, index)
    for depth in range(len(path) - 1, -1, -1):
        parent = find(text, path[:depth])
        assert parent is not None
        if len(parent.nodes) > 1 or depth == 0:
            return _cut(text, parent, [name for name, _ in parent.keys].index(path[depth]))
    return text


def _inserted(text: str, node: JsonNode, depth: int, value: object, key: str | None) -> str:
    """The text with a new last member or item."""
    newline, unit = _style(text)
    outer, inner = unit * depth, unit * (depth + 1)
    written = _written(value, inner, text) if key is None else f"{json.dumps(key)}: {_written(value, inner, text)}"
    if not node.nodes:
        inside = text[node.start + 1 : node.end - 1].rstrip()
        close = f"{newline}{outer}{text[node.end - 1]}"
        return f"{text[: node.start + 1]}{inside}{newline}{inner}{written}{close}{text[node.end :]}"
    last = node.nodes[-1].end
    after = re.match(r"(?:\s|//[^\n]*|/\*.*?\*/)*,", text[last:], re.DOTALL)  # a trailing comma
    comma, at = ("", last + after.end()) if after is not None else (",", last)
    end = at + len(_COMMENT.match(text, at)[0])  # type: ignore[index]
    return f"{text[:at]}{comma}{text[at:end]}{newline}{inner}{written}{text[end:]}"


def _replaced(text: str, node: JsonNode, value: object, depth: int) -> str:
    return text[: node.start] + _written(value, _style(text)[1] * depth, text) + text[node.end :]


def _cut(text: str, node: JsonNode, index: int) -> str:
    """The text without one member or item, and without its comma."""
    begins, end = node.begins(), node.nodes[index].end
    if index > 0:
        start = node.nodes[index - 1].end
        comma = text.index(",", _skip(text, start))
        return text[:comma] + text[comma + 1 : _line_start(text, comma + 1, begins[index])] + text[end:]
    if len(node.nodes) == 1:
        inside = text[node.start + 1 : begins[0]].rstrip()
        rest = re.sub(r"^\s*,", "", text[end : node.end - 1])
        return text[: node.start + 1] + inside + (rest if inside or rest.strip() else "") + text[node.end - 1 :]
    comma = text.index(",", _skip(text, end))
    return text[: begins[0]] + text[_skip_spaces(text, comma + 1) :]


def _line_start(text: str, low: int, at: int) -> int:
    """Where the white space before a position begins."""
    while at > low and text[at - 1].isspace():
        at -= 1
    return at


def _skip_spaces(text: str, at: int) -> int:
    while at < len(text) and text[at].isspace():
        at += 1
    return at


def _style(text: str) -> tuple[str, str]:
    """The line end and the indent of a text."""
    found = _INDENT.search(text)
    return "\r\n" if "\r\n" in text else "\n", found[1] if found else "  "


def _written(value: object, indent: str, text: str) -> str:
    newline, unit = _style(text)
    lines = json.dumps(value, indent=unit, ensure_ascii=False).split("\n")
    return (newline + indent).join(lines)


def _skip(text: str, at: int) -> int:
    found = _SPACE.match(text, at)
    assert found is not None
    return found.end()


def _value(text: str, at: int) -> JsonNode:
    if text[at] == "{":
        return _container(text, at, "}")
    if text[at] == "[":
        return _container(text, at, "]")
    found = (_STRING if text[at] == '"' else _SCALAR).match(text, at)
    if found is None:
        raise ValueError(at)
    return JsonNode(json.loads(found[0], strict=False), at, found.end())


def _container(text: str, start: int, close: str) -> JsonNode:
    keys: list[tuple[str, int]] = []
    nodes: list[JsonNode] = []
    at = _skip(text, start + 1)
    while text[at] != close:
        if close == "}":
            key = _STRING.match(text, at)
            if key is None:
                raise ValueError(at)
            keys.append((json.loads(key[0], strict=False), at))
            at = _skip(text, key.end())
            if text[at] != ":":
                raise ValueError(at)
            at = _skip(text, at + 1)
        nodes.append(_value(text, at))
        at = _skip(text, nodes[-1].end)
        if text[at] == ",":
            at = _skip(text, at + 1)
        elif text[at] != close:
            raise ValueError(at)
    values = [node.value for node in nodes]
    value: object = values if close == "]" else dict(zip((key for key, _ in keys), values, strict=True))
    return JsonNode(value, start, at + 1, tuple(keys), tuple(nodes))
