"""How much a message is likely to matter later: a table of rules, each adding its weight when it applies."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

BASE = 0.5
LONG = 200
WINDOW = 20_000  # characters; what a message is about shows by then

_QUESTION = re.compile(
    r"[?\u037e\u055e\u061f\u1367\u2047-\u2049\u2e2e\ufe16\ufe56\uff1f]"
    r"|\A\W*(?:what|how|why|when|where|who|which)\b",
    re.IGNORECASE,
)
_CODE = re.compile(r"```|`[^`\r\n]+`|\b(?:function|class|def)\b", re.IGNORECASE)
_ERROR = re.compile(r"\b(?:error|problem|issue|exception)s?\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Rule:
    """Adds `weight`, which may be negative, to every message whose role and text it applies to."""

    name: str
    weight: float
    applies: Callable[[str, str], bool]


def _shows(pattern: re.Pattern[str]) -> Callable[[str, str], bool]:
    return lambda _, text: pattern.search(text, 0, WINDOW) is not None


RULES: tuple[Rule, ...] = (
    Rule("question", 0.2, _shows(_QUESTION)),
    Rule("code", 0.15, _shows(_CODE)),
    Rule("error", 0.1, _shows(_ERROR)),
    Rule("long", 0.1, lambda _, text: len(text) > LONG),
    Rule("assistant", 0.05, lambda role, _: role == "assistant"),
)


def score(role: str, text: str, rules: Sequence[Rule] = RULES) -> float:
    """0.5 and the weights of the rules that apply; never below 0 or above 1."""
    total = BASE + sum(rule.weight for rule in rules if rule.applies(role, text))
    return round(min(1.0, max(0.0, total)), 6)
