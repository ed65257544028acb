"""A model that only completes, heard like one that speaks."""

from __future__ import annotations

from recollect.context.context import Context
from recollect.ports import Completion, LanguageModel, Prompt


class CompletedSpeech:
    """Asks when the first piece is wanted, and gives the answer as one. What is under way is not called off."""

    def __init__(self, model: LanguageModel, context: Context, max_tokens: int) -> None:
        self._model = model
        self._prompt = Prompt(context.system, _said(context), max_tokens)
        self._closed = False
        self._completion: Completion | None = None

    def __iter__(self) -> CompletedSpeech:
        return self

    def __next__(self) -> str:
        if self._closed or self._completion is not None:
            raise StopIteration
        said = self._model.complete(self._prompt)
        if self._closed:
            raise StopIteration
        self._completion = said
        return said.text

    @property
    def completion(self) -> Completion | None:
        return self._completion

    def close(self) -> None:
        self._closed = True


def _said(context: Context) -> str:
    """All but the system text, as one text that the model goes on with."""
    turns = [turn for turn in context.turns if turn.role != "system" or turn.text != context.system]
    return "\n\n".join(f"{turn.name or turn.role}: {turn.text}" for turn in turns) + "\n\nassistant:"
