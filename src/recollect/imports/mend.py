"""JSON that no store can keep, made storable: characters that cannot stand are shown as �."""

from __future__ import annotations

import re

from recollect.models import Json
from recollect.text.accept import DEEPEST

_BAD = re.compile("[\0\ud800-\udfff]")
_DOUBTFUL = re.compile(r"\\u(?:0000|[dD][89a-fA-F])|\0")


def storable(value: Json, written: str) -> Json:
    """The value that was `written` so, mended where that is needed; ValueError where it is nested too deeply."""
    if written.count("{") + written.count("[") > DEEPEST:
        _refuse_deep(value)
    return mended(value) if _DOUBTFUL.search(written) else value


def mended(value: Json) -> Json:
    """The same without NUL characters and halves of surrogate pairs."""
    if isinstance(value, str):
        return _BAD.sub("�", value) if _BAD.search(value) else value
    if isinstance(value, list):
        return [mended(inner) for inner in value]
    return {mended(key): mended(inner) for key, inner in value.items()} if isinstance(value, dict) else value


def _refuse_deep(value: Json) -> None:
    level = [value]
    for _ in range(DEEPEST):
        within = (outer.values() if isinstance(outer, dict) else outer for outer in level)
        level = [inner for each in within for inner in each if isinstance(inner, dict | list)]
        if not level:
            return
    raise ValueError(f"it is nested more than {DEEPEST} levels deep")
