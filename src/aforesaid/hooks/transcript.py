"""Reads the last answer from a session's transcript, for agents that do not send it with the event."""

from __future__ import annotations

import json
import os

LARGEST = 4 * 1024 * 1024  # bytes that are read from the end


def last_answer(path: str) -> str:
    """The text of the main agent's last answer after the last prompt; empty if there is none.

    Knows the lines of Claude Code (`type` is `assistant`) and of VS Code (`type` is `assistant.message`).
    """
    try:
        with open(path, "rb") as file:
            file.seek(max(0, os.fstat(file.fileno()).st_size - LARGEST))
            lines = file.read().decode("utf-8", "replace").splitlines()
    except OSError:
        return ""
    for line in reversed(lines):
        entry = _parse(line)
        if entry.get("isSidechain"):
            continue
        text = _answer(entry)
        if text or _is_prompt(entry):
            return text
    return ""


def _parse(line: str) -> dict[str, object]:
    try:
        entry = json.loads(line)
    except ValueError:
        return {}
    return entry if isinstance(entry, dict) else {}


def _answer(entry: dict[str, object]) -> str:
    if entry.get("type") == "assistant.message":
        data = entry.get("data")
        return _text(data.get("content")) if isinstance(data, dict) else ""
    message = entry.get("message")
    return _text(message.get("content")) if entry.get("type") == "assistant" and isinstance(message, dict) else ""


def _is_prompt(entry: dict[str, object]) -> bool:
    if entry.get("type") == "user.message":
        return True
    message = entry.get("message")
    content = message.get("content") if isinstance(message, dict) else None
    results = isinstance(content, list) and any(isinstance(p, dict) and p.get("type") == "tool_result" for p in content)
    return entry.get("type") == "user" and not entry.get("isMeta") and not results


def _text(content: object) -> str:
    if isinstance(content, str):
        return content.strip()
    parts = content if isinstance(content, list) else []
    texts = (part.get("text") for part in parts if isinstance(part, dict) and part.get("type") == "text")
    return "\n\n".join(text.strip() for text in texts if isinstance(text, str) and text.strip())
