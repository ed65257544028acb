"""The `chat` command: reads input line by line, runs slash commands and prints answers."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Annotated

import typer

from aforesaid import Memory
from aforesaid.cli.chat_screen import ChatScreen, ChatSession, ContextOptions
from aforesaid.cli.context import MaxTokens, RecipeName
from aforesaid.cli.options import SPACE, STORE, AsJson, SpaceName, Store, conversation_argument
from aforesaid.cli.output import note
from aforesaid.errors import AforesaidError, InvalidInput, NoModel

SLASH_COMMAND = re.compile(r"/(?P<word>[A-Za-z]+)(?:\s+(?P<rest>.*))?", re.DOTALL)
DEFAULT_CONVERSATION = "chat"
MAX_FACTS = 20
MAX_HITS = 5


@dataclass(frozen=True, slots=True)
class ChatInput:
    """A message, or a slash command and its argument."""

    text: str
    command: str | None = None


def parse_input(line: str) -> ChatInput | None:
    """Returns None for an empty line. A slash and a word are a command, unless a space precedes them."""
    if not line.strip():
        return None
    match = SLASH_COMMAND.fullmatch(line.rstrip())
    return ChatInput((match["rest"] or "").strip(), match["word"].lower()) if match else ChatInput(line.strip())


def read_inputs(prompt: str, *, live: bool) -> Iterator[ChatInput]:
    """Reads until the end of the input. In a terminal, Ctrl-C clears the line."""
    for line in _terminal_lines(prompt) if live else _piped_lines():
        parsed = parse_input(line)
        if parsed is not None:
            yield parsed


def _terminal_lines(prompt: str) -> Iterator[str]:
    with suppress(ImportError):
        import readline  # noqa: F401 (line editing and history)
    while True:
        try:
            line = input(prompt)
        except KeyboardInterrupt:
            print()
            note("Ctrl-D or /quit ends")
            continue
        except EOFError:
            print()
            return
        yield line


def _piped_lines() -> Iterator[str]:
    for number, line in enumerate(sys.stdin.buffer, 1):
        try:
            yield line.decode().removesuffix("\n").removesuffix("\r")
        except UnicodeDecodeError as exc:
            raise InvalidInput(f"line {number} of standard input is not UTF-8 text; convert it first") from exc


@dataclass(frozen=True, slots=True)
class SlashCommand:
    usage: str
    help: str
    run: Callable[[ChatSession, ChatScreen, str], None]


def run_slash_command(session: ChatSession, screen: ChatScreen, word: str, rest: str) -> bool:
    """Runs a command. Returns False if it ends the chat."""
    if word in ("quit", "exit"):
        return False
    if word not in SLASH_COMMANDS:
        raise InvalidInput(f"there is no command /{word}; /help lists them. To send it, begin with a space")
    SLASH_COMMANDS[word].run(session, screen, rest)
    return True


def show_help(_: ChatSession, screen: ChatScreen, __: str) -> None:
    rows = [(command.usage, command.help) for command in SLASH_COMMANDS.values()]
    screen.rows("help", ("command", "what it does"), [*rows, ("/quit", "end the chat; so does Ctrl-D")])


def show_context(session: ChatSession, screen: ChatScreen, rest: str) -> None:
    screen.context(session.context(rest or None))


def show_pins(session: ChatSession, screen: ChatScreen, _: str) -> None:
    screen.rows("pins", ("pin", "type", "text"), [(pin.id, pin.type, pin.content) for pin in session.chat.pins()])


def add_pin(session: ChatSession, screen: ChatScreen, rest: str) -> None:
    if rest:
        pin = session.chat.pin(rest)
    else:
        answers = [message for message in session.chat.messages(2) if message.role == "assistant"]
        if not answers:
            raise InvalidInput("there is no answer to pin yet; give a text: /pin Budget is 900 €")
        pin = session.chat.pin(answers[-1])
    screen.rows("pinned", ("pin", "text"), [(pin.id, pin.content)])


def show_facts(session: ChatSession, screen: ChatScreen, _: str) -> None:
    screen.rows("facts", ("kind", "fact"), [(fact.kind, fact.text) for fact in session.space.facts(MAX_FACTS)])


def show_recall(session: ChatSession, screen: ChatScreen, rest: str) -> None:
    if not rest:
        raise InvalidInput("say what to search for: /recall where are we going?")
    hits = session.chat.recall(rest, MAX_HITS)
    rows = [(f"{hit.score.relevance:.2f}", hit.conversation or "", hit.kind, hit.text) for hit in hits]
    screen.rows("recall", ("score", "conversation", "what", "text"), rows)


def switch_memory(session: ChatSession, screen: ChatScreen, rest: str) -> None:
    if rest not in ("on", "off", ""):
        raise InvalidInput(f"/memory is on or off, not {rest!r}")
    session.uses_memory = rest == "on" if rest else session.uses_memory
    screen.remark("memory on" if session.uses_memory else "memory off: the model sees only the last messages")


SLASH_COMMANDS: Mapping[str, SlashCommand] = {
    "help": SlashCommand("/help", "list the commands", show_help),
    "context": SlashCommand("/context [QUESTION]", "show the context that the model gets", show_context),
    "pins": SlashCommand("/pins", "list the pins", show_pins),
    "pin": SlashCommand("/pin [TEXT]", "pin a text, or the last answer", add_pin),
    "facts": SlashCommand("/facts", "list the facts of this space", show_facts),
    "recall": SlashCommand("/recall WORDS", "search the memory", show_recall),
    "memory": SlashCommand("/memory on|off", "use the memory, or only the last messages", switch_memory),
}


def chat(
    conversation: Annotated[str, conversation_argument("[CONVERSATION]", show_default=True)] = DEFAULT_CONVERSATION,
    *,
    space: SpaceName = SPACE,
    model: Annotated[
        str | None, typer.Option(metavar="NAME", help="The model; else the conversation's own, or AFORESAID_MODEL.")
    ] = None,
    system: Annotated[str | None, typer.Option(metavar="TEXT", help="The system text.")] = None,
    recipe: RecipeName = "balanced",
    max_tokens: MaxTokens = None,
    store: Store = STORE,
    as_json: AsJson = False,
) -> None:
    """Chat with a language model that has memory.

    The last messages are shown, answers are streamed, and everything is stored. /help lists the commands. Ctrl-C stops
    an answer, Ctrl-D ends the chat. In a pipe, each line is a message. Without a model, the context for one is shown.

    Example: aforesaid chat trip --model ollama:qwen3
    """
    options = ContextOptions(recipe=recipe, max_tokens=max_tokens, system=system, overflow="truncate")
    screen = ChatScreen(live=not as_json and sys.stdin.isatty() and sys.stdout.isatty(), as_json=as_json)
    with Memory(store) as memory:
        session = ChatSession(memory.space(space), conversation, model, options)
        if model is not None and session.answerer.reason is not None:
            raise NoModel(session.answerer.reason)
        screen.opened(session)
        for line in read_inputs(screen.prompt, live=screen.live):
            if not _turn(session, screen, line):
                return


def _turn(session: ChatSession, screen: ChatScreen, line: ChatInput) -> bool:
    """Runs one input. Returns False if the chat ends. In a terminal, neither an error nor Ctrl-C ends it."""
    try:
        if line.command is not None:
            return run_slash_command(session, screen, line.command, line.text)
        screen.turn(session, line.text)
    except (AforesaidError, KeyboardInterrupt) as exc:
        if not screen.live:
            raise
        screen.remark(f"error: {exc}" if isinstance(exc, AforesaidError) else "stopped")
    return True
