"""What goes in and what stays out, before it is put into words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from recollect.context import veil
from recollect.context.ask import Ask
from recollect.context.cost import Costs
from recollect.context.gather import Material
from recollect.context.groups import Group
from recollect.context.quote import Quote, of_pin
from recollect.context.receipt import ReceiptItem
from recollect.context.render import recalled
from recollect.context.scene import Newest, Scene
from recollect.context.trust import foreign
from recollect.models import Message, Pin, ProfileField, Summary
from recollect.text.orders import orders


@dataclass(frozen=True, slots=True)
class Plan:
    """What a context will show. `kept` counts the last groups of the history that stay whatever happens."""

    profile: tuple[ProfileField, ...] = ()
    pins: tuple[Pin, ...] = ()
    summaries: tuple[Summary, ...] = ()
    history: tuple[Group, ...] = ()
    live: tuple[Group, ...] = ()
    retrieved: tuple[Quote, ...] = ()
    kept: int = 0
    reserved: int = 0
    left: tuple[ReceiptItem, ...] = ()
    warnings: tuple[str, ...] = ()

    def without(self, *left: ReceiptItem) -> Plan:
        return replace(self, left=self.left + left)


@dataclass(frozen=True, slots=True)
class Case:
    """One call: what is asked for, what was read, what things cost, and how secrets in what memory adds are masked."""

    ask: Ask
    material: Material
    costs: Costs = field(repr=False)
    mask: veil.Mask = field(default=veil.bare, repr=False)
    blocks: dict[tuple[str, ...], str] = field(default_factory=dict, repr=False, compare=False)

    def block(self, quotes: tuple[Quote, ...]) -> str:
        """The block of these quotes; put into words once, however often it is asked for."""
        key = tuple(quote.id for quote in quotes)
        if key not in self.blocks:
            self.blocks[key] = recalled(quotes, self.material.conversation)
        return self.blocks[key]

    def veiled(self, quote: Quote) -> Quote:
        """The quote as a model may see it."""
        return veil.quote(self.mask, quote)

    @property
    def scene(self) -> Scene:
        return self.material.scene

    @property
    def newest(self) -> Newest | None:
        """The message being answered, unless the caller sends it. One that is being answered already is shown."""
        return None if self.ask.include_newest is False and not self.scene.live else self.scene.newest

    @property
    def persona(self) -> tuple[str, ...]:
        """The caller's system text and domain; without a system text, that with which the conversation begins."""
        said = [message.text for message in self.scene.lead if not foreign(message)]
        system = self.ask.system or "\n\n".join(said).strip() or None
        return tuple(text for text in (system, self.ask.domain) if text)

    @property
    def unheard(self) -> tuple[Message, ...]:
        """System messages that came with an import."""
        return tuple(message for message in self.scene.lead if foreign(message))

    @property
    def trusted_profile(self) -> tuple[ProfileField, ...]:
        trusted = (field for field in self.material.profile if not _without_authority(field))
        return veil.profile(self.mask, trusted)

    @property
    def doubted_profile(self) -> tuple[ProfileField, ...]:
        """Fields made of a tool's words, or of imported ones that give orders."""
        return tuple(field for field in self.material.profile if _without_authority(field))

    @property
    def trusted_pins(self) -> tuple[Pin, ...]:
        return veil.pins(self.mask, (pin for pin in self.material.pins if not self._doubted(pin)))

    @property
    def doubted_pins(self) -> tuple[Quote, ...]:
        """Pins that must not stand in the system text: they are quoted beside what was recalled."""
        found = [(pin, self._source(pin)) for pin in self.material.pins if self._doubted(pin)]
        return tuple(of_pin(pin, source) for pin, source in found if source is not None)

    @property
    def trusted_summaries(self) -> tuple[Summary, ...]:
        return tuple(summary for summary in self.material.summaries if not orders(summary.text))

    @property
    def doubted_summaries(self) -> tuple[Summary, ...]:
        """Summaries that read like instructions: somebody's words may have come through."""
        return tuple(summary for summary in self.material.summaries if orders(summary.text))

    @property
    def last_summaries(self) -> tuple[Summary, ...]:
        return self.last_of(self.trusted_summaries)

    def last_of(self, settled: Sequence[Summary]) -> tuple[Summary, ...]:
        """As many of the last of these as the recipe shows, as a model may see them."""
        return veil.summaries(self.mask, settled[max(0, len(settled) - self.ask.recipe.summaries) :])

    def _source(self, pin: Pin) -> Message | None:
        return next((message for message in self.material.pinned if message.id == pin.source_message_id), None)

    def _doubted(self, pin: Pin) -> bool:
        """Made from a tool's words, or from imported ones that give orders."""
        source = self._source(pin)
        return source is not None and (source.role == "tool" or (foreign(source) and orders(pin.content)))


def _without_authority(field: ProfileField) -> bool:
    return field.source == "tool" or (field.source == "imported" and orders(f"{field.name} {field.value}"))


def profile_left(field: ProfileField, reason: str, tokens: int = 0) -> ReceiptItem:
    return ReceiptItem("profile", "profile", field.name or "text", field.message_id, False, reason, tokens)


def message_left(section: str, message: Message, reason: str, tokens: int = 0) -> ReceiptItem:
    return ReceiptItem(section, "message", message.id, message.id, False, reason, tokens)


def pin_left(pin: Pin, reason: str, tokens: int = 0) -> ReceiptItem:
    return ReceiptItem("pins", "pin", pin.id, pin.source_message_id, False, reason, tokens)


def summary_left(summary: Summary, reason: str) -> ReceiptItem:
    return ReceiptItem("summaries", "summary", summary.id, None, False, reason, summary.tokens)


def quote_left(quote: Quote, reason: str, tokens: int = 0) -> ReceiptItem:
    source = quote.source_message_id
    return ReceiptItem("retrieved", quote.kind, quote.id, source, False, reason, tokens, quote.score, quote.sources)
