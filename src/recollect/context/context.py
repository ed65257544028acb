"""What the model will see: one value, for any chat API."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from recollect.context.anthropic import anthropic
from recollect.context.budget import Budget
from recollect.context.quote import Quote
from recollect.context.receipt import Receipt
from recollect.context.scene import Newest
from recollect.context.turn import Turn, openai
from recollect.models import Json, Message, Pin, ProfileField, Summary

Item = str | ProfileField | Pin | Summary | Message | Quote | Newest


@dataclass(frozen=True, slots=True)
class Section:
    """A part of a context, what is in it, and the tokens that it takes."""

    name: str
    items: tuple[Item, ...]
    tokens: int


@dataclass(frozen=True, slots=True)
class Context:
    """What the model will see. `tokens` is exact, the API's own overhead included, and never more than `max_tokens`.

    `history` are the messages before the one being answered; `recent` has that one too where it was asked for. The
    first `prefix_tokens` are the same bytes next turn, as long as the epoch lasts. What could not be had is named in
    `degraded`, what did not fit in `warnings`, item by item in `receipt`.
    """

    sections: tuple[Section, ...]
    tokens: int
    budget: Budget
    system: str
    history: tuple[Message, ...]
    recent: tuple[Message, ...]
    profile: tuple[ProfileField, ...]
    pins: tuple[Pin, ...]
    summaries: tuple[Summary, ...]
    retrieved: tuple[Quote, ...]
    newest: Newest | None
    turns: tuple[Turn, ...]
    prefix: int
    prefix_tokens: int
    warnings: tuple[str, ...]
    degraded: tuple[str, ...]
    receipt: Receipt
    milliseconds: Mapping[str, float] = field(default_factory=dict, compare=False)  # by stage

    @property
    def text(self) -> str:
        """All of it as one string, for a model that completes text."""
        said = [turn.text if turn.role == "system" else f"{turn.name or turn.role}: {turn.text}" for turn in self.turns]
        return "\n\n".join(said)

    @property
    def cache_breakpoints(self) -> tuple[int, ...]:
        """The messages of `to_openai()` after which a cache marker belongs: the system text, the end of history."""
        system = [0] if self.system else []
        return tuple(system + ([self.prefix - 1] if self.prefix > len(system) else []))

    def to_openai(self) -> list[dict[str, Json]]:
        """The `messages` of a chat request to OpenAI, or to whoever speaks its language."""
        return openai(self.turns)

    def to_anthropic(self, *, cache: bool = False) -> dict[str, Json]:
        """`system` and `messages` of a request to Anthropic; with `cache`, cache markers where they belong."""
        return anthropic(self.turns, self.prefix, cache=cache)
