"""The session and the display of a terminal chat: formatted in a terminal, plain in a pipe, or as JSON lines."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, replace
from typing import TYPE_CHECKING, TypedDict

from aforesaid import RECIPES, Answer, Context, Message, Recipe, ResponderInfo, Space
from aforesaid.cli.output import Table, escape_text, make_console, note, print_json

if TYPE_CHECKING:
    from rich.console import Console
    from rich.markdown import Markdown

try:
    import termios
except ImportError:  # not on this platform
    termios = None  # type: ignore[assignment]

FENCES = ("```", "~~~")
LOCAL_FLAGS = 3  # the index of the local flags in a terminal's attributes
HISTORY_MESSAGES = 10
REFRESHES_PER_SECOND = 10


class ContextOptions(TypedDict):
    recipe: str | Recipe
    max_tokens: int | None
    system: str | None
    overflow: str


class ChatSession:
    """The state of a chat: its conversation, its model and its context options."""

    def __init__(self, space: Space, name: str, model: str | None, options: ContextOptions) -> None:
        self.space = space
        self.chat = space.conversation(name)
        self.model = model
        self.uses_memory = True
        self._context_options = options

    @property
    def answerer(self) -> ResponderInfo:
        return self.chat.answerer(self.model)

    def reply(self, text: str) -> Answer:
        return self.chat.reply(text, model=self.model, **self._options())

    def add(self, text: str) -> Context:
        """Stores a message that no model answers, and returns the context that a model would get."""
        self.chat.add("user", text)
        return self.context(text)

    def context(self, question: str | None) -> Context:
        return self.chat.context(question, **self._options())

    def _options(self) -> ContextOptions:
        if self.uses_memory:
            return self._context_options
        last_messages = replace(RECIPES["window"], pins=0, summaries=0, profile_share=0.0)
        return ContextOptions(**self._context_options | {"recipe": last_messages})


def finished_blocks_end(text: str) -> int:
    """Where the complete Markdown blocks end: after the last blank line outside of a code fence."""
    end, place, fence = 0, 0, ""
    for line in text.splitlines(keepends=True):
        place += len(line)
        mark = line.lstrip()[:3]
        if fence:
            fence = "" if mark == fence else fence
        elif mark in FENCES:
            fence = mark
        if not fence and not line.strip() and line.endswith("\n"):
            end = place
    return end


@contextmanager
def echo_disabled() -> Iterator[None]:
    """Hides typed characters meanwhile. The next prompt receives them."""
    if termios is None or not sys.stdin.isatty():
        yield
        return
    before = termios.tcgetattr(sys.stdin)
    silent = [*before]
    silent[LOCAL_FLAGS] &= ~termios.ECHO
    termios.tcsetattr(sys.stdin, termios.TCSADRAIN, silent)
    try:
        yield
    finally:
        termios.tcsetattr(sys.stdin, termios.TCSADRAIN, before)


class ChatScreen:
    def __init__(self, *, live: bool, as_json: bool) -> None:
        self.live = live
        self._as_json = as_json
        self._console: Console = make_console()

    @property
    def prompt(self) -> str:
        if self._console.color_system is None:
            return "you> "
        return "\001\033[1;36m\002you ›\001\033[0m\002 "  # \001 and \002 mark zero-width text for readline

    def opened(self, session: ChatSession) -> None:
        """Shows the last messages, and which model answers."""
        answerer, chat = session.answerer, session.chat
        if self.live:
            for message in chat.messages(HISTORY_MESSAGES):
                self._message(message)
            place = ", on this machine" if answerer.local else ""
            self.remark(f"{chat.id} of {chat.space}; {answerer.model or 'no model'}{place}; /help lists commands")
        if answerer.model is None:
            self.remark(f"{answerer.reason}. Until then, messages are stored, and the context for a model is shown.")

    def turn(self, session: ChatSession, text: str) -> None:
        """Sends a message, and shows the answer."""
        if session.answerer.model is None:
            self.context(session.add(text))
            return
        with session.reply(text) as answer:
            try:
                self._answer(answer)
            except KeyboardInterrupt:
                if not self.live or answer.message is not None:
                    raise
                self.remark("stopped; nothing of it is kept")

    def context(self, context: Context) -> None:
        """Shows the context that a model gets."""
        if self._as_json:
            record = {"context": context.to_openai(), "tokens": context.tokens, "receipt": context.receipt.id}
            print_json(record, indent=None)
            return
        self._console.print(escape_text(context.text), soft_wrap=True)
        self.remark(f"{context.tokens} of {context.budget.total} tokens; receipt {context.receipt.id}")

    def rows(self, name: str, columns: Sequence[str], rows: Sequence[Sequence[object]]) -> None:
        if self._as_json:
            print_json({name: [dict(zip(columns, row, strict=True)) for row in rows]}, indent=None)
        elif rows:
            self._console.print(Table(columns, rows))
        else:
            self.remark("nothing")

    def remark(self, text: str) -> None:
        """Shows text that is not part of the chat."""
        if self.live:
            make_console(stderr=True).print(escape_text(text), style="dim")
        else:
            note(text)

    def _answer(self, answer: Answer) -> None:
        if self._as_json:
            for _ in answer:
                pass
            print_json({"question": answer.question.id, "answer": _answer_record(answer)}, indent=None)
        elif self.live:
            self._formatted(answer)
            seen = answer.context
            self.remark(f"{seen.tokens} tokens seen, {len(seen.recalled)} recalled; receipt {seen.receipt.id}")
        else:
            for piece in answer:
                print(escape_text(piece), end="", flush=True)
            print(flush=True)

    def _formatted(self, answer: Answer) -> None:
        """Prints each block when it is complete, and redraws the last one while it grows."""
        from rich.live import Live

        rest = ""
        drawing = Live(
            get_renderable=lambda: _markdown(rest),
            console=self._console,
            transient=True,
            refresh_per_second=REFRESHES_PER_SECOND,
        )
        with echo_disabled(), drawing as drawn:
            try:
                for piece in answer:
                    rest += piece
                    done, rest = rest[: finished_blocks_end(rest)], rest[finished_blocks_end(rest) :]
                    if done.strip():
                        drawn.console.print(_markdown(done))
            finally:
                last, rest = rest, ""
                if last.strip():
                    drawn.console.print(_markdown(last))

    def _message(self, message: Message) -> None:
        name = escape_text(message.name or {"user": "you"}.get(message.role, message.role))
        self._console.print(f"{name} ›", style="bold cyan" if message.role == "user" else "bold magenta", end=" ")
        if message.role == "assistant":
            self._console.print()
            self._console.print(_markdown(message.text))
        else:
            self._console.print(escape_text(message.text))


def _markdown(text: str) -> Markdown:
    from rich.markdown import Markdown

    return Markdown(escape_text(text), code_theme="ansi_dark", hyperlinks=False)


def _answer_record(answer: Answer) -> dict[str, object]:
    assert answer.message is not None
    assert answer.cost is not None
    usage = asdict(answer.cost)
    return {
        "id": answer.message.id,
        "text": answer.message.text,
        "model": answer.model,
        "receipt": answer.context.receipt.id,
        "usage": {name: usage[name] for name in ("prompt_tokens", "completion_tokens")},
    }
