"""Tests the settings view: values, sources, changes and validation errors."""

from __future__ import annotations

import re

import httpx2
import pytest
from playwright.sync_api import Page, expect
from tests.page.conversations import flush
from tests.page.screen import accessibility_issues
from tests.serving import served


def row(page: Page, name: str):
    return page.locator(f"[data-name={name}]")


def kept(api: httpx2.Client, name: str) -> dict:
    return next(one for one in api.get("settings").json()["items"] if one["name"] == name)


@pytest.mark.req("D3", "D17")
def test_every_setting_is_shown_with_its_value_and_source(open_page, screen, shot, api):
    api.put("settings/chunk_tokens", json={"value": 320}).raise_for_status()
    api.put("settings/weight_recency", json={"value": 0.25}).raise_for_status()
    page = open_page("settings", screen=screen)
    hidden = {"summary_frequency": "Summary frequency", "instructions": "Instructions"}
    unused = page.get_by_role("region", name="Not shown")
    for one in api.get("settings").json()["items"]:
        if one["name"] in hidden:
            expect(unused).to_contain_text(hidden[one["name"]])
            expect(row(page, one["name"])).to_have_count(0)
            continue
        expect(row(page, one["name"])).to_contain_text(one["help"])
        expect(row(page, one["name"])).to_contain_text("set here" if one["source"] == "space" else "default")
    expect(row(page, "chunk_tokens").get_by_role("textbox")).to_have_value("320")
    expect(row(page, "chunk_tokens")).to_contain_text("default 500")
    expect(row(page, "embedder")).to_contain_text("serving")
    expect(row(page, "model")).to_contain_text("none")
    assert accessibility_issues(page) == []
    shot(page, "settings")
    page.get_by_role("region", name="Weights").scroll_into_view_if_needed()
    shot(page, "settings-weights")
    page.get_by_role("region", name="Models").scroll_into_view_if_needed()
    shot(page, "settings-models")


@pytest.mark.req("D3", "D17")
def test_a_change_takes_effect_immediately_and_can_be_reset(open_page, api):
    page = open_page("settings")
    row(page, "hybrid").get_by_role("switch").click()
    expect(row(page, "hybrid")).to_contain_text("set here")
    assert kept(api, "hybrid")["value"] is False
    flags = api.get("debug/retrieval", params={"q": "Lisbon"}).json()["flags"]
    assert flags["hybrid"] is False
    row(page, "hybrid").get_by_role("button", name="Reset Hybrid").click()
    expect(row(page, "hybrid").get_by_role("switch")).to_be_checked()
    assert kept(api, "hybrid")["source"] == "default"

    row(page, "token_budget").get_by_role("textbox").fill("1500")
    page.keyboard.press("Enter")
    expect(row(page, "token_budget")).to_contain_text("set here")
    assert kept(api, "token_budget")["value"] == 1500

    row(page, "summaries").get_by_role("combobox").select_option("rolling")
    expect(row(page, "summaries")).to_contain_text("set here")
    assert kept(api, "summaries")["value"] == "rolling"


@pytest.mark.req("D3")
def test_a_setting_appears_when_it_has_an_effect(open_page, api):
    page = open_page("settings")
    unused = page.get_by_role("region", name="Not shown")
    expect(unused).to_contain_text("Only the summaries of the recipe retrieval have a frequency.")
    row(page, "summaries").get_by_role("combobox").select_option("retrieval")
    expect(row(page, "summary_frequency").get_by_role("textbox")).to_have_value("5")
    expect(unused).not_to_contain_text("Summary frequency")
    row(page, "chunking").get_by_role("switch").click()
    expect(row(page, "chunk_tokens")).to_have_count(0)
    expect(unused).to_contain_text("Chunking is off.")


@pytest.mark.req("D3")
def test_the_token_budget_limits_the_default_recipe_in_the_context_view(open_page, api):
    text = "The boiler in Porto has many pipes, and its valve number {} drips when it rains in winter."
    said = [{"role": "user", "content": text.format(n)} for n in range(40)]
    api.post("conversations/house/messages", json={"messages": said}).raise_for_status()
    api.post("conversations/new/messages", json={"role": "user", "content": "Hello."}).raise_for_status()
    flush(api)
    page = open_page("settings")
    row(page, "token_budget").get_by_role("textbox").fill("60")
    page.keyboard.press("Enter")
    expect(row(page, "token_budget")).to_contain_text("set here")
    page.goto(page.url.replace("/settings", "/context/new"))
    page.get_by_label("Question", exact=True).fill("Which valve of the boiler drips?")
    page.get_by_role("button", name="Build", exact=True).click()
    expect(page).to_have_url(re.compile("/context/new/.+"))
    tokens = api.get("receipts").json()["items"][0]["sections"]["recalled"]
    assert 0 < tokens <= 60
    expect(page.get_by_role("img", name=re.compile(f"recalled {tokens}", re.I))).to_be_visible()


@pytest.mark.req("D3")
def test_an_invalid_value_is_an_error_at_its_field_and_changes_nothing(open_page, api):
    page = open_page("settings", expected=("422",))
    field = row(page, "chunk_tokens").get_by_role("textbox")
    for typed, told in (("3", "at least 16"), ("300.5", "takes a int"), ("many", "Enter a number")):
        field.fill(typed)
        page.keyboard.press("Enter")
        expect(row(page, "chunk_tokens").get_by_role("alert")).to_contain_text(told)
        expect(field).to_have_attribute("aria-invalid", "true")
        expect(field).to_have_value(typed)
    assert kept(api, "chunk_tokens")["source"] == "default"
    field.fill("300")
    page.keyboard.press("Enter")
    expect(row(page, "chunk_tokens")).to_contain_text("set here")
    expect(row(page, "chunk_tokens").get_by_role("alert")).to_be_empty()


@pytest.mark.req("D3")
def test_weights_are_changed_summed_and_reset(open_page, api):
    page = open_page("settings")
    weights = page.get_by_role("region", name="Weights")
    before = sum(one["value"] for one in api.get("settings").json()["items"] if one["name"].startswith("weight_"))
    expect(weights.locator(".weights-sum")).to_contain_text(f"{before:.2f}")
    slider = row(page, "weight_dense").get_by_role("slider")
    slider.focus()
    page.keyboard.press("ArrowRight")
    expect(row(page, "weight_dense")).to_contain_text("set here")
    expect(weights.locator(".weights-sum")).to_contain_text(f"{before + 0.01:.2f}")
    row(page, "weight_time").get_by_role("textbox").fill("0.5")
    page.keyboard.press("Enter")
    expect(weights.locator(".weights-sum")).to_contain_text(f"{before + 0.31:.2f}")
    assert (kept(api, "weight_dense")["value"], kept(api, "weight_time")["value"]) == (0.61, 0.5)
    weights.get_by_role("button", name="Reset all weights").click()
    expect(weights.locator(".weights-sum")).to_contain_text(f"{before:.2f}")
    expect(weights.get_by_role("button", name="Reset all weights")).to_be_disabled()
    assert kept(api, "weight_dense")["source"] == "default"


@pytest.mark.req("D3")
def test_the_environment_is_shown_as_the_source_and_a_space_setting_overrides_it(open_page, tmp_path):
    with served(str(tmp_path / "set.db"), AFORESAID_CHUNK_TOKENS="250", RAG_HYBRID="false") as other:
        page = open_page("settings", at=other.url, expected=("net::ERR_",))
        expect(row(page, "chunk_tokens")).to_contain_text("environment")
        expect(row(page, "chunk_tokens").get_by_role("textbox")).to_have_value("250")
        expect(row(page, "hybrid").get_by_role("switch")).not_to_be_checked()
        row(page, "chunk_tokens").get_by_role("textbox").fill("400")
        page.keyboard.press("Tab")
        expect(row(page, "chunk_tokens")).to_contain_text("set here")
        row(page, "chunk_tokens").get_by_role("button", name=re.compile("Reset")).click()
        expect(row(page, "chunk_tokens").get_by_role("textbox")).to_have_value("250")
        expect(row(page, "chunk_tokens")).to_contain_text("environment")


def test_settings_are_searched_and_changes_of_another_process_appear(open_page, api):
    page = open_page("settings")
    page.get_by_label("Search settings").fill("chunk")
    expect(row(page, "chunk_tokens")).to_be_visible()
    expect(row(page, "hybrid")).to_have_count(0)
    api.put("settings/chunk_tokens", json={"value": 222}).raise_for_status()
    expect(row(page, "chunk_tokens").get_by_role("textbox")).to_have_value("222")
    page.get_by_label("Search settings").fill("no such thing")
    expect(page.get_by_role("heading", name="No matching settings")).to_be_visible()


@pytest.mark.req("D3")
def test_stored_messages_are_rechunked_on_request(open_page, api):
    text = " ".join(f"Sentence number {n} tells of another day." for n in range(60))
    api.post("conversations/long/messages", json={"role": "user", "content": text}).raise_for_status()
    page = open_page("settings")
    page.get_by_role("button", name="Split stored messages").click()
    expect(page.get_by_text("already split this way")).to_be_visible()
    row(page, "chunk_tokens").get_by_role("textbox").fill("64")
    page.keyboard.press("Enter")
    expect(row(page, "chunk_tokens")).to_contain_text("set here")
    page.get_by_role("button", name="Split stored messages").click()
    expect(page.get_by_text("1 message split again")).to_be_visible()
