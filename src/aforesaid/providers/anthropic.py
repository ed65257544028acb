"""Language models behind POST {base}/v1/messages: Anthropic."""

from __future__ import annotations

from aforesaid.models.json import Json
from aforesaid.ports import ChatPrompt, Prompt
from aforesaid.providers.base import HTTPLanguageModel
from aforesaid.providers.json_modes import RequestMode, strict_schema
from aforesaid.providers.service_client import ServiceClient

VERSION = "2023-06-01"
TOOL = "answer"


class AnthropicModel(HTTPLanguageModel):
    """Requests JSON by a schema, by a tool, or in words, whichever the service accepts."""

    api_format, declined, cut = "messages", "refusal", "max_tokens"

    def __init__(self, name: str, model: str, client: ServiceClient, *, local: bool) -> None:
        super().__init__(name, client, ("schema", "tool", "words"), local=local)
        self._model = model

    def _completion_request(self, prompt: Prompt, mode: RequestMode) -> dict[str, Json]:
        request: dict[str, Json] = {
            "model": self._model,
            "max_tokens": prompt.max_tokens,
            "messages": [{"role": "user", "content": prompt.text}],
        }
        if prompt.system:
            request["system"] = prompt.system
        if mode == "schema" and prompt.schema is not None:
            request["output_config"] = {"format": {"type": "json_schema", "schema": strict_schema(prompt.schema)}}
        elif mode == "tool" and prompt.schema is not None:
            request["tools"] = [{"name": TOOL, "description": "Gives the answer.", "input_schema": prompt.schema}]
            request["tool_choice"] = {"type": "tool", "name": TOOL}
        return request

    def _chat_request(self, talk: ChatPrompt, max_tokens: int, mode: RequestMode) -> dict[str, Json]:  # noqa: ARG002 (it always counts)
        return {"model": self._model, "max_tokens": max_tokens, **talk.to_anthropic(cache=True)}
