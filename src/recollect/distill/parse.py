"""The answer inside of what a model said."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, TypeVar

from recollect.models import Json

if TYPE_CHECKING:
    from pydantic import BaseModel, ValidationError

Answer = TypeVar("Answer", bound="BaseModel")

TRIES = 32  # opening braces that are looked at; a long text of nothing but braces must not take long
SHOWN_ERRORS = 8
THOUGHTS = re.compile(r"\A\s*<think(?:ing)?>.*?(?:</think(?:ing)?>|\Z)", re.DOTALL)
ENDS = re.compile(r"[.!?…][\"'”’»)\]]*(?=\s|\Z)|[。！？][」』”）]*")


class Misfit(Exception):
    """No answer as it was asked for. `kinds` says what is wrong without a word of the answer, `detail` with field
    names, for the model itself."""

    def __init__(self, kinds: str, detail: str) -> None:
        super().__init__(kinds)
        self.kinds = kinds
        self.detail = detail


def spoken(text: str) -> str:
    """What was said, without what was thought aloud before it, and without what no store can keep."""
    return keepable(THOUGHTS.sub("", text)).strip()


def sentences(text: str) -> str:
    """The text up to the end of its last whole sentence; empty where there is none."""
    ends = [found.end() for found in ENDS.finditer(text)]
    return text[: ends[-1]] if ends else ""


def parse(text: str, answer: type[Answer]) -> Answer:
    """The first JSON object of a text that is a valid answer; fences and words around it do not matter.

    Misfit where there is none; it tells of the last object.
    """
    from pydantic import ValidationError

    wrong = Misfit("no JSON object", "There is no JSON object in it.")
    for found in objects(spoken(text)):
        try:
            return answer.model_validate_json(json.dumps(clean(found)))
        except ValidationError as exc:
            wrong = misfit(exc)
        except RecursionError:
            wrong = Misfit("nested too deep", "It is nested too deep.")
    raise wrong


def objects(text: str) -> Iterator[dict[str, Json]]:
    """The JSON objects of a text in order, the outermost only."""
    decoder = json.JSONDecoder()
    place = text.find("{")
    for _ in range(TRIES):
        if place < 0:
            return
        try:
            found, end = decoder.raw_decode(text, place)
        except (ValueError, RecursionError):
            end = place + 1
        else:
            yield found
        place = text.find("{", end)


def misfit(error: ValidationError) -> Misfit:
    """What is wrong. pydantic's own words repeat the answer: they are not used."""
    wrong = error.errors(include_url=False, include_context=False, include_input=False)[:SHOWN_ERRORS]
    kinds = ", ".join(dict.fromkeys(each["type"] for each in wrong))
    detail = "\n".join(f"- {'.'.join(map(str, each['loc'])) or 'the whole'}: {each['msg']}" for each in wrong)
    return Misfit(kinds, detail)


def keepable(text: str) -> str:
    """Without NUL characters; halves of surrogate pairs are replaced."""
    return text.replace("\0", "").encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def clean(value: Json) -> Json:
    """The same value with keepable text, at any depth."""
    if isinstance(value, str):
        return keepable(value)
    if isinstance(value, list):
        return [clean(each) for each in value]
    if isinstance(value, dict):
        return {clean(name): clean(each) for name, each in value.items()}
    return value
