"""Language models behind POST {base}/v1/messages: Anthropic's."""

from __future__ import annotations

import json

from recollect.errors import ProviderError, ProviderRefused
from recollect.models import Json
from recollect.ports import Completion, Prompt, Talk
from recollect.providers.answers import tokens
from recollect.providers.asking import WiredModel
from recollect.providers.exchange import Exchange
from recollect.providers.ladder import Way
from recollect.providers.schema import strict

VERSION = "2023-06-01"
TOOL = "answer"
USED = ("input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens")


class AnthropicModel(WiredModel):
    """Asks by schema, through a tool, or in words alone: whichever is understood."""

    wire, declined, cut = "messages", "refusal", "max_tokens"

    def __init__(self, name: str, model: str, exchange: Exchange, *, local: bool) -> None:
        super().__init__(name, exchange, ("schema", "tool", "words"), local=local)
        self._model = model

    def _question(self, prompt: Prompt, way: Way) -> dict[str, Json]:
        question: dict[str, Json] = {
            "model": self._model,
            "max_tokens": prompt.max_tokens,
            "messages": [{"role": "user", "content": prompt.text}],
        }
        if prompt.system:
            question["system"] = prompt.system
        if way == "schema" and prompt.schema is not None:
            question["output_config"] = {"format": {"type": "json_schema", "schema": strict(prompt.schema)}}
        elif way == "tool" and prompt.schema is not None:
            question["tools"] = [{"name": TOOL, "description": "Gives the answer.", "input_schema": prompt.schema}]
            question["tool_choice"] = {"type": "tool", "name": TOOL}
        return question

    def _request(self, talk: Talk, max_tokens: int, way: Way) -> dict[str, Json]:  # noqa: ARG002 (it always counts)
        return {"model": self._model, "max_tokens": max_tokens, **talk.to_anthropic(cache=True)}

    def _read(self, answer: Json) -> Completion:
        try:
            text = "".join(said(block) for block in answer["content"])
            ended, used = answer.get("stop_reason"), answer.get("usage") or {}
            taken = tokens(*(used.get(part) or 0 for part in USED)), tokens(used.get("output_tokens"))
        except (LookupError, TypeError, AttributeError) as error:
            raise ProviderError(f"{self.name} gave an unusable answer: {type(error).__name__}", charged=True) from None
        if ended == self.declined:
            raise ProviderRefused(f"{self.name} declined to answer", charged=True)
        return Completion(text, taken[0] or None, taken[1], cut=ended == self.cut)


def said(block: Json) -> str:
    """The words of a block, or what was given to the tool; nothing of what was thought."""
    if block["type"] == "text":
        return str(block["text"])
    if block["type"] == "tool_use":
        return json.dumps(block["input"])
    return ""
