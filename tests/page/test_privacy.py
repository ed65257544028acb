"""Tests the privacy view: profile, consent, audit, erasure, export and import."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect
from tests.page.conversations import TRIP, add_bologna_trip, facts_by_text, flush
from tests.page.screen import accessibility_issues

HOSTILE = "<img src=x onerror=\"document.title='run'\">"


def agree(api) -> None:
    api.put("consent", json={"granted": True, "note": "asked in the app"}).raise_for_status()


def add_field(page: Page, name: str, value: str, shape: str = "text") -> None:
    page.get_by_role("button", name="Add field").click()
    form = page.get_by_role("dialog")
    form.get_by_label("Name").fill(name)
    form.get_by_label("Type").select_option(shape)
    box = form.get_by_label("Value", exact=True)
    box.select_option(value) if shape == "yes or no" else box.fill(value)


def save(page: Page) -> None:
    page.get_by_role("dialog").get_by_role("button", name="Save").click()
    expect(page.get_by_role("dialog")).to_have_count(0)


@pytest.mark.req("D5")
@pytest.mark.req("D17")
def test_consent_is_granted_and_a_profile_is_filled_in(open_page, screen, shot, api):
    add_bologna_trip(api)
    page = open_page("privacy", screen=screen)
    switch = page.get_by_role("switch", name="Store a profile of me")
    expect(switch).not_to_be_checked()
    expect(page.get_by_text("Without your consent, no profile is stored or read")).to_be_visible()
    assert accessibility_issues(page) == []
    shot(page, "privacy-no-consent")
    switch.click()
    expect(page.get_by_text("No fields yet")).to_be_visible()
    assert api.get("consent").json()["granted"]

    add_field(page, "diet", f"vegan {HOSTILE}")
    form = page.get_by_role("dialog")
    form.get_by_label("Valid until").fill("2031-05-10T18:00")
    form.get_by_text("Source message").click()
    form.get_by_label("Conversation").select_option(TRIP)
    form.get_by_role("combobox", name="Find a message").fill("vegetarian")
    form.get_by_role("option").filter(has_text="I'm vegetarian").click()
    save(page)
    add_field(page, "guests", "2", "number")
    save(page)
    add_field(page, "newsletter", "no", "yes or no")
    save(page)
    page.get_by_role("textbox", name="In your own words").fill("Prefers short answers.")
    page.get_by_role("button", name="Save text").click()
    expect(page.get_by_text("Text saved.")).to_be_visible()
    expect(page.get_by_text("Text saved.")).to_have_count(0)  # the notification closes itself

    kept = api.get("profile").json()
    fields = {field["name"]: field for field in kept["fields"]}
    assert {name: field["value"] for name, field in fields.items()} == {
        "diet": f"vegan {HOSTILE}",
        "guests": 2,
        "newsletter": False,
    }
    assert (fields["diet"]["message_id"], fields["diet"]["expires_at"]) == ("said-2", "2031-05-10T17:00:00Z")
    assert kept["free"]["value"] == "Prefers short answers."
    expect(page.get_by_role("listitem").filter(has_text="diet").get_by_role("link", name="in trip")).to_be_visible()
    assert page.title() != "run"
    assert accessibility_issues(page) == []
    shot(page, "privacy-profile")


@pytest.mark.req("D5")
def test_a_field_is_changed_removed_and_erased_with_its_history(open_page, api):
    agree(api)
    api.put("profile", json={"fields": {"city": "Lisbon", "diet": "vegan"}}).raise_for_status()
    page = open_page("privacy")
    page.get_by_role("button", name="Edit city").click()
    page.get_by_role("dialog").get_by_label("Value", exact=True).fill("Porto")
    save(page)
    expect(page.get_by_role("listitem").filter(has_text="city")).to_contain_text("Porto")
    page.get_by_role("button", name="Remove diet").click()
    page.get_by_role("dialog").get_by_role("button", name="Remove").click()
    expect(page.get_by_role("listitem").filter(has_text="diet")).to_have_count(0)
    page.get_by_role("button", name="Remove city").click()
    page.get_by_role("dialog").get_by_role("switch", name="Also erase its history").check()
    page.get_by_role("dialog").get_by_role("button", name="Remove").click()
    expect(page.get_by_text("No fields yet")).to_be_visible()
    erased = {entry["detail"].get("erased") for entry in api.get("audit", params={"action": "remove"}).json()["items"]}
    assert erased == {True, False}


@pytest.mark.req("D5")
@pytest.mark.req("D17")
def test_revoking_consent_asks_for_confirmation_and_verifies_the_erasure(open_page, screen, shot, api):
    add_bologna_trip(api)
    agree(api)
    fields = {"address": "Rua Zephyrina 17", "home": "Porto"}
    api.put("profile", json={"fields": fields, "text": "Calls himself Quetzalcoatlus."}).raise_for_status()
    page = open_page("privacy", screen=screen)
    expect(page.get_by_role("listitem").filter(has_text="address")).to_be_visible()
    page.get_by_role("switch", name="Store a profile of me").click()
    asked = page.get_by_role("dialog", name="Revoke consent?")
    expect(asked).to_contain_text("“address”, “home” and your own words")
    assert accessibility_issues(page) == []
    asked.get_by_role("button", name="Cancel").click()
    expect(page.get_by_role("switch", name="Store a profile of me")).to_be_checked()
    assert api.get("consent").json()["granted"]

    page.get_by_role("switch", name="Store a profile of me").click()
    page.get_by_role("button", name="Revoke and erase").click()
    proof = page.get_by_role("status", name="Erasure result")
    expect(proof).to_contain_text("Erased 3 fields with 3 values")
    expect(proof).to_contain_text("Checked: the profile is empty.")
    expect(proof).to_contain_text("“Rua Zephyrina 17” was not found in the store.")
    expect(proof).to_contain_text("“Calls himself Quetzalcoatlus.” was not found in the store.")
    expect(proof).to_contain_text(re.compile("“Porto” also occurs in .*messages"))
    expect(page.get_by_role("switch", name="Store a profile of me")).not_to_be_checked()
    assert accessibility_issues(page) == []
    shot(page, "privacy-revoked")
    assert api.get("profile").json() == {"space": api.headers["X-Aforesaid-Space"], "consent": False} | {
        "fields": [],
        "free": None,
    }


@pytest.mark.req("D5")
def test_the_audit_is_paginated_and_filtered_by_action(open_page, screen, shot, api):
    agree(api)
    for number in range(30):
        api.put("profile", json={"fields": {f"field {number % 3}": number}}).raise_for_status()
    api.get("profile")
    page = open_page("privacy/audit", screen=screen)
    rows = page.get_by_role("row")
    expect(rows).to_have_count(26)
    expect(rows.nth(1)).to_contain_text("read")
    assert accessibility_issues(page) == []
    shot(page, "privacy-audit")
    page.get_by_role("button", name="Show older entries").click()
    expect(rows.filter(has_text="asked in the app")).to_be_visible()
    expect(page.get_by_role("button", name="Show older entries")).to_have_count(0)
    page.get_by_label("Filter by action").select_option("grant")
    expect(rows).to_have_count(2)


@pytest.mark.req("X3")
def test_a_message_is_forgotten_after_a_preview_and_the_receipt_is_kept(open_page, screen, shot, api):
    add_bologna_trip(api)
    page = open_page("privacy/forget", screen=screen)
    page.get_by_role("combobox", name="Find a message").fill("vegetarian")
    page.get_by_role("option").filter(has_text="I'm vegetarian").click()
    page.get_by_role("button", name="Preview").click()
    preview = page.get_by_role("status", name="Preview")
    expect(preview).to_contain_text("1 message requested")
    expect(preview).to_contain_text("2 facts")
    assert accessibility_issues(page) == []
    shot(page, "privacy-forget")
    assert "user is vegetarian" in facts_by_text(api)
    preview.get_by_role("button", name="Forget permanently").click()
    page.get_by_role("dialog").get_by_role("button", name="Forget permanently").click()
    receipt = page.get_by_role("status", name="Receipt")
    expect(receipt).to_contain_text("Forgotten")
    expect(receipt).to_contain_text("1 message")
    expect(page.get_by_role("region", name="Past erasures").get_by_role("row")).to_have_count(2)
    assert accessibility_issues(page) == []
    shot(page, "privacy-receipt")
    assert "user is vegetarian" not in facts_by_text(api, status="any")
    assert api.get(f"conversations/{TRIP}/messages/said-2").status_code == 404


def test_a_fact_is_forgotten_by_its_address(open_page, api):
    add_bologna_trip(api)
    page = open_page(f"privacy/forget/fact/{facts_by_text(api)['user prefers trains']['id']}")
    expect(page.get_by_label("Fact", exact=True).locator("option:checked")).to_have_text("user prefers trains")
    page.get_by_role("button", name="Preview").click()
    page.get_by_role("button", name="Forget permanently").click()
    page.get_by_role("dialog").get_by_role("button", name="Forget permanently").click()
    expect(page.get_by_role("status", name="Receipt")).to_be_visible()
    assert "user prefers trains" not in facts_by_text(api, status="any")


def test_a_conversation_and_messages_before_a_date_are_forgotten(open_page, api):
    add_bologna_trip(api)
    api.post("conversations/old/messages", json={"role": "user", "content": "Old.", "at": "2020-01-01T00:00:00Z"})
    flush(api)
    page = open_page("privacy/forget")
    page.get_by_text("Everything before a date").click()
    page.get_by_label("Forget messages before").fill("2021-01-01T00:00")
    page.get_by_role("button", name="Preview").click()
    expect(page.get_by_role("status", name="Preview")).to_contain_text("1 message")
    page.get_by_role("button", name="Forget permanently").click()
    page.get_by_role("dialog").get_by_role("button", name="Forget permanently").click()
    expect(page.get_by_role("status", name="Receipt")).to_be_visible()
    assert [one["messages"] for one in api.get("conversations").json()["items"]] == [14]
    page.get_by_text("A conversation", exact=True).click()
    page.get_by_label("Conversation", exact=True).select_option(TRIP)
    page.get_by_role("button", name="Preview").click()
    page.get_by_role("button", name="Forget permanently").click()
    page.get_by_role("dialog").get_by_role("button", name="Cancel").click()
    assert api.get(f"conversations/{TRIP}").is_success
    page.get_by_role("button", name="Forget permanently").click()
    page.get_by_role("dialog").get_by_role("button", name="Forget permanently").click()
    expect(page.get_by_role("status", name="Receipt")).to_be_visible()
    assert api.get(f"conversations/{TRIP}").status_code == 404


def test_forgetting_everything_requires_typing_the_name_of_the_space(open_page, api, space):
    add_bologna_trip(api)
    page = open_page("privacy/forget")
    page.get_by_text("Everything", exact=True).click()
    page.get_by_role("button", name="Preview").click()
    page.get_by_role("button", name="Forget permanently").click()
    sure = page.get_by_role("dialog", name="Forget everything?")
    expect(sure.get_by_role("button", name="Forget permanently")).to_be_disabled()
    sure.get_by_label("Type").fill(space)
    sure.get_by_role("button", name="Forget permanently").click()
    expect(page.get_by_role("status", name="Receipt")).to_be_visible()
    assert api.get("conversations").json()["items"] == []


@pytest.mark.req("X3")
def test_erasure_of_a_text_is_verified_in_the_whole_store(open_page, api):
    add_bologna_trip(api)
    page = open_page("privacy/forget")
    proof = page.get_by_role("region", name="Verify erasure")
    proof.get_by_label("Text to check").fill("Mercato di Mezzo")
    proof.get_by_role("button", name="Check").click()
    expect(proof.get_by_role("status")).to_contain_text("was found in")
    expect(proof.get_by_role("listitem").filter(has_text="messages")).to_be_visible()
    api.post("forget", json={"everything": True}).raise_for_status()
    proof.get_by_role("button", name="Check").click()
    expect(proof.get_by_role("status")).to_contain_text("“Mercato di Mezzo” was not found.")


def test_a_space_is_exported_and_imported_into_another(open_page, screen, shot, api, server, tmp_path):
    add_bologna_trip(api)
    page = open_page("privacy/export", screen=screen, expected=("422",))
    expect(page.get_by_role("heading", name="Export", exact=True)).to_be_visible()
    assert accessibility_issues(page) == []
    shot(page, "privacy-export")
    with page.expect_download() as started:
        page.get_by_role("region", name="Export", exact=True).get_by_role("button", name="Export").click()
    space = api.headers["X-Aforesaid-Space"]
    assert started.value.suggested_filename == f"{space}.zip"
    path = tmp_path / "space.zip"
    started.value.save_as(path)
    page.goto(f"{server}/#/{space}-copy/privacy/export")
    page.get_by_label("ZIP file").set_input_files(path)
    page.get_by_role("form", name="Import", exact=True).get_by_role("button", name="Import").click()
    expect(page.get_by_text("Imported. The space now has 14 messages in 1 conversation.")).to_be_visible()
    there = {"X-Aforesaid-Space": f"{space}-copy"}
    copied = api.get(f"conversations/{TRIP}/messages", headers=there).json()["items"]
    assert [one["id"] for one in copied] == [f"said-{number}" for number in range(14)]
    broken = tmp_path / "broken.zip"
    broken.write_bytes(b"no archive")
    page.get_by_label("ZIP file").set_input_files(broken)
    page.get_by_role("form", name="Import", exact=True).get_by_role("button", name="Import").click()
    expect(page.locator(".toast.bad")).to_be_visible()


@pytest.mark.req("X8")
def test_chats_of_another_program_are_previewed_and_imported(open_page, api, tmp_path):
    lines = tmp_path / "chat.jsonl"
    lines.write_text("".join(f'{{"role": "user", "content": "Number {n}."}}\n' for n in range(3)), "utf-8")
    page = open_page("privacy/export")
    chats = page.get_by_role("form", name="Import chats from other apps")
    chats.get_by_label("Exported file").set_input_files(lines)
    chats.get_by_role("button", name="Preview").click()
    expect(chats.get_by_role("status")).to_contain_text("To import: 3 messages, 1 conversation (chat)")
    assert api.get("conversations").json()["items"] == []
    chats.get_by_role("button", name="Import").click()
    expect(chats.get_by_role("status")).to_contain_text("Imported: 3 messages")
    (made,) = api.get("conversations").json()["items"]
    assert (made["id"], made["messages"]) == ("chat:chat", 3)
