"""Tests the recipe bench: all recipes side by side, a slider for the budget, and the price of each."""

from __future__ import annotations

import re

import httpx2
import pytest
from playwright.sync_api import Page, Request, Route, expect
from tests.page.screen import accessibility_issues
from tests.page.test_receipts import LAST, QUESTION, family, ranked, stored  # noqa: F401 (a fixture)

RECIPES = ("balanced", "window", "project", "rolling", "retrieval")


def bench(page: Page):
    return page.get_by_role("region", name="Recipe bench")


def column(page: Page, recipe: str):
    return bench(page).get_by_role("columnheader", name=recipe, exact=True)


def slider(page: Page):
    return bench(page).get_by_role("slider", name="Token budget")


def tried(api: httpx2.Client, recipe: str, budget: int) -> dict:
    """The receipt of a context that stores nothing."""
    body = {"query": QUESTION, "recipe": recipe, "max_tokens": budget, "overflow": "truncate"}
    answer = api.post(f"conversations/{LAST}/context", json={**body, "dry_run": True, "format": "complete"})
    return answer.raise_for_status().json()["payload"]["receipt"]


def expect_tokens(page: Page, api: httpx2.Client, budget: int) -> None:
    for recipe in RECIPES:
        tokens = f"{tried(api, recipe, budget)['tokens']:,}"
        expect(column(page, recipe).locator(".tokens")).to_have_text(tokens)


@pytest.mark.req("A20", "X1")
def test_all_recipes_stand_side_by_side_and_what_differs_is_marked(open_page, screen, shot, api, family):  # noqa: F811
    page = open_page(f"context/{family}", screen=screen)
    page.get_by_label("Question").fill(QUESTION)
    page.get_by_role("link", name="Try all recipes").click()
    expect(bench(page).get_by_label("Question")).to_have_value(QUESTION)
    expect_tokens(page, api, 4000)
    receipts = {recipe: tried(api, recipe, 4000) for recipe in RECIPES}
    inside = {name: {item["id"] for item in one["items"] if item["included"]} for name, one in receipts.items()}
    every, common = set.union(*inside.values()), set.intersection(*inside.values())
    expect(bench(page).get_by_role("status")).to_contain_text(f"{len(every - common)} of {len(every)} items differ")
    best = next(
        item
        for item in receipts["balanced"]["items"]
        if item["reason"].startswith("rank 1,") or item["reason"] == "rank 1"
    )
    text = api.post("messages/locate", json={"ids": [best["id"]]}).json()["items"][0]["content"]
    row = bench(page).get_by_role("row").filter(has_text=text[:60])
    expect(row).to_have_attribute("data-differs", "true")
    expect(row.locator("td[data-recipe=balanced]")).to_contain_text("rank 1")
    expect(row.locator("td[data-recipe=window]")).to_contain_text("not found")
    only = inside["balanced"].difference(*(ids for name, ids in inside.items() if name != "balanced"))
    expect(column(page, "balanced")).to_contain_text(f"{len(only)} only here")
    if common:
        bench(page).get_by_role("switch", name="Only items that differ").uncheck()
        button = bench(page).get_by_role("button", name="Show all")
        if button.count():
            button.click()
        expect(bench(page).locator("tr[data-differs=false]")).to_have_count(len(common))
        expect(row).to_contain_text("differs")
    assert accessibility_issues(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= screen.width
    page.locator("main").evaluate("one => one.scrollTo(0, 0)")
    shot(page, "context-bench")


@pytest.mark.req("A20")
def test_the_slider_answers_while_it_moves_and_stores_nothing(open_page, api, family):  # noqa: F811
    page = open_page(f"context/{family}/bench/{QUESTION}", expected=("ERR_ABORTED",))
    expect_tokens(page, api, 4000)
    sent: list[int] = []

    def note(request: Request) -> None:
        if request.url.split("?")[0].endswith("/context") and request.method == "POST":
            sent.append(request.post_data_json["max_tokens"])
            assert request.post_data_json["dry_run"] is True

    page.on("request", note)
    slider(page).focus()
    for _ in range(4):
        page.keyboard.press("ArrowLeft")
    expect(slider(page)).to_have_attribute("aria-valuetext", "1,500 tokens")
    expect_tokens(page, api, 1500)
    assert sent.count(1500) == len(RECIPES)
    assert len(sent) < 4 * len(RECIPES) + 1  # at most one request of each recipe for each step
    page.keyboard.press("Home")
    expect_tokens(page, api, 200)
    page.keyboard.press("End")
    expect_tokens(page, api, 128_000)
    assert api.get("receipts").json()["items"] == []
    assert api.get("retrievals").json()["items"] == []


@pytest.mark.req("A20")
def test_a_change_of_the_slider_aborts_the_requests_before_it(open_page, api, family):  # noqa: F811
    page = open_page(f"context/{family}/bench/{QUESTION}", expected=("ERR_ABORTED",))
    expect_tokens(page, api, 4000)
    held: list[Route] = []
    aborted: list[int] = []

    def note(request: Request) -> None:
        if "/context?" in request.url:
            aborted.append(request.post_data_json["max_tokens"])

    page.on("requestfailed", note)

    def hold(route: Route) -> None:
        """The server does not answer the first change."""
        if route.request.post_data_json["max_tokens"] == 5000:
            held.append(route)
        else:
            route.continue_()

    page.route("**/context?*", hold)
    with page.expect_request("**/context?*"):
        slider(page).press("ArrowRight")
    with page.expect_event("requestfailed"):
        slider(page).press("ArrowRight")
    expect_tokens(page, api, 6000)
    assert set(aborted) == {5000}


@pytest.mark.req("A20")
def test_a_price_that_the_person_edits_is_counted_with_and_kept(open_page, api, family):  # noqa: F811
    page = open_page(f"context/{family}/bench/{QUESTION}")
    expect_tokens(page, api, 4000)
    bench(page).get_by_label("Model").select_option("claude-sonnet-4-5")
    bench(page).get_by_label("$ per million tokens").fill("2.5")
    tokens = tried(api, "balanced", 4000)["tokens"]
    expect(column(page, "balanced").locator(".money")).to_have_text(f"${tokens * 2.5 / 1000:,.2f}")
    page.reload()
    bench(page).get_by_label("Model").select_option("claude-sonnet-4-5")
    expect(bench(page).get_by_label("$ per million tokens")).to_have_value("2.5")
    expect(column(page, "balanced").locator(".money")).to_have_text(f"${tokens * 2.5 / 1000:,.2f}")


def test_a_column_opens_the_receipt_of_its_recipe(open_page, api, family):  # noqa: F811
    page = open_page(f"context/{family}/bench/{QUESTION}")
    bench(page).get_by_role("button", name="Open receipt of retrieval").click()
    expect(page.get_by_role("article", name="Context").get_by_text("retrieval", exact=True)).to_be_visible()
    [kept] = api.get("receipts").json()["items"]
    assert (kept["recipe"], kept["question"], kept["max_tokens"]) == ("retrieval", QUESTION, 4000)
    assert re.search(rf"/context/{family}/{kept['id']}$", page.url)
    expect(page.get_by_role("complementary", name="Receipts").get_by_role("link")).to_have_count(1)
    page.get_by_role("link", name="Try all recipes").click()  # with the question of the open receipt
    expect(bench(page).get_by_label("Question")).to_have_value(QUESTION)
