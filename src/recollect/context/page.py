"""A receipt to look at: one HTML page that needs nothing beside it."""

from __future__ import annotations

from dataclasses import fields
from html import escape
from importlib.resources import files

from recollect.context.receipt import Receipt, ReceiptItem
from recollect.models import Score

NAMES = {
    "system": "System",
    "profile": "Profile",
    "pins": "Pins",
    "summaries": "Summaries",
    "history": "History",
    "retrieved": "Recalled",
    "newest": "Newest",
}
PARTS = tuple(field.name for field in fields(Score) if field.name != "total")


def page(receipt: Receipt) -> str:
    """Every word of it escaped: what stands in a receipt is shown, never obeyed."""
    style = (files("recollect.context") / "receipt.css").read_text("utf-8")
    return f"""<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>Receipt {escape(receipt.id)}</title><style>
{style}</style></head>
<body><main>
{_head(receipt)}
{_bar(receipt)}
{_said(receipt)}
{_table("In the context", [item for item in receipt.items if item.included])}
{_table("Left out", [item for item in receipt.items if not item.included])}
<footer>receipt {escape(receipt.id)}<br>sha256 {escape(receipt.digest)}</footer>
</main></body></html>
"""


def _head(receipt: Receipt) -> str:
    asked = f"<p class=question>{escape(receipt.question)}</p>" if receipt.question else ""
    facts = (
        ("recipe", receipt.recipe),
        ("conversation", f"{receipt.space} / {receipt.conversation}"),
        ("built", receipt.at.isoformat(" ", "seconds")),
        ("tokens", f"{receipt.tokens:,} of {receipt.max_tokens:,}"),
        ("stable prefix", f"{receipt.prefix_tokens:,} tokens, {_percent(receipt.prefix_tokens, receipt.tokens)}"),
    )
    rows = "".join(f"<div><dt>{name}</dt><dd>{escape(value)}</dd></div>" for name, value in facts)
    return f"<header><h1>What the model saw</h1>{asked}<dl>{rows}</dl></header>"


def _bar(receipt: Receipt) -> str:
    """The budget, section by section, in the order in which the model reads."""
    free = receipt.max_tokens - receipt.tokens
    pieces = [(name, NAMES.get(name, name), tokens) for name, tokens in receipt.sections.items()]
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


def _said(receipt: Receipt) -> str:
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
        f'<tr><td><i class="{key}"></i>{escape(NAMES.get(item.section, item.section))}</td>'
        f"<td>{escape(item.kind)} <code>{escape(item.id)}</code></td>"
        f'<td class="number">{item.tokens or ""}</td><td>{_score(item)}</td><td>{escape(item.reason)}</td></tr>'
    )


def _score(item: ReceiptItem) -> str:
    if item.score is None:
        return ""
    parts = [(name, float(getattr(item.score, name))) for name in PARTS]
    bars = "".join(
        f'<span class="part" title="{name} {value:.2f}"><em style="width:{min(1.0, max(0.0, value)):.0%}"></em></span>'
        f"<small>{name} {value:.2f}</small>"
        for name, value in parts
        if value
    )
    return f'<div class="score"><b>{item.score.total:.2f}</b>{bars}</div>'


def _percent(part: int, whole: int) -> str:
    return f"{part / whole:.0%}" if whole else "0%"
