"""Every setting: one table. A space's stored preference wins over the environment, which wins over the default."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from recollect.errors import InvalidInput
from recollect.models import Json, Setting

Value = bool | int | float | str
TRUE = frozenset({"1", "true", "yes", "on"})
FALSE = frozenset({"0", "false", "no", "off"})


@dataclass(frozen=True, slots=True)
class Definition:
    """One row of the table. `alias` is the name that the setting had in an older system's environment."""

    name: str
    default: Value
    help: str
    alias: str | None = None
    least: float | None = None
    most: float | None = None
    choices: tuple[str, ...] = ()

    @property
    def variable(self) -> str:
        return f"RECOLLECT_{self.name.upper()}"


SUMMARIES = ("balanced", "window", "project", "retrieval", "rolling", "off")

TABLE: tuple[Definition, ...] = (
    Definition("hybrid", True, "Search by words beside meaning; off: by meaning alone.", "RAG_HYBRID"),
    Definition("chunking", True, "Split long messages into code and prose chunks.", "RAG_CHUNKING"),
    Definition("chunk_tokens", 500, "Tokens in a chunk, at most.", None, 16, 8000),
    Definition("token_budget", 1000, "Tokens for recalled text in a context.", "RAG_TOKEN_BUDGET", 0),
    Definition(
        "summary_frequency", 5, "Summarise every so many assistant messages; 0: never.", "RAG_SUMMARY_FREQUENCY", 0
    ),
    Definition("weight_dense", 0.6, "Weight of similarity in meaning (α).", "RAG_RERANK_ALPHA", 0),
    Definition("weight_lexical", 0.3, "Weight of shared words, BM25 (β).", "RAG_RERANK_BETA", 0),
    Definition("weight_identifier", 0.1, "Weight of shared identifiers (γ).", "RAG_RERANK_GAMMA", 0),
    Definition("weight_recency", 0.0, "Weight of how lately it was said; half of it is gone in 30 days.", None, 0),
    Definition("weight_importance", 0.0, "Weight of a message's importance.", None, 0),
    Definition("weight_access", 0.0, "Weight of how often it was recalled before.", None, 0),
    Definition("weight_speaker", 0.17, "Weight of who a question asks about: I, you, a speaker's name.", None, 0),
    Definition("weight_time", 0.2, "Weight of the time that a question asks about, or asks for.", None, 0),
    Definition("weight_statement", 0.06, "Weight of saying something instead of asking.", None, 0),
    Definition("rank_fusion", False, "Add reciprocal ranks instead of scores.", None),
    Definition("summaries", "balanced", "Which recipe's summaries are made in the background.", choices=SUMMARIES),
    Definition("facts", True, "Look for facts in what the user says."),
    Definition("fact_threshold", 0.8, "A fact that is at least so certain needs no confirmation.", None, 0, 1),
    Definition("episodes", True, "Look for episodes in conversations."),
    Definition("auto_pins", True, "Pin appointments, decisions and what shall be remembered."),
    Definition("mask_sent", True, "Hide keys, passwords and card numbers in what memory shows to language models."),
    Definition("mask_stored", False, "Hide keys, passwords and card numbers before anything is stored."),
)
BY_NAME: Mapping[str, Definition] = {row.name: row for row in TABLE}


class Settings:
    """The effective settings of one space."""

    def __init__(self, environment: Mapping[str, Value], stored: Mapping[str, Value]) -> None:
        self._environment = environment
        self._stored = stored

    def get(self, name: str) -> Setting:
        row = definition(name)
        source: Literal["default", "environment", "space"] = "default"
        value = row.default
        if name in self._environment:
            source, value = "environment", self._environment[name]
        if name in self._stored:
            source, value = "space", self._stored[name]
        return Setting(name, value, source)

    def all(self) -> list[Setting]:
        return [self.get(row.name) for row in TABLE]

    def flag(self, name: str) -> bool:
        return bool(self.get(name).value)

    def whole(self, name: str) -> int:
        return int(self.get(name).value)

    def number(self, name: str) -> float:
        return float(self.get(name).value)

    def word(self, name: str) -> str:
        return str(self.get(name).value)


def definition(name: str) -> Definition:
    if not isinstance(name, str) or name not in BY_NAME:
        raise InvalidInput(f"no setting is called {name!r}; there are: {', '.join(BY_NAME)}")
    return BY_NAME[name]


def from_environment(variables: Mapping[str, str]) -> dict[str, Value]:
    """The settings that an environment gives. recollect's own name of a variable wins over its alias."""
    found: dict[str, Value] = {}
    for row in TABLE:
        for variable in (row.variable, row.alias):
            if variable and variable in variables:
                found[row.name] = parse(row, variables[variable], variable)
                break
    return found


def parse(row: Definition, text: str, origin: str) -> Value:
    """Reads a setting from text, such as an environment variable or a command line."""
    word = text.strip()
    if isinstance(row.default, bool):
        if word.lower() not in TRUE | FALSE:
            raise InvalidInput(f"{origin}={text!r} must be true or false")
        return word.lower() in TRUE
    if isinstance(row.default, str):
        return accept(row.name, word.lower())
    try:
        number = type(row.default)(word)
    except ValueError as exc:
        raise InvalidInput(f"{origin}={text!r} must be a number such as {row.default}") from exc
    return accept(row.name, number)


def accept(name: str, value: Json) -> Value:
    """The value, if the setting can take it."""
    row = definition(name)
    kind = type(row.default)
    if kind is float and isinstance(value, int) and not isinstance(value, bool):
        value = float(value)
    if type(value) is not kind:
        raise InvalidInput(f"setting {name!r} takes a {kind.__name__}, not {value!r}")
    if isinstance(value, float) and not math.isfinite(value):
        raise InvalidInput(f"setting {name!r} takes a number, not {value!r}")
    if row.choices and value not in row.choices:
        raise InvalidInput(f"setting {name!r} must be one of {', '.join(row.choices)}, not {value!r}")
    if not isinstance(value, str):
        _in_range(row, value)
    accepted: Value = value
    return accepted


def _in_range(row: Definition, value: float) -> None:
    if row.least is not None and value < row.least:
        raise InvalidInput(f"setting {row.name!r} must be at least {row.least:g}, not {value!r}")
    if row.most is not None and value > row.most:
        raise InvalidInput(f"setting {row.name!r} must be at most {row.most:g}, not {value!r}")
