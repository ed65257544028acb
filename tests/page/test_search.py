"""Tests the search of messages, the palette over everything, and the search key in every view."""

from __future__ import annotations

import re

import httpx2
import pytest
from playwright.sync_api import expect
from tests.page.conversations import add_bologna_trip, add_conversation, flush
from tests.page.screen import Screen, accessibility_issues

SEARCHED = {
    "chat": "Search conversations and messages",
    "memory": "Search facts by words or meaning",
    "settings": "Search settings",
    "privacy/forget": "Find a message by its words",
}


def import_talk(api: httpx2.Client) -> None:
    """A dialogue of 2023 between two people with names, added today."""
    said = [
        {"role": "user", "name": "Caroline", "content": "I went to the pottery class.", "at": "2023-05-08T10:00:00Z"},
        {"role": "assistant", "name": "Melanie", "content": "Pottery! How was it?", "at": "2023-05-08T10:01:00Z"},
    ]
    api.post("conversations/session-1/messages", json={"messages": said}).raise_for_status()
    flush(api)


@pytest.mark.req("D17")
def test_a_found_message_shows_its_words_speaker_and_date(open_page, screen, shot, api):
    import_talk(api)
    add_conversation(api, "now", "Something else.")
    flush(api)
    page = open_page("chat", screen=screen)
    listed = page.get_by_role("region", name="Conversations").get_by_role("link")
    expect(listed.nth(0)).to_contain_text("now")
    expect(listed.nth(1)).to_contain_text("8 May 2023")  # what was said, not when it was added
    page.keyboard.press("/")
    search = page.get_by_role("searchbox", name="Search conversations and messages")
    expect(search).to_be_focused()
    search.fill("pottery")
    hit = page.get_by_role("link", name=re.compile("Caroline"))
    expect(hit.locator("mark")).to_have_text(["pottery"])
    expect(hit).to_contain_text("8 May 2023")
    expect(page.get_by_role("link", name=re.compile("Melanie")).locator("mark")).to_have_text(["Pottery"])
    assert accessibility_issues(page) == []
    shot(page, "chat-search")
    hit.click()
    first = page.locator("article[data-seq='0']")
    expect(first).to_have_attribute("data-marked", "true")
    expect(first.locator("header")).to_contain_text("Caroline#1")
    expect(page.locator("article[data-seq='1'] header")).to_contain_text("Melanie#2")


@pytest.mark.req("D17")
def test_the_palette_finds_everything_by_the_keyboard_alone(open_page, screen, shot, api, space):
    add_bologna_trip(api)
    other = {"X-Aforesaid-Space": f"{space}-bologna"}
    api.post("conversations/c/messages", json={"role": "user", "content": "Hi."}, headers=other).raise_for_status()
    page = open_page("analytics", screen=screen)
    expect(page.get_by_role("heading", level=1, name="Analytics")).to_be_visible()
    page.keyboard.press("Control+k")
    palette = page.get_by_role("dialog", name="Search everything")
    expect(palette.get_by_role("combobox")).to_be_focused()
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url) if request.url.endswith("/recall") else None)
    page.keyboard.type("bologna", delay=20)
    for group in ("Conversations", "Facts", "Messages", "Spaces"):
        expect(palette.get_by_role("group", name=group).get_by_role("option").first).to_be_visible()
    expect(palette.get_by_role("status")).to_contain_text("Arrow keys move, Enter opens")
    assert len([url for url in asked if "recall" in url]) <= 4  # not one search a keystroke
    assert accessibility_issues(page) == []
    shot(page, "palette")
    chosen = palette.locator("[role=option][aria-selected=true]")
    expect(chosen).to_have_text("A week in Bologna")
    page.keyboard.press("ArrowUp")  # from the first to the last one
    expect(palette.get_by_role("group", name="Messages").locator("[aria-selected=true]")).to_have_count(1)
    page.keyboard.press("ArrowDown")  # from the last to the first one
    expect(chosen).to_have_text("A week in Bologna")
    expect(palette.get_by_role("option", name=f"{space}-bologna")).to_be_visible()
    for _ in range(palette.get_by_role("group", name="Spaces").get_by_role("option").count()):
        page.keyboard.press("ArrowDown")
        if chosen.inner_text() == f"{space}-bologna":
            break
    expect(chosen).to_have_text(f"{space}-bologna")
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile(f"#/{space}-bologna/analytics"))
    page.keyboard.press("Control+k")
    expect(palette.get_by_role("combobox")).to_be_focused()
    page.keyboard.type("priv")
    expect(palette.get_by_role("option", name="Chat")).to_have_count(0)
    expect(palette.get_by_role("option", name="Privacy")).to_be_visible()
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", level=1, name="Privacy")).to_be_visible()
    expect(palette).to_have_count(0)


def test_the_slash_key_searches_in_every_view(open_page, api):
    add_bologna_trip(api)
    page = open_page("chat", screen=Screen(1440))
    for view in ("chat", "context", "memory", "timeline", "privacy", "privacy/forget", "analytics", "settings"):
        page.evaluate("place => { location.hash = location.hash.replace(/^(#.[^/]+).*/, `$1/${place}`) }", view)
        expect(page.locator("#content .view, #content .chat").first).to_be_visible()
        expect(page.locator("#content .loading")).to_have_count(0)
        if view in SEARCHED:
            expect(page.get_by_label(SEARCHED[view]).first).to_be_visible()
        page.locator("body").press("/")
        expect(page.locator("input[type=search]:focus")).to_have_count(1)
        if view in SEARCHED:
            expect(page.get_by_label(SEARCHED[view]).first).to_be_focused()
        page.keyboard.press("Escape")
        page.evaluate("document.activeElement.blur()")
        expect(page.get_by_role("dialog")).to_have_count(0)
