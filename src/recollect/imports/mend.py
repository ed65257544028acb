"""Text that no store can keep, made storable: what cannot stand is shown as �."""

from __future__ import annotations

import re

from recollect.models import Json
from recollect.text.accept import DEEPEST

_BAD = re.compile("[\0\ud800-\udfff]")


def mended(value: Json, deep: int = 0) -> Json:
    """The same JSON without NUL characters and halves of surrogate pairs; ValueError where it is nested too deeply."""
    if isinstance(value, str):
        return _BAD.sub("�", value) if _BAD.search(value) else value
    if not isinstance(value, dict | list):
        return value
    if deep >= DEEPEST:
        raise ValueError(f"it is nested more than {DEEPEST} levels deep")
    if isinstance(value, list):
        return [mended(inner, deep + 1) for inner in value]
    return {mended(key): mended(inner, deep + 1) for key, inner in value.items()}
