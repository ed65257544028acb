"""Tests the context inspector: included and omitted items, comparison and replay."""

from __future__ import annotations

import json

import httpx2
import pytest
from playwright.sync_api import Page, expect
from tests.page.conversations import BUG, LISBON, add_conversation, flush
from tests.page.screen import accessibility_issues

ASKED = "How much money may the trip cost, and where does my sister live?"


@pytest.fixture
def trip(api: httpx2.Client) -> str:
    """A conversation with a pin, and another conversation."""
    add_conversation(api, "bug", *BUG, title="The import bug")
    said = add_conversation(api, "trip", *LISBON, title="A week in Lisbon")
    api.post("conversations/trip/pins", json={"source": said[4]["id"]}).raise_for_status()
    flush(api)
    return "trip"


def built(api: httpx2.Client, query: str, **rest) -> str:
    """Builds a context and returns the id of its receipt."""
    answer = api.post("conversations/trip/context", json={"query": query, **rest})
    return answer.raise_for_status().json()["receipt"]


def shown(page: Page):
    return page.get_by_role("article", name="Context")


@pytest.mark.req("X1", "X2")
def test_a_typed_question_shows_the_items_of_its_context(open_page, screen, shot, api, trip):
    add_conversation(api, "family", "My sister Ana lives in a bigger flat in Porto now.", "How nice for her.")
    flush(api)
    built(api, "Where do we stay?", recipe="window")
    page = open_page("context/trip", screen=screen)
    expect(shown(page).get_by_role("heading", name="Where do we stay?")).to_be_visible()
    page.get_by_label("Question").fill(ASKED)
    if screen.width < 720:
        page.locator("summary", has_text="default budget").click()
    page.get_by_label("Token budget").fill("700")
    page.get_by_role("button", name="Build").click()
    expect(shown(page).get_by_role("heading", name=ASKED)).to_be_visible()
    newest = api.get("receipts", params={"conversation": "trip"}).json()["items"][0]
    assert page.url.endswith(f"/context/trip/{newest['id']}")
    shown(page).get_by_label("Sort by").select_option("As the model reads them")
    inside = shown(page).get_by_role("region", name="Included")
    expect(inside.get_by_role("heading", name="Pins")).to_be_visible()
    expect(inside.get_by_text(LISBON[8], exact=True)).to_be_visible()
    expect(inside.get_by_text("Stable prefix:")).to_be_visible()
    kept = api.get(f"receipts/{newest['id']}").json()
    items = [item for item in kept["items"] if item["included"]]
    expect(inside.get_by_role("listitem")).to_have_count(len(items))
    scored = next(item for item in items if item["score"])
    labels = {"dense": "meaning", "lexical": "words", "neighbours": "surrounding messages"}
    sources = ", ".join(labels[source] for source in scored["sources"])
    expect(inside.get_by_text(f"recalled by {sources}").first).to_be_visible()
    expect(inside.locator(".scores .total").first).to_contain_text(f"{scored['score']['total']:.2f}")
    expect(shown(page).locator(".token-bar .mark")).to_contain_text(f"{kept['prefix_tokens']:,}")
    assert accessibility_issues(page) == []
    shot(page, "context")
    page.get_by_role("heading", name="Recalled").scroll_into_view_if_needed()
    shot(page, "context-read")


@pytest.mark.req("X1")
def test_omitted_items_are_shown_with_their_reason_and_text(open_page, api, trip):
    id = built(api, ASKED, recipe="window", max_tokens=160)
    kept = api.get(f"receipts/{id}").json()
    out = next(item for item in kept["items"] if not item["included"] and item["kind"] == "message")
    page = open_page(f"context/trip/{id}")
    shown(page).locator("label", has_text="Left out").click()
    left = shown(page).get_by_role("region", name="Left out")
    item = left.get_by_role("listitem").filter(has_text=LISBON[0])
    expect(item).to_contain_text(out["reason"])
    item.get_by_role("link", name="A week in Lisbon").click()
    expect(page.locator("article[data-seq='0']")).to_be_visible()


def test_a_budget_that_is_too_small_is_a_form_error_and_can_be_truncated_to(open_page, trip):
    page = open_page("context/trip", expected=("422", "400", "413", "409"))
    page.get_by_label("Token budget").fill("60")
    page.get_by_role("button", name="Build").click()
    expect(page.get_by_role("alert")).to_contain_text("max_tokens is 60")
    page.get_by_role("switch", name="Truncate to fit").check()
    page.get_by_role("button", name="Build").click()
    expect(shown(page).get_by_text("of 60 tokens").first).to_be_visible()
    expect(shown(page).get_by_role("list", name="Warnings")).to_be_visible()


def test_another_recipe_gives_another_context(open_page, trip):
    page = open_page("context/trip")
    page.get_by_label("Question").fill(ASKED)
    page.get_by_label("Recipe").select_option("retrieval")
    page.get_by_role("button", name="Build").click()
    expect(shown(page).get_by_text("retrieval", exact=True)).to_be_visible()


@pytest.mark.req("X1", "X2")
def test_two_receipts_are_compared_and_the_common_prefix_is_shown(open_page, screen, shot, api, trip):
    first = built(api, "What may I eat?")
    add_conversation(api, "trip", "Book the flat, please.", "Done: six nights in Graça.")
    second = built(api, ASKED)
    page = open_page(f"context/trip/{second}", screen=screen)
    page.get_by_role("link", name="Compare the open receipt with: What may I eat?").click()
    compared = page.get_by_role("article", name="Comparison")
    expect(compared.get_by_role("region", name="Added").get_by_text("Book the flat, please.")).to_be_visible()
    expect(compared.get_by_text("of the stable prefix is unchanged")).to_be_visible()
    expect(compared.get_by_role("region", name="Before")).to_contain_text("What may I eat?")
    assert page.url.endswith(f"/context/trip/{second}/compare/{first}")
    assert accessibility_issues(page) == []
    shot(page, "context-compared")


@pytest.mark.req("X1")
def test_an_old_receipt_is_replayed(open_page, api, trip):
    id = built(api, ASKED)
    page = open_page(f"context/trip/{id}")
    page.get_by_role("button", name="Replay").click()
    again = page.get_by_role("article", name="Replay")
    expect(again.get_by_text("identical")).to_be_visible()
    api.post("conversations/trip/pins", json={"content": "Ana waits at Campanhã station."}).raise_for_status()
    page.reload()
    expect(again.get_by_role("region", name="Added").get_by_text("Ana waits")).to_be_visible()
    assert len(api.get("receipts", params={"conversation": "trip"}).json()["items"]) == 1


@pytest.mark.req("X1")
def test_a_context_is_copied_in_each_provider_format(open_page, api, trip):
    id = built(api, ASKED)
    page = open_page(f"context/trip/{id}")
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    for name, format in (("OpenAI", "openai"), ("Anthropic", "anthropic")):
        page.get_by_role("button", name=f"Copy {name} JSON").click()
        expect(page.get_by_text("Copied").last).to_be_visible()
        query = {"format": format, "cache": format == "anthropic"}
        wanted = api.get(f"receipts/{id}/context", params=query).json()["payload"]
        page.wait_for_function(
            "async wanted => JSON.stringify(JSON.parse(await navigator.clipboard.readText())) === wanted",
            arg=json.dumps(wanted, ensure_ascii=False, separators=(",", ":")),
        )


def test_an_unknown_receipt_shows_an_error(open_page, trip):
    page = open_page("context/trip/nobody", expected=("404",))
    expect(page.get_by_role("alert")).to_contain_text("there is no receipt")


def test_without_a_conversation_the_view_links_to_the_chat(open_page, screen, shot):
    page = open_page("context", screen=screen)
    expect(page.get_by_role("link", name="Start one in the chat")).to_be_visible()
    assert accessibility_issues(page) == []
    shot(page, "context-empty")


def test_a_context_is_built_and_compared_with_the_keyboard(open_page, api, trip):
    built(api, "What may I eat?")
    page = open_page()
    page.locator("body").press("g")
    page.locator("body").press("x")
    expect(shown(page)).to_be_visible()
    page.get_by_label("Question").focus()
    page.keyboard.type("Where does Ana live?")
    page.keyboard.press("Enter")
    expect(shown(page).get_by_role("heading", name="Where does Ana live?")).to_be_visible()
    page.get_by_role("link", name="Compare the open receipt with").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("article", name="Comparison")).to_be_visible()


def test_hostile_text_is_shown_and_not_executed(open_page, api):
    hostile = "<img src=x onerror=\"document.title='run'\"> is what Mallory wrote"
    add_conversation(api, "trip", hostile, "Noted.", "What did Mallory write?")
    flush(api)
    id = built(api, hostile)
    page = open_page(f"context/trip/{id}")
    expect(shown(page).get_by_role("heading", name=hostile)).to_be_visible()
    expect(shown(page).get_by_role("listitem").get_by_text(hostile).first).to_be_visible()
    assert page.locator("article img").count() == 0
    assert page.title() != "run"
