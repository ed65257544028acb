"""Tests the analytics view: tiles, charts and tables for a selected time range."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import httpx2
import pytest
from playwright.sync_api import Page, expect
from tests.chat import ChatServer
from tests.conftest import FakeClock
from tests.page.conversations import LISBON, add_conversation, flush
from tests.page.screen import accessibility_issues
from tests.serving import Served, served

from aforesaid import Memory

CHARTS = (
    "Retrievals",
    "Hits",
    "Latency",
    "Stages",
    "Context",
    "Embedding",
    "Sources",
    "Content",
    "Summaries",
    "Model tokens",
)
ASKED = ("Where do we stay?", "What may it cost?", "zxqv", "When does the train go?")


@pytest.fixture(scope="module")
def past(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A server whose store has activity every few hours for a week."""
    store = str(tmp_path_factory.mktemp("past") / "past.db")
    clock = FakeClock()
    clock.now = datetime.now(UTC) - timedelta(days=6, hours=22)
    with ChatServer("They plan a week in Lisbon, and stay in Graça.") as model:
        with Memory(store, worker=False, environment={}, clock=clock, model=f"{model.url}/v1#tiny") as memory:
            chat = memory.space("week").conversation("trip")
            for hour in range(0, 164, 4):
                chat.add("user", LISBON[hour % len(LISBON)])
                chat.add("assistant", f"{LISBON[(hour + 1) % len(LISBON)]} ({hour})")
                for number in range(1 + hour % 3):
                    chat.context(ASKED[(hour // 4 + number) % len(ASKED)], max_tokens=600)
                memory.space("week").recall(ASKED[hour % len(ASKED)])
                memory.flush()
                clock.forward(hours=4)
        with served(store) as made:
            yield made


@pytest.fixture
def week(open_page, past):
    """Opens the view in the space with a week of activity."""

    def start(*rest: str, **how) -> Page:
        page = open_page(at=past.url, **how)
        page.goto(f"{past.url}/#/{'/'.join(('week', 'analytics', *rest))}")
        return page

    return start


@pytest.fixture
def figures(past) -> Iterator[httpx2.Client]:
    base = f"{past.url}/api/memory/"
    with httpx2.Client(base_url=base, timeout=60, headers={"X-Aforesaid-Space": "week"}) as client:
        yield client


def chart(page: Page, name: str):
    return page.locator("figure.chart").filter(has=page.get_by_role("heading", name=name, exact=True))


def tile(page: Page, name: str):
    return page.locator(".tiles > div").filter(has=page.locator("dt", has_text=name))


@pytest.mark.req("D2", "D15")
def test_every_metric_has_a_tile_and_a_chart(week, screen, shot, figures):
    page = week("week", screen=screen)
    for name in CHARTS:
        drawn = chart(page, name).get_by_role("img")
        expect(drawn).to_have_attribute("data-drawn", "true")
        expect(drawn.locator("canvas")).to_be_visible()
    told = figures.get("metrics", params={"since": (datetime.now(UTC) - timedelta(days=7)).isoformat()}).json()
    expect(tile(page, "Hit rate")).to_contain_text(f"{round(told['hit_rate'] * 100)} %")
    expect(tile(page, "Top similarity")).to_contain_text(f"{told['top_score']:.2f}")
    expect(tile(page, "Budget used")).to_contain_text(f"{round(told['budget_use'] * 100)} %")
    expect(tile(page, "Stable prefix")).to_contain_text(f"{round(told['prefix_share'] * 100)} %")
    assert accessibility_issues(page) == []
    shot(page, "analytics")
    for name in ("Latency", "Sources", "Model tokens"):
        chart(page, name).scroll_into_view_if_needed()
        shot(page, f"analytics-{name.split()[-1].lower()}")
    page.get_by_role("region", name="Background jobs").scroll_into_view_if_needed()
    shot(page, "analytics-work")


@pytest.mark.req("D15")
def test_a_chart_has_a_text_alternative_and_a_table(week, figures):
    page = week("week")
    found = chart(page, "Sources")
    expect(found.get_by_role("img")).to_have_attribute("aria-label", re.compile(re.escape("Hits:")))
    found.get_by_text("Show as table").click()
    table = found.get_by_role("table", name="Sources")
    sources = figures.get("metrics", params={"since": (datetime.now(UTC) - timedelta(days=7)).isoformat()}).json()[
        "sources"
    ]
    for name, count in sources.items():
        row = table.get_by_role("row").filter(has=page.get_by_role("cell", name=name, exact=True))
        expect(row).to_contain_text(f"{count:,}")
    assert accessibility_issues(page) == []


@pytest.mark.req("D15")
def test_the_selected_time_range_is_kept_in_the_url(week):
    page = week("month")
    expect(chart(page, "Retrievals").get_by_role("img")).to_be_visible()
    whole = int(tile(page, "Retrievals").locator("b").inner_text())
    page.get_by_role("radio", name="Day").check()
    expect(page).to_have_url(re.compile(re.escape("/week/analytics/day")))
    expect(tile(page, "Retrievals").locator("b")).not_to_have_text(str(whole))
    assert 0 < int(tile(page, "Retrievals").locator("b").inner_text()) < whole
    page.get_by_role("radio", name="Custom").check()
    page.get_by_label("From", exact=True).fill((datetime.now() - timedelta(days=8)).strftime("%Y-%m-%dT00:00"))
    page.get_by_label("To", exact=True).fill((datetime.now() + timedelta(days=1)).strftime("%Y-%m-%dT00:00"))
    page.get_by_role("button", name="Show").click()
    expect(tile(page, "Retrievals").locator("b")).to_have_text(str(whole))
    page.reload()
    expect(tile(page, "Retrievals").locator("b")).to_have_text(str(whole))


@pytest.mark.req("D2")
def test_latency_is_shown_per_stage(week, figures):
    page = week("week")
    stages = figures.get("metrics").json()["milliseconds"]
    chosen = chart(page, "Latency")
    chosen.get_by_label("Stage").select_option("lexical")
    chosen.get_by_text("Show as table").click()
    expect(chosen.get_by_role("columnheader", name="p99")).to_be_visible()
    chart(page, "Stages").get_by_text("Show as table").click()
    for stage in stages:
        cell = chart(page, "Stages").get_by_role("cell", name=stage, exact=True)
        expect(cell).to_be_visible()


@pytest.mark.req("D15")
def test_model_cost_is_shown_by_model_and_operation(week, figures):
    spent = figures.get("cost").json()["items"]
    assert spent
    page = week("month")
    table = page.get_by_role("table", name="Model cost")
    for one in spent:
        row = table.get_by_role("row").filter(has=page.get_by_role("cell", name=one["operation"], exact=True))
        expect(row.first).to_contain_text(f"{one['prompt_tokens']:,}")


@pytest.mark.req("D15")
def test_cost_in_money_follows_the_price_table_of_the_user(week, figures):
    spent = figures.get("cost").json()["items"]
    page = week("month")
    panel = page.get_by_role("region", name="Model cost").first
    model = spent[0]["model"].partition("#")[2]  # as people call it
    expect(panel).to_contain_text(f"without {model}")
    panel.get_by_text("Prices of models").click()
    panel.get_by_role("button", name="Add a price").click()
    price = panel.get_by_role("listitem").filter(has_text=model)
    price.get_by_label("Read").fill("1000")
    price.get_by_label("Written").fill("2000")
    mine = [one for one in spent if one["model"].endswith(f"#{model}")]
    total = sum(one["prompt_tokens"] * 1000 + one["completion_tokens"] * 2000 for one in mine) / 1e6
    assert total > 0
    shown = panel.locator("p", has_text="Total").locator("b")
    expect(shown).to_contain_text("$")
    assert float(shown.inner_text().strip("$").replace(",", "")) == pytest.approx(total, rel=0.1)
    assert accessibility_issues(page) == []
    page.reload()
    expect(page.get_by_role("region", name="Model cost").first).not_to_contain_text(f"without {model}")
    panel.get_by_text("Prices of models").click()
    panel.get_by_role("button", name="Reset prices").click()
    expect(panel).to_contain_text(f"without {model}")


@pytest.mark.req("D2")
def test_new_retrievals_appear_without_a_reload(open_page, api):
    add_conversation(api, "trip", *LISBON)
    flush(api)
    api.post("conversations/trip/context", json={}).raise_for_status()
    page = open_page("analytics/hour")
    expect(tile(page, "Retrievals").locator("b")).to_have_text("1")
    api.post("recall", json={"query": "Lisbon"}).raise_for_status()
    add_conversation(api, "trip", "And now?")
    expect(tile(page, "Retrievals").locator("b")).to_have_text("2")


def test_an_empty_period_shows_a_notice(open_page, screen, shot):
    page = open_page("analytics/hour", screen=screen)
    expect(page.get_by_role("heading", name="No activity in this period")).to_be_visible()
    assert accessibility_issues(page) == []
    shot(page, "analytics-empty")


@pytest.mark.req("D2")
def test_stuck_jobs_are_shown_with_their_reason(open_page, space, tmp_path):
    away = {"AFORESAID_EMBEDDER": "ollama:nomic-embed-text", "OLLAMA_HOST": "http://127.0.0.1:9"}
    with served(str(tmp_path / "stuck.db"), **away) as stuck:
        url = f"{stuck.url}/api/memory/conversations/trip/messages"
        said = {"role": "user", "content": "We go to Lisbon."}
        httpx2.post(url, json=said, params={"space": space}, timeout=30).raise_for_status()
        page = open_page("analytics/hour", at=stuck.url, expected=("net::ERR_",))
        work = page.get_by_role("region", name="Background jobs")
        expect(work.get_by_text("waiting to retry").first).to_be_visible()
        expect(work.get_by_role("row").filter(has_text="embed").first).to_contain_text("cannot be reached")


@pytest.mark.req("D2")
def test_the_store_check_runs_on_request(week):
    page = week("week")
    page.get_by_role("button", name="Check the store").click()
    expect(page.get_by_text("checks passed")).to_be_visible()


@pytest.mark.req("D2")
def test_retrievals_of_other_processes_appear_within_seconds(open_page, api):
    add_conversation(api, "trip", *LISBON)
    flush(api)
    api.post("conversations/trip/context", json={}).raise_for_status()
    page = open_page()
    page.clock.install()
    page.goto(page.url.replace("/chat", "/analytics/hour"))
    expect(tile(page, "Retrievals").locator("b")).to_have_text("1")
    api.post("recall", json={"query": "Lisbon"}).raise_for_status()
    page.clock.run_for(16_000)
    expect(tile(page, "Retrievals").locator("b")).to_have_text("2")


HAS = """([canvas, wanted]) => {
    const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
    for (let at = 0; at < data.length; at += 4) {
        if (wanted.every((part, place) => data[at + place] === part)) return true;
    }
    return false;
}"""
BARS = {"light": [15, 118, 110], "dark": [79, 196, 181]}  # --hue-1


def test_charts_use_the_colours_of_the_theme(week):
    page = week("week", expected=("willReadFrequently",))
    canvas = chart(page, "Retrievals").locator("canvas")
    expect(canvas).to_be_visible()
    for theme, other in (("light", "dark"), ("dark", "light")):
        page.locator("body").press("t")
        expect(page.locator(f"html[data-theme={theme}]")).to_have_count(1)
        page.wait_for_function(HAS, arg=[canvas.element_handle(), BARS[theme]])
        assert not page.evaluate(HAS, [canvas.element_handle(), BARS[other]])


@pytest.mark.req("X17")
def test_a_key_to_one_space_shows_its_metrics_and_not_those_of_the_store(open_page, space, tmp_path):
    with served(str(tmp_path / "keyed.db")) as keyed:
        base = f"{keyed.url}/api/memory"
        url = f"{base}/conversations/trip/context"
        said = {"role": "user", "content": "We go to Lisbon."}
        httpx2.post(
            url.replace("context", "messages"), json=said, params={"space": space}, timeout=30
        ).raise_for_status()
        httpx2.post(url, json={}, params={"space": space}, timeout=30).raise_for_status()
        wish = {"name": "reader", "access": "read", "spaces": [space]}
        secret = httpx2.post(f"{base}/keys", json=wish, timeout=30).raise_for_status().json()["secret"]
        page = open_page(at=keyed.url, expected=("401", "403", "net::ERR_"))
        page.evaluate("secret => sessionStorage.setItem('aforesaid.key', secret)", secret)
        page.goto(f"{keyed.url}/#/{space}/analytics/hour")
        page.reload()
        expect(tile(page, "Retrievals").locator("b")).to_have_text("1")
        expect(page.get_by_role("region", name="Model cost")).to_be_visible()
        expect(page.get_by_role("region", name="Background jobs")).to_have_count(0)
        page.goto(f"{keyed.url}/#/{space}/settings")
        page.locator("[data-name=hybrid]").get_by_role("switch").click()
        expect(page.locator("[data-name=hybrid]").get_by_role("alert")).not_to_be_empty()


def test_the_chart_code_is_loaded_only_when_a_chart_is_shown(open_page, api):
    add_conversation(api, "trip", *LISBON)
    api.post("conversations/trip/context", json={}).raise_for_status()
    asked: list[str] = []
    page = open_page("context/trip")
    page.on("request", lambda request: asked.append(request.url))
    page.reload()
    expect(page.get_by_role("article", name="Context")).to_be_visible()
    assert not [url for url in asked if "drawing" in url]
    with page.expect_request("**/assets/drawing-*.js"):
        page.goto(page.url.replace("context/trip", "analytics/hour"))
