"""Tests the chat view: conversations, messages, pins and live updates."""

from __future__ import annotations

import os
import re

import pytest
from playwright.sync_api import Page, Request, expect
from tests.page.conversations import add_conversation, flush
from tests.page.screen import Screen, accessibility_issues
from tests.programs import run

HOSTILE = "<img src=x onerror=\"document.title='run'\"><script>document.title='run'</script>"


def message(page: Page, seq: int):
    return page.locator(f"article[data-seq='{seq}']")


def choose(page: Page, action: str) -> None:
    page.get_by_role("button", name="Conversation actions").click()
    page.get_by_role("menuitem", name=action).click()


@pytest.mark.req("A20")
def test_a_first_visit_offers_a_sample_that_fills_the_chat(open_page, screen, shot, api):
    page = open_page(screen=screen)
    expect(page.get_by_role("heading", name="No conversations")).to_be_visible()
    assert accessibility_issues(page) == []
    shot(page, "chat-first-visit")
    page.get_by_role("button", name="Add sample conversations").click()
    expect(page.get_by_role("heading", name="A week in Bologna")).to_be_visible()
    expect(page.get_by_text("well below the 1400 €")).to_be_visible()
    page.get_by_role("button", name="Dismiss").click()
    flush(api)
    if screen.width > 720:  # the panel is collapsed on a narrow screen
        expect(page.locator(".latest")).to_be_visible()
    assert accessibility_issues(page) == []
    shot(page, "chat")
    page.goto(page.url.replace("sample-trip", "sample-import-bug"))
    expect(page.locator(".t-keyword").first).to_be_visible()
    assert accessibility_issues(page) == []
    shot(page, "chat-code")


def test_the_sample_has_data_for_every_view(open_page, api):
    page = open_page()
    page.get_by_role("button", name="Add sample conversations").click()
    expect(page.get_by_role("heading", name="A week in Bologna")).to_be_visible()
    flush(api)
    facts = api.get("facts", params={"status": "any"}).json()["items"]
    assert {"active", "superseded"} <= {fact["status"] for fact in facts}
    assert len({fact["kind"] for fact in facts}) > 2
    assert len(api.get("episodes").json()["items"]) > 2
    assert api.get("receipts").json()["items"]
    assert api.get("conversations/sample-trip/pins").json()["items"]


@pytest.mark.req("A20")
def test_a_message_is_pinned_and_unpinned_with_its_button(open_page, api):
    add_conversation(api, "trip", "Good morning.", "Hello!", "At most 900 €.")
    page = open_page("chat/trip")
    message(page, 2).get_by_role("button", name="Pin message 3").click()
    pins = page.get_by_role("complementary", name="Pins")
    expect(pins.get_by_text("At most 900 €.")).to_be_visible()
    assert [one["content"] for one in api.get("conversations/trip/pins").json()["items"]] == ["At most 900 €."]
    button = message(page, 2).get_by_role("button", name="Unpin message 3")
    expect(button).to_have_attribute("aria-pressed", "true")
    button.click()
    expect(pins.get_by_text("No pins yet")).to_be_visible()
    assert api.get("conversations/trip/pins").json()["items"] == []


def test_fast_clicks_pin_and_unpin_alternately(open_page, api):
    add_conversation(api, "trip", "Good morning.")
    page = open_page("chat/trip")
    sent: list[str] = []

    def third(request: Request) -> bool:
        if request.method in ("POST", "DELETE"):
            sent.append(request.method)
        return len(sent) == 3

    with page.expect_request_finished(third):
        message(page, 0).get_by_role("button", name="Pin message 1").click(click_count=3)
    assert sent == ["POST", "DELETE", "POST"]
    expect(message(page, 0).get_by_role("button", name="Unpin message 1")).to_be_visible()
    assert len(api.get("conversations/trip/pins").json()["items"]) == 1


def test_a_text_is_pinned_and_removed_in_the_panel(open_page, api):
    add_conversation(api, "trip", "Hello.")
    page = open_page("chat/trip")
    pins = page.get_by_role("complementary", name="Pins")
    for text in ("Budget: 900 €", "No peanuts"):
        pins.get_by_label("New pin").fill(text)
        pins.get_by_role("button", name="Pin", exact=True).click()
        expect(pins.get_by_text(text)).to_be_visible()
    pins.get_by_role("button", name="Remove pin").first.press("Enter")
    remove = pins.get_by_role("button", name="Remove pin")
    expect(remove).to_have_count(1)
    expect(remove).to_be_focused()
    remove.press("Enter")
    expect(pins.get_by_text("No pins yet")).to_be_visible()
    expect(pins.get_by_role("heading", name="Pins")).to_be_focused()


def test_code_is_copied_without_the_clipboard_api(open_page, api):
    """Browsers offer no clipboard API on plain HTTP with a host name."""
    add_conversation(api, "trip", "```python\nprint('Lisbon')\n```")
    page = open_page("chat/trip")
    page.evaluate("Object.defineProperty(navigator, 'clipboard', { value: undefined })")
    page.get_by_role("button", name="Copy code").click()
    expect(page.get_by_text("Copied", exact=True)).to_be_visible()
    expect(page.get_by_role("button", name="Copy code")).to_be_focused()
    box = page.get_by_role("textbox", name="Message", exact=True)
    box.press("Control+V")
    expect(box).to_have_value("print('Lisbon')")
    page.evaluate("document.execCommand = () => false")
    page.get_by_role("button", name="Copy code").click()
    expect(page.get_by_text("Could not copy")).to_be_visible()


@pytest.mark.req("A20")
def test_changes_of_another_process_appear_without_a_reload(open_page, api, store, space):
    add_conversation(api, "trip", "We settled on Lisbon.")
    page = open_page("chat/trip")
    expect(message(page, 0)).to_be_visible()
    command = ("add", "trip", "Said by another process.", "--space", space, "--store", store)
    assert run("-m", "aforesaid", *command, environment=os.environ).returncode == 0
    expect(message(page, 1)).to_contain_text("Said by another process.")
    api.post("conversations/trip/pins", json={"content": "Pinned elsewhere"}).raise_for_status()
    expect(page.get_by_role("complementary", name="Pins").get_by_text("Pinned elsewhere")).to_be_visible()
    api.patch("conversations/trip", json={"title": "Renamed elsewhere"}).raise_for_status()
    expect(page.get_by_role("heading", name="Renamed elsewhere")).to_be_visible()


def test_data_forgotten_elsewhere_disappears_and_does_not_mix_with_new_data(open_page, api):
    """Covers a deleted conversation, a forgotten one and a forgotten space, in the chat and on the timeline."""
    add_conversation(api, "trip", *(f"An old word, {n}." for n in range(150)))
    api.post("conversations/trip/pins", json={"content": "An old pin."}).raise_for_status()
    add_conversation(api, "other", "Something else.")
    page = open_page("chat/trip", expected=(r"404.*/conversations/trip\?",))  # requested before the event arrives
    timeline = open_page("timeline/trip", expected=("404",))
    pins = page.get_by_role("complementary", name="Pins")
    expect(message(page, 149)).to_be_visible()
    expect(pins.get_by_text("An old pin.")).to_be_visible()
    expect(timeline.get_by_role("heading", name="Summaries", exact=True)).to_be_visible()
    api.delete("conversations/trip").raise_for_status()
    add_conversation(api, "trip", "A new word.")
    expect(message(page, 0)).to_contain_text("A new word.")
    expect(page.get_by_text("An old")).to_have_count(0)
    expect(timeline.get_by_text("0 of 1 messages summarised")).to_be_visible()

    api.post("forget", json={"conversation": "trip"}).raise_for_status()
    expect(page.get_by_text("No messages yet")).to_be_visible()
    expect(page.get_by_role("link", name=re.compile("^other"))).to_be_visible()
    expect(timeline.get_by_role("heading", name="Could not load the data")).to_be_visible()
    expect(timeline.get_by_label("Conversation").get_by_role("option", name="other")).to_have_count(1)

    page.get_by_role("link", name=re.compile("^other")).click()
    expect(message(page, 0)).to_contain_text("Something else.")
    api.post("forget", json={"everything": True}).raise_for_status()
    expect(page.get_by_text("No messages yet")).to_be_visible()
    expect(page.get_by_text("No conversations yet.")).to_be_visible()
    expect(timeline.get_by_label("Conversation").get_by_role("option", name="other")).to_have_count(0)


def test_many_messages_in_a_row_all_appear_and_are_counted(open_page, api):
    add_conversation(api, "trip", "Hello.")
    page = open_page("chat/trip")
    expect(message(page, 0)).to_be_visible()
    for number in range(1, 60):
        api.post("conversations/trip/messages", json={"role": "user", "content": f"Number {number}"}).raise_for_status()
    expect(message(page, 59)).to_be_in_viewport()
    expect(page.get_by_role("link", name="trip 60 messages")).to_be_visible()
    page.goto(page.url + "/1")
    expect(message(page, 1)).to_contain_text("Number 1")


def test_the_page_recovers_from_a_lost_connection(open_page, api):
    add_conversation(api, "trip", "Before.")
    page = open_page("chat/trip", expected=("ERR_INTERNET_DISCONNECTED", "ERR_NETWORK"))
    expect(page.get_by_label("Live: changes appear as they happen")).to_be_visible()
    page.context.set_offline(True)
    api.post("conversations/trip/messages", json={"role": "user", "content": "Said meanwhile."}).raise_for_status()
    page.context.set_offline(False)
    expect(message(page, 1)).to_contain_text("Said meanwhile.")


@pytest.mark.req("A20")
def test_hostile_text_is_shown_and_not_executed(open_page, api):
    add_conversation(api, "trip", HOSTILE, f"```html\n{HOSTILE}\n```", f"**{HOSTILE}** and `{HOSTILE}`", title=HOSTILE)
    api.post("conversations/trip/pins", json={"content": HOSTILE}).raise_for_status()
    page = open_page("chat/trip")
    expect(message(page, 0)).to_contain_text(HOSTILE)
    expect(message(page, 1)).to_contain_text(HOSTILE)
    expect(page.get_by_role("complementary", name="Pins")).to_contain_text(HOSTILE)
    expect(page.get_by_role("heading", level=1)).to_have_text(HOSTILE)
    assert page.title() != "run"
    assert page.locator("#content img, #content script").count() == 0


def test_without_a_model_a_message_is_stored_and_its_context_shown(open_page, api, screen, shot):
    add_conversation(
        api, "trip", "We settled on Lisbon in May.", "Noted.", "The whole trip must cost less than 900 €.", "Good."
    )
    page = open_page("chat/trip", screen=screen)
    box = page.get_by_role("textbox", name="Message", exact=True)
    box.fill("What may it cost?")
    box.press("Shift+Enter")
    box.press_sequentially("In May.")
    box.press("Enter")
    expect(message(page, 4)).to_contain_text("What may it cost?\nIn May.")
    expect(box).to_have_value("")
    given = page.get_by_role("region", name="Context preview")
    expect(given.get_by_role("img", name=re.compile("Context: .* tokens"))).to_be_visible()
    expect(given.get_by_text("no language model is configured")).to_be_visible()
    expect(given.get_by_role("link", name="See why each item is included")).to_be_in_viewport()
    assert accessibility_issues(page) == []
    shot(page, "chat-no-model")
    stored = api.get("conversations/trip/messages").json()["items"][-1]
    assert (stored["role"], stored["content"]) == ("user", "What may it cost?\nIn May.")


def test_a_conversation_is_started_renamed_paused_resumed_ended_and_deleted(open_page, api):
    page = open_page()
    page.get_by_role("button", name="Start a conversation").click()
    page.get_by_role("dialog").get_by_label("Title").fill("A trip to Lisbon")
    page.get_by_role("dialog").get_by_role("button", name="Start").click()
    expect(page.get_by_role("heading", name="A trip to Lisbon")).to_be_visible()
    assert page.url.endswith("/chat/a-trip-to-lisbon")

    choose(page, "Rename…")
    page.get_by_role("dialog").get_by_label("Title").fill("Lisbon, in May")
    page.get_by_role("dialog").get_by_role("button", name="Rename").click()
    expect(page.get_by_role("heading", name="Lisbon, in May")).to_be_visible()

    def status() -> str:
        return api.get("conversations/a-trip-to-lisbon").json()["status"]

    choose(page, "Pause")
    expect(page.get_by_role("region", name="Conversation", exact=True).get_by_text("paused")).to_be_visible()
    assert status() == "paused"
    choose(page, "Resume")
    expect(page.get_by_text("paused")).to_have_count(0)
    assert status() == "active"
    choose(page, "End")
    expect(page.get_by_role("region", name="Conversation", exact=True).get_by_text("ended")).to_be_visible()
    assert status() == "ended"

    choose(page, "Delete…")
    page.get_by_role("dialog").get_by_role("button", name="Cancel").click()
    assert status() == "ended"
    choose(page, "Delete…")
    page.get_by_role("dialog").get_by_role("button", name="Delete").click()
    expect(page.get_by_role("heading", name="No conversations")).to_be_visible()
    assert api.get("conversations").json()["items"] == []


def test_conversations_are_searched_by_title_and_by_content(open_page, api):
    add_conversation(api, "trip", "We settled on Lisbon in May.", title="Spring holidays")
    add_conversation(api, "bug", "The job dies in fetch_invoices().", title="A crash at night")
    flush(api)
    page = open_page()
    box = page.get_by_role("searchbox", name="Search")
    box.fill("holid")
    expect(page.get_by_role("link", name=re.compile("^Spring holidays"))).to_be_visible()
    expect(page.get_by_role("link", name=re.compile("^A crash"))).to_have_count(0)
    box.fill("fetchInvoices")
    page.get_by_role("link", name=re.compile("The job dies")).click()
    expect(page.get_by_role("heading", name="A crash at night")).to_be_visible()
    expect(message(page, 0)).to_have_attribute("data-marked", "true")


def test_text_in_any_script_is_searchable_and_shown_in_its_direction(open_page, api):
    add_conversation(api, "cat", "我的猫叫小白。", title="محادثة حول السفر")
    api.post("conversations/cat/pins", json={"content": "أريد شقة هادئة"}).raise_for_status()
    page = open_page("chat/cat")
    for found in (
        page.get_by_role("heading", level=1),
        page.get_by_role("link", name="محادثة").locator("span").first,
        page.get_by_role("complementary", name="Pins").get_by_text("أريد شقة"),
    ):
        expect(found).to_be_visible()
        expect(found).to_have_css("direction", "rtl")
    page.get_by_role("searchbox", name="Search").fill("猫")
    expect(page.get_by_role("link", name="我的猫叫小白")).to_be_visible()
    page.get_by_role("button", name="New conversation").click()
    page.get_by_role("dialog").get_by_label("Title").fill("a" + "𠮷" * 40)
    page.get_by_role("dialog").get_by_role("button", name="Start").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("a" + "𠮷" * 40)


def test_a_long_list_shows_the_number_of_remaining_items_and_loads_them(open_page, api):
    for number in range(302):
        api.put(f"conversations/chat-{number}", json={}).raise_for_status()
    page = open_page()
    links = page.get_by_role("region", name="Conversations").get_by_role("link")
    expect(links).to_have_count(300)
    page.get_by_role("button", name="Show more (2 left)").click()
    expect(links).to_have_count(302)


ON_TOP = """button => {
  const { x, y, width, height } = button.getBoundingClientRect();
  return button.contains(document.elementFromPoint(x + width / 2, y + height / 2));
}"""


@pytest.mark.parametrize("width", [390, 1440])
def test_a_missing_message_and_long_names_keep_the_layout_intact(open_page, api, width):
    name = "find_" + "very_long_" * 20
    call = {"id": "c1", "type": "function", "function": {"name": name, "arguments": "{}"}}
    said = [
        {"role": "user", "content": "Find a flat.", "name": "Maximiliana-" * 12},
        {"role": "assistant", "content": "", "tool_calls": [call]},
        {"role": "tool", "content": '{"found": 3}', "tool_call_id": "c1", "name": name},
    ]
    api.post("conversations/trip/messages", json={"messages": said}).raise_for_status()
    page = open_page("chat/trip/99", screen=Screen(width))
    expect(page.get_by_text("Message 99 does not exist.")).to_be_visible()
    page.get_by_role("textbox", name="Message", exact=True).fill("And now?")
    for button in (page.get_by_role("button", name="Send"), page.get_by_role("button", name="Pins", exact=True)):
        assert button.evaluate(ON_TOP)
    expect(message(page, 0).get_by_role("button", name="Pin message 1")).to_be_in_viewport()
    expect(message(page, 1).get_by_role("button", name="Pin message 2")).to_have_count(0)
    for line in (page.get_by_text("12 characters"), page.get_by_text("#1")):
        assert line.evaluate("one => one.offsetHeight") < 30
    assert page.locator(".conversation-head p").evaluate("one => one.scrollWidth <= one.clientWidth")


@pytest.mark.req("D17")
def test_a_summary_is_created_on_request(open_page, api):
    add_conversation(
        api, "trip", *(f"Message {n}: we talked about Lisbon, the flat in Graça and the budget." for n in range(12))
    )
    page = open_page("chat/trip")
    page.get_by_role("button", name="Summarise now").click()
    expect(page.get_by_text("Summarised messages 1 to 12.")).to_be_visible()
    expect(page.get_by_role("button", name="Summarise now")).to_be_focused()
    assert api.get("conversations/trip/summaries").json()["items"][0]["last_seq"] == 11


@pytest.mark.req("D17")
def test_memory_is_turned_off_and_on_for_a_conversation_and_kept(open_page, api):
    add_conversation(api, "trip", "My cat is called Zorro.")
    page = open_page("chat/trip", expected=("ERR_FAILED",))
    memory = page.get_by_role("switch", name="Memory")
    expect(memory).to_be_checked()
    page.route("**/conversations/trip?*", lambda route: route.abort())
    memory.click()
    expect(page.get_by_text("Cannot reach the server")).to_be_visible()
    expect(memory).to_be_checked()  # the stored state, not the requested one
    page.unroute_all()
    memory.click()
    expect(page.get_by_role("region", name="Conversation", exact=True).get_by_text("memory off")).to_be_visible()
    assert api.get("conversations/trip").json()["muted"] is True
    assert api.post("recall", json={"query": "Zorro"}).json()["items"] == []
    page.reload()
    expect(memory).not_to_be_checked()
    choose(page, "Turn memory on")
    expect(memory).to_be_checked()
    assert api.get("conversations/trip").json()["muted"] is False


def test_tool_calls_are_collapsed_and_can_be_expanded(open_page, api):
    call = {"id": "c1", "type": "function", "function": {"name": "find_flat", "arguments": '{"city": "Lisbon"}'}}
    said = [
        {"role": "user", "content": "Find a flat."},
        {"role": "assistant", "content": "", "tool_calls": [call]},
        {"role": "tool", "content": '{"found": 3}', "tool_call_id": "c1", "name": "find_flat"},
    ]
    api.post("conversations/trip/messages", json={"messages": said}).raise_for_status()
    page = open_page("chat/trip")
    expect(page.get_by_text('"found"')).not_to_be_visible()
    message(page, 2).get_by_text("Result").click()
    expect(page.get_by_text('"found"')).to_be_visible()
    message(page, 1).get_by_text("Called").click()
    expect(message(page, 1).get_by_text('"Lisbon"')).to_be_visible()


def test_a_pin_links_to_its_message_at_any_distance(open_page, api):
    said = add_conversation(api, "long", *(f"Message {n}." for n in range(1_500)))
    api.post("conversations/long/pins", json={"source": said[3]["id"]}).raise_for_status()
    page = open_page("chat/long")
    page.get_by_role("button", name="Show message").click()
    expect(message(page, 3)).to_be_in_viewport()
    expect(message(page, 3)).to_have_attribute("data-marked", "true")


@pytest.mark.req("A20")
def test_ten_thousand_messages_are_scrolled_with_few_in_the_document(open_page, api):
    api.put("conversations/long", json={}).raise_for_status()
    api.patch("conversations/long", json={"muted": True}).raise_for_status()  # prevents extraction during the test
    for start in range(0, 10_000, 2_500):
        said = [
            {"role": ("user", "assistant")[n % 2], "content": f"Message {n}. " + "More words. " * (n % 23)}
            for n in range(start, start + 2_500)
        ]
        api.post("conversations/long/messages", json={"messages": said}).raise_for_status()
    page = open_page("chat/long")
    expect(message(page, 9_999)).to_be_visible()
    rows = page.locator("article[data-seq]")
    scroll = "(list, by) => { list.scrollTop += by }"
    frame = page.get_by_role("region", name="Messages")
    for _ in range(60):
        frame.evaluate(scroll, -3_000)
        expect(rows.first).to_be_attached()
        assert rows.count() < 80
    page.goto(page.url.split("/chat/")[0] + "/chat/long/0")
    expect(message(page, 0)).to_be_in_viewport()
    page.get_by_role("button", name="Jump to latest").click()
    expect(message(page, 9_999)).to_be_in_viewport()


# The first fully visible row and its position, once two frames agree: a frame's script runs before its rows are
# measured, and that intermediate state is never painted.
FIRST_READ = """longer => {
  const list = document.querySelector('.virtual-list');
  const { top, bottom } = list.getBoundingClientRect();
  const above = row => row.getBoundingClientRect().top;
  const row = [...list.querySelectorAll('article')].find(one => above(one) >= top && above(one) < bottom);
  const now = row && list.scrollHeight > longer && [Number(row.dataset.seq), above(row) - top];
  const before = window.lastRead;
  window.lastRead = now;
  return now && before && now[0] === before[0] && now[1] === before[1] && now;
}"""


def test_the_scroll_position_is_stable_while_earlier_messages_load(open_page, api):
    add_conversation(api, "long", *(f"Message {n}. " + "More words. " * (n % 37) for n in range(400)))
    page = open_page("chat/long")
    expect(message(page, 399)).to_be_visible()
    frame = page.get_by_role("region", name="Messages")
    frame.evaluate("list => { list.scrollTop = 400 }")
    seq, place = page.wait_for_function(FIRST_READ, arg=0).json_value()
    later = page.wait_for_function(FIRST_READ, arg=25_000).json_value()
    assert later[0] == seq
    assert abs(later[1] - place) < 2


def test_a_new_conversation_keeps_the_typed_text_when_sending_fails(open_page, api, server):
    page = open_page("chat/nowhere", expected=("ERR_FAILED",))
    expect(page.get_by_text("No messages yet")).to_be_visible()
    page.route("**/messages?*", lambda route: route.abort())
    box = page.get_by_role("textbox", name="Message", exact=True)
    box.fill("Do not lose me.")
    box.press("Enter")
    expect(page.get_by_text("Cannot reach the server")).to_be_visible()
    expect(box).to_have_value("Do not lose me.")


def test_a_draft_is_kept_per_conversation(open_page, api):
    add_conversation(api, "one", "Hello.")
    add_conversation(api, "two", "Hello.")
    page = open_page("chat/one")
    box = page.get_by_role("textbox", name="Message", exact=True)
    box.fill("Not sent yet.")
    page.get_by_role("link", name=re.compile("^two")).click()
    expect(box).to_have_value("")
    page.get_by_role("link", name=re.compile("^one")).click()
    expect(box).to_have_value("Not sent yet.")


def test_a_huge_message_is_truncated_and_can_be_expanded(open_page, api):
    add_conversation(api, "trip", "word " * 60_000 + "the end", "\u202e שלום 👩‍👩‍👧 ไทย")
    page = open_page("chat/trip/0")
    expect(message(page, 0)).to_be_visible()
    expect(page.get_by_text("the end")).to_have_count(0)
    message(page, 0).get_by_role("button", name="Show all 300,007 characters").click()
    expect(message(page, 0)).to_contain_text("the end")
    page.goto(page.url.replace("trip/0", "trip/1"))
    expect(message(page, 1)).to_contain_text("שלום 👩‍👩‍👧 ไทย")


def test_times_are_shown_in_the_users_time_zone(open_page, api):
    said = {"role": "user", "content": "In summer.", "at": "2026-07-01T12:00:00Z"}
    api.post("conversations/trip/messages", json=said).raise_for_status()
    page = open_page("chat/trip")
    time = message(page, 0).locator("time")
    expect(time).to_have_attribute("datetime", re.compile("^2026-07-01T12:00:00"))
    expect(time).to_contain_text("13:00")


@pytest.mark.parametrize("width", [390, 1440])
def test_the_chat_is_usable_with_the_keyboard(open_page, api, width):
    add_conversation(api, "trip", "We settled on Lisbon.", title="Spring holidays")
    page = open_page("chat", screen=Screen(width))
    expect(page.get_by_role("link", name=re.compile("^Spring holidays"))).to_be_visible()
    page.keyboard.press("Tab")
    expect(page.get_by_role("button", name="Skip to content")).to_be_focused()
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    expect(page.get_by_role("searchbox", name="Search")).to_be_focused()
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(message(page, 0)).to_be_visible()
    page.keyboard.press("c")
    expect(page.get_by_role("textbox", name="Message", exact=True)).to_be_focused()
    page.keyboard.type("Typed? Yes.")
    page.keyboard.press("Enter")
    expect(message(page, 1)).to_contain_text("Typed? Yes.")
    page.keyboard.press("Escape")
    page.keyboard.press("?")
    expect(page.get_by_role("dialog", name="Keyboard shortcuts")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)


@pytest.mark.req("X27")
def test_a_branch_shows_where_it_starts_and_links_to_its_parent(open_page, screen, shot, api):
    for role, text in (("user", "Where to?"), ("assistant", "Lisbon."), ("user", "By train?")):
        api.post("conversations/trip/messages", json={"role": role, "content": text})
    api.post("conversations/trip/fork", json={"at": 1})
    api.post("conversations/trip~2/messages", json={"role": "user", "content": "By plane?"})
    page = open_page("chat/trip~2", screen=screen)
    expect(message(page, 1).get_by_text("Lisbon.")).to_be_visible()
    expect(message(page, 2).get_by_text("By plane?")).to_be_visible()
    expect(page.get_by_text("Branch starts here")).to_be_visible()
    assert accessibility_issues(page) == []
    shot(page, "chat-branch")
    page.locator(".conversation-name").get_by_role("link", name="trip").click()
    expect(message(page, 2).get_by_text("By train?")).to_be_visible()
    expect(page.get_by_text("Branch starts here")).to_be_hidden()
    expect(page.locator(".conversation-name").get_by_role("link", name="trip~2")).to_be_visible()
    if screen.width > 720:  # the list is hidden on a narrow screen
        expect(page.locator(".conversation-list").get_by_text("branch of trip")).to_be_visible()
