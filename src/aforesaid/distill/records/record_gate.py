"""The evidence gate for records: the quote is in the user's message, and says every value that is kept.

A value that the quote does not say is left out; without a required field or a field of its key, the record is refused.
A value that equals its default, null, and an empty text or list state nothing.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time, timedelta
from typing import TYPE_CHECKING, Literal

import regex

from aforesaid.distill.facts.assertion import TextSpan
from aforesaid.distill.facts.entailment import Passage, disagreement, has_all_words, has_any_word, has_words
from aforesaid.distill.facts.grounding import ClaimRejection, Verdicts, locate_quote, quoted_passage
from aforesaid.distill.languages.claim_words import NUMBERS
from aforesaid.models.fact import Claim
from aforesaid.models.json import Json
from aforesaid.models.message import Utterance
from aforesaid.models.record import SLOT, Schema, is_stated, record_json, record_subject, record_text
from aforesaid.text.schemas import JsonSchema, errors, resolve, variant
from aforesaid.text.time_expressions import time_mentions

if TYPE_CHECKING:
    from aforesaid.distill.records.record_prompt import ModelRecord, RecordAnswer

RecordRejection = ClaimRejection | Literal["no such schema", "invalid"]
Support = Literal["said", "unclear", "unsupported"]
VERBATIM_FORMATS = frozenset({"email", "uri", "url", "uuid", "ipv4", "ipv6", "hostname"})
LONGEST_KEY = 500  # characters

_NUMBER = regex.compile(r"\d+(?:[.,' \u00a0\u202f]\d+)*")
_DECIMAL = regex.compile(r"(\d+)(?:[.,](\d+))?")
_GROUPED = (  # thousands in groups, and decimals after the other mark
    regex.compile(r"(\d{1,3}(?:[,' \u00a0\u202f]\d{3})+)(?:\.(\d+))?"),
    regex.compile(r"(\d{1,3}(?:[.' \u00a0\u202f]\d{3})+)(?:,(\d+))?"),
)
_CAMEL = regex.compile(r"(?<=[\p{Ll}\d])(?=\p{Lu})|_+")
_ABSENT: Json = object()  # a value that is left out


@dataclass(frozen=True, slots=True)
class ProvenRecord:
    """A record as a claim, and the message whose words prove it."""

    message_id: str
    claim: Claim
    schema: Schema
    passage: Passage
    sure: bool  # False if the rules cannot decide whether the passage says all of it


def verify_records(
    answer: RecordAnswer, schemas: Mapping[str, Schema], utterances: Sequence[Utterance]
) -> Verdicts[ProvenRecord]:
    """The records of an answer that pass the gate, each without the values that its quote does not say."""
    proven: dict[tuple[object, ...], ProvenRecord] = {}
    dropped: Counter[str] = Counter()
    for name, records in answer.root.items():
        for record in records:
            result = _verify(record, schemas[name], utterances) if name in schemas else "no such schema"
            if isinstance(result, str):
                dropped[result] += 1
            elif (key := _key(result.claim, result.message_id)) in proven:
                dropped["repeated"] += 1
            else:
                proven[key] = result
    return Verdicts(tuple(proven.values()), dict(dropped))


def record_slot(schema: Schema) -> str | None:
    """The attribute of records that a later statement updates."""
    return None if schema.key is None else SLOT + schema.name


def _key(claim: Claim, message_id: str) -> tuple[object, ...]:
    if claim.attribute is not None:
        return message_id, claim.schema, claim.subject
    return message_id, claim.schema, (claim.value or "").casefold()


def _verify(record: ModelRecord, schema: Schema, utterances: Sequence[Utterance]) -> ProvenRecord | RecordRejection:
    if not 1 <= record.message <= len(utterances):
        return "no such message"
    if errors(record.record, schema.json_schema, schema.json_schema):
        return "invalid"
    messages = utterances[: record.message]
    place = locate_quote(record.quote, record_text(schema.name, record_json(record.record)), messages[-1])
    if isinstance(place, str):
        return place
    passage = quoted_passage(messages, place)
    return "not stated" if passage is None else _ground(record, schema, messages[-1], (passage, place))


def _ground(
    record: ModelRecord, schema: Schema, utterance: Utterance, source: tuple[Passage, TextSpan]
) -> ProvenRecord | RecordRejection:
    """The record with what the passage says of it."""
    passage, place = source
    gate = _ValueGate(schema.json_schema, passage, utterance)
    value = gate.keep(record.record, schema.json_schema)
    if value is _ABSENT or not gate.supports or errors(value, schema.json_schema, schema.json_schema):
        return "unsupported"
    subject = record_subject(schema, value)
    if any(not is_stated(value.get(name)) for name in schema.key or ()) or len(subject) > LONGEST_KEY:
        return "unsupported"
    mood = disagreement(_note(value), _label(schema, value), passage)
    if mood in ("condition", "negation"):
        return "not stated"
    stored = record_json(value)
    claim = Claim(
        kind="fact",
        subject=subject,
        attribute=record_slot(schema),
        value=stored,
        text=record_text(schema.name, stored),
        quote=utterance.text[slice(*place)],
        start=place[0],
        confidence=record.confidence,
        category=schema.name,
        schema=schema.name,
    )
    sure = mood is None and set(gate.supports) == {"said"}
    return ProvenRecord(utterance.id, claim, schema, passage, sure)


def _note(value: Json) -> str:
    """The values of a record, as words."""
    return " ".join(str(each) for each in _leaves(value) if not isinstance(each, bool))


def _label(schema: Schema, value: Mapping[str, Json]) -> str:
    """The names of a record and of its fields, with "not" for what is false."""
    names = (f"not {name}" if each is False else name for name, each in value.items() if is_stated(each))
    return str(_CAMEL.sub(" ", f"{schema.name} {' '.join(names)}"))


def _leaves(value: Json) -> Iterator[Json]:
    if isinstance(value, dict):
        for each in value.values():
            yield from _leaves(each)
    elif isinstance(value, list):
        for each in value:
            yield from _leaves(each)
    elif is_stated(value):
        yield value


@dataclass(slots=True)
class _ValueGate:
    """Leaves out of a value what a passage does not say. `supports` are the verdicts on what stays."""

    root: JsonSchema
    passage: Passage
    utterance: Utterance
    supports: list[Support] = field(default_factory=list)

    def keep(self, value: Json, schema: Json) -> Json:
        """The value without what is unsupported; `_ABSENT` if nothing of it stays."""
        own = variant(schema, value, self.root)
        if isinstance(value, dict):
            return self._keep_object(value, own)
        if isinstance(value, list):
            return self._keep_list(value, own)
        support = self._support(value, own)
        if support == "unsupported":
            return _ABSENT
        self.supports.append(support)
        return value

    def _keep_object(self, value: Mapping[str, Json], schema: JsonSchema) -> Json:
        named, others = schema.get("properties", {}), schema.get("additionalProperties", True)
        required = schema.get("required", ())
        kept: dict[str, Json] = {}
        for name, each in value.items():
            inner = named.get(name, others)
            if name not in named and self._text_support(name) == "unsupported":
                continue
            if not is_stated(each) or ("default" in resolve(inner, self.root) and _is_default(each, inner, self.root)):
                if name in required:
                    kept[name] = each
                continue
            result = self.keep(each, inner)
            if result is not _ABSENT:
                kept[name] = result
            elif name in required:
                blanks: tuple[Json, ...] = (None, [])
                empty = next((blank for blank in blanks if not errors(blank, inner, self.root)), _ABSENT)
                if empty is _ABSENT:
                    return _ABSENT
                kept[name] = empty
        return kept

    def _keep_list(self, value: Sequence[Json], schema: JsonSchema) -> Json:
        items = (self.keep(each, schema.get("items", {})) for each in value)
        kept = [each for each in items if each is not _ABSENT]
        return kept if kept and len(kept) >= schema.get("minItems", 0) else _ABSENT

    def _support(self, value: Json, schema: JsonSchema) -> Support:
        if isinstance(value, bool):
            return "unclear"
        if isinstance(value, int | float):
            return "said" if _has_number(value, self.passage.text) else "unsupported"
        if "enum" in schema or "const" in schema:
            return "said" if has_all_words(_CAMEL.sub(" ", str(value)), self.passage) else "unclear"
        if schema.get("format") in _TIMES:
            return _TIMES[schema["format"]](str(value), self.passage, self.utterance.at)
        if _is_literal(str(value), self.passage):
            return "said"
        return "unsupported" if schema.get("format") in VERBATIM_FORMATS else self._text_support(str(value))

    def _text_support(self, text: str) -> Support:
        if has_all_words(text, self.passage):
            return "said"
        supported = has_words(text, self.passage) and has_any_word(text, self.passage)
        return "unclear" if supported else "unsupported"


def _is_default(value: Json, schema: Json, root: JsonSchema) -> bool:
    return json.dumps(value, sort_keys=True) == json.dumps(resolve(schema, root)["default"], sort_keys=True)


def _is_literal(value: str, passage: Passage) -> bool:
    """Returns True if a passage contains a text as whole words."""
    words = regex.escape(" ".join(value.casefold().split()))
    return regex.search(rf"(?<!\w){words}(?!\w)", " ".join(passage.text.casefold().split())) is not None


def _has_number(number: float, text: str) -> bool:
    """Returns True if a text has a number, in digits with any separators, or as a word up to twelve."""
    spelled = {float(NUMBERS[word]) for word in regex.findall(r"\p{L}+", text.casefold()) if word in NUMBERS}
    return abs(number) in spelled | {each for match in _NUMBER.finditer(text) for each in _readings(match[0])}


def _readings(digits: str) -> Iterator[float]:
    """The numbers that digits with separators can mean: 1.200 is 1200 or 1.2, and 99.50 only 99.5."""
    for pattern in _GROUPED:
        if match := pattern.fullmatch(digits):
            whole = "".join(filter(str.isdigit, match[1]))
            yield float(f"{whole}.{match[2] or 0}")
    if match := _DECIMAL.fullmatch(digits):
        yield float(f"{match[1]}.{match[2] or 0}")
    yield from (float(each) for each in regex.split(r"[ ,\u00a0\u202f]+", digits) if " " in digits and each.isdigit())


def _date_support(value: str, passage: Passage, at: datetime) -> Support:
    try:
        day = date.fromisoformat(value[:10])
    except ValueError:
        return "unsupported"
    if day.isoformat() in passage.text:
        return "said"
    noon = datetime.combine(day, time(12), at.tzinfo or UTC)
    spans = [*time_mentions(passage.text, at), *time_mentions(passage.text, at, ahead=True)]
    fitting = [span for span in spans if span.start <= noon < span.stop]
    if any(span.stop - span.start <= timedelta(days=1, hours=2) for span in fitting):
        return "said"
    return "unclear" if fitting else "unsupported"


def _moment_support(value: str, passage: Passage, at: datetime) -> Support:
    """A time of day is never sure: a passage words it in many ways."""
    try:
        moment = datetime.fromisoformat(value)
    except ValueError:
        return "unsupported"
    support = _date_support(value, passage, at)
    whole_day = (moment.hour, moment.minute, moment.second) == (0, 0, 0)
    return support if support == "unsupported" or whole_day else _time_support(value[11:], passage, at)


def _time_support(value: str, passage: Passage, _: datetime) -> Support:
    try:
        clock = time.fromisoformat(value)
    except ValueError:
        return "unsupported"
    hours = {float(clock.hour), float(clock.hour % 12 or 12)}
    return "unclear" if any(_has_number(hour, passage.text.replace(":", " ")) for hour in hours) else "unsupported"


_TIMES: Mapping[str, Callable[[str, Passage, datetime], Support]] = {
    "date": _date_support,
    "date-time": _moment_support,
    "time": _time_support,
}
