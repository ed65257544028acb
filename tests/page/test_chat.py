"""The chat: conversations, messages, pins, and what other processes add meanwhile."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect
from tests.page.screen import serious_issues


@pytest.mark.req("A20")
def test_a_first_visit_offers_a_sample_that_fills_the_chat(open_page, screen, shot):
    page = open_page(screen=screen)
    expect(page.get_by_role("heading", name="Nothing is remembered")).to_be_visible()
    assert serious_issues(page) == []
    shot(page, "chat-first-visit")
    page.get_by_role("button", name="Add a sample conversation").click()
    expect(page.get_by_role("heading", name="A week in Bologna")).to_be_visible()
    expect(page.get_by_text("well below the 1400 €")).to_be_visible()
    assert serious_issues(page) == []
    shot(page, "chat")
