"""Tests the memory view: facts, review, graph, profile and earlier states."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta

import pytest
from playwright.sync_api import Locator, Page, expect
from tests.page.conversations import add_bologna_trip, facts_by_text, flush
from tests.page.screen import accessibility_issues

HOSTILE = "<img src=x onerror=\"document.title='run'\">"


def card(page: Page, text: str) -> Locator:
    return page.get_by_role("article").filter(has=page.get_by_role("heading", name=text, exact=True))


def act(page: Page, text: str, action: str) -> None:
    card(page, text).get_by_role("button", name=f"{action} (").click()


def correct(api) -> dict:
    """Adds a home that supersedes the old one and is valid since an hour ago."""
    since = (datetime.now(UTC) - timedelta(hours=1)).isoformat()
    body = {"text": "user lives in Braga", "attribute": "home", "value": "Braga", "valid_from": since}
    return api.post("facts", json=body).raise_for_status().json()


@pytest.mark.req("B6")
def test_facts_are_grouped_by_kind_with_their_evidence(open_page, screen, shot, api):
    add_bologna_trip(api)
    correct(api)
    page = open_page("memory", screen=screen)
    preferences = page.get_by_role("region", name="Preferences")
    expect(preferences.get_by_role("heading", name="User prefers trains")).to_be_visible()
    expect(card(page, "User is vegetarian").get_by_text("I'm vegetarian")).to_be_visible()
    assert accessibility_issues(page) == []
    shot(page, "memory-facts")
    page.get_by_label("Status").select_option("any")
    expect(card(page, "User lives in Porto").get_by_text("superseded")).to_be_visible()
    card(page, "User is vegetarian").get_by_role("link", name="in trip").click()
    expect(page.locator("article[data-seq='2']")).to_have_attribute("data-marked", "true")


def test_facts_are_searched_and_filtered(open_page, api):
    add_bologna_trip(api)
    page = open_page("memory")
    expect(card(page, "User prefers trains")).to_be_visible()
    page.get_by_role("searchbox", name="Search facts").fill("which seat on the train")
    expect(card(page, "User prefers window seat")).to_be_visible()
    expect(card(page, "It was decided: go to Bologna")).to_have_count(0)
    page.get_by_role("searchbox", name="Search facts").fill("")
    page.get_by_text("Decisions", exact=True).first.click()
    expect(card(page, "It was decided: go to Bologna")).to_be_visible()
    expect(card(page, "User prefers trains")).to_have_count(0)
    page.get_by_text("All kinds").click()
    card(page, "User is vegetarian").get_by_role("button", name="health").click()
    expect(card(page, "User is allergic to peanuts")).to_be_visible()
    expect(card(page, "User prefers trains")).to_have_count(0)
    page.get_by_role("button", name="Remove the category filter").click()
    expect(card(page, "User prefers trains")).to_be_visible()
    page.get_by_role("searchbox", name="Search facts").fill("zzz")
    page.get_by_role("group", name="Kind").get_by_text("Goals").click()
    page.get_by_role("button", name="Clear filters").click()
    expect(card(page, "User prefers trains")).to_be_visible()


def test_a_fact_is_rejected_archived_and_restored(open_page, api):
    add_bologna_trip(api)
    page = open_page("memory")
    act(page, "User prefers trains", "Mark as wrong")
    expect(card(page, "User prefers trains")).to_have_count(0)
    expect(page.locator(".fact-card h3 a:focus")).to_have_count(1)  # the fact that took its position
    act(page, "User is vegetarian", "No longer true…")
    form = page.get_by_role("dialog")
    form.get_by_label("Reason").fill("She eats fish now")
    form.get_by_role("button", name="Archive").click()
    expect(card(page, "User is vegetarian")).to_have_count(0)
    states = {text: fact["status"] for text, fact in facts_by_text(api, status="any").items()}
    assert (states["user prefers trains"], states["user is vegetarian"]) == ("rejected", "archived")
    page.get_by_label("Status").select_option("archived")
    expect(card(page, "User is vegetarian").get_by_text("Reason: She eats fish now")).to_be_visible()
    assert accessibility_issues(page) == []
    act(page, "User is vegetarian", "Undo")
    expect(page.get_by_role("heading", name="No matching facts")).to_be_visible()
    assert "user is vegetarian" in facts_by_text(api)


def test_an_edit_creates_a_new_version_and_can_be_undone(open_page, api):
    add_bologna_trip(api)
    page = open_page("memory")
    act(page, "User prefers window seat", "Edit…")
    form = page.get_by_role("dialog")
    form.get_by_label("Text").fill("user prefers an aisle seat")
    form.get_by_label("Value").fill("aisle seat")
    form.get_by_role("button", name="Save").click()
    expect(card(page, "User prefers an aisle seat")).to_be_visible()
    expect(card(page, "User prefers window seat")).to_have_count(0)
    assert facts_by_text(api)["user prefers an aisle seat"]["value"] == "aisle seat"
    act(page, "User prefers an aisle seat", "Undo")
    expect(card(page, "User prefers window seat")).to_be_visible()
    expect(card(page, "User prefers an aisle seat")).to_have_count(0)
    assert facts_by_text(api, status="any")["user prefers an aisle seat"]["status"] == "pending"


@pytest.mark.req("X9")
def test_new_words_change_the_value_and_mark_the_quote(open_page, api):
    add_bologna_trip(api)
    page = open_page("memory", expected=("422",))
    act(page, "User lives in Porto", "Edit…")
    form = page.get_by_role("dialog")
    form.get_by_label("Text").fill("user lives in Braga")
    form.get_by_role("button", name="Save").click()
    edited = card(page, "User lives in Braga")
    expect(edited.get_by_text("edited since: the quote no longer says this")).to_be_visible()
    fact = facts_by_text(api)["user lives in Braga"]
    assert (fact["value"], fact["confidence"], fact["method"]) == ("Braga", 1, "manual")
    act(page, "User lives in Braga", "Edit…")
    form.get_by_label("Text").fill("user has moved away")
    expect(form.get_by_text("The text no longer shows “Braga”")).to_be_visible()
    form.get_by_role("button", name="Save").click()
    refused = form.get_by_role("alert")
    expect(refused).to_contain_text("do not show the value of 'home', which is 'Braga'")
    refused.get_by_role("button", name="Enter the new value").click()
    expect(form.get_by_label("Value")).to_be_focused()
    refused.get_by_role("button", name="Keep only the text").click()
    form.get_by_role("button", name="Save").click()
    expect(card(page, "User has moved away")).to_be_visible()
    fact = facts_by_text(api)["user has moved away"]
    assert (fact["attribute"], fact["value"]) == (None, None)


@pytest.mark.req("X9")
def test_the_text_and_the_value_of_a_fact_change_together_in_its_form(open_page, screen, shot, api):
    said = {"role": "user", "content": "I work for Acme."}
    api.post("conversations/job/messages", json=said).raise_for_status()
    flush(api)
    page = open_page("memory", screen=screen)
    act(page, "User works for Acme", "Edit…")
    form = page.get_by_role("dialog")
    text, value = form.get_by_label("Text"), form.get_by_label("Value")
    expect(value).to_have_value("Acme")
    text.fill("User works for Globex")
    expect(value).to_have_value("Globex")
    consequences = form.get_by_role("status")
    expect(consequences).to_contain_text("The quote I work for Acme stays, marked as no longer saying this")
    expect(consequences).to_contain_text("The certainty is yours: 100 %")
    assert accessibility_issues(page) == []
    shot(page, "memory-edit")
    form.get_by_role("button", name="Cancel").click()
    act(page, "User works for Acme", "Edit…")
    value.fill("Initech")
    expect(text).to_have_value("user works for Initech")
    form.get_by_role("button", name="Save").click()
    edited = card(page, "User works for Initech")
    expect(edited.get_by_text("edited since: the quote no longer says this")).to_be_visible()
    edited.get_by_role("link", name="User works for Initech").click()
    details = page.get_by_role("dialog", name="User works for Initech")
    expect(details.get_by_text("100 %, by a person")).to_be_visible()
    expect(details.get_by_text("edited by a person")).to_be_visible()
    fact = facts_by_text(api)["user works for Initech"]
    assert (fact["value"], fact["confidence"], fact["evidence"][0]["supports"]) == ("Initech", 1, False)


@pytest.mark.parametrize("text", ["user lives in Porto", "user prefers trains"])
def test_a_replacement_supersedes_the_old_fact(open_page, api, text):
    add_bologna_trip(api)
    page = open_page("memory")
    act(page, f"U{text[1:]}", "Replace…")
    form = page.get_by_role("dialog")
    form.get_by_label("Text").fill("something else is true")
    form.get_by_role("button", name="Replace").click()
    expect(card(page, "Something else is true")).to_be_visible()
    expect(card(page, f"U{text[1:]}")).to_have_count(0)
    old = facts_by_text(api, status="any")[text]
    new = facts_by_text(api)["something else is true"]
    assert old["status"] == "superseded"
    links = api.get("relations", params={"fact": old["id"]}).json()["items"]
    assert [(one["source"], one["kind"]) for one in links if one["kind"] == "supersedes"] == [(new["id"], "supersedes")]


def test_a_fact_added_a_moment_ago_can_be_replaced(open_page, api):
    now = datetime.now(UTC).isoformat()
    api.post("facts", json={"text": "The budget is 900 €", "attribute": "budget", "value": "900 €", "valid_from": now})
    page = open_page("memory")
    act(page, "The budget is 900 €", "Replace…")
    form = page.get_by_role("dialog")
    form.get_by_label("Text").fill("The budget is 1200 €")
    form.get_by_label("Value").fill("1200 €")
    form.get_by_role("button", name="Replace").click()
    expect(card(page, "The budget is 1200 €")).to_be_visible()
    expect(card(page, "The budget is 900 €")).to_have_count(0)
    assert list(facts_by_text(api)) == ["The budget is 1200 €"]


def test_a_fact_is_added_manually(open_page, api):
    page = open_page("memory")
    expect(page.get_by_role("heading", name="No facts yet")).to_be_visible()
    page.get_by_role("button", name="Add fact", exact=True).click()
    form = page.get_by_role("dialog")
    form.get_by_label("Text").fill(f"The budget is 900 € {HOSTILE}")
    form.get_by_label("Kind").select_option("constraint")
    form.get_by_label("Subject").fill("trip")
    form.get_by_label("Attribute").fill("budget")
    form.get_by_label("Value").fill("900 €")
    form.get_by_text("Dates, tags, importance").click()
    form.get_by_label("Tags").fill("money, spring")
    form.get_by_label("Valid until").fill("2031-05-10T18:00")
    form.get_by_role("button", name="Add").click()
    expect(page.get_by_role("region", name="Constraints").get_by_text("#money")).to_be_visible()
    (kept,) = facts_by_text(api).values()
    assert (kept["text"], kept["kind"], kept["subject"]) == (f"The budget is 900 € {HOSTILE}", "constraint", "trip")
    assert (kept["tags"], kept["value"]) == (["money", "spring"], "900 €")
    assert kept["valid_until"] == "2031-05-10T17:00:00Z"  # the browser is in Lisbon, an hour ahead in May
    assert page.title() != "run"


def test_a_fact_has_a_url_and_shows_its_details(open_page, screen, shot, api):
    add_bologna_trip(api)
    new = correct(api)
    page = open_page(f"memory/facts/{new['id']}", screen=screen)
    details = page.get_by_role("dialog", name="User lives in Braga")
    expect(details.get_by_text("user · home = Braga")).to_be_visible()
    expect(details.get_by_text("I live in Braga")).to_be_visible()
    assert accessibility_issues(page) == []
    shot(page, "memory-fact")
    expect(details.get_by_text("contradicts")).to_have_count(0)  # the contradiction is resolved
    details.get_by_role("link", name="user lives in Porto").click()
    old = page.get_by_role("dialog", name="User lives in Porto")
    expect(old.get_by_text("superseded", exact=True)).to_be_visible()
    old.get_by_role("button", name="Undo").click()
    expect(old.get_by_text("active", exact=True)).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)
    assert "user lives in Porto" in facts_by_text(api)


def test_pending_facts_are_reviewed_with_the_keyboard(open_page, screen, shot, api):
    add_bologna_trip(api)
    page = open_page("memory/review", screen=screen)
    doubted = page.get_by_role("listitem").filter(has_text="Which fact is correct?")
    expect(doubted.get_by_role("heading", name="User lives in Braga")).to_be_visible()
    expect(doubted.get_by_role("heading", name="User lives in Porto")).to_be_visible()
    assert accessibility_issues(page) == []
    shot(page, "memory-review")
    waiting = page.get_by_role("list").locator("> li.card")
    expect(waiting).to_have_count(2)
    texts = waiting.evaluate_all("cases => cases.map(one => one.textContent)")
    at = next(number for number, text in enumerate(texts) if "Braga" in text)
    for _ in range(at):
        page.keyboard.press("j")
    expect(waiting.nth(at)).to_have_attribute("aria-current", "true")
    page.keyboard.press("1")
    expect(waiting).to_have_count(1)
    assert "user lives in Braga" in facts_by_text(api)
    page.keyboard.press("n")
    expect(page.get_by_role("heading", name="Nothing to review")).to_be_visible()
    states = {text: fact["status"] for text, fact in facts_by_text(api, status="any").items()}
    assert (states["user lives in Porto"], states["user works for Globex"]) == ("superseded", "rejected")


def test_confirming_one_of_two_contradicting_facts_rejects_the_other(open_page, api):
    add_bologna_trip(api)
    page = open_page("memory/review")
    doubted = page.get_by_role("listitem").filter(has_text="Which fact is correct?")
    side = doubted.get_by_role("article").filter(has_text="User lives in Porto")
    side.get_by_role("button", name="Confirm").click()
    expect(doubted).to_have_count(0)
    states = {text: fact["status"] for text, fact in facts_by_text(api, status="any").items()}
    assert (states["user lives in Porto"], states["user lives in Braga"]) == ("active", "rejected")


def test_two_facts_marked_as_contradicting_can_both_be_kept(open_page, api):
    first = api.post("facts", json={"text": "The flat is quiet"}).json()["id"]
    second = api.post("facts", json={"text": "The street is loud"}).json()["id"]
    api.post("relations", json={"source": first, "kind": "contradicts", "target": second}).raise_for_status()
    page = open_page("memory/review")
    page.get_by_role("button", name="Keep both").click()
    expect(page.get_by_role("heading", name="Nothing to review")).to_be_visible()
    assert api.get("relations").json()["items"] == []
    assert len(facts_by_text(api)) == 2


def test_the_graph_shows_facts_by_subject_and_is_navigated_with_the_keyboard(open_page, screen, shot, api):
    add_bologna_trip(api)
    correct(api)
    page = open_page("memory/graph", screen=screen)
    node = page.get_by_role("link", name=re.compile("user lives in Porto.*superseded"))
    expect(node).to_be_visible()
    expect(page.locator(".graph").get_by_text("supersedes")).to_be_visible()
    assert accessibility_issues(page) == []
    shot(page, "memory-graph")
    page.locator(".graph a[tabindex='0']").focus()
    first = page.locator(".graph a:focus").get_attribute("aria-label")
    page.keyboard.press("ArrowDown")
    focused = page.locator(".graph a:focus")
    expect(focused).not_to_have_attribute("aria-label", first or "")
    text = (focused.get_attribute("aria-label") or "").split(" (")[0]
    page.keyboard.press("Enter")
    expect(page.get_by_role("dialog", name=f"{text[0].upper()}{text[1:]}")).to_be_visible()


def test_links_are_created_listed_and_removed(open_page, api):
    add_bologna_trip(api)
    page = open_page("memory/graph")
    page.get_by_role("button", name="Link two facts").click()
    form = page.get_by_role("dialog")
    form.get_by_label("From", exact=True).select_option(label="user prefers window seat")
    form.get_by_label("Link").select_option("depends_on")
    form.get_by_label("To", exact=True).select_option(label="user prefers trains")
    form.get_by_role("button", name="Link").click()
    expect(page.locator(".graph").get_by_text("depends on")).to_be_visible()
    page.get_by_text("List (").click()
    row = page.get_by_role("row").filter(has_text="depends on")
    expect(row).to_contain_text("user prefers window seat")
    row.get_by_role("button", name="Remove link").click()
    expect(row).to_have_count(0)
    assert "depends_on" not in {one["kind"] for one in api.get("relations").json()["items"]}


def test_facts_about_the_user_can_be_read_and_corrected(open_page, screen, shot, api):
    add_bologna_trip(api)
    api.put("consent", json={"granted": True}).raise_for_status()
    source = {"conversation": "trip", "message": "said-2"}
    api.put("profile", json={"fields": {"diet": "vegan"}, "source": source}).raise_for_status()
    api.put("profile", json={"text": "Prefers short answers."}).raise_for_status()
    page = open_page("memory/about", screen=screen)
    health = page.get_by_role("region", name="Your health")
    expect(health.get_by_role("link", name="“I'm vegetarian”")).to_be_visible()
    profile = page.get_by_role("region", name="Your profile")
    expect(profile.get_by_text("Diet: vegan")).to_be_visible()
    expect(profile.get_by_text("Prefers short answers.")).to_be_visible()
    assert accessibility_issues(page) == []
    shot(page, "memory-about")
    page.get_by_role("button", name="Mark as wrong: user is vegetarian").click()
    expect(page.get_by_text("User is vegetarian")).to_have_count(0)
    page.get_by_role("button", name="Mark as wrong: diet").click()
    expect(page.get_by_text("Diet: vegan")).to_have_count(0)
    assert facts_by_text(api, status="any")["user is vegetarian"]["status"] == "rejected"
    assert api.get("profile").json()["fields"] == []


def test_the_portrait_quotes_what_the_user_said_and_links_to_it(open_page, screen, shot, api):
    said = "My sister Marta had a baby girl in Porto on 3 May."
    for text in (said, "Thanks, that helps!"):
        api.post("conversations/news/messages", json={"role": "user", "content": text}).raise_for_status()
    page = open_page("memory/about", screen=screen)
    words = page.get_by_role("region", name="In your words")
    expect(words.get_by_role("listitem")).to_have_count(1)
    assert accessibility_issues(page) == []
    shot(page, "memory-portrait")
    words.get_by_role("link", name=f"“{said}”").click()
    expect(page.get_by_role("heading", name="news")).to_be_visible()
    expect(page.get_by_text(said)).to_be_visible()


def test_without_consent_the_profile_is_not_read(open_page, api):
    add_bologna_trip(api)
    page = open_page("memory/about")
    expect(page.get_by_text("User is vegetarian")).to_be_visible()
    assert api.get("audit").json()["items"] == []


@pytest.mark.req("X4")
def test_the_slider_shows_facts_by_validity_and_by_knowledge_time(open_page, screen, shot, api):
    add_bologna_trip(api)
    correct(api)
    page = open_page("memory", screen=screen)
    expect(card(page, "User lives in Braga")).to_be_visible()
    slider = page.get_by_role("slider", name="Valid at")
    slider.focus()
    for _ in range(3):
        page.keyboard.press("ArrowLeft")
    expect(card(page, "User lives in Porto")).to_be_visible()
    expect(card(page, "User lives in Porto").get_by_text("later superseded")).to_be_visible()
    expect(card(page, "User lives in Braga")).to_have_count(0)
    assert accessibility_issues(page) == []
    shot(page, "memory-then")
    page.get_by_role("switch", name="As known at that time").check()
    expect(page.get_by_role("slider", name="Known at")).to_be_visible()
    expect(page.get_by_role("heading", name=re.compile("^No (matching )?facts"))).to_be_visible()
    page.get_by_role("button", name="Back to now").click()
    expect(card(page, "User lives in Braga")).to_be_visible()


def test_a_fact_from_another_process_appears_without_a_reload(open_page, api):
    add_bologna_trip(api)
    page = open_page("memory")
    expect(card(page, "User is vegetarian")).to_be_visible()
    api.post("conversations/trip/messages", json={"role": "user", "content": "I'm vegan."}).raise_for_status()
    flush(api)
    expect(card(page, "User is vegan")).to_be_visible()
