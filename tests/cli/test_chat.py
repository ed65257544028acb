"""Tests `aforesaid chat` in a terminal and in a pipe."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.chat import ChatServer, Streamed
from tests.cli.conftest import environment
from tests.terminal import Terminal

from aforesaid.cli.chat import ChatInput, parse_input
from aforesaid.cli.chat_screen import finished_blocks_end

PROMPT = "you ›"
PLAN = "# Plan\n\nWe go to **Lisbon**:\n\n```python\nprint('a')\n\nprint('b')\n```\n\nBon voyage."


@pytest.fixture
def server() -> Iterator[ChatServer]:
    with ChatServer("We go to Lisbon.") as made:
        yield made


@pytest.fixture
def model(server) -> str:
    return f"{server.url}/v1#tiny"


@pytest.fixture
def terminal(path) -> Callable[..., Terminal]:
    """Starts a chat in a terminal on the test's own store."""

    def terminal_(*arguments: str, **variables: str) -> Terminal:
        return Terminal("chat", *arguments, environment=environment(path) | variables)

    return terminal_


def roles(open_memory) -> list[tuple[str, str]]:
    return [(one.role, one.text) for one in open_memory().conversation("trip").messages()]


def test_a_reply_is_formatted_and_both_messages_are_stored(terminal, server, model, open_memory):
    server.says = PLAN
    with terminal("trip", AFORESAID_MODEL=model) as chat:
        assert f"trip of default; {model}, on this machine" in chat.until(PROMPT).replace("\n", " ")
        chat.type("Where do we go?\n")
        shown = chat.until(PROMPT)
        assert "**" not in shown
        assert "```" not in shown
        for words in ("Plan", "We go to Lisbon:", "print('b')", "Bon voyage.", "tokens seen, 0 recalled"):
            assert words in shown
        chat.type("\x04")
        assert chat.ended() == 0
    assert roles(open_memory) == [("user", "Where do we go?"), ("assistant", PLAN)]


def test_a_reopened_chat_shows_the_stored_messages(terminal, model, open_memory):
    memory = open_memory()
    memory.conversation("trip").add("user", "We settled on \x1b[31mLisbon\x1b[0m.")
    memory.conversation("trip").add("assistant", "**Noted.**")
    memory.close()
    with terminal("trip", "--model", model) as chat:
        shown = chat.until(PROMPT)
        shown += chat.until("/help lists commands")
        assert r"you › We settled on \x1b[31mLisbon\x1b[0m." in shown
        assert "\x1b[31mL" not in chat.raw
        assert "assistant ›" in shown
        assert "Noted." in shown
        chat.until(PROMPT)
        chat.type("/quit\n")
        assert chat.ended() == 0


def test_ctrl_c_cancels_the_reply_but_not_the_chat(terminal, server, model, open_memory):
    server.behave(Streamed(("We go ", "on and on"), "hang"), "answer")
    with terminal("trip", AFORESAID_MODEL=model) as chat:
        chat.until(PROMPT)
        chat.type("Where do we go?\n")
        chat.until("on and on")
        chat.type("\x03")
        chat.until("stopped; nothing of it is kept")
        assert server.left.wait(30)
        chat.until(PROMPT)
        chat.type("half a line")
        chat.until("half a line")
        chat.press("\x03", "Ctrl-D or /quit ends")
        chat.until(PROMPT)
        chat.type("Once more.\n")
        chat.until("We go to Lisbon.")
        chat.until(PROMPT)
        chat.type("\x04")
        assert chat.ended() == 0
    assert [role for role, _ in roles(open_memory)] == ["user", "user", "assistant"]


def test_a_model_failure_is_shown_and_the_chat_continues(terminal, server, model):
    server.behave(401, Streamed(("We go ",), "cut"), "answer")
    with terminal("trip", AFORESAID_MODEL=model) as chat:
        for shown in ("refused with 401", "We go", "broke off", "We go to Lisbon."):
            if shown != "broke off":
                chat.until(PROMPT)
                chat.type("Where?\n")
            chat.until(shown)
        chat.until(PROMPT)
        chat.type("/quit\n")
        assert chat.ended() == 0


def test_slash_commands_work(terminal, server, model, open_memory):
    open_memory().space("default").remember("Prefers window seats", kind="preference")
    with terminal("trip", AFORESAID_MODEL=model) as chat:

        def say(text: str, *expected: str) -> None:
            chat.until(PROMPT)
            chat.type(f"{text}\n")
            for words in expected:
                chat.until(words)

        say("/help", "/context [QUESTION]", "/quit")
        say("/pin", "there is no answer to pin yet")
        say("We settled on Lisbon.", "We go to Lisbon.", "receipt")
        say("/pin Budget is 900 €", "Budget is 900 €", "Budget is 900 €")
        say("/pin", "We go to Lisbon.")
        say("/pins", "manual", "900 €")
        say("/facts", "preference", "Prefers window seats")
        say("/recall where did we settle", "score", "We settled on Lisbon.")
        say("/recall", "say what to search for")
        say("/context and when?", "<pinned>", "900 €", "and when?", "of 4000 tokens")
        say("/memory off", "memory off")
        say("/context and when?", "user: We settled on Lisbon.", "of 3000 tokens")
        say("/memory loud", "on or off")
        say("/memory on", "memory on")
        say("/dance", "there is no command /dance")
        say(" /usr/bin is a folder", "We go to Lisbon.")
        say("/quit")
        assert chat.ended() == 0
    texts = [message.text for message in open_memory().conversation("trip").messages()]
    assert texts == ["We settled on Lisbon.", "We go to Lisbon.", "/usr/bin is a folder", "We go to Lisbon."]
    assert "<pinned>" not in chat.shown.partition("memory off")[2].partition("memory on")[0]


def test_without_a_model_the_context_is_shown_and_the_message_is_stored(terminal, open_memory):
    with terminal("trip") as chat:
        chat.until("no language model is configured")
        chat.until(PROMPT)
        chat.type("We settled on Lisbon.\n")
        chat.until("user: We settled on Lisbon.")
        chat.until("of 4000 tokens")
        chat.until(PROMPT)
        chat.type("\x04")
        assert chat.ended() == 0
    assert roles(open_memory) == [("user", "We settled on Lisbon.")]


def test_in_a_pipe_each_line_is_a_message_and_stdout_has_only_replies(process, server, model, open_memory):
    done = process("chat", "trip", "--model", model, input="Où ça ? 日本\n\n/pins\nAnd then?\n".encode())
    assert (done.returncode, done.stderr) == (0, b"nothing\n")
    assert done.stdout == b"We go to Lisbon.\nWe go to Lisbon.\n"
    assert [text for role, text in roles(open_memory) if role == "user"] == ["Où ça ? 日本", "And then?"]
    assert server.requests[0].body["model"] == "tiny"


def test_in_a_pipe_json_output_is_one_line_per_turn(process, model):
    done = process("chat", "trip", "--json", input=b"Where?\n/pin Budget\n/pins\n/context\n", AFORESAID_MODEL=model)
    assert done.returncode == 0, done.stderr
    turn, pinned, pins, context = map(json.loads, done.stdout.splitlines())
    assert (turn["answer"]["text"], turn["answer"]["model"]) == ("We go to Lisbon.", model)
    assert turn["answer"]["usage"] == {"prompt_tokens": 11, "completion_tokens": 7}
    assert pinned["pinned"][0]["text"] == pins["pins"][0]["text"] == "Budget"
    assert context["context"][-1]["content"] == "We go to Lisbon."


def test_in_a_pipe_without_a_model_the_context_is_printed(process):
    done = process("chat", "trip", input=b"Where?\n")
    assert (done.returncode, done.stdout) == (0, b"user: Where?\n")
    assert b"no language model is configured" in done.stderr
    done = process("chat", "trip", "--json", input=b"Where?\n")
    assert json.loads(done.stdout)["context"][-1] == {"role": "user", "content": "Where?"}


@pytest.mark.parametrize(
    ("given", "code", "why"),
    [(b"Where?\n", 7, b"refused with 401"), (b"/dance\n", 2, b"no command"), (b"\xff\xfe\n", 2, b"UTF-8")],
)
def test_in_a_pipe_a_failure_is_one_line_and_an_exit_code(process, server, model, given, code, why):
    server.behave(401)
    done = process("chat", "trip", "--model", model, input=given)
    assert (done.returncode, len(done.stderr.splitlines())) == (code, 1)
    assert why in done.stderr


def test_an_invalid_model_name_is_rejected(process):
    done = process("chat", "trip", "--model", "hal:9000", input=b"Where?\n")
    assert (done.returncode, done.stdout) == (2, b"")
    assert b"ollama:MODEL" in done.stderr


def test_control_characters_of_a_reply_are_escaped(process, server, model):
    server.says = "\x1b[31mred\x1b]0;title\x07 and a \u202eturn"
    done = process("chat", "trip", "--model", model, input=b"Where?\n")
    assert done.stdout.decode() == "\\x1b[31mred\\x1b]0;title\\x07 and a \\u202eturn\n"


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("", None),
        ("  ", None),
        ("hello ", ChatInput("hello")),
        ("/pin a  b ", ChatInput("a  b", "pin")),
        ("/HELP", ChatInput("", "help")),
        (" /help", ChatInput("/help")),
        ("/usr/bin", ChatInput("/usr/bin")),
        ("/", ChatInput("/")),
        ("/pin two\nlines", ChatInput("two\nlines", "pin")),
    ],
)
def test_input_lines_are_parsed(line, found):
    assert parse_input(line) == found


@given(st.lists(st.sampled_from(["```\n", "~~~\n", "\n", "words\n", "  \n", "more", "``` py\n"]), max_size=12))
def test_finished_blocks_leave_no_fence_open(lines):
    text = "".join(lines)
    done = text[: finished_blocks_end(text)]
    assert done == "" or done.endswith("\n")
    assert finished_blocks_end(done) == len(done)
    assert finished_blocks_end(done + "```\n\n") == len(done)


def test_a_blank_line_ends_a_block_only_outside_fences():
    assert finished_blocks_end("One\n\ntwo") == 5
    assert finished_blocks_end("```\na\n\nb\n") == 0
    assert finished_blocks_end("```\na\n\nb\n```\n\nrest") == len("```\na\n\nb\n```\n\n")
