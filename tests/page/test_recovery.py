"""Tests that every view recovers by itself after the server was away."""

from __future__ import annotations

from signal import SIGTERM
from urllib.parse import urlsplit

import httpx2
import pytest
from playwright.sync_api import Locator, Page, expect
from tests.page.conversations import TRIP, add_bologna_trip
from tests.serving import served

# What each view shows only if its data was read from the server.
LOADED = {
    f"chat/{TRIP}": "Great, that finally solved the problem",
    f"context/{TRIP}": "Truncate to fit",
    "memory": "User is vegetarian",
    "memory/review": "Globex",
    f"timeline/{TRIP}": "Summaries",
    "privacy": "Store a profile of me",
    "privacy/audit": "Filter by action",
    "privacy/forget": "Past erasures",
    "analytics": "Model cost",
    "settings": "Chunk tokens",
}
AWAY = ("ERR_CONNECTION", "ERR_INCOMPLETE_CHUNKED", "Failed to fetch", "503", "dynamically imported")


def client(url: str, space: str) -> httpx2.Client:
    return httpx2.Client(base_url=f"{url}/api/memory/", timeout=60, headers={"X-Aforesaid-Space": space})


def shows(page: Page, view: str) -> None:
    text = LOADED[view]
    expect(page.locator("#content").get_by_text(text).locator("visible=true").first).to_be_visible()


def failure(page: Page) -> Locator:
    return page.get_by_role("alert").filter(has_text="Could not load")


@pytest.mark.req("D17")
def test_every_view_recovers_when_the_server_is_back(open_page, tmp_path, space):
    store = str(tmp_path / "recovers.db")
    with served(store) as first:
        with client(first.url, space) as api:
            add_bologna_trip(api)
            forgotten = api.post("conversations/gone/messages", json={"role": "user", "content": "Gone."}).json()
            api.post("forget", json={"message": forgotten["items"][0]["id"]}).raise_for_status()
        open_before = {view: open_page(view, at=first.url, expected=AWAY) for view in LOADED}
        for view, page in open_before.items():
            shows(page, view)
        walker = open_page("settings", at=first.url, expected=AWAY)
        expect(walker.get_by_label("Live: changes")).to_be_visible()
        assert first.stop(SIGTERM) == 0
    for page in (*open_before.values(), walker):
        expect(page.get_by_label("Disconnected. Reconnecting…")).to_be_visible()
    walker.get_by_role("navigation", name="Views").get_by_role("link", name="Memory").click()
    expect(failure(walker)).to_be_visible()
    with served(store, "--port", str(urlsplit(first.url).port)):
        with client(first.url, space) as api:
            api.post("facts", json={"text": "user likes figs"}).raise_for_status()
        expect(walker.get_by_role("heading", name="User likes figs")).to_be_visible()
        expect(open_before["memory"].get_by_role("heading", name="User likes figs")).to_be_visible()
        for view, page in open_before.items():
            expect(page.get_by_label("Live: changes")).to_be_visible()
            expect(failure(page)).to_have_count(0)
            shows(page, view)
        for page in (*open_before.values(), walker):
            page.close()
