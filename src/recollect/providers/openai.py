"""Language models behind POST {base}/chat/completions: OpenAI, Ollama, and whoever speaks as they do."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from recollect.errors import ProviderError, ProviderRefused
from recollect.models import Json
from recollect.ports import Completion, Prompt, Talk
from recollect.providers.answers import tokens
from recollect.providers.asking import WiredModel
from recollect.providers.exchange import Exchange
from recollect.providers.ladder import Way
from recollect.providers.schema import strict


@dataclass(frozen=True, slots=True)
class Dialect:
    """In what the services differ: what they call the most tokens of an answer, and what else they are told."""

    limit: str = "max_tokens"
    always: Mapping[str, Json] = field(default_factory=lambda: {"temperature": 0})


OPENAI = Dialect("max_completion_tokens", {})  # its thinking models refuse the old name, and any temperature


class OpenAIModel(WiredModel):
    """Asks by schema, in JSON mode, or in words alone: whichever is understood."""

    wire, declined, cut = "chat", "content_filter", "length"

    def __init__(self, name: str, model: str, exchange: Exchange, *, local: bool, dialect: Dialect) -> None:
        super().__init__(name, exchange, ("schema", "json", "words"), local=local)
        self._model = model
        self._dialect = dialect

    def _question(self, prompt: Prompt, way: Way) -> dict[str, Json]:
        said = [("system", prompt.system), ("user", prompt.text)]
        question = {
            "model": self._model,
            "messages": [{"role": role, "content": text} for role, text in said if text],
            self._dialect.limit: prompt.max_tokens,
            **self._dialect.always,
        }
        if way == "schema" and prompt.schema is not None:
            form = {"name": "answer", "schema": strict(prompt.schema), "strict": True}
            question["response_format"] = {"type": "json_schema", "json_schema": form}
        elif way == "json":
            question["response_format"] = {"type": "json_object"}
        return question

    def _request(self, talk: Talk, max_tokens: int, way: Way) -> dict[str, Json]:
        """Without a temperature of ours: how lively an answer is, its service says."""
        counted = {"stream_options": {"include_usage": True}} if way == "counted" else {}
        return {"model": self._model, "messages": talk.to_openai(), self._dialect.limit: max_tokens, **counted}

    def _read(self, answer: Json) -> Completion:
        try:
            choice = answer["choices"][0]
            message, ended = choice["message"], choice.get("finish_reason")
            text, refused = message.get("content"), message.get("refusal")
            used = answer.get("usage") or {}
            taken = tokens(used.get("prompt_tokens")), tokens(used.get("completion_tokens"))
        except (LookupError, TypeError, AttributeError) as error:
            raise ProviderError(f"{self.name} gave an unusable answer: {type(error).__name__}", charged=True) from None
        if refused or ended == self.declined:
            raise ProviderRefused(f"{self.name} declined to answer", charged=True)
        if text is not None and not isinstance(text, str):
            raise ProviderError(f"{self.name} gave an unusable answer: no text", charged=True)
        return Completion(text or "", *taken, cut=ended == self.cut)
