"""Tests the timeline view: the arc of a conversation, its episodes and its summaries."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta

import pytest
from playwright.sync_api import expect
from tests.page.conversations import TRIP, add_bologna_trip, flush
from tests.page.screen import accessibility_issues
from tests.serving import served

from aforesaid import Memory

HOSTILE = "<img src=x onerror=\"document.title='run'\">"


def note(api, title: str, **given) -> dict:
    body = {
        "title": title,
        "type": "breakthrough",
        "first": 10,
        "last": 13,
        "significance": 0.9,
        "valence": 0.8,
    } | given
    return api.post(f"conversations/{TRIP}/episodes", json=body).raise_for_status().json()


@pytest.mark.req("B9")
def test_the_arc_shows_episodes_and_key_moments(open_page, screen, shot, api):
    add_bologna_trip(api)
    note(api, "The flat is found")
    api.post(f"conversations/{TRIP}/summaries", json={"first": 0, "last": 9}).raise_for_status()
    note(api, "The train is on strike", type="issue_identified", first=5, last=8, significance=0.45, valence=-0.6)
    page = open_page(f"timeline/{TRIP}", screen=screen)
    arc = page.get_by_role("group", name=re.compile("Arc of the conversation"))
    expect(arc.get_by_role("link", name=re.compile("^Key moment: The flat is found.*90 %.*positive"))).to_be_visible()
    expect(arc.get_by_role("link", name=re.compile("^The train is on strike.*negative"))).to_be_visible()
    for third in ("Beginning", "Middle", "End"):
        expect(arc.get_by_text(third)).to_be_visible()
        expect(page.get_by_role("region", name=third)).to_contain_text("messages")
    assert accessibility_issues(page) == []
    shot(page, "timeline")
    page.get_by_role("region", name="Summary progress").scroll_into_view_if_needed()
    shot(page, "timeline-summaries")


@pytest.mark.req("B9")
def test_an_episode_opens_with_the_keyboard_and_shows_its_source_messages(open_page, screen, shot, api):
    add_bologna_trip(api)
    note(api, f"The flat {HOSTILE}", outcome="A flat near the market.")
    page = open_page(f"timeline/{TRIP}", screen=screen)
    page.locator(".arc a[tabindex='0']").focus()
    while "The flat" not in (page.locator(".arc a:focus").get_attribute("aria-label") or ""):
        page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    details = page.get_by_role("dialog")
    expect(details.get_by_role("heading", name=f"The flat {HOSTILE}")).to_be_visible()
    origin = details.get_by_role("region", name="Source messages")
    expect(origin.get_by_text("a flat near the Mercato di Mezzo instead")).to_be_visible()
    expect(details.get_by_text("A flat near the market.")).to_be_visible()
    assert accessibility_issues(page) == []
    shot(page, "timeline-episode")
    assert page.title() != "run"
    origin.get_by_role("link", name="13", exact=True).click()
    expect(page.locator("article[data-seq='12']")).to_have_attribute("data-marked", "true")


def test_an_episode_is_removed(open_page, api):
    add_bologna_trip(api)
    made = note(api, "A mistake")
    page = open_page(f"timeline/{TRIP}/episode/{made['id']}")
    page.get_by_role("button", name="Remove episode").click()
    page.get_by_role("dialog", name="Remove this episode?").get_by_role("button", name="Remove").click()
    expect(page.get_by_role("link", name=re.compile("A mistake"))).to_have_count(0)
    assert made["id"] not in [one["id"] for one in api.get(f"conversations/{TRIP}/episodes").json()["items"]]


@pytest.mark.req("C9")
@pytest.mark.req("D17")
def test_summary_progress_is_shown_and_a_summary_is_created_on_request(open_page, api):
    add_bologna_trip(api)
    page = open_page("timeline")  # opens the most recently used conversation
    progress = page.get_by_role("region", name="Summary progress")
    made = api.get(f"conversations/{TRIP}/summaries").json()["items"]
    covered = sum(one["last_seq"] - one["first_seq"] + 1 for one in made)
    expect(progress.get_by_text(f"{covered} of 14 messages summarised")).to_be_visible()
    api.post(f"conversations/{TRIP}/messages", json={"role": "user", "content": "And the museum on Monday?"})
    expect(progress.get_by_text(f"{covered} of 15 messages summarised")).to_be_visible()
    page.get_by_role("button", name="Summarise now").click()
    expect(progress.get_by_text("15 of 15 messages summarised")).to_be_visible()
    newest = api.get(f"conversations/{TRIP}/summaries").json()["items"][-1]
    card = page.get_by_role("article").filter(has_text=f"Messages {newest['first_seq'] + 1} to 15")
    expect(card.get_by_text("completed")).to_be_visible()
    expect(card).to_contain_text("extracted from the conversation")
    expect(card).to_contain_text(" ms, ")


@pytest.mark.req("C8")
@pytest.mark.req("C9")
def test_the_versions_of_a_rolling_summary_can_be_browsed(open_page, screen, shot, api):
    api.put("settings/summaries", json={"value": "rolling"}).raise_for_status()
    for number in range(5):
        for role in ("user", "assistant"):
            said = {"role": role, "content": f"Part {number}: we looked at the flat in Graça, {20 + number} € a night."}
            api.post(f"conversations/{TRIP}/messages", json=said).raise_for_status()
        flush(api)
    chain = api.get(f"conversations/{TRIP}/chain").json()["items"]
    assert len(chain) > 1
    page = open_page(f"timeline/{TRIP}", screen=screen)
    progress = page.get_by_role("region", name="Summary progress")
    expect(progress.get_by_text(re.compile("Up to message 10 of 10, 0 behind"))).to_be_visible()
    expect(progress.get_by_text(re.compile(f"{len(chain)} completed, 0 failed, .* on average"))).to_be_visible()
    latest = page.get_by_role("article").filter(has_text=f"Messages {chain[0]['first_seq'] + 1} to 10")
    latest.get_by_role("link", name="Versions").click()
    versions = page.get_by_role("dialog", name=f"{len(chain)} versions")
    expect(versions.get_by_role("article")).to_have_count(len(chain))
    assert accessibility_issues(page) == []
    shot(page, "timeline-chain")
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)


class Killed(BaseException):
    """Simulates a kill of the process."""


class Deadly:
    name, local = "deadly", False

    def complete(self, _):
        raise Killed


@pytest.mark.req("C9")
def test_an_abandoned_job_is_shown_as_stuck(open_page, tmp_path, space):
    path = str(tmp_path / "own.db")
    later = datetime.now(UTC) + timedelta(hours=1)  # the server does not take over the job while the test runs
    with Memory(path, worker=False, environment={}, model=Deadly(), clock=lambda: later) as memory:
        mine = memory.space(space)
        mine.set("summaries", "rolling")
        for number in range(6):
            mine.conversation(TRIP).add(("user", "assistant")[number % 2], f"We looked at the flat, part {number}.")
        with pytest.raises(Killed):
            memory.flush()
    with served(path, "--no-work") as own:  # a worker would take the job over
        page = open_page(f"timeline/{TRIP}", at=own.url)
        expect(page.get_by_text("in progress", exact=True)).to_be_visible()
        expect(page.get_by_role("article").get_by_text("processing")).to_be_visible()
        page.clock.set_fixed_time(later + timedelta(minutes=6))
        page.reload()
        expect(page.get_by_text("A summary is stuck.")).to_be_visible()
        page.close()  # before the server stops


def test_an_empty_space_and_a_missing_conversation_show_a_notice(open_page):
    page = open_page("timeline")
    expect(page.get_by_role("heading", name="No conversations yet")).to_be_visible()
    missing = open_page("timeline/nowhere", expected=("404",))
    expect(missing.get_by_role("heading", name="Could not load the data")).to_be_visible()


@pytest.mark.req("X12")
def test_secrets_are_masked_in_the_timeline_and_in_the_summary(open_page, api):
    key = "sk-proj-abcdefghijklmnopqrstuvwxyz0123456789ABCD"
    said = [
        {"role": "user", "content": f"We decided to set the server up with the key {key} in May."},
        {"role": "assistant", "content": "It is set up."},
    ]
    api.post("conversations/server/messages", json={"messages": said}).raise_for_status()
    api.post("conversations/server/summaries", json={"first": 0, "last": 1}).raise_for_status()
    episode = {"title": f"Set up with {key}", "type": "decision_made", "first": 0, "last": 1}
    noted = api.post("conversations/server/episodes", json=episode).raise_for_status().json()
    page = open_page("timeline/server")
    expect(page.get_by_role("link", name="Set up with [masked: api key]").locator("visible=true").first).to_be_visible()
    assert key not in page.locator("#content").inner_text()
    page.goto(f"{page.url}/episode/{noted['id']}")
    details = page.get_by_role("dialog")
    expect(details.get_by_role("region", name="Source messages")).to_contain_text("[masked: api key]")
    assert key not in page.locator("body").inner_text()
    page.goto(page.url.split("/timeline/")[0] + "/chat/server")
    expect(page.get_by_role("region", name="Latest summary")).to_contain_text("[masked: api key]")
