"""A message of a framework as the messages that are stored. Needs no framework."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class FrameworkMessage:
    """A message whose content is made of blocks, as several frameworks have it.

    `calls` are tool calls: id, name and arguments. `results` are results of tools: id of the call, name and text.
    `blocks` names the blocks without text, such as "image".
    """

    role: str
    text: str = ""
    calls: Sequence[tuple[str, str, str]] = ()
    results: Sequence[tuple[str, str | None, str]] = ()
    blocks: Sequence[str] = ()

    def stored(self, value: Mapping[str, Any], id: str | None = None, **fields: Any) -> list[dict[str, Any]]:  # noqa: ANN401
        """The arguments of `add_many`: one message for each result of a tool, and one for the rest. The first has the
        id and the `value` as raw form, so that a message of the framework is a message with a raw form."""
        calls = [
            {"id": call, "type": "function", "function": {"name": name, "arguments": clean(arguments)}}
            for call, name, arguments in self.calls
        ]
        results: list[dict[str, Any]] = [
            {"role": "tool", "content": clean(text), "tool_call_id": call, "name": name or None}
            for call, name, text in self.results
        ]
        spoken: dict[str, Any] = {"role": self.role, "content": self._content(bool(calls)), "tool_calls": calls or None}
        rest = [spoken] if self.text.strip() or calls or self.blocks or not results else []
        messages = [*rest, *results] if self.role == "assistant" else [*results, *rest]
        ids = [None if id is None else f"{id}/{at}" if at else id for at in range(len(messages))]
        whole = [{**message, **fields, "id": name} for message, name in zip(messages, ids, strict=True)]
        whole[0]["raw"] = dump(value)
        return whole

    def _content(self, has_calls: bool) -> str | list[dict[str, str]]:
        text = clean(self.text)
        if text.strip() and not self.blocks:
            return text
        texts = [{"type": "text", "text": text}] if text.strip() else []
        others = [{"type": block} for block in self.blocks]
        return texts + others or ("" if has_calls else [{"type": "empty"}])


def dump(value: Mapping[str, Any]) -> str:
    """The JSON text of a message. It escapes what UTF-8 cannot encode, so every text comes back as it was."""
    text = json.dumps(value, ensure_ascii=False)
    return text if text.isascii() or clean(text) == text else json.dumps(value)


def clean(text: str) -> str:
    """The text without what no store can keep: NUL characters and halves of surrogate pairs."""
    return text.replace("\0", "").encode("utf-8", "replace").decode()
