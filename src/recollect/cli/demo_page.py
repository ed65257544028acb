"""How the demo is laid out: titles, and remarks in a lighter colour."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.console import Console


def title(console: Console, title: str, words: str = "") -> None:
    from rich.text import Text

    console.print()
    console.rule(Text(title, "bold cyan"), align="left", style="cyan")
    if words:
        remark(console, words)


def remark(console: Console, text: str) -> None:
    from rich.text import Text

    console.print(Text(text, "dim"))
