"""Tests "Why not this one?": the reason, the rank and the score of a message that a context does not have."""

from __future__ import annotations

import httpx2
import pytest
from playwright.sync_api import Page, expect
from tests.page.screen import accessibility_issues
from tests.page.test_receipts import built, family, left_out, rows, shown, stored  # noqa: F401 (a fixture)


def dialog(page: Page):
    return page.get_by_role("dialog", name="Why not this one?")


def reason(page: Page):
    return dialog(page).get_by_role("region", name="Reason")


def told(api: httpx2.Client, receipt: dict, message: str) -> dict:
    return api.post(f"receipts/{receipt['id']}/why", json={"message": message}).raise_for_status().json()


@pytest.mark.req("X1")
def test_an_item_that_was_left_out_says_why(open_page, screen, shot, api, family):  # noqa: F811
    receipt = built(api, recipe="balanced", max_tokens=900)
    out = [item for item in receipt["items"] if item["reason"] == "does not fit" and item["kind"] == "message"]
    [message] = stored(api, out[0])
    why = told(api, receipt, message["id"])
    assert why["rank"] is not None
    assert why["last"] is not None
    page = open_page(f"context/{family}/{receipt['id']}", screen=screen)
    left_out(page)
    rows(page).filter(has_text=message["content"][:60]).first.get_by_role("button", name="Why not?").click()
    expect(reason(page).get_by_role("status")).to_contain_text(why["sentence"])
    expect(reason(page)).to_contain_text("not in the context")
    expect(reason(page)).to_contain_text(message["content"][:60])
    expect(reason(page).get_by_text(f"{why['rank']} of {why['found']}", exact=True)).to_be_visible()
    expect(reason(page)).to_contain_text(f"Enough with a budget of{why['enough']:,}")
    parts = reason(page).get_by_role("row", name="relevance")
    expect(parts.get_by_role("cell").nth(0)).to_contain_text(f"{why['score']['relevance']:.2f}"[:3])
    expect(parts.get_by_role("cell").nth(1)).to_contain_text(f"{why['last']['score']['relevance']:.2f}"[:3])
    assert accessibility_issues(page) == []
    shot(page, "context-why-not")
    page.keyboard.press("Escape")
    expect(dialog(page)).to_have_count(0)


@pytest.mark.req("X1")
def test_any_message_is_searched_or_pasted_with_the_keyboard(open_page, api, family):  # noqa: F811
    receipt = built(api, recipe="balanced", max_tokens=900)
    inside = {item["id"] for item in receipt["items"]}
    page = open_page(f"context/{family}/{receipt['id']}")
    shown(page).get_by_role("button", name="Why not this one?").press("Enter")
    field = dialog(page).get_by_label("Words, id or link of a message")
    expect(field).to_be_focused()
    messages = api.get("conversations/session-2/messages").json()["items"]
    absent = next(message for message in messages if message["id"] not in inside and len(message["content"]) > 40)
    for pasted in (
        absent["content"][:60],
        absent["id"],
        f"{page.url.split('#')[0]}#/any/chat/session-2/{absent['seq']}",
    ):
        field.fill(pasted)
        field.press("Enter")
        expect(reason(page).get_by_role("status")).to_contain_text(told(api, receipt, absent["id"])["sentence"])
        expect(reason(page)).to_contain_text(absent["content"][:40])
    field.fill("gas left on again")
    found = dialog(page).get_by_role("list", name="Messages").get_by_role("button")
    expect(found).not_to_have_count(0)
    chosen = found.first.inner_text().split("\n")[0].strip("…")
    found.first.press("Enter")
    expect(reason(page)).to_contain_text(chosen[:40])
    expect(reason(page)).to_be_focused()
    reason(page).get_by_role("link").click()
    expect(page.locator("article.message[data-marked=true]")).to_contain_text(chosen[:40])


@pytest.mark.req("X1")
def test_a_message_in_the_context_and_one_that_nobody_said_are_told_apart(open_page, api, family):  # noqa: F811
    receipt = built(api)
    item = next(one for one in receipt["items"] if one["included"] and one["kind"] == "message")
    page = open_page(f"context/{family}/{receipt['id']}")
    shown(page).get_by_role("button", name="Why not this one?").click()
    field = dialog(page).get_by_label("Words, id or link of a message")
    field.fill(item["id"])
    field.press("Enter")
    expect(reason(page)).to_contain_text("It is in the context")
    field.fill("Nobody has ever said these very words here")
    field.press("Enter")
    expect(reason(page)).to_contain_text(told(api, receipt, "Nobody has ever said these very words here")["sentence"])
    expect(reason(page).get_by_role("table")).to_have_count(0)
