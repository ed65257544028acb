"""The receipt of a context: each included and each omitted item with the reason, as JSON, text or HTML."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, fields
from datetime import datetime
from html import escape
from importlib.resources import files

from aforesaid.context.request import ContextRequest
from aforesaid.models.recall import Score
from aforesaid.models.value import Value, decode

NO_ROOM = "does not fit"
OVER = "over the limit"
NO_RESULT = "a tool call without all its results"
NO_CALL = "a tool result without its call"
ODD_CALL = "a tool call of a shape that no chat API takes"
NO_AUTHORITY = "an imported system message has no authority"
LOOKS_LIKE_INSTRUCTIONS = "a summary that reads like instructions"
PROFILE_NO_AUTHORITY = "a profile's words of a tool or an import have no authority"

OLDER = "older than the history's beginning"
BEYOND = "beyond the last messages"
SUMMED_UP = "in the rolling summary"
SENT_BY_CALLER = "left to the caller to send"
REPLACED = "the caller gave another system text"
SHOWN = "already in the history"
PINNED = "already pinned"
WEAK = "below the threshold"
EXPIRED = "expired"

EXPECTED_REASONS = frozenset(
    {OLDER, BEYOND, SUMMED_UP, SENT_BY_CALLER, REPLACED, SHOWN, PINNED, WEAK, EXPIRED}
)  # no warning

SCORE = tuple(field.name for field in fields(Score))


@dataclass(frozen=True, slots=True)
class ReceiptItem(Value):
    """One item that is in the context or was left out. `tokens` is its own size; 0 if it was not counted. `space` is
    the other space that it comes from; None if it comes from the context's own. `missing` is the number of tokens that
    a quote lacked to fit."""

    section: str
    kind: str
    id: str
    source_message_id: str | None
    included: bool
    reason: str
    tokens: int = 0
    score: Score | None = None
    sources: tuple[str, ...] = ()
    space: str | None = None
    missing: int = 0


@dataclass(frozen=True, slots=True)
class Receipt(Value):
    """The items of a context. `call` is the request that builds it again. `digest` is the SHA-256 of the messages as
    JSON: equal digests mean equal bytes. `text` is kept if the caller inserts it into its own messages (`sent`)."""

    id: str
    at: datetime
    space: str
    conversation: str
    call: ContextRequest
    question: str | None
    tokens: int
    prefix_tokens: int
    sections: Mapping[str, int]
    items: tuple[ReceiptItem, ...]
    warnings: tuple[str, ...]
    degraded: tuple[str, ...]
    digest: str
    text: str | None = None

    @property
    def counts(self) -> dict[str, int]:
        """How many items of each kind the context has."""
        return dict(Counter(item.kind for item in self.items if item.included))

    @property
    def query(self) -> str | None:
        return self.call.query

    @property
    def recipe(self) -> str:
        return self.call.recipe.name

    @property
    def max_tokens(self) -> int:
        return self.call.max_tokens

    @property
    def spaces(self) -> tuple[str, ...]:
        """The spaces that the context draws on, its own first."""
        return self.space, *(self.call.spaces or ())

    def to_json(self) -> str:
        return json.dumps(self.to_dict(), ensure_ascii=False, separators=(",", ":"))

    @classmethod
    def from_json(cls, body: str) -> Receipt:
        """The receipt that `to_json` has written, also that of another version."""
        return decode(cls, json.loads(body), lenient=True)

    def table(self) -> list[tuple[str, ...]]:
        """Rows of text: section, in or out, kind, tokens, score, id, reason."""
        return [
            (
                item.section,
                "in" if item.included else "out",
                item.kind,
                str(item.tokens or ""),
                "" if item.score is None else f"{item.score.total:.2f}",
                item.id if item.space is None else f"{item.space}: {item.id}",
                item.reason,
            )
            for item in self.items
        ]

    def to_html(self) -> str:
        """A page with the budget as a bar, and the included and omitted items. Every text is escaped."""
        style = (files("aforesaid.context") / "receipt.css").read_text("utf-8")
        return f"""<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>Receipt {escape(self.id)}</title><style>
{style}</style></head>
<body><main>
{_head(self)}
{_bar(self)}
{_notes(self)}
{_table("In the context", [item for item in self.items if item.included])}
{_table("Left out", [item for item in self.items if not item.included])}
<footer>receipt {escape(self.id)}<br>sha256 {escape(self.digest)}</footer>
</main></body></html>
"""


def _head(receipt: Receipt) -> str:
    question = f"<p class=question>{escape(receipt.question)}</p>" if receipt.question else ""
    facts = (
        ("recipe", receipt.recipe),
        ("conversation", f"{receipt.space} / {receipt.conversation}"),
        *([("also from", ", ".join(receipt.spaces[1:]))] if receipt.call.spaces else []),
        ("built", receipt.at.isoformat(" ", "seconds")),
        ("tokens", f"{receipt.tokens:,} of {receipt.max_tokens:,}"),
        ("stable prefix", f"{receipt.prefix_tokens:,} tokens, {_percent(receipt.prefix_tokens, receipt.tokens)}"),
    )
    rows = "".join(f"<div><dt>{name}</dt><dd>{escape(value)}</dd></div>" for name, value in facts)
    return f"<header><h1>What the model saw</h1>{question}<dl>{rows}</dl></header>"


def _bar(receipt: Receipt) -> str:
    """The budget by section, in the order of the context."""
    free = receipt.max_tokens - receipt.tokens
    pieces = [(name, name.capitalize(), tokens) for name, tokens in receipt.sections.items()]
    shown = [*pieces, ("free", "Unused", free)]
    bar = "".join(
        f'<span class="{escape(key)}" style="flex:{tokens}" title="{escape(name)}: {tokens:,}"></span>'
        for key, name, tokens in shown
        if tokens > 0
    )
    legend = "".join(
        f'<li><i class="{escape(key)}"></i>{escape(name)} <b>{tokens:,}</b> '
        f"<small>{_percent(tokens, receipt.max_tokens)}</small></li>"
        for key, name, tokens in shown
    )
    return f'<section><div class="bar">{bar}</div><ul class="legend">{legend}</ul></section>'


def _notes(receipt: Receipt) -> str:
    missing = [f"could not be had: {name}" for name in receipt.degraded]
    notes = "".join(f"<li>{escape(note)}</li>" for note in (*missing, *receipt.warnings))
    return f'<section class="notes"><h2>Warnings</h2><ul>{notes}</ul></section>' if notes else ""


def _table(title: str, items: list[ReceiptItem]) -> str:
    if not items:
        return ""
    rows = "\n".join(map(_row, items))
    return f"""<section><h2>{title} <small>{len(items)}</small></h2><div class="scroll"><table>
<thead><tr><th>section</th><th>what</th><th class="number">tokens</th><th>score</th><th>why</th></tr></thead>
<tbody>
{rows}
</tbody></table></div></section>"""


def _row(item: ReceiptItem) -> str:
    key = escape(item.section)
    return (
        f'<tr><td><i class="{key}"></i>{key.capitalize()}</td>'
        f"<td>{escape(item.kind)} <code>{escape(item.id)}</code>{_origin(item)}</td>"
        f'<td class="number">{item.tokens or ""}</td><td>{_score(item)}</td><td>{escape(item.reason)}</td></tr>'
    )


def _origin(item: ReceiptItem) -> str:
    return "" if item.space is None else f" of {escape(item.space)}"


def _score(item: ReceiptItem) -> str:
    if item.score is None:
        return ""
    parts = [(name, float(getattr(item.score, name))) for name in SCORE if name != "total"]
    bars = "".join(
        f'<span class="part" title="{name} {value:.2f}"><em style="width:{min(1.0, max(0.0, value)):.0%}"></em></span>'
        f"<small>{name} {value:.2f}</small>"
        for name, value in parts
        if value
    )
    return f'<div class="score"><b>{item.score.total:.2f}</b>{bars}</div>'


def _percent(part: int, whole: int) -> str:
    return f"{part / whole:.0%}" if whole else "0%"


@dataclass(frozen=True, slots=True)
class Replay(Value):
    """Two receipts of the same request. `same` is True if the bytes are equal. `changed` are the pairs of items that
    are in both with another reason or score, or that are included in only one."""

    before: Receipt
    after: Receipt
    added: tuple[ReceiptItem, ...]
    removed: tuple[ReceiptItem, ...]
    changed: tuple[tuple[ReceiptItem, ReceiptItem], ...]

    @property
    def same(self) -> bool:
        return self.before.digest == self.after.digest


def compare(before: Receipt, after: Receipt) -> Replay:
    old, new = _by_name(before), _by_name(after)
    return Replay(
        before,
        after,
        tuple(item for name, item in new.items() if name not in old),
        tuple(item for name, item in old.items() if name not in new),
        tuple((item, new[name]) for name, item in old.items() if name in new and new[name] != item),
    )


def _by_name(receipt: Receipt) -> dict[tuple[str | None, str, str], ReceiptItem]:
    """Items by space, kind and id. An included item wins over an omitted one of the same name."""
    items: dict[tuple[str | None, str, str], ReceiptItem] = {}
    for item in receipt.items:
        key = (item.space, item.kind, item.id)
        if key not in items or item.included:
            items[key] = item
    return items
