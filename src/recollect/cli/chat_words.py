"""What can be typed in a chat beside what is said: a table of commands."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from recollect.errors import InvalidInput

if TYPE_CHECKING:
    from recollect.cli.chat_dialogue import Dialogue
    from recollect.cli.chat_screen import Screen

LIMIT = 20  # facts
RECALLED = 5  # hits


@dataclass(frozen=True, slots=True)
class Command:
    usage: str
    help: str
    run: Callable[[Dialogue, Screen, str], None]


def obey(dialogue: Dialogue, screen: Screen, word: str, rest: str) -> bool:
    """Carries out a command; whether the chat goes on."""
    if word in ("quit", "exit"):
        return False
    if word not in COMMANDS:
        raise InvalidInput(f"there is no command /{word}; /help lists them. To say it, begin with a space")
    COMMANDS[word].run(dialogue, screen, rest)
    return True


def show_help(_: Dialogue, screen: Screen, __: str) -> None:
    rows = [(command.usage, command.help) for command in COMMANDS.values()]
    screen.rows("help", ("command", "what it does"), [*rows, ("/quit", "end; so does Ctrl-D")])


def show_context(dialogue: Dialogue, screen: Screen, rest: str) -> None:
    screen.context(dialogue.context(rest or None))


def show_pins(dialogue: Dialogue, screen: Screen, _: str) -> None:
    screen.rows("pins", ("pin", "type", "text"), [(pin.id, pin.type, pin.content) for pin in dialogue.chat.pins()])


def pin(dialogue: Dialogue, screen: Screen, rest: str) -> None:
    if rest:
        made = dialogue.chat.pin(rest)
    else:
        said = [message for message in dialogue.chat.messages(2) if message.role == "assistant"]
        if not said:
            raise InvalidInput("there is no answer to pin yet; give a text: /pin Budget is 900 €")
        made = dialogue.chat.pin(said[-1])
    screen.rows("pinned", ("pin", "text"), [(made.id, made.content)])


def show_facts(dialogue: Dialogue, screen: Screen, _: str) -> None:
    found = dialogue.space.facts(LIMIT)
    screen.rows("facts", ("kind", "fact"), [(fact.kind, fact.text) for fact in found])


def recall(dialogue: Dialogue, screen: Screen, rest: str) -> None:
    if not rest:
        raise InvalidInput("say what to look for: /recall where are we going?")
    found = dialogue.chat.recall(rest, RECALLED)
    rows = [(f"{hit.score.total:.2f}", hit.conversation or "", hit.kind, hit.text) for hit in found]
    screen.rows("recall", ("score", "conversation", "what", "text"), rows)


def memory(dialogue: Dialogue, screen: Screen, rest: str) -> None:
    if rest not in ("on", "off", ""):
        raise InvalidInput(f"/memory is on or off, not {rest!r}")
    dialogue.remembers = rest == "on" if rest else dialogue.remembers
    screen.remark("memory on" if dialogue.remembers else "memory off: the model sees the last messages alone")


COMMANDS: Mapping[str, Command] = {
    "help": Command("/help", "this list", show_help),
    "context": Command("/context [QUESTION]", "what the model would see", show_context),
    "pins": Command("/pins", "what is kept in view", show_pins),
    "pin": Command("/pin [TEXT]", "keep a text in view, or the last answer", pin),
    "facts": Command("/facts", "what is known of this space", show_facts),
    "recall": Command("/recall WORDS", "look for something in the memory", recall),
    "memory": Command("/memory on|off", "whether the model is shown what is remembered", memory),
}
