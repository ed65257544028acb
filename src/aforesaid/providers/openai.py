"""Language models behind POST {base}/chat/completions: OpenAI, Ollama and compatible services."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from aforesaid.models.json import Json
from aforesaid.ports import ChatPrompt, Prompt
from aforesaid.providers.base import HTTPLanguageModel
from aforesaid.providers.json_modes import RequestMode, strict_schema
from aforesaid.providers.service_client import ServiceClient

STREAMED: Mapping[str, Json] = {"stream": True, "stream_options": {"include_usage": True}}


@dataclass(frozen=True, slots=True)
class OpenAIDialect:
    """The differences between services: the name of the token limit, and parameters that are always sent."""

    limit: str = "max_tokens"
    always: Mapping[str, Json] = field(default_factory=lambda: {"temperature": 0})


# OpenAI's reasoning models refuse the old name and any temperature.
OPENAI_DIALECT = OpenAIDialect("max_completion_tokens", {})


class OpenAIModel(HTTPLanguageModel):
    """Requests JSON by a schema, in JSON mode, or in words, whichever the service accepts. A local model streams every
    answer, unless it refuses: it can be slow, and its progress shows that it works."""

    api_format, declined, cut = "chat", "content_filter", "length"

    def __init__(self, name: str, model: str, client: ServiceClient, *, local: bool, dialect: OpenAIDialect) -> None:
        modes = ("schema", "json", "words", "unstreamed") if local else ("schema", "json", "words")
        super().__init__(name, client, modes, local=local)
        self._model = model
        self._dialect = dialect

    def _completion_request(self, prompt: Prompt, mode: RequestMode) -> dict[str, Json]:
        messages = [("system", prompt.system), ("user", prompt.text)]
        request: dict[str, Json] = {
            "model": self._model,
            "messages": [{"role": role, "content": text} for role, text in messages if text],
            self._dialect.limit: prompt.max_tokens,
            **self._dialect.always,
        }
        if mode == "schema" and prompt.schema is not None:
            schema = {"name": "answer", "schema": strict_schema(prompt.schema), "strict": True}
            request["response_format"] = {"type": "json_schema", "json_schema": schema}
        elif mode == "json":
            request["response_format"] = {"type": "json_object"}
        return {**request, **STREAMED} if self.local and mode != "unstreamed" else request

    def _chat_request(self, talk: ChatPrompt, max_tokens: int, mode: RequestMode) -> dict[str, Json]:
        """Sends no temperature: a reply uses the default of the service."""
        counted = {"stream_options": STREAMED["stream_options"]} if mode == "counted" else {}
        return {"model": self._model, "messages": talk.to_openai(), self._dialect.limit: max_tokens, **counted}
