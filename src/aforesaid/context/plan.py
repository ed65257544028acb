"""The plan of a context: the included and the omitted items. Step 2 makes it, step 3 shrinks it, step 4 orders it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache, partial

from aforesaid.context.current_turn import CurrentTurn, NewestMessage
from aforesaid.context.gather import Material
from aforesaid.context.quote import Quote, is_external, quote_pin
from aforesaid.context.receipt import ReceiptItem
from aforesaid.context.render import quote_lines, recalled_block
from aforesaid.context.request import ContextRequest
from aforesaid.context.stable_history import MessageGroup
from aforesaid.context.tokens import TokenCounter
from aforesaid.models.message import Message
from aforesaid.models.pin import Pin
from aforesaid.models.profile import ProfileField
from aforesaid.models.recall import Hits
from aforesaid.models.summary import Summary
from aforesaid.text.injection import looks_like_injection
from aforesaid.text.masking import JsonMask, no_mask

KNOWN_SUMMARIES = 1024  # texts of summaries: every context of a conversation looks at the same ones

PlanItem = Message | Pin | Summary | ProfileField | Quote


@dataclass(frozen=True, slots=True)
class ContextPlan:
    """The items of a context. `kept` is the number of groups at the end of the history that are never removed. `found`
    are the hits of the search."""

    profile: tuple[ProfileField, ...] = ()
    pins: tuple[Pin, ...] = ()
    summaries: tuple[Summary, ...] = ()
    history: tuple[MessageGroup, ...] = ()
    live: tuple[MessageGroup, ...] = ()
    recalled: tuple[Quote, ...] = ()
    kept: int = 0
    reserved: int = 0
    omitted: tuple[ReceiptItem, ...] = ()
    warnings: tuple[str, ...] = ()
    found: Hits = field(default_factory=Hits)

    def omit(self, *items: ReceiptItem) -> ContextPlan:
        return replace(self, omitted=self.omitted + items)


@dataclass(frozen=True, slots=True)
class PlanInput:
    """The inputs of one call. `mask` hides secrets in the items that memory adds to the context; `others` has the masks
    of other spaces."""

    request: ContextRequest
    material: Material
    costs: TokenCounter = field(repr=False)
    mask: JsonMask = field(default=no_mask, repr=False)
    blocks: dict[object, str] = field(default_factory=dict, repr=False, compare=False)
    rendered: dict[object, str] = field(default_factory=dict, repr=False, compare=False)
    others: Mapping[str, JsonMask] = field(default_factory=dict, repr=False)

    def block(self, quotes: tuple[Quote, ...]) -> str:
        """The recalled block with these quotes, cached."""
        key = "recalled", *((quote.key, quote.text) for quote in quotes)
        if key not in self.blocks:
            self.blocks[key] = recalled_block(quotes, self.material.conversation, self.lines)
        return self.blocks[key]

    def lines(self, quote: Quote) -> str:
        """The lines of a quote, cached."""
        key = quote.kind, quote.key, quote.order, quote.text
        if key not in self.rendered:
            self.rendered[key] = quote_lines(quote)
        return self.rendered[key]

    def mask_quote(self, quote: Quote) -> Quote:
        text = self.mask(quote.text) if quote.space is None else self.others[quote.space](quote.text)
        return quote if text == quote.text else replace(quote, text=text)

    @property
    def current_turn(self) -> CurrentTurn:
        return self.material.current_turn

    @property
    def newest(self) -> NewestMessage | None:
        """The message to answer. None if the caller sends it, unless tool calls already answer it."""
        return None if self.request.include_newest is False and not self.current_turn.live else self.current_turn.newest

    @property
    def system_texts(self) -> tuple[str, ...]:
        """The system text of the caller, or of the start of the conversation; then the caller's domain."""
        lead = [message.text for message in self.current_turn.lead if not is_external(message)]
        system = self.request.system or "\n\n".join(lead).strip() or None
        return tuple(text for text in (system, self.request.domain) if text)

    @property
    def trusted_profile(self) -> tuple[ProfileField, ...]:
        """Masked by field name too: the name may say that the value is a secret."""
        fields = (field for field in self.material.profile if not is_untrusted_field(field))
        return tuple(replace(field, value=self.mask({field.name: field.value})[field.name]) for field in fields)

    @property
    def untrusted_profile(self) -> tuple[ProfileField, ...]:
        """Fields from a tool, or imported fields that read like instructions."""
        return tuple(filter(is_untrusted_field, self.material.profile))

    @property
    def trusted_pins(self) -> tuple[Pin, ...]:
        pins = (pin for pin in self.material.pins if not self._is_untrusted_pin(pin))
        return tuple(replace(pin, content=self.mask(pin.content)) for pin in pins)

    @property
    def untrusted_pins(self) -> tuple[Quote, ...]:
        """Pins that must not be in the system text. They are quoted in the recalled block."""
        pins = [(pin, self._source(pin)) for pin in self.material.pins if self._is_untrusted_pin(pin)]
        return tuple(quote_pin(pin, source) for pin, source in pins if source is not None)

    @property
    def trusted_summaries(self) -> tuple[Summary, ...]:
        return tuple(summary for summary in self.material.summaries if not _reads_like_instructions(summary.text))

    @property
    def untrusted_summaries(self) -> tuple[Summary, ...]:
        """Summaries that read like instructions. They may repeat text of a message."""
        return tuple(summary for summary in self.material.summaries if _reads_like_instructions(summary.text))

    @property
    def last_summaries(self) -> tuple[Summary, ...]:
        return self.last_of(self.trusted_summaries)

    def last_of(self, summaries: Sequence[Summary]) -> tuple[Summary, ...]:
        """The last of the summaries, as many as the recipe shows, masked."""
        last = summaries[max(0, len(summaries) - self.request.recipe.summaries) :]
        return tuple(replace(summary, text=self.mask(summary.text)) for summary in last)

    def _source(self, pin: Pin) -> Message | None:
        return next((message for message in self.material.pinned if message.id == pin.source_message_id), None)

    def _is_untrusted_pin(self, pin: Pin) -> bool:
        """True for a pin from a tool or an import: its words stay out of the system text, whatever they say."""
        source = self._source(pin)
        if source is None:
            return False
        return is_external(source)


@lru_cache(KNOWN_SUMMARIES)
def _reads_like_instructions(summary: str) -> bool:
    return looks_like_injection(summary)


def is_untrusted_field(field: ProfileField) -> bool:
    text = f"{field.name} {field.value}"
    return field.source == "tool" or (field.source == "imported" and looks_like_injection(text))


def receipt_item(
    item: PlanItem, reason: str, tokens: int = 0, *, section: str = "history", included: bool = True, missing: int = 0
) -> ReceiptItem:
    """The line of a receipt for an item. `section` is that of a message; other items have a section of their own.
    `missing` is that of a quote."""
    match item:
        case Message():
            return ReceiptItem(section, "message", item.id, item.id, included, reason, tokens)
        case ProfileField():
            return ReceiptItem("profile", "profile", item.name or "text", item.message_id, included, reason, tokens)
        case Pin():
            return ReceiptItem("pins", "pin", item.id, item.source_message_id, included, reason, tokens)
        case Summary():
            return ReceiptItem("summaries", "summary", item.id, None, included, reason, tokens or item.tokens)
    source, scored = item.source_message_id, (item.score, item.sources)
    return ReceiptItem("recalled", item.kind, item.id, source, included, reason, tokens, *scored, item.space, missing)


omitted = partial(receipt_item, included=False)
