"""Tests the receipt of a context on a long dialogue: the words and places of items, their order, filters."""

from __future__ import annotations

from datetime import datetime

import httpx2
import pytest
from playwright.sync_api import Page, expect
from tests.page.conversations import flush
from tests.page.screen import Screen, accessibility_issues

from aforesaid.bench import own
from aforesaid.bench.dataset import Haystack

SIBLINGS = "dialogue_siblings"
QUESTION = "What did the doctor say about Dad and the gas?"
LAST = "session-11"


def dialogue(name: str) -> Haystack:
    return next(one for one in own.load() if one.space == name)


@pytest.fixture
def family(api: httpx2.Client) -> str:
    """A dialogue of 11 sessions, each a conversation; the last one is returned."""
    for number, session in enumerate(dialogue(SIBLINGS).sessions, 1):
        api.put(f"conversations/session-{number}", json={"title": f"Calls {number}"}).raise_for_status()
        body = {"messages": list(session.messages)}
        api.post(f"conversations/session-{number}/messages", json=body).raise_for_status()
    flush(api)
    return LAST


def built(api: httpx2.Client, query: str = QUESTION, conversation: str = LAST, **rest) -> dict:
    """Builds a context and returns its receipt."""
    answer = api.post(f"conversations/{conversation}/context", json={"query": query, **rest}).raise_for_status()
    return api.get(f"receipts/{answer.json()['receipt']}").raise_for_status().json()


def shown(page: Page):
    return page.get_by_role("article", name="Context")


def rows(page: Page):
    return shown(page).get_by_role("listitem").filter(has=page.locator(".words"))


def left_out(page: Page) -> None:
    shown(page).locator("label", has_text="Left out").click()


def ranked(receipt: dict) -> list[dict]:
    """The recalled items of the receipt, best first."""
    items = [item for item in receipt["items"] if item["reason"].startswith("rank ")]
    return sorted(items, key=lambda item: int(item["reason"].split()[1].rstrip(",")))


def stored(api: httpx2.Client, *items: dict) -> list[dict]:
    """The messages of the items, in their order."""
    found = api.post("messages/locate", json={"ids": [item["id"] for item in items]}).json()["items"]
    by_id = {message["id"]: message for message in found}
    return [by_id[item["id"]] for item in items]


@pytest.mark.req("X1")
def test_every_item_that_was_left_out_has_its_words_speaker_date_and_a_link(open_page, screen, shot, api, family):
    receipt = built(api, recipe="retrieval", max_tokens=900)
    out = [item for item in receipt["items"] if not item["included"] and item["kind"] == "message"]
    elsewhere = [message for message in stored(api, *out) if message["conversation"] != family]
    assert len(elsewhere) > 20
    page = open_page(f"context/{family}/{receipt['id']}", screen=screen)
    left_out(page)
    if len(out) > 20:
        shown(page).get_by_role("button", name=f"Show all {len(out)}").click()
    expect(rows(page)).to_have_count(len(out))
    assert shown(page).locator(".context-item > .said > code").count() == 0  # no bare ids
    for message in elsewhere[:5]:
        row = rows(page).filter(has_text=message["content"][:60]).first
        expect(row).to_contain_text(message["name"])
        expect(row).to_contain_text("left out")
        at = row.locator("time").get_attribute("datetime")
        assert at is not None
        assert datetime.fromisoformat(at) == datetime.fromisoformat(message["created_at"])
    assert accessibility_issues(page) == []
    shot(page, "context-left-out")
    target = elsewhere[0]
    title = f"Calls {target['conversation'].removeprefix('session-')}"
    row = rows(page).filter(has_text=target["content"][:60]).first
    row.get_by_role("link", name=title).click()
    expect(page.locator(f"article[data-seq='{target['seq']}']")).to_contain_text(target["content"][:60])
    assert f"/chat/{target['conversation']}/{target['seq']}" in page.url


@pytest.mark.req("X1")
def test_the_best_recalled_item_is_in_sight_at_once(open_page, screen, shot, api, family):
    receipt = built(api)
    [best] = stored(api, ranked(receipt)[0])
    assert len(ranked(receipt)) > 14
    page = open_page(f"context/{family}/{receipt['id']}", screen=screen)
    first = rows(page).first
    expect(first).to_contain_text(best["content"][:60])
    expect(first.get_by_title("Rank 1", exact=True)).to_be_visible()
    expect(first.get_by_text(best["name"], exact=True)).to_be_in_viewport(ratio=1)
    shot(page, "context-best")


@pytest.mark.req("X1")
def test_items_are_sorted_by_rank_time_tokens_or_a_part_of_the_score(open_page, api, family):
    receipt = built(api, recipe="retrieval", max_tokens=900)
    page = open_page(f"context/{family}/{receipt['id']}")
    expect(rows(page).first.get_by_title("Rank 1", exact=True)).to_be_visible()
    messages = [item for item in receipt["items"] if item["kind"] == "message"]
    sort = shown(page).get_by_label("Sort by")

    def expect_first(*items: dict) -> None:
        for place, message in enumerate(stored(api, *items)):
            expect(rows(page).nth(place)).to_contain_text(message["content"].split("\n")[0][:50])

    expect_first(*ranked(receipt)[:3])
    shown(page).locator("label", has_text="All").click()
    ranks = [int(rank) for rank in shown(page).locator(".rank").all_inner_texts() if rank]
    assert ranks == sorted(ranks)
    assert 0 < len(ranks) < shown(page).locator(".rank").count()  # those that were left out stand between them
    sort.select_option("Most tokens")
    expect_first(max(receipt["items"], key=lambda item: item["tokens"]))
    sort.select_option("Oldest first")
    expect_first(min(messages, key=lambda item: stored(api, item)[0]["created_at"]))
    sort.select_option("By meaning")
    expect_first(max((item for item in messages if item["score"]), key=lambda item: item["score"]["dense"]))
    sort.select_option("By words")
    expect_first(max((item for item in messages if item["score"]), key=lambda item: item["score"]["lexical"]))


@pytest.mark.req("X1")
def test_items_are_found_by_words_speaker_and_id(open_page, api, family):
    receipt = built(api, recipe="retrieval", max_tokens=900)
    page = open_page(f"context/{family}/{receipt['id']}")
    expect(rows(page).first).to_be_visible()
    page.locator("body").press("/")
    field = shown(page).get_by_label("Filter by words, speaker, id")
    expect(field).to_be_focused()
    shown(page).locator("label", has_text="All").click()
    messages = [item for item in receipt["items"] if item["kind"] == "message"]
    texts = stored(api, *messages)
    matching = [one for one in texts if "gas" in one["content"].lower() and one["name"] == "Hester"]
    assert 0 < len(matching) < len(texts)
    field.fill("Hester gas")
    expect(rows(page).filter(has_text="Hester")).not_to_have_count(0)
    expect(shown(page).get_by_role("status")).to_contain_text(f"of {len(receipt['items'])} items")
    for row in rows(page).all():
        assert "gas" in row.inner_text().lower()
    expect(rows(page).locator("mark", has_text="gas").first).to_be_visible()
    last = messages[-1]
    field.fill(last["id"])
    expect(rows(page).filter(has_text=texts[-1]["content"][:40])).to_have_count(1)
    field.fill("no such word anywhere")
    expect(rows(page)).to_have_count(0)
    expect(shown(page).get_by_role("status")).to_contain_text("0 of")


@pytest.mark.req("X1", "D17")
def test_a_receipt_of_a_thousand_items_is_sorted_filtered_and_shown_whole(open_page, api):
    said = [message for one in own.load()[:14] for session in one.sessions for message in session.messages]
    messages = [{"role": "user", "content": message["content"]} for message in said[:1050]]
    assert len(messages) > 1000
    for start in range(0, len(messages), 500):
        api.post("conversations/all/messages", json={"messages": messages[start : start + 500]}).raise_for_status()
    flush(api)
    receipt = built(api, "What lens do I need for birds?", "all", max_tokens=900_000)
    items = [item for item in receipt["items"] if item["included"]]
    assert len(items) >= 1000
    page = open_page(f"context/all/{receipt['id']}")
    field = shown(page).get_by_label("Filter by words, speaker, id")
    shown(page).get_by_label("Sort by").select_option("Most tokens")
    expect(rows(page)).to_have_count(20)
    shown(page).get_by_role("button", name="Show 50 more").click()
    expect(rows(page)).to_have_count(70)
    expect(rows(page).nth(20)).to_be_focused()
    shown(page).get_by_role("button", name=f"Show all {len(items):,}").click()
    expect(rows(page)).to_have_count(len(items))
    field.fill("Nikon D7500")
    matching = [one for one in messages if all(word in one["content"].lower() for word in ("nikon", "d7500"))]
    expect(rows(page)).to_have_count(len(matching))


@pytest.mark.req("X1")
def test_a_fact_and_a_pin_of_another_space_have_their_words_and_place(open_page, api, family):
    team = f"team-of-{api.headers['X-Aforesaid-Space']}"
    pinned, fact = "Dad's doctor wants the gas checked every spring.", "The doctor of Dad is called Ms Okafor."
    here = {"X-Aforesaid-Space": team}
    api.put("conversations/garden", json={"title": "The garden"}, headers=here).raise_for_status()
    api.post("conversations/garden/pins", json={"content": pinned}, headers=here).raise_for_status()
    api.post("facts", json={"text": fact, "kind": "fact"}, headers=here).raise_for_status()
    flush(api)
    receipt = built(api, recipe="retrieval", max_tokens=400, spaces=[team])
    others = [item for item in receipt["items"] if item["space"] == team]
    assert {item["kind"] for item in others} == {"pin", "fact"}
    page = open_page(f"context/{family}/{receipt['id']}")
    shown(page).locator("label", has_text="All").click()
    shown(page).get_by_label("Filter by words, speaker, id").fill("doctor")
    pin = rows(page).filter(has_text=pinned)
    expect(pin.get_by_role("link", name=f"{team} / garden")).to_have_attribute("href", f"#/{team}/chat/garden")
    expect(rows(page).filter(has_text=fact)).to_contain_text("fact")


@pytest.mark.req("X1")
def test_on_a_phone_the_receipt_follows_the_question_without_scrolling(open_page, api, family):
    receipt = built(api)
    page = open_page(f"context/{family}/{receipt['id']}", screen=Screen(390, "light"))
    expect(shown(page).get_by_role("heading", name=QUESTION)).to_be_in_viewport(ratio=1)
    expect(rows(page).first).to_be_in_viewport()
    expect(page.get_by_label("Recipe")).to_be_hidden()
    page.locator("summary", has_text="balanced").press("Enter")
    expect(page.get_by_label("Recipe")).to_be_visible()
    shown(page).get_by_role("button", name="Receipts").click()
    expect(page.get_by_role("complementary", name="Receipts").get_by_role("link").first).to_be_focused()
    expect(page.get_by_role("complementary", name="Receipts").get_by_role("link").first).to_be_in_viewport()
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
