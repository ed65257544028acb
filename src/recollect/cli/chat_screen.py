"""What a chat shows: at a terminal with colours and formatted answers, in a pipe plain, or as lines of JSON."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING

from recollect.cli.chat_blocks import finished
from recollect.cli.chat_quiet import unechoed
from recollect.cli.output import note, notes, output, table
from recollect.cli.text import UNSAFE, shown

if TYPE_CHECKING:
    from rich.console import Console
    from rich.markdown import Markdown

    from recollect import Answer, Context, Message
    from recollect.cli.chat_dialogue import Dialogue

SHOWN = 10  # messages of before
REFRESH = 10  # times a second


class Screen:
    def __init__(self, *, live: bool, as_json: bool) -> None:
        self.live = live
        self._as_json = as_json
        self._console: Console = output()

    @property
    def prompt(self) -> str:
        if self._console.color_system is None:
            return "you> "
        return "\001\033[1;36m\002you ›\001\033[0m\002 "  # what does not move the cursor is marked for readline

    def opened(self, dialogue: Dialogue) -> None:
        """The last messages, and who answers."""
        who, chat = dialogue.answerer, dialogue.chat
        if self.live:
            for message in chat.messages(SHOWN):
                self._message(message)
            place = ", on this machine" if who.local else ""
            self.remark(
                f"{dialogue.chat.id} of {dialogue.chat.space}; {who.model or 'no model'}{place}; /help lists commands"
            )
        if who.model is None:
            self.remark(f"{who.reason}. Until then, what you say is kept, and what a model would see is shown.")

    def turn(self, dialogue: Dialogue, text: str) -> None:
        """Says something, and shows what comes back."""
        if dialogue.answerer.model is None:
            self.context(dialogue.kept(text))
            return
        with dialogue.reply(text) as answer:
            try:
                self._answer(answer)
            except KeyboardInterrupt:
                if not self.live or answer.message is not None:
                    raise
                self.remark("stopped; nothing of it is kept")

    def context(self, made: Context) -> None:
        """What a model would see."""
        if self._as_json:
            self._line({"context": made.to_openai(), "tokens": made.tokens, "receipt": made.receipt.id})
            return
        self._console.print(shown(made.text), soft_wrap=True)
        self.remark(f"{made.tokens} of {made.budget.total} tokens; receipt {made.receipt.id}")

    def rows(self, name: str, columns: Sequence[str], rows: Sequence[Sequence[object]]) -> None:
        if self._as_json:
            self._line({name: [dict(zip(columns, row, strict=True)) for row in rows]})
        elif rows:
            self._console.print(table(columns, rows))
        else:
            self.remark("nothing")

    def remark(self, text: str) -> None:
        """Something about the chat that is no part of it."""
        if self.live:
            from rich.text import Text

            notes().print(Text(shown(text), "dim"))
        else:
            note(text)

    def _answer(self, answer: Answer) -> None:
        if self._as_json:
            for _ in answer:
                pass
            self._line({"question": answer.question.id, "answer": _told(answer)})
        elif self.live:
            self._formatted(answer)
            seen = answer.context
            self.remark(f"{seen.tokens} tokens seen, {len(seen.retrieved)} recalled; receipt {seen.receipt.id}")
        else:
            for piece in answer:
                print(shown(piece), end="", flush=True)
            print(flush=True)

    def _formatted(self, answer: Answer) -> None:
        """Block by block, as each is finished; the one that is being written is drawn anew some times a second."""
        from rich.live import Live

        rest = ""
        drawing = Live(
            get_renderable=lambda: markdown(rest), console=self._console, transient=True, refresh_per_second=REFRESH
        )
        with unechoed(), drawing as drawn:
            try:
                for piece in answer:
                    rest += piece
                    done, rest = rest[: finished(rest)], rest[finished(rest) :]
                    if done.strip():
                        drawn.console.print(markdown(done))
            finally:
                last, rest = rest, ""
                if last.strip():
                    drawn.console.print(markdown(last))

    def _message(self, message: Message) -> None:
        from rich.text import Text

        name = shown(message.name or {"user": "you"}.get(message.role, message.role))
        self._console.print(Text(f"{name} ›", "bold cyan" if message.role == "user" else "bold magenta"), end=" ")
        if message.role == "assistant":
            self._console.print()
            self._console.print(markdown(message.text))
        else:
            self._console.print(Text(shown(message.text)))

    def _line(self, value: object) -> None:
        text = json.dumps(value, ensure_ascii="utf" not in (sys.stdout.encoding or "").lower(), default=str)
        print(UNSAFE.sub(lambda found: f"\\u{ord(found[0]):04x}", text), flush=True)


def markdown(text: str) -> Markdown:
    from rich.markdown import Markdown

    return Markdown(shown(text), code_theme="ansi_dark", hyperlinks=False)


def _told(answer: Answer) -> dict[str, object]:
    """What is worth knowing of an answer that was stored."""
    cost = answer.cost
    assert answer.message is not None
    assert cost is not None
    used = asdict(cost)
    return {
        "id": answer.message.id,
        "text": answer.message.text,
        "model": answer.model,
        "receipt": answer.context.receipt.id,
        "usage": {name: used[name] for name in ("prompt_tokens", "completion_tokens")},
    }
