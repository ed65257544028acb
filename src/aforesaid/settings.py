"""Every setting: one table. A space's stored preference wins over the environment, which wins over the default."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from aforesaid.errors import InvalidInput
from aforesaid.models.json import Json
from aforesaid.models.space import Setting

SettingValue = bool | int | float | str
TRUE_WORDS = frozenset({"1", "true", "yes", "on"})
FALSE_WORDS = frozenset({"0", "false", "no", "off"})


@dataclass(frozen=True, slots=True)
class SettingDefinition:
    """One row of the table. `alias` is the name that the setting had in an older system's environment."""

    name: str
    default: SettingValue
    help: str
    alias: str | None = None
    least: float | None = None
    most: float | None = None
    choices: tuple[str, ...] = ()

    @property
    def variable(self) -> str:
        return f"AFORESAID_{self.name.upper()}"


SUMMARY_CHOICES = ("balanced", "window", "project", "retrieval", "rolling", "off")

SETTING_DEFINITIONS: tuple[SettingDefinition, ...] = (
    SettingDefinition("hybrid", True, "Search by words beside meaning; off: by meaning alone.", "RAG_HYBRID"),
    SettingDefinition("chunking", True, "Split long messages into code and prose chunks.", "RAG_CHUNKING"),
    SettingDefinition("chunk_tokens", 500, "Tokens in a chunk, at most.", None, 16, 8000),
    SettingDefinition("token_budget", 1000, "Tokens for recalled text in a context.", "RAG_TOKEN_BUDGET", 0),
    SettingDefinition(
        "summary_frequency", 5, "Summarise every so many assistant messages; 0: never.", "RAG_SUMMARY_FREQUENCY", 0
    ),
    SettingDefinition("weight_dense", 0.6, "Weight of similarity in meaning (α).", "RAG_RERANK_ALPHA", 0),
    SettingDefinition("weight_lexical", 0.3, "Weight of shared words, BM25 (β).", "RAG_RERANK_BETA", 0),
    SettingDefinition("weight_identifier", 0.1, "Weight of shared identifiers (γ).", "RAG_RERANK_GAMMA", 0),
    SettingDefinition(
        "weight_recency", 0.0, "Weight of how lately it was said; half of it is gone in 30 days.", None, 0
    ),
    SettingDefinition("weight_importance", 0.0, "Weight of a message's importance.", None, 0),
    SettingDefinition("weight_access", 0.0, "Weight of how often it was recalled before.", None, 0),
    SettingDefinition(
        "weight_speaker", 0.17, "Weight of who a question asks about: I, you, a speaker's name.", None, 0
    ),
    SettingDefinition("weight_time", 0.2, "Weight of the time that a question asks about, or asks for.", None, 0),
    SettingDefinition("weight_statement", 0.06, "Weight of saying something instead of asking.", None, 0),
    SettingDefinition("rank_fusion", False, "Add reciprocal ranks instead of scores.", None),
    SettingDefinition(
        "summaries", "balanced", "Which recipe's summaries are made in the background.", choices=SUMMARY_CHOICES
    ),
    SettingDefinition("facts", True, "Look for facts in what the user says."),
    SettingDefinition("fact_threshold", 0.8, "A fact that is at least so certain needs no confirmation.", None, 0, 1),
    SettingDefinition("episodes", True, "Look for episodes in conversations."),
    SettingDefinition("auto_pins", True, "Pin appointments, decisions and what shall be remembered."),
    SettingDefinition(
        "mask_sent", True, "Hide keys, passwords and card numbers in what memory shows to language models."
    ),
    SettingDefinition("mask_stored", False, "Hide keys, passwords and card numbers before anything is stored."),
)
BY_NAME: Mapping[str, SettingDefinition] = {row.name: row for row in SETTING_DEFINITIONS}


class Settings:
    """The effective settings of one space."""

    def __init__(self, environment: Mapping[str, SettingValue], stored: Mapping[str, SettingValue]) -> None:
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
        return [self.get(row.name) for row in SETTING_DEFINITIONS]

    def flag(self, name: str) -> bool:
        return bool(self.get(name).value)

    def whole(self, name: str) -> int:
        return int(self.get(name).value)

    def number(self, name: str) -> float:
        return float(self.get(name).value)

    def word(self, name: str) -> str:
        return str(self.get(name).value)


def definition(name: str) -> SettingDefinition:
    if not isinstance(name, str) or name not in BY_NAME:
        raise InvalidInput(f"no setting is called {name!r}; there are: {', '.join(BY_NAME)}")
    return BY_NAME[name]


def from_environment(variables: Mapping[str, str]) -> dict[str, SettingValue]:
    """The settings that an environment gives. aforesaid's own name of a variable wins over its alias."""
    found: dict[str, SettingValue] = {}
    for row in SETTING_DEFINITIONS:
        for variable in (row.variable, row.alias):
            if variable and variable in variables:
                found[row.name] = parse(row, variables[variable], variable)
                break
    return found


def parse(row: SettingDefinition, text: str, origin: str) -> SettingValue:
    """Reads a setting from text, such as an environment variable or a command line."""
    word = text.strip()
    if isinstance(row.default, bool):
        if word.lower() not in TRUE_WORDS | FALSE_WORDS:
            raise InvalidInput(f"{origin}={text!r} must be true or false")
        return word.lower() in TRUE_WORDS
    if isinstance(row.default, str):
        return validate_setting(row.name, word.lower())
    try:
        number = type(row.default)(word)
    except ValueError as exc:
        raise InvalidInput(f"{origin}={text!r} must be a number such as {row.default}") from exc
    return validate_setting(row.name, number)


def validate_setting(name: str, value: Json) -> SettingValue:
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
    accepted: SettingValue = value
    return accepted


def _in_range(row: SettingDefinition, value: float) -> None:
    if row.least is not None and value < row.least:
        raise InvalidInput(f"setting {row.name!r} must be at least {row.least:g}, not {value!r}")
    if row.most is not None and value > row.most:
        raise InvalidInput(f"setting {row.name!r} must be at most {row.most:g}, not {value!r}")
