"""Requests for OpenAI's Responses."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from recollect.models import Json
from recollect.proxy.said import Said, kept, others_of, words_of
from recollect.proxy.wires.contents import before_words, number
from recollect.replies.values import at, word
from recollect.replies.values import items as items_at

OPENING = ("system", "developer")
CALLS = {"function_call": ("function", "arguments"), "custom_tool_call": ("custom", "input")}
RESULTS = ("function_call_output", "custom_tool_call_output")


def items(body: dict[str, Json]) -> list[Json]:
    given = word(body, "input")
    return [{"role": "user", "content": given}] if given else items_at(body, "input")


def opening(body: dict[str, Json]) -> str:
    said = [words_of(at(item, "content")) for item in items(body) if leads(item)]
    return "\n".join([word(body, "instructions"), *said])


def said(items: Sequence[Json]) -> list[Said]:
    """An answer's words and calls are items of their own: together they are one message."""
    found: list[Said] = []
    for place, item in enumerate(items):
        one = _said(item, place)
        if one is None or one.empty:
            continue
        if found and one.role == found[-1].role == "assistant":
            last = found[-1]
            found[-1] = replace(last, text=last.text + one.text, calls=last.calls + one.calls)
        else:
            found.append(one)
    return found


def opens(item: Json) -> bool:
    return word(item, "role") == "user"


def leads(item: Json) -> bool:
    return word(item, "role") in OPENING


def beside(item: Json, aside: str) -> Json:
    return {**item, "content": before_words(at(item, "content"), aside, "input_text")}


def put(body: dict[str, Json], items: list[Json]) -> dict[str, Json]:
    text = word(items[0], "content") if len(items) == 1 and word(body, "input") else ""  # as it came
    return {**body, "input": text or items}


def output(body: dict[str, Json]) -> int:
    return number(body, "max_output_tokens")


def _said(item: Json, place: int) -> Said | None:
    role, kind = word(item, "role"), word(item, "type")
    content = at(item, "content")
    if role == "user":
        return Said("user", words_of(content), others_of(content), item=place)
    if role == "assistant":
        return Said("assistant", words_of(content), item=place)
    if kind in CALLS:
        return Said("assistant", calls=(_call(item, *CALLS[kind]),), item=place)
    if kind in RESULTS and word(item, "call_id"):
        return Said("tool", words_of(at(item, "output")), call_id=kept(word(item, "call_id")), item=place)
    return None


def _call(item: Json, kind: str, given: str) -> dict[str, Json]:
    asked = {"name": kept(word(item, "name")), given: kept(word(item, given))}
    return {"id": kept(word(item, "call_id")), "type": kind, kind: asked}
