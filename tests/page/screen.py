"""A browser page that records errors and requests to other hosts."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal
from urllib.parse import urlsplit

from playwright.sync_api import Browser, ConsoleMessage, Page, Request

AXE = Path(__file__).parent.parent.parent / "web" / "node_modules" / "axe-core" / "axe.min.js"
STANDARDS = ("wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22a", "wcag22aa", "best-practice", "experimental")
RULES: dict[str, Any] = {
    "resultTypes": ["violations"],
    "runOnly": {"type": "tag", "values": STANDARDS},
    "rules": {"target-size": {"enabled": True}},  # 24 by 24 pixels; off unless it is named
}


@dataclass(frozen=True, slots=True)
class Screen:
    width: int = 1440
    theme: Literal["light", "dark"] = "light"

    @property
    def height(self) -> int:
        return 844 if self.width < 720 else 900


class Watched:
    """A page that records its console errors and its requests to other hosts.

    `expected` are patterns of errors that a test causes on purpose.
    """

    def __init__(self, browser: Browser, url: str, screen: Screen, *, expected: tuple[str, ...] = ()) -> None:
        self._context = browser.new_context(
            viewport={"width": screen.width, "height": screen.height},
            color_scheme=screen.theme,
            locale="en-GB",
            timezone_id="Europe/Lisbon",
            has_touch=screen.width < 720,
        )
        self._host = urlsplit(url).netloc
        self._expected = expected
        self.wrong: list[str] = []
        self.page: Page = self._context.new_page()
        self.page.on("console", self._said)
        self.page.on("pageerror", lambda error: self._note(f"error: {error}"))
        self.page.on("request", self._asked)

    def close(self) -> None:
        self._context.close()
        assert not self.wrong, "\n".join(self.wrong)

    def _said(self, message: ConsoleMessage) -> None:
        if message.type in ("error", "warning"):
            self._note(f"console: {message.text} ({message.location.get('url')})")

    def _asked(self, request: Request) -> None:
        place = urlsplit(request.url)
        if place.scheme not in ("data", "blob") and place.netloc != self._host:
            self._note(f"request to {request.url}")

    def _note(self, what: str) -> None:
        if not any(re.search(pattern, what) for pattern in self._expected):
            self.wrong.append(what)


def accessibility_issues(page: Page, rules: dict[str, Any] = RULES) -> list[str]:
    """What axe finds, of any impact: WCAG 2.2 up to AA, best practices, and the rules that are still experimental."""
    page.evaluate(AXE.read_text("utf-8"))
    found: dict[str, Any] = page.evaluate("rules => axe.run(document, rules)", rules)
    return [
        f"{one['id']} ({one['impact']}): {node['target']} {node.get('failureSummary', '')}"
        for one in found["violations"]
        for node in one["nodes"]
    ]
