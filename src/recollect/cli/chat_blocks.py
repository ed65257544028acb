"""Markdown that is still being written, in blocks that are finished and a rest that is not."""

from __future__ import annotations

FENCES = ("```", "~~~")


def finished(text: str) -> int:
    """How much of it is whole blocks: up to the last blank line that stands in no fence."""
    end, place, fence = 0, 0, ""
    for line in text.splitlines(keepends=True):
        place += len(line)
        mark = line.lstrip()[:3]
        if fence:
            fence = "" if mark == fence else fence
        elif mark in FENCES:
            fence = mark
        if not fence and not line.strip() and line.endswith("\n"):
            end = place
    return end
