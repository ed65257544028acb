import json
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel, Field

from aforesaid.distill.llm.llm_call import InvalidAnswer, parse_answer, storable_json, strip_reasoning
from aforesaid.distill.llm.structured_output import (
    CheckAnswer,
    EpisodeAnswer,
    FactAnswer,
    ModelClaim,
    ModelEpisode,
    StrictModel,
    SummaryAnswer,
)
from aforesaid.distill.truncate import trim_to_sentence
from aforesaid.providers.json_modes import strict_schema


class Trip(BaseModel):
    city: str = Field(min_length=1)
    days: int = 1


GOOD = '{"city": "Lisbon", "days": 3}'
TRIP = Trip(city="Lisbon", days=3)


@pytest.mark.req("C12")
@pytest.mark.parametrize(
    "text",
    [
        GOOD,
        f"```json\n{GOOD}\n```",
        f"```\n{GOOD}\n```\nHope this helps!",
        f"Sure! Here it is: {GOOD}. Anything else?",
        f"<think>They want {{braces}} and {GOOD.replace('Lisbon', 'Rome')}</think>\n{GOOD}",
        f"An empty one is {{}}, yours is {GOOD}",
        f"{{not json}} {GOOD}",
        f"{GOOD} {{'trailing",
        "\ufeff" + GOOD,
    ],
)
def test_a_json_object_is_found_in_surrounding_text(text):
    assert parse_answer(text, Trip) == TRIP


@pytest.mark.parametrize("text", ["", "Lisbon", "[1, 2]", "null", "{", '{"city": ', "{'city': 'x'}", "<think>{}"])
def test_a_text_without_a_json_object_is_invalid(text):
    with pytest.raises(InvalidAnswer, match="no JSON object"):
        parse_answer(text, Trip)


def test_a_validation_error_names_the_faults_without_the_values():
    with pytest.raises(InvalidAnswer) as caught:
        parse_answer('{"city": 5, "days": "my diary"}', Trip)
    assert str(caught.value) == "string_type, int_parsing"
    assert caught.value.detail.startswith("- city: ")
    assert "- days: " in caught.value.detail
    assert "diary" not in caught.value.detail


def test_nul_and_lone_surrogates_are_removed():
    found = parse_answer('{"city": "a\\u0000b\\ud800c", "days": 1}', Trip)
    assert found.city.encode() == "ab\ufffdc".encode()


@pytest.mark.parametrize("text", ["{" * 200_000, '{"a":' * 100_000, "[" * 100_000, '{"city":' + "[" * 50_000])
def test_a_deeply_nested_answer_is_rejected_quickly(text):
    begin = time.monotonic()
    with pytest.raises(InvalidAnswer):
        parse_answer(text, Trip)
    assert time.monotonic() - begin < 5


@given(st.text())
def test_any_text_raises_only_invalid_answer(text):
    with pytest.raises(InvalidAnswer):  # hypothesis generates no text with a city
        parse_answer(text, Trip)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(st.characters(codec=None)),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(st.characters(codec=None)), inner),
)


@given(JSON)
def test_cleaned_json_can_be_stored(value):
    kept = json.dumps(storable_json(value), ensure_ascii=False)
    kept.encode()
    assert "\\u0000" not in kept


def test_reasoning_is_stripped_from_the_answer():
    assert strip_reasoning("<think>Let me see.</think>\n\nHello.") == "Hello."
    assert strip_reasoning("<thinking>never ends") == ""
    assert strip_reasoning("a <think>b</think>") == "a <think>b</think>"


@pytest.mark.parametrize(
    ("text", "whole"),
    [
        ("One. Two", "One."),
        ("It costs 3.50 or", ""),
        ('He said "yes!" and', 'He said "yes!"'),
        ("行きました。次", "行きました。"),
        ("nothing", ""),
    ],
)
def test_a_truncated_text_is_trimmed_to_a_sentence(text, whole):
    assert trim_to_sentence(text) == whole


@pytest.mark.parametrize("answer", [FactAnswer, CheckAnswer, EpisodeAnswer, SummaryAnswer])
def test_a_schema_is_closed_and_has_no_docstring(answer):
    schema = answer.model_json_schema()
    for each in (schema, *schema.get("$defs", {}).values()):
        assert "description" not in each
        assert each["additionalProperties"] is False
    for shown in (json.dumps(schema), json.dumps(strict_schema(schema))):
        for model in (answer, StrictModel, ModelClaim, ModelEpisode):
            assert not model.__doc__ or model.__doc__ not in shown
