"""The table of settings. A preference of a space overrides the environment, which overrides the default."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta

from aforesaid.errors import InvalidInput
from aforesaid.models.json import Json
from aforesaid.models.space import Setting

SettingValue = bool | int | float | str
TRUE_WORDS = frozenset({"1", "true", "yes", "on"})
FALSE_WORDS = frozenset({"0", "false", "no", "off"})


@dataclass(frozen=True, slots=True)
class SettingDefinition:
    """One row of the table. `alias` is the environment variable of an older system."""

    name: str
    default: SettingValue
    help: str
    alias: str | None = None
    least: float | None = None
    most: float | None = None
    choices: tuple[str, ...] = ()
    longest: int | None = None  # characters of a text

    @property
    def variable(self) -> str:
        return f"AFORESAID_{self.name.upper()}"


MAX_DAYS = 36_500  # about a century
RETAINED = ("user", "assistant", "tool", "system", "facts", "conversations")
FUSION_CHOICES = ("learned", "weighted", "ranks")
SUMMARY_CHOICES = ("balanced", "window", "project", "retrieval", "rolling", "off")

SETTING_DEFINITIONS: tuple[SettingDefinition, ...] = (
    SettingDefinition("hybrid", True, "Search by words and by meaning; off: by meaning only.", "RAG_HYBRID"),
    SettingDefinition("chunking", True, "Split long messages into code and prose chunks.", "RAG_CHUNKING"),
    SettingDefinition("chunk_tokens", 500, "Most tokens of a chunk.", None, 16, 8000),
    SettingDefinition(
        "token_budget",
        1000,
        "Most tokens of recalled text in a context; the default limits the recipe retrieval only.",
        "RAG_TOKEN_BUDGET",
        0,
    ),
    SettingDefinition(
        "summary_frequency",
        5,
        "Assistant messages per summary for the recipe retrieval; 0: none.",
        "RAG_SUMMARY_FREQUENCY",
        0,
    ),
    SettingDefinition("weight_dense", 0.6, "Weight of similarity in meaning (α).", "RAG_RERANK_ALPHA", 0),
    SettingDefinition("weight_lexical", 0.3, "Weight of shared words, BM25 (β).", "RAG_RERANK_BETA", 0),
    SettingDefinition("weight_identifier", 0.1, "Weight of shared identifiers (γ).", "RAG_RERANK_GAMMA", 0),
    SettingDefinition("weight_recency", 0.0, "Weight of recency, which halves every 30 days.", None, 0),
    SettingDefinition("weight_importance", 0.0, "Weight of a message's importance.", None, 0),
    SettingDefinition("weight_access", 0.0, "Weight of the number of earlier recalls.", None, 0),
    SettingDefinition("weight_speaker", 0.17, "Weight of the speaker: I, you, or a name in the question.", None, 0),
    SettingDefinition("weight_time", 0.2, "Weight of the time that a question asks about, or asks for.", None, 0),
    SettingDefinition("weight_statement", 0.06, "Weight of statements over questions.", None, 0),
    SettingDefinition("weight_feedback", 0.0, "Weight of feedback and of quotes in answers; 0: off.", None, 0),
    SettingDefinition(
        "fusion",
        "learned",
        "How messages are ordered; other weights than the defaults: weighted.",
        choices=FUSION_CHOICES,
    ),
    SettingDefinition("summaries", "balanced", "The recipe to make summaries for.", choices=SUMMARY_CHOICES),
    SettingDefinition("facts", True, "Extract facts from the user's messages."),
    SettingDefinition("fact_threshold", 0.8, "Confidence from which a fact needs no review.", None, 0, 1),
    SettingDefinition("instructions", "", "What the model is to remember, and what not.", longest=2_000),
    SettingDefinition("episodes", True, "Extract episodes from conversations."),
    SettingDefinition("auto_pins", True, "Pin appointments, decisions, and texts to remember."),
    SettingDefinition("mask_sent", True, "Mask keys, passwords and card numbers in text sent to language models."),
    SettingDefinition("mask_stored", False, "Mask keys, passwords and card numbers before anything is stored."),
    SettingDefinition("retention_user", 0.0, "Days to keep a user's messages; 0: no limit.", None, 0, MAX_DAYS),
    SettingDefinition("retention_assistant", 0.0, "Days to keep an assistant's messages.", None, 0, MAX_DAYS),
    SettingDefinition("retention_tool", 0.0, "Days to keep the results of tools.", None, 0, MAX_DAYS),
    SettingDefinition("retention_system", 0.0, "Days to keep system messages.", None, 0, MAX_DAYS),
    SettingDefinition("retention_facts", 0.0, "Days to keep facts.", None, 0, MAX_DAYS),
    SettingDefinition(
        "retention_conversations", 0.0, "Days to keep a conversation, from its start.", None, 0, MAX_DAYS
    ),
)
BY_NAME: Mapping[str, SettingDefinition] = {row.name: row for row in SETTING_DEFINITIONS}


class Settings:
    """The effective settings of one space."""

    def __init__(self, environment: Mapping[str, SettingValue], stored: Mapping[str, SettingValue]) -> None:
        self._environment = environment
        self._stored = stored

    def get(self, name: str) -> Setting:
        value = self.value(name)
        if name in self._stored:
            return Setting(name, value, "space")
        return Setting(name, value, "environment" if name in self._environment else "default")

    def value(self, name: str) -> SettingValue:
        row = definition(name)
        return self._stored[name] if name in self._stored else self._environment.get(name, row.default)

    def all(self) -> list[Setting]:
        return [self.get(row.name) for row in SETTING_DEFINITIONS]

    def flag(self, name: str) -> bool:
        return bool(self.value(name))

    def whole(self, name: str) -> int:
        return int(self.value(name))

    def number(self, name: str) -> float:
        return float(self.value(name))

    def word(self, name: str) -> str:
        return str(self.value(name))

    def retention(self) -> dict[str, timedelta]:
        """How long to keep messages by role, facts and conversations. What has no limit is left out."""
        days = {kind: self.number(f"retention_{kind}") for kind in RETAINED}
        return {kind: timedelta(days=number) for kind, number in days.items() if number}


def definition(name: str) -> SettingDefinition:
    if not isinstance(name, str) or name not in BY_NAME:
        raise InvalidInput(f"there is no setting {name!r}; the settings are: {', '.join(BY_NAME)}")
    return BY_NAME[name]


def from_environment(variables: Mapping[str, str]) -> dict[str, SettingValue]:
    """The settings in an environment. A variable of aforesaid overrides its alias."""
    settings: dict[str, SettingValue] = {}
    for row in SETTING_DEFINITIONS:
        for variable in (row.variable, row.alias):
            if variable and variable in variables:
                settings[row.name] = parse(row, variables[variable], variable)
                break
    return settings


def parse(row: SettingDefinition, text: str, origin: str) -> SettingValue:
    """Parses the text of an environment variable or a command line. `origin` names it in errors."""
    word = text.strip().lower()
    if isinstance(row.default, bool):
        if word not in TRUE_WORDS | FALSE_WORDS:
            raise InvalidInput(f"{origin}={text!r} must be true or false")
        return word in TRUE_WORDS
    if isinstance(row.default, str):
        return validate_setting(row.name, word if row.choices else text.strip())
    try:
        number = type(row.default)(word)
    except ValueError as exc:
        raise InvalidInput(f"{origin}={text!r} must be a number such as {row.default}") from exc
    return validate_setting(row.name, number)


def validate_setting(name: str, value: Json) -> SettingValue:
    """The value, if it is valid for the setting."""
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
    if isinstance(value, str) and not row.choices:
        _validate_text(row, value)
    number: float = 0 if isinstance(value, str) else value
    if row.least is not None and number < row.least:
        raise InvalidInput(f"setting {name!r} must be at least {row.least:g}, not {value!r}")
    if row.most is not None and number > row.most:
        raise InvalidInput(f"setting {name!r} must be at most {row.most:g}, not {value!r}")
    valid: SettingValue = value
    return valid


def _validate_text(row: SettingDefinition, text: str) -> None:
    if row.longest is not None and len(text) > row.longest:
        raise InvalidInput(f"setting {row.name!r} takes at most {row.longest:,} characters, not {len(text):,}")
    if "\0" in text or any("\ud800" <= letter <= "\udfff" for letter in text):
        raise InvalidInput(f"setting {row.name!r} must be valid Unicode without NUL characters")
