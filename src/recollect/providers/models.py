"""The language models that a Memory has, made when they are first needed."""

from __future__ import annotations

import threading

from recollect.errors import InvalidInput, ProviderError
from recollect.ports import LanguageModel
from recollect.providers.address import Environment
from recollect.providers.language import ClosableModel, known, language_model

NO_MODEL = "none"


class Models:
    """Finds models by name. `default` is the wanted one's name; a model of the caller's own is his to close."""

    def __init__(self, environment: Environment, wanted: str | LanguageModel | None) -> None:
        self._environment = environment
        self._lock = threading.Lock()
        self._made: dict[str, ClosableModel] = {}
        self._own: LanguageModel | None = None
        self._closed = False
        self.default: str | None = None
        if isinstance(wanted, str):
            name = wanted.strip()
            self.default = None if name in ("", NO_MODEL) else self._named(name).name
        elif wanted is not None:
            self._own, self.default = wanted, wanted.name

    def find(self, name: str) -> LanguageModel:
        """The model of that name; ProviderError where this process cannot have it."""
        try:
            return self._named(name)
        except InvalidInput as exc:
            raise ProviderError(f"the language model is not to be had here: {exc}") from exc

    def local(self, name: str) -> bool:
        """Whether there is a model of that name here whose words stay on this machine."""
        try:
            return self._named(name).local
        except InvalidInput:
            return False

    def known(self, name: str) -> bool:
        """Whether the name has the form of a model's that there may be here."""
        return known(name) or (self._own is not None and name == self._own.name)

    def close(self) -> None:
        """Ends what the models are at. Whoever asks later gets ClosedError."""
        with self._lock:
            self._closed = True
            made = list(self._made.values())
        for model in made:
            model.close()

    def _named(self, name: str) -> LanguageModel:
        if self._own is not None and name == self._own.name:
            return self._own
        with self._lock:
            if name not in self._made:
                self._made[name] = language_model(name, environment=self._environment)
                if self._closed:
                    self._made[name].close()
            return self._made[name]
