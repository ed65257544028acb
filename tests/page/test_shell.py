"""Tests the page around the views: keys, spaces, themes, reconnection and download size."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path
from signal import SIGTERM
from urllib.parse import urlsplit

import httpx2
import pytest
from playwright.sync_api import Page, expect
from tests.page.conversations import TRIP, add_bologna_trip
from tests.page.screen import Screen
from tests.programs import run
from tests.serving import served

KEY_REFUSED = "the server responded with a status of 401"


VIEWS = ("Chat", "Context", "Memory", "Timeline", "Privacy", "Analytics", "Settings")
# The parts of a view that overlap their neighbours or are out of the flow.
IN_THE_WAY = """() => {
  const parts = [...document.querySelectorAll('.view > *, .view > * > section')];
  const flat = parts.filter(one => !['static', 'relative', 'sticky'].includes(getComputedStyle(one).position));
  const over = parts.filter(one => {
    const [above, here] = [one.previousElementSibling, one].map(each => each?.getBoundingClientRect());
    return above?.height && here.top < above.bottom - 1 && here.left < above.right - 1 && here.right > above.left + 1;
  });
  const sized = [document.documentElement, document.getElementById('content')];
  const wide = sized.filter(one => one.scrollWidth > one.clientWidth);
  return [...flat, ...over, ...wide].map(one => `${one.tagName} ${one.className} ${one.getAttribute('aria-label')}`);
}"""


def background(page: Page) -> str:
    return page.evaluate("getComputedStyle(document.body).backgroundColor")


@pytest.fixture
def locked(tmp_path: Path) -> Iterator[tuple[str, str]]:
    """The URL of a server whose store has a key, and the key."""
    with served(str(tmp_path / "locked.db")) as made:
        wish = {"name": "page", "access": "write"}
        answer = httpx2.post(f"{made.url}/api/memory/keys", json=wish, timeout=30)
        yield made.url, answer.raise_for_status().json()["secret"]


def test_the_page_asks_for_a_key_if_the_store_requires_one(locked, open_page, space):
    url, secret = locked
    page = open_page(at=url, expected=(KEY_REFUSED,))
    dialog = page.get_by_role("dialog", name="API key required")
    dialog.get_by_label("Key").fill("wrong")
    dialog.get_by_role("button", name="Continue").click()
    expect(dialog).to_contain_text("is not valid for this store")
    dialog.get_by_label("Key").fill(secret)
    dialog.get_by_role("button", name="Continue").click()
    expect(page.get_by_role("heading", name="No conversations")).to_be_visible()
    assert page.evaluate("[sessionStorage.length, localStorage.length]") == [1, 0]

    said = {"role": "user", "content": "Said with the key."}
    headers = {"Authorization": f"Bearer {secret}", "X-Aforesaid-Space": space}
    base = f"{url}/api/memory/conversations/trip"
    httpx2.post(f"{base}/messages", json=said, headers=headers, timeout=30).raise_for_status()
    expect(page.get_by_role("link", name="trip")).to_be_visible()
    page.reload()
    expect(page.get_by_role("link", name="trip")).to_be_visible()

    page.get_by_role("button", name="Change API key").click()
    page.get_by_role("switch", name="Remember in this browser").click()
    dialog.get_by_label("Key").fill(secret)
    dialog.get_by_role("button", name="Continue").click()
    expect(page.get_by_role("link", name="trip")).to_be_visible()
    assert page.evaluate("[sessionStorage.length, localStorage.length]") == [0, 1]


def test_the_system_theme_is_used_until_the_user_selects_one(open_page):
    page = open_page(screen=Screen(theme="dark"))
    expect(page.get_by_role("heading", name="No conversations")).to_be_visible()
    dark = background(page)
    page.get_by_role("button", name="Theme: system").click()
    light = background(page)
    assert light != dark
    page.reload()
    expect(page.get_by_role("button", name="Theme: light")).to_be_visible()
    assert background(page) == light
    page.keyboard.press("t")
    assert background(page) == dark


def test_no_view_overlaps_another_on_a_narrow_screen(open_page, api):
    """The style sheet of a view stays loaded when another view opens."""
    add_bologna_trip(api)
    page = open_page(f"chat/{TRIP}", screen=Screen(320))
    page.get_by_role("button", name="Pins").click()
    expect(page.get_by_role("complementary", name="Pins and memory")).to_be_visible()
    for title in (*VIEWS[1:], *VIEWS[1:]):
        page.get_by_role("navigation", name="Views").get_by_role("link", name=title).click()
        expect(page.get_by_role("heading", level=1, name=title)).to_be_visible()
        expect(page.locator(".view > .loading")).to_have_count(0)
        assert (title, page.evaluate(IN_THE_WAY)) == (title, [])


def test_another_space_is_selected_and_created(open_page, api, space):
    said = {"role": "user", "content": "Hello."}
    api.post("conversations/trip/messages", json=said).raise_for_status()
    page = open_page("chat/trip")
    spaces = page.get_by_label("Space")
    expect(spaces).to_have_value(space)
    assert spaces.locator("option").first.text_content() == "default"
    spaces.select_option(label="Open another space…")
    page.get_by_role("dialog").get_by_label("Name").fill("a/b #ü")
    page.get_by_role("dialog").get_by_role("button", name="Open").click()
    expect(page.get_by_role("heading", name="No conversations in “a/b #ü”")).to_be_visible()
    page.get_by_role("button", name="Start a conversation").click()
    page.get_by_role("dialog").get_by_label("Title").fill("q/?#")
    page.get_by_role("dialog").get_by_role("button", name="Start").click()
    expect(page.get_by_role("heading", name="q/?#")).to_be_visible()
    spaces.select_option(space)
    expect(page.get_by_role("link", name=re.compile("^trip"))).to_be_visible()


def test_an_unreachable_server_shows_an_error_and_is_retried(open_page, api):
    api.post("conversations/trip/messages", json={"role": "user", "content": "Hello."}).raise_for_status()
    page = open_page("chat", expected=("ERR_FAILED",))
    page.route("**/api/memory/conversations?*", lambda route: route.abort())
    page.reload()
    expect(page.get_by_role("alert")).to_contain_text("Cannot reach the server")
    page.get_by_role("button", name="Try again").click()
    expect(page.get_by_role("alert")).to_be_visible()
    page.unroute_all()
    expect(page.get_by_role("link", name=re.compile("^trip"))).to_be_visible()


def test_the_page_reconnects_after_a_server_restart(open_page, tmp_path, space):
    """Messages that were written in between appear without a reload."""
    store = str(tmp_path / "again.db")
    add = ("-m", "aforesaid", "add", "trip", "--space", space, "--store", store)
    assert run(*add, "Before.", environment=os.environ).returncode == 0
    with served(store) as first:
        page = open_page("chat/trip", at=first.url, expected=("ERR_CONNECTION", "ERR_INCOMPLETE_CHUNKED"))
        expect(page.locator("article[data-seq='0']")).to_be_visible()
        expect(page.get_by_label("Live: changes")).to_be_visible()
        assert first.stop(SIGTERM) == 0
    expect(page.get_by_label("Disconnected. Reconnecting…")).to_be_visible()
    assert run(*add, "Said meanwhile.", environment=os.environ).returncode == 0
    with served(store, "--port", str(urlsplit(first.url).port)):
        expect(page.locator("article[data-seq='1']")).to_contain_text("Said meanwhile.")
        expect(page.get_by_label("Live: changes")).to_be_visible()
        page.close()


def test_the_first_load_transfers_less_than_250_kilobytes(open_page, api):
    api.post(
        "conversations/trip/messages", json={"role": "user", "content": "```python\nx = 1\n```"}
    ).raise_for_status()
    page = open_page("chat/trip")
    expect(page.locator(".t-number")).to_be_visible()
    sizes = page.evaluate(
        "[...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')]"
        ".filter(one => !one.name.includes('/api/')).map(one => one.transferSize)"
    )
    assert len(sizes) > 4
    assert 0 < sum(sizes) < 250_000
