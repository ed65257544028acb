from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aforesaid import Memory
from aforesaid.text.harness import side_request, split_harness, typed_text

TYPED = "My dog is called Rex."
WRAPPED = [
    f"<system-reminder>\nAs you answer, use this:\n# claudeMd\nBe brief.\n</system-reminder>\n{TYPED}",
    f"{TYPED}\n\n<system-reminder>The date is 2026-11-18.</system-reminder>",
    f"<ide_opened_file>The user opened /w/a.py in the IDE.</ide_opened_file>\n{TYPED}",
    f"# Context from my IDE setup:\n\n## Active file: a.py\n\n## My request for Codex:\n{TYPED}\n",
    f"<attachments>\n<attachment id='a'>x</attachment>\n</attachments>\n<userRequest>\n{TYPED}\n</userRequest>",
    f"<command-message>note</command-message>\n<command-name>/note</command-name>\n<command-args>{TYPED}</command-args>",
    f"<task>\n{TYPED}\n</task>\n\n<environment_details>\n# VSCode Open Tabs\na.py\n</environment_details>",
    f"{TYPED}\n--- Content from referenced files ---\n\nContent from @a.py:\nx = 1\n--- End of content ---",
]
HARNESS_ONLY = [
    "<environment_context>\n  <cwd>/w</cwd>\n</environment_context>",
    "# AGENTS.md instructions for /w\n\n<INSTRUCTIONS>\nBe brief.\n</INSTRUCTIONS>",
    "I have *added these files to the chat* so you can go ahead and edit them.\n\na.py\n```\nx = 1\n```",
    "This session is being continued from a previous conversation that ran out of context. Summary: my dog is Rex.",
]
PLAIN = [
    TYPED,
    "How do I close a <system-reminder> tag?",
    "My agent printed this:\n```\n<system-reminder>\nBe brief.\n</system-reminder>\n```\nWhy?",
    "<context>I moved to Porto.</context> What should I do there?",
    "  two lines\n\nand white space \n",
]


@pytest.mark.req("X5")
@pytest.mark.parametrize("text", WRAPPED)
def test_typed_text_is_separated_from_the_clients_text(text):
    assert typed_text(text) == TYPED
    assert "".join(piece.text for piece in split_harness(text)) == text


@pytest.mark.parametrize("text", HARNESS_ONLY)
def test_a_message_of_the_client_has_no_typed_text(text):
    assert typed_text(text) == ""
    assert "".join(piece.text for piece in split_harness(text)) == text


@pytest.mark.parametrize("text", PLAIN)
def test_text_that_the_person_typed_stays_whole(text):
    assert [(piece.text, piece.harness) for piece in split_harness(text)] == [(text, None)]


TAGS = ["<task>", "</task>", "<system-reminder>", "</system-reminder>", "<user_query>", "</user_query>"]


@given(st.lists(st.sampled_from([*TAGS, "\n", "hi", "```", " ", "## My request for Codex:"]), max_size=12).map("".join))
def test_no_character_is_lost(text):
    pieces = split_harness(text)
    assert "".join(piece.text for piece in pieces) == text
    assert all(piece.text for piece in pieces)


def test_many_openings_without_a_closing_tag_are_read_in_linear_time():
    for opening in ("\n<system-reminder>", "\n<user_query>", "\n```\n<task>x</task>"):
        text = opening * 100_000
        assert "".join(piece.text for piece in split_harness(text)) == text


@pytest.mark.req("X5")
@pytest.mark.parametrize(
    ("instructions", "question", "purpose"),
    [
        ("", "Generate a title for this conversation:\n", "title"),
        ("", "Please write a 5-10 word title for the following conversation:\n\nUser: hi", "title"),
        ("", "### Task:\nGenerate a concise, 3-5 word title with an emoji summarizing the chat history.", "title"),
        ("You are a title generator. You output ONLY a thread title.", "hi", "title"),
        ("", "### Task:\nSuggest 3-5 relevant follow-up questions", "task"),
        ("", "Your task is to create a detailed summary of the conversation so far, paying close attention", "summary"),
        ("", "You are performing a CONTEXT CHECKPOINT COMPACTION. Create a handoff summary", "summary"),
        ("", "Write a title for my novel about horses.", None),
        ("", "Can you summarize this conversation?", None),
        ("You are a helpful assistant.", "What title did I want for the book?", None),
    ],
)
def test_requests_that_a_program_makes_for_itself_are_recognized(instructions, question, purpose):
    assert side_request(instructions, question) == purpose


def test_text_of_the_client_is_stored_but_not_searched(open_memory):
    memory: Memory = open_memory()
    chat = memory.space("ada").conversation("c")
    text = f"<system-reminder>The word is quokka.</system-reminder>\n{TYPED}"
    stored = chat.add("user", [piece.part() for piece in split_harness(text)])
    assert [part["type"] for part in stored.content] == ["harness", "text"]
    assert "".join(part["text"] for part in stored.content) == text
    assert chat.message(stored.id).text.strip() == TYPED
    assert not memory.space("ada").recall("quokka", kinds=["message"])
    assert "quokka" not in chat.context("What is my dog called?").text
