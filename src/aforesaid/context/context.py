"""The context: the messages that the model sees, for any chat API, and the token budget."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from aforesaid.context.anthropic import to_anthropic
from aforesaid.context.current_turn import NewestMessage
from aforesaid.context.quote import Quote
from aforesaid.context.receipt import Receipt
from aforesaid.context.turn import ChatTurn, to_openai
from aforesaid.context.why import AskWhy, Why
from aforesaid.errors import InvalidInput
from aforesaid.models.json import Json
from aforesaid.models.message import ROLES, Message
from aforesaid.models.pin import Pin
from aforesaid.models.profile import ProfileField
from aforesaid.models.summary import Summary
from aforesaid.models.value import Value, decode, encode


@dataclass(frozen=True, slots=True)
class Budget(Value):
    """Tokens: `reserved` and `available` add up to `total`. `used` is the size of the context."""

    total: int
    reserved: int
    used: int
    available: int

    @property
    def free(self) -> int:
        return self.total - self.used


SectionItem = str | ProfileField | Pin | Summary | Message | Quote | NewestMessage


@dataclass(frozen=True, slots=True)
class Section(Value):
    name: str
    items: tuple[SectionItem, ...]
    tokens: int


@dataclass(frozen=True, slots=True)
class Context(Value):
    """The messages that the model sees. `tokens` is exact, includes the API's own overhead, and never exceeds
    `max_tokens`.

    `history` are the messages before the one to answer; `recent` includes that one if the caller asked for it. The
    first `prefix_tokens` tokens are the same bytes in the next turn, until the history is cut. `degraded` names what
    could not be read, `warnings` what did not fit, and `receipt` lists every item.
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
    recalled: tuple[Quote, ...]
    newest: NewestMessage | None
    turns: tuple[ChatTurn, ...]
    prefix: int
    prefix_tokens: int
    warnings: tuple[str, ...]
    degraded: tuple[str, ...]
    make_receipt: Callable[[], Receipt] = field(repr=False, compare=False)
    milliseconds: Mapping[str, float] = field(default_factory=dict, compare=False)
    ask_why: AskWhy | None = field(default=None, repr=False, compare=False)

    def why(self, message: Message | str, *, message_space: str | None = None) -> Why:
        """Why a message is in this context, or what kept it out. The message is given as such, by its id, or by words
        that are pasted from it. `message_space` is its space, if that is not the context's own."""
        if self.ask_why is None:
            raise InvalidInput("this context is a copy without its store; call space.why(context.receipt.id, message)")
        return self.ask_why(message, message_space)

    @property
    def receipt(self) -> Receipt:
        """Made when it is first read, or stored."""
        return self.make_receipt()

    @property
    def text(self) -> str:
        """The whole context as one string, for a model that completes text. A line that could pass for the start of a
        turn is quoted."""
        names = [turn.name or turn.role for turn in self.turns]
        labels = "|".join(sorted({*ROLES, *map(re.escape, names)}))
        forged = re.compile(rf"^(?=[^\S\n]*(?:{labels})[^\S\n]*:)", re.IGNORECASE | re.MULTILINE)
        return "\n\n".join(
            turn.text if at == 0 and turn.role == "system" else f"{name}: {forged.sub('> ', turn.text)}"
            for at, (name, turn) in enumerate(zip(names, self.turns, strict=True))
        )

    @property
    def cache_breakpoints(self) -> tuple[int, ...]:
        """The indexes of the messages of `to_openai()` that end a cacheable prefix: system text, end of history."""
        system = [0] if self.system else []
        return tuple(system + ([self.prefix - 1] if self.prefix > len(system) else []))

    def to_dict(self) -> dict[str, Json]:
        """The context with its receipt as JSON values. `from_dict` is the inverse."""
        return encode(self, "make_receipt", "ask_why") | {"receipt": self.receipt.to_dict()}

    @classmethod
    def from_dict(cls, record: Mapping[str, Json]) -> Context:
        if not isinstance(record, Mapping) or "receipt" not in record:
            raise InvalidInput("Context has no field 'receipt'")
        receipt = Receipt.from_dict(record["receipt"])
        rest = {name: value for name, value in record.items() if name != "receipt"}
        return decode(cls, rest, make_receipt=lambda: receipt, ask_why=None)

    def to_openai(self) -> list[Json]:
        """The `messages` of a chat request to OpenAI or to a compatible API."""
        return to_openai(self.turns)

    def to_anthropic(self, *, cache: bool = False) -> dict[str, Json]:
        """The `system` and `messages` of a request to Anthropic. With `cache`, they carry cache markers."""
        return to_anthropic(self.turns, self.prefix, cache=cache)
