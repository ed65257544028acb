"""Tests model answers in the chat: streaming, stopping, failures and retries."""

from __future__ import annotations

import re
from collections.abc import Iterator

import httpx2
import pytest
from playwright.sync_api import Page, expect
from tests.chat import ChatServer, Streamed
from tests.page.screen import serious_issues
from tests.serving import served


@pytest.fixture(scope="module")
def model() -> Iterator[ChatServer]:
    with ChatServer() as made:
        yield made


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory, model: ChatServer) -> Iterator[str]:
    """A server whose model is a local test service."""
    with served(str(tmp_path_factory.mktemp("answers") / "page.db"), "--model", f"{model.url}/v1#tiny") as made:
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
    expect(page.get_by_text("#tiny (local)")).to_be_visible()
    ask(page, "Where do we go?")
    expect(page.locator("article[data-seq='1'] strong")).to_have_text("Lisbon")
    expect(page.get_by_role("region", name="Answer")).to_have_count(0)
    assert stored(api) == [("user", "Where do we go?"), ("assistant", "We go to **Lisbon**.")]
    receipt = api.get("receipts", params={"conversation": "trip"}).json()["items"][0]["id"]
    why = page.get_by_role("link", name="View the context of message 2")
    expect(why).to_have_attribute("href", f"#/{space}/context/trip/{receipt}")


def test_an_answer_is_shown_while_it_streams_and_can_be_stopped(open_page, api, model, screen, shot):
    model.behave(Streamed(("We go to ", "**Lisbon**, and then"), "hang"))
    model.left.clear()
    page = open_page("chat/trip", screen=screen)
    ask(page, "Where do we go?")
    answer = page.get_by_role("region", name="Answer")
    expect(answer).to_contain_text("We go to Lisbon, and then")
    expect(answer.get_by_role("status", name="The model is answering")).to_be_visible()
    assert serious_issues(page) == []
    shot(page, "chat-answering")
    answer.get_by_role("button", name="Stop").click()
    expect(answer).to_have_count(0)
    assert model.left.wait(30)
    assert stored(api) == [("user", "Where do we go?")]


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
    expect(page.get_by_text("No answer yet.")).to_be_visible()
    page.reload()
    model.behave("To Lisbon.")
    page.get_by_role("button", name="Try again").click()
    expect(page.locator("article[data-seq='1']")).to_contain_text("To Lisbon.")
    expect(page.get_by_text("No answer yet.")).to_have_count(0)
    assert stored(api) == [("user", "Where do we go?"), ("assistant", "To Lisbon.")]
