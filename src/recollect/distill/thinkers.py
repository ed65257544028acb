"""Who thinks, and for whom."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

from recollect.distill.purse import Purse
from recollect.distill.route import answering, route
from recollect.distill.think import Thinker, unmasked
from recollect.ports import LanguageModel, Tokenizer
from recollect.text.secrets import masked as mask_secrets


class Models(Protocol):
    """Language models by name, made when they are first needed."""

    @property
    def default(self) -> str | None: ...

    def local(self, name: str) -> bool:
        """Whether there is a model of that name here whose words stay on this machine."""

    def known(self, name: str) -> bool:
        """Whether the name has the form of a model's that there may be here."""

    def find(self, name: str) -> LanguageModel:
        """ProviderError where this process cannot have it."""


@dataclass(frozen=True, slots=True)
class Thinkers:
    models: Models
    purse: Purse
    tokenizer: Tokenizer
    mask: Callable[[str], str] = mask_secrets

    def name(self, own: str | None) -> str | None:
        """The name of who thinks, without making it ready; None where nobody does."""
        return route(own, self.models.default, self.models.local)

    def answerer(self, asked: str | None, own: str | None) -> str | None:
        """The name of who answers in a conversation; None where nobody does."""
        return answering(asked, own, self.models.default, self.models.known)

    def stays(self, own: str | None) -> bool:
        """Whether no word leaves this machine when `own` is thought for."""
        name = self.name(own)
        return name is None or self.models.local(name)

    def careful(self, hearers: Sequence[str | None]) -> str | None:
        """For whom to think where words were said to several models: the last that is local, so that what was said to
        it goes nowhere else; where none is, the last that is named."""
        named = [name for name in reversed(hearers) if name is not None]
        return next((name for name in named if self.models.local(name)), named[0] if named else None)

    def of(self, own: str | None, *, masked: bool = True) -> Thinker | None:
        """Who thinks for a conversation whose messages came from the model `own`; None where nobody does, and what
        can be done without a model is to be done without.

        `masked` is the space's setting `mask_sent`.
        """
        name = self.name(own)
        if name is None:
            return None
        return Thinker(self.models.find(name), self.purse, self.tokenizer, self.mask if masked else unmasked)
