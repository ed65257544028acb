"""Tests model answers in the chat: streaming, stopping, failures and retries."""

from __future__ import annotations

import re
from collections.abc import Iterator

import httpx2
import pytest
from playwright.sync_api import Page, expect
from tests.chat import Busy, ChatServer, Streamed
from tests.page.conversations import add_conversation
from tests.page.screen import accessibility_issues
from tests.serving import served

from aforesaid import Memory


@pytest.fixture(scope="module")
def model() -> Iterator[ChatServer]:
    with ChatServer() as made:
        yield made


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> str:
    return str(tmp_path_factory.mktemp("answers") / "page.db")


@pytest.fixture(scope="module")
def server(store: str, model: ChatServer) -> Iterator[str]:
    """A server whose model is a local test service."""
    with served(store, "--model", f"{model.url}/v1#tiny") as made:
        yield made.url


def ask(page: Page, text: str) -> None:
    box = page.get_by_role("textbox", name="Message", exact=True)
    box.fill(text)
    box.press("Enter")


def stored(api: httpx2.Client) -> list[tuple[str, str]]:
    return [(one["role"], one["content"]) for one in api.get("conversations/trip/messages").json()["items"]]


@pytest.mark.req("A20")
def test_an_answer_appears_and_is_stored(open_page, api, model, space):
    model.behave("We go to **Lisbon**.")
    page = open_page("chat/trip")
    expect(page.get_by_text("model: tiny (local)")).to_be_visible()
    ask(page, "Where do we go?")
    expect(page.locator("article[data-seq='1'] strong")).to_have_text("Lisbon")
    expect(page.get_by_role("region", name="Answer")).to_have_count(0)
    assert stored(api) == [("user", "Where do we go?"), ("assistant", "We go to **Lisbon**.")]
    receipt = api.get("receipts", params={"conversation": "trip"}).json()["items"][0]["id"]
    why = page.get_by_role("link", name="View the context of message 2")
    expect(why).to_have_attribute("href", f"#/{space}/context/trip/{receipt}")


@pytest.mark.req("A20")
def test_an_answer_is_shown_while_it_streams_and_is_kept_when_it_is_stopped(open_page, api, model, screen, shot):
    model.behave(Streamed(("We go to ", "**Lisbon**, and then"), "hang"))
    model.left.clear()
    page = open_page("chat/trip", screen=screen)
    ask(page, "Where do we go?")
    answer = page.get_by_role("region", name="Answer")
    expect(answer).to_contain_text("We go to Lisbon, and then")
    expect(answer.get_by_role("status", name="The model is answering")).to_be_visible()
    assert accessibility_issues(page) == []
    shot(page, "chat-answering")
    answer.get_by_role("button", name="Stop").click()
    expect(answer).to_have_count(0)
    expect(page.locator("article[data-seq='1']")).to_contain_text("This answer was stopped here.")
    assert model.left.wait(30)
    assert stored(api) == [("user", "Where do we go?"), ("assistant", "We go to **Lisbon**, and then")]
    assert api.get("conversations/trip/messages").json()["items"][1]["metadata"]["stopped"] is True
    shot(page, "chat-stopped")


def test_an_aborted_answer_can_be_retried_and_the_question_is_stored_once(open_page, api, model):
    model.behave(Streamed(("We go to",), "cut"))
    page = open_page("chat/trip")
    ask(page, "Where do we go?")
    broken = page.get_by_role("alert")
    expect(broken).to_contain_text(re.compile(r"[.] Your message is stored, but this partial answer is not[.]"))
    model.behave("To Lisbon.")
    broken.get_by_role("button", name="Try again").click()
    expect(page.locator("article[data-seq='1']")).to_contain_text("To Lisbon.")
    assert stored(api) == [("user", "Where do we go?"), ("assistant", "To Lisbon.")]


def test_an_answer_continues_in_another_view_and_blocks_the_next_message(open_page, api, model):
    model.behave(Streamed(("We go to ", "**Lisbon**, and then"), "hang"))
    page = open_page("chat/trip")
    ask(page, "Where do we go?")
    answer = page.get_by_role("region", name="Answer")
    expect(answer).to_contain_text("We go to Lisbon, and then")
    ask(page, "And when?")
    expect(page.get_by_text("The model is still answering. Wait, or stop it first.")).to_be_visible()
    expect(page.get_by_role("button", name="Send")).to_be_disabled()
    expect(page.get_by_role("textbox", name="Message", exact=True)).to_have_value("And when?")

    page.get_by_role("link", name="Memory").click()
    expect(page.get_by_role("heading", level=1, name="Memory")).to_be_visible()
    page.go_back()
    expect(answer).to_contain_text("We go to Lisbon, and then")
    answer.get_by_role("button", name="Stop").click()
    expect(page.locator("article[data-seq='1']")).to_contain_text("This answer was stopped here.")
    expect(page.get_by_role("textbox", name="Message", exact=True)).to_have_value("And when?")
    expect(page.get_by_role("button", name="Send")).to_be_enabled()


def test_a_question_without_an_answer_can_be_asked_again_later(open_page, api, model):
    api.post("conversations/trip/messages", json={"messages": [{"role": "user", "content": "Where do we go?"}]})
    page = open_page("chat/trip")
    expect(page.get_by_text("No answer yet.")).to_be_visible()
    model.behave("To Lisbon.")
    page.get_by_role("button", name="Try again").click()
    expect(page.locator("article[data-seq='1']")).to_contain_text("To Lisbon.")
    expect(page.get_by_text("No answer yet.")).to_have_count(0)
    assert stored(api) == [("user", "Where do we go?"), ("assistant", "To Lisbon.")]


@pytest.mark.req("A20")
def test_a_second_tab_shows_the_running_answer_and_can_stop_it(open_page, api, model):
    model.behave(Streamed(("We go to **Lisbon**, and then",), "hang"))
    first, second = open_page("chat/trip"), open_page("chat/trip")
    expect(second.get_by_text("No messages yet")).to_be_visible()
    ask(first, "Where do we go?")
    for page in (first, second):
        expect(page.get_by_role("region", name="Answer")).to_contain_text("We go to Lisbon, and then")
    expect(second.get_by_text("No answer yet.")).to_have_count(0)
    expect(second.get_by_role("button", name="Send")).to_be_disabled()
    third = open_page("chat/trip")
    expect(third.get_by_role("region", name="Answer")).to_contain_text("We go to Lisbon, and then")
    second.get_by_role("region", name="Answer").get_by_role("button", name="Stop").click()
    for page in (first, second, third):
        expect(page.locator("article[data-seq='1']")).to_contain_text("This answer was stopped here.")
        expect(page.get_by_role("region", name="Answer")).to_have_count(0)
    assert len(stored(api)) == 2


@pytest.mark.req("A20")
def test_an_answer_continues_when_its_tab_is_reloaded_or_closed(open_page, api, model):
    model.behave(Streamed(("We go to **Lisbon**, and then",), "hang"))
    first, second = open_page("chat/trip"), open_page("chat/trip")
    ask(first, "Where do we go?")
    for page in (first, second):
        expect(page.get_by_role("region", name="Answer")).to_contain_text("We go to Lisbon, and then")
    first.reload()
    expect(first.get_by_role("region", name="Answer")).to_contain_text("We go to Lisbon, and then")
    first.close()
    answer = second.get_by_role("region", name="Answer")
    expect(answer).to_contain_text("We go to Lisbon, and then")
    answer.get_by_role("button", name="Stop").click()
    expect(second.locator("article[data-seq='1']")).to_contain_text("This answer was stopped here.")
    assert stored(api) == [("user", "Where do we go?"), ("assistant", "We go to **Lisbon**, and then")]


def test_every_tab_shows_a_failure_until_one_of_them_asks_again(open_page, api, model):
    model.behave(Streamed(("We go to",), "cut"))
    first, second = open_page("chat/trip"), open_page("chat/trip")
    expect(second.get_by_text("No messages yet")).to_be_visible()
    ask(first, "Where do we go?")
    for page in (first, second):
        expect(page.get_by_role("button", name="Try again")).to_be_visible()
    broken = first.get_by_role("alert")
    expect(broken).to_contain_text("tiny broke off its answer.")  # by its name, not its address
    assert "http" not in broken.inner_text()
    model.behave(Streamed(("To **Lisbon**, and then",), "hang"))
    second.get_by_role("button", name="Try again").click()
    for page in (first, second):
        expect(page.get_by_role("region", name="Answer")).to_contain_text("To Lisbon, and then")
    first.get_by_role("region", name="Answer").get_by_role("button", name="Stop").click()
    for page in (first, second):
        expect(page.locator("article[data-seq='1']")).to_contain_text("This answer was stopped here.")
        expect(page.get_by_role("button", name="Try again")).to_have_count(0)
    assert len(stored(api)) == 2


@pytest.mark.req("A20")
def test_a_second_tab_shows_that_another_process_writes_an_answer(open_page, api, model, store, space):
    """A Python program asks on the same store; the server has no text of its answer."""
    model.behave(Streamed(("We go to Lisbon",), "hang"))
    with Memory(store, model=f"{model.url}/v1#tiny", worker=False, environment={}) as memory:
        page = open_page("chat/trip")
        expect(page.get_by_text("No messages yet")).to_be_visible()
        chat = memory.space(space).conversation("trip")
        answer = chat.reply("Where do we go?", id="q1")
        assert next(answer) == "We go to Lisbon"
        expect(page.get_by_role("status", name="The model is answering")).to_be_visible()
        refused = api.post("conversations/trip/reply", json={"content": "Where do we go?", "id": "q1"})
        assert (refused.status_code, refused.json()["code"]) == (409, "conflict")
        page.get_by_role("region", name="Answer").get_by_role("button", name="Stop").click()
        assert list(answer) == []
        expect(page.locator("article[data-seq='1']")).to_contain_text("We go to Lisbon")
        expect(page.get_by_role("region", name="Answer")).to_have_count(0)
    assert len(stored(api)) == 2


def test_a_busy_model_is_called_again_and_the_page_says_so(open_page, api, model):
    model.behave(Busy(503, {"Retry-After": "2"}), Busy(503, {"Retry-After": "2"}), "To Lisbon.")
    page = open_page("chat/trip")
    ask(page, "Where do we go?")
    expect(page.get_by_text("retrying (1)…")).to_be_visible()
    expect(page.get_by_text("retrying (2)…")).to_be_visible()
    expect(page.locator("article[data-seq='1']")).to_contain_text("To Lisbon.")


@pytest.mark.req("A20")
def test_an_edited_question_and_another_answer_begin_branches(open_page, api, model, screen, shot):
    model.behave("To **Lisbon**.")
    page = open_page("chat/trip", screen=screen)
    ask(page, "Where do we go?")
    expect(page.locator("article[data-seq='1']")).to_contain_text("To Lisbon.")

    model.behave("To Porto.")
    page.get_by_role("button", name="Answer again instead of message 2").click()
    expect(page.locator("article[data-seq='1']")).to_contain_text("To Porto.")
    expect(page.get_by_text("Branch of trip", exact=True)).to_be_visible()

    page.get_by_role("button", name="Edit message 1 and ask again").click()
    field = page.get_by_role("textbox", name="New text of message 1")
    expect(field).to_be_focused()
    expect(field).to_have_value("Where do we go?")
    field.fill("Where do we go in May?")
    assert accessibility_issues(page) == []
    shot(page, "chat-editing")
    model.behave("To Évora.")
    page.get_by_role("button", name="Send", exact=True).first.click()
    expect(page.locator("article[data-seq='1']")).to_contain_text("To Évora.")
    expect(page.locator("article[data-seq='0']")).to_contain_text("Where do we go in May?")

    assert stored(api) == [("user", "Where do we go?"), ("assistant", "To **Lisbon**.")]
    named = {info["id"]: info for info in api.get("conversations").json()["items"]}
    assert {(name, info["parent"], info["forked_at"]) for name, info in named.items()} == {
        ("trip", None, None), ("trip~2", "trip", 0), ("trip~3", "trip~2", -1),
    }  # fmt: skip


@pytest.mark.req("X27")
def test_branches_are_switched_where_they_part_and_deleted_with_their_parent(open_page, api, screen, shot):
    add_conversation(api, "trip", "Where do we go?", "To Lisbon.", "How long?", "Six nights.", title="The trip")
    for at, text in ((0, "To Porto."), (2, "Three nights.")):
        branch = api.post("conversations/trip/fork", json={"at": at}).raise_for_status().json()["id"]
        api.post(f"conversations/{branch}/messages", json={"role": "assistant", "content": text}).raise_for_status()
    page = open_page("chat/trip~2", screen=screen)
    others = page.get_by_role("navigation", name="Other branches from here")
    expect(page.locator("article[data-seq='1']")).to_contain_text("To Porto.")
    expect(page.locator("article[data-seq='2']")).to_have_count(0)
    expect(page.get_by_text("1 own message ·")).to_be_visible()
    assert accessibility_issues(page) == []
    shot(page, "chat-branch")
    others.get_by_role("link", name="trip").click()
    expect(page.locator("article[data-seq='3']")).to_contain_text("Six nights.")
    expect(others.nth(0)).to_have_text("trip~2")
    others.nth(1).get_by_role("link", name="trip~3").click()
    expect(page.locator("article[data-seq='3']")).to_contain_text("Three nights.")
    expect(page.get_by_text("Branch starts here")).to_be_visible()

    page.get_by_role("link", name="trip", exact=True).first.click()
    expect(page.locator("article[data-seq='3']")).to_contain_text("Six nights.")
    page.get_by_role("button", name="Conversation actions").click()
    page.get_by_role("menuitem", name="Delete…").click()
    dialog = page.get_by_role("dialog", name="Delete this conversation?")
    expect(dialog).to_contain_text(
        re.compile("It also deletes 2 branches that share its messages: trip~[23], trip~[23].")
    )
    dialog.get_by_role("button", name="Delete all").click()
    expect(page.get_by_text("3 conversations deleted.")).to_be_visible()
    assert api.get("conversations").json()["items"] == []


def test_another_model_answers_after_it_is_chosen_by_its_name(open_page, api, model):
    model.behave("To Lisbon.")
    api.post("conversations/other/reply", json={"content": "Hello", "model": f"{model.url}/v1#big"})
    page = open_page("chat/trip")
    menu = page.get_by_role("button", name="Model: tiny")
    menu.click()
    expect(page.get_by_role("menuitemradio", name="tiny")).to_be_checked()
    assert accessibility_issues(page) == []
    page.get_by_role("menuitemradio", name="big").click()
    expect(page.get_by_role("button", name="Model: big")).to_be_visible()
    ask(page, "Where do we go?")
    expect(page.locator("article[data-seq='1']")).to_contain_text("To Lisbon.")
    assert model.requests[-1].body["model"] == "big"
    page.reload()
    expect(page.get_by_role("button", name="Model: big")).to_be_visible()
    page.get_by_role("button", name="Model: big").click()
    page.get_by_role("menuitem", name="Another model…").click()
    page.get_by_role("textbox", name="Model").fill(f"{model.url}/v1#huge")
    page.get_by_role("button", name="Use this model").click()
    expect(page.get_by_role("button", name="Model: huge")).to_be_visible()


@pytest.mark.req("A20")
def test_a_message_shows_what_was_remembered_from_it_and_undo_keeps_it_out(open_page, api, model, screen, shot):
    model.behave("Noted.")
    page = open_page("chat/trip", screen=screen)
    ask(page, "I work for Acme.")
    remembered = page.get_by_role("list", name="Remembered from this message")
    expect(remembered).to_contain_text("Acme")
    expect(page.get_by_role("link", name=re.compile(r"^Used .*1 message.* · \d+ tokens$|^\d+ tokens$"))).to_be_visible()
    assert accessibility_issues(page) == []
    shot(page, "chat-remembered")
    (fact,) = api.get("facts").json()["items"]
    remembered.get_by_role("button", name="Undo: user works for Acme").click()
    expect(remembered).to_contain_text("Not remembered")
    assert api.get(f"facts/{fact['id']}").json()["status"] == "rejected"

    again = {"role": "user", "content": "I work for Acme. I live in Porto."}
    api.post("conversations/trip/messages", json={"messages": [again]})
    expect(
        page.locator("article[data-seq='2']").get_by_role("button", name="Undo: user lives in Porto")
    ).to_be_visible()
    facts = api.get("facts", params={"status": "any"}).json()["items"]
    assert {(each["value"], each["status"]) for each in facts} == {("Acme", "rejected"), ("Porto", "active")}

    first = page.locator("article[data-seq='0']")
    first.get_by_role("button", name="Remember again: user works for Acme").click()
    expect(first.get_by_role("button", name="Undo: user works for Acme")).to_be_visible()
    assert api.get(f"facts/{fact['id']}").json()["status"] == "active"


def test_an_answer_links_to_the_receipt_of_what_it_used(open_page, api, model, space):
    api.post("conversations/trip/pins", json={"content": "The budget is 900 €."})
    api.post("facts", json={"text": "Mara is allergic to peanuts"})
    model.behave("No peanuts, 900 €.")
    page = open_page("chat/trip")
    ask(page, "What is Mara allergic to?")
    used = page.get_by_role("link", name=re.compile(r"^Used 1 fact, 1 pin, 1 message · \d+ tokens$"))
    expect(used).to_be_visible()
    used.click()
    receipt = api.get("receipts", params={"conversation": "trip"}).json()["items"][0]["id"]
    expect(page).to_have_url(re.compile(f"#/{space}/context/trip/{receipt}$"))


MARKDOWN = """## A week in Lisbon

1. **Book** the *flat* in ~~Alfama~~ Graça
   - six nights
   - 95 € each
2. Take the [train](https://example.org/cp "Timetable") at `9:39`

| what | price |
|:-----|------:|
| Flat | 570 € |
| Train | 32 € |

> It is quiet in the morning.

The rest is $x = 900 - 570$.

```python
def rest(total: int) -> int:
    return total - 570  # €
```
"""


@pytest.mark.req("A20")
def test_an_answer_is_rendered_as_markdown_and_can_be_copied(open_page, api, model, screen, shot):
    model.behave(Streamed((MARKDOWN,)))
    page = open_page("chat/trip", screen=screen)
    ask(page, "What is the plan?")
    answer = page.locator("article[data-seq='1']")
    expect(answer.get_by_role("heading", name="A week in Lisbon")).to_be_visible()
    expect(answer.locator("ol > li > ul > li")).to_have_text(["six nights", "95 € each"])
    expect(answer.get_by_role("row", name="Flat 570 €")).to_be_visible()
    link = answer.get_by_role("link", name="train")
    expect(link).to_have_attribute("rel", "noopener noreferrer nofollow")
    expect(link).to_have_attribute("href", "https://example.org/cp")
    expect(answer.locator("blockquote")).to_have_text("It is quiet in the morning.")
    expect(answer.locator("code.math")).to_have_text("x = 900 - 570")
    expect(answer.locator("pre .t-keyword").first).to_have_text("def")
    assert accessibility_issues(page) == []
    shot(page, "chat-markdown")
    copied: list[str] = []

    def note(text: str) -> None:
        copied.append(text)

    page.expose_function("copied", note)
    page.evaluate("() => { navigator.clipboard.writeText = async (text) => { await copied(text) } }")
    answer.get_by_role("button", name="Copy message 2").click()
    answer.get_by_role("button", name="Copy code").click()
    expect(page.get_by_text("Copied")).to_have_count(2)
    assert copied == [MARKDOWN.strip(), "def rest(total: int) -> int:\n    return total - 570  # €"]
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
