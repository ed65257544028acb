"""The marks that ChatGPT leaves in its answers, in private characters: read, or taken out."""

from __future__ import annotations

import json
import re

_CITED = re.compile(r"【[^【】\n]{0,80}†[^【】\n]{0,80}】")
_MARK = re.compile("\ue200([^\ue200\ue201]{0,4000})\ue201")
_PRIVATE = re.compile("[\ue200-\ue20f]")
BETWEEN = "\ue202"


def without_marks(text: str) -> str:
    """The text as a reader saw it: names that were marked stay, references go."""
    return _PRIVATE.sub("", _CITED.sub("", _MARK.sub(lambda mark: _shown(mark[1]), text)))


def _shown(mark: str) -> str:
    kind, *rest = mark.split(BETWEEN)
    if kind == "url" and rest:
        return rest[0]
    return _entity(rest[0]) if kind == "entity" and rest else ""


def _entity(written: str) -> str:
    try:
        parts = json.loads(written)
    except ValueError:
        return ""
    named = [part for part in parts if isinstance(part, str)] if isinstance(parts, list) else []
    return named[1] if len(named) > 1 else ""
