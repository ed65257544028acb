"""Tests forgetting from every message and fact: by button, by key, with what repeats it, and in other tabs."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Locator, Page, expect
from tests.page.conversations import TRIP, add_bologna_trip, add_conversation, facts_by_text, flush
from tests.page.screen import accessibility_issues

SECRET = "My sister Zephyrine has moved to Quimper last Tuesday."


def said(page: Page, seq: int) -> Locator:
    return page.locator(f"article[data-seq='{seq}']")


@pytest.mark.req("X3")
def test_a_message_is_forgotten_with_what_repeats_it_in_every_tab(open_page, screen, shot, api):
    add_conversation(api, "family", SECRET, "Noted.", "She likes it there.")
    add_conversation(api, "work", f"As I said: {SECRET}", "You did.")
    flush(api)
    page, other = open_page("chat/family", screen=screen), open_page("chat/work")
    expect(said(other, 0)).to_contain_text("Zephyrine")
    said(page, 0).get_by_role("button", name="Forget message 1…").click()
    dialog = page.get_by_role("dialog", name="Forget this message?")
    expect(dialog).to_contain_text(SECRET)
    preview = dialog.get_by_role("status", name="Preview")
    expect(preview).to_contain_text("1 message requested")
    repeats = dialog.get_by_role("switch", name="The same words stand in 1 message: forget these too")
    repeats.click()
    expect(preview).to_contain_text("2 messages requested")
    assert accessibility_issues(page) == []
    shot(page, "forget-message")
    dialog.get_by_role("button", name="Forget permanently").click()
    done = page.get_by_role("dialog", name="Forgotten")
    expect(done.get_by_role("status", name="Receipt")).to_contain_text("2 messages")
    expect(done).to_contain_text("was not found. Checked")
    assert accessibility_issues(page) == []
    shot(page, "forget-proof")
    done.get_by_role("button", name="Done").click()
    expect(said(page, 0)).to_have_count(0)
    expect(said(page, 1)).to_contain_text("Noted.")
    expect(said(other, 0)).to_have_count(0)
    expect(said(other, 1)).to_contain_text("You did.")
    kept = [one["id"] for one in api.get("conversations/work/messages").json()["items"]]
    assert len(kept) == 1


@pytest.mark.req("X3")
def test_the_delete_key_forgets_what_has_the_focus(open_page, api):
    add_bologna_trip(api)
    page = open_page("memory")
    article = page.get_by_role("article").filter(has=page.get_by_role("heading", name="User prefers trains"))
    expect(article).to_be_visible()
    page.keyboard.press("Delete")
    expect(page.get_by_text("Focus a message or a fact first")).to_be_visible()
    article.get_by_role("link", name="User prefers trains").focus()
    page.keyboard.press("Delete")
    dialog = page.get_by_role("dialog", name="Forget this fact?")
    expect(dialog.get_by_role("status", name="Preview")).to_contain_text("1 fact requested")
    page.keyboard.press("Escape")
    expect(dialog).to_have_count(0)
    assert "user prefers trains" in facts_by_text(api)
    page.keyboard.press("Delete")
    dialog.get_by_role("button", name="Forget permanently").click()
    page.get_by_role("dialog", name="Forgotten").get_by_role("button", name="Done").click()
    expect(article).to_have_count(0)
    assert "user prefers trains" not in facts_by_text(api, status="any")

    page.goto(re.sub(r"/memory$", f"/chat/{TRIP}/2", page.url))
    expect(said(page, 2)).to_have_attribute("data-marked", "true")
    said(page, 2).get_by_role("button", name="Pin message 3").focus()
    page.keyboard.press("Delete")
    expect(page.get_by_role("dialog", name="Forget this message?")).to_contain_text("I'm vegetarian")


@pytest.mark.req("X3")
def test_a_fact_is_forgotten_with_its_message_from_its_details(open_page, api):
    add_bologna_trip(api)
    page = open_page(f"memory/facts/{facts_by_text(api)['user is vegetarian']['id']}", expected=("404",))
    page.get_by_role("dialog", name="User is vegetarian").get_by_role("button", name="Forget…").click()
    dialog = page.get_by_role("dialog", name="Forget this fact?")
    dialog.get_by_role("switch", name="The same words stand in 1 message: forget these too").click()
    expect(dialog.get_by_role("status", name="Preview")).to_contain_text("1 message requested")
    dialog.get_by_role("button", name="Forget permanently").click()
    page.get_by_role("dialog", name="Forgotten").get_by_role("button", name="Done").click()
    expect(page.get_by_role("dialog")).to_have_count(0)
    assert "user is vegetarian" not in facts_by_text(api, status="any")
    assert api.get(f"conversations/{TRIP}/messages/said-2").status_code == 404


def test_one_message_of_many_is_found_by_its_words(open_page, screen, shot, api):
    for start in range(0, 2000, 500):
        lines = [
            {"role": "user", "content": f"Entry {n}: nothing of note.", "id": f"n-{n}"}
            for n in range(start, start + 500)
        ]
        api.post("conversations/log/messages", json={"messages": lines}).raise_for_status()
    early = {"role": "user", "content": "The key to the shed lies under the blue flowerpot.", "id": "pot"}
    api.post("conversations/home/messages", json=early).raise_for_status()
    page = open_page("privacy/forget", screen=screen)
    search = page.get_by_role("combobox", name="Find a message by its words")
    search.fill("blue flowerpot")
    option = page.get_by_role("listbox").get_by_role("option").first
    expect(option).to_contain_text("under the blue flowerpot")
    expect(option.locator("mark")).to_have_text(["blue", "flowerpot"])
    expect(option).to_contain_text("home")
    assert accessibility_issues(page) == []
    shot(page, "privacy-find")
    search.press("Enter")
    expect(page.get_by_role("region", name="Chosen message")).to_contain_text("The key to the shed")
    page.get_by_role("button", name="Preview").click()
    expect(page.get_by_role("status", name="Preview")).to_contain_text("1 message requested")
    page.get_by_role("button", name="Choose another").click()
    search.fill("qqqqqq")
    page.get_by_label("Conversation", exact=True).select_option("home")
    search.fill("entry 1999")
    expect(page.get_by_role("option").filter(has_text="Entry 1999")).to_have_count(0)
