"""The importance of a message: a table of rules. Each rule that applies adds its weight."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

BASE = 0.5
LONG = 200
WINDOW = 20_000  # characters that the rules read

_QUESTION_MARK = re.compile(r"[?\u037e\u055e\u061f\u1367\u2047-\u2049\u2e2e\ufe16\ufe56\uff1f]")
_QUESTION_WORD = re.compile(r"\W*(?:what|how|why|when|where|who|which)\b", re.IGNORECASE)
_INLINE_CODE = re.compile(r"`[^`\r\n]+`")


@dataclass(frozen=True, slots=True)
class ImportanceRule:
    """Adds `weight`, which may be negative, to every message whose role and text it applies to."""

    name: str
    weight: float
    applies: Callable[[str, str], bool]


def _asks(_: str, text: str) -> bool:
    return bool(_QUESTION_MARK.search(text, 0, WINDOW) or _QUESTION_WORD.match(text, 0, WINDOW))


def _has_code(_: str, text: str) -> bool:
    head = text[:WINDOW]
    return "```" in head or bool(_INLINE_CODE.search(head)) or _has_word(head, ("function", "class", "def"))


def _reports_error(_: str, text: str) -> bool:
    words = ("error", "problem", "issue", "exception")
    return _has_word(text[:WINDOW], (*words, *(f"{word}s" for word in words)))


def _has_word(text: str, words: Sequence[str]) -> bool:
    lowered = text.lower()
    return any(word in lowered and re.search(rf"\b{word}\b", lowered) for word in words)


IMPORTANCE_RULES: tuple[ImportanceRule, ...] = (
    ImportanceRule("question", 0.2, _asks),
    ImportanceRule("code", 0.15, _has_code),
    ImportanceRule("error", 0.1, _reports_error),
    ImportanceRule("long", 0.1, lambda _, text: len(text) > LONG),
    ImportanceRule("assistant", 0.05, lambda role, _: role == "assistant"),
)


def score(role: str, text: str, rules: Sequence[ImportanceRule] = IMPORTANCE_RULES) -> float:
    """0.5 plus the weights of the rules that apply, between 0 and 1."""
    total = BASE + sum(rule.weight for rule in matching_rules(role, text, rules))
    return round(min(1.0, max(0.0, total)), 6)


def matching_rules(
    role: str, text: str, rules: Sequence[ImportanceRule] = IMPORTANCE_RULES
) -> tuple[ImportanceRule, ...]:
    return tuple(rule for rule in rules if rule.applies(role, text))
