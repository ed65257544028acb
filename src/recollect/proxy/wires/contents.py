"""What the wires have in common: contents that are a text or a list of parts."""

from __future__ import annotations

from recollect.models import Json
from recollect.replies.values import at, word

GAP = "\n\n"
RESULTS = ("tool_result",)


def before_words(content: Json, aside: str, kind: str) -> Json:
    """The content with an aside before its words; results of tools stay first, as they must."""
    if not isinstance(content, list):
        return aside + GAP + content if isinstance(content, str) and content else aside
    first = next((place for place, part in enumerate(content) if word(part, "type") not in RESULTS), len(content))
    return [*content[:first], {"type": kind, "text": aside}, *content[first:]]


def number(body: dict[str, Json], name: str) -> int:
    """The whole number of that name; 0 where there is none."""
    found = at(body, name)
    return found if type(found) is int and found > 0 else 0
