"""What the demo shows of what became of the words: facts, episodes, a summary, pins; and how words are forgotten."""

from __future__ import annotations

from typing import TYPE_CHECKING

from recollect.cli import demo_story as story
from recollect.cli.demo_page import remark, title
from recollect.cli.output import table
from recollect.cli.text import shortened

if TYPE_CHECKING:
    from rich.console import Console

    from recollect import Erasure, Fact, Memory, Verification

TEXT = 60


def distilled(console: Console, memory: Memory) -> None:
    space = memory.space(story.SPACE)
    title(console, "What is known now", "facts, each with the words of the user that say it")
    facts = ((fact.kind, fact.text, _said(fact)) for fact in space.facts())
    console.print(table(("kind", "fact", "said as"), facts))
    title(console, "What happened", "episodes, by how much they matter")
    episodes = sorted(space.episodes(), key=lambda episode: -episode.significance)
    rows = ((f"{e.significance:.2f}", e.type, e.conversation, shortened(e.title, TEXT)) for e in episodes)
    console.print(table(("weight", "type", "conversation", "episode"), rows, right=("weight",)))
    title(console, "What it was about", "a summary, made of the conversation's own sentences")
    chat = space.conversation(story.BUG)
    console.print(chat.summarize(0, chat.messages()[-1].seq).text)
    remark(
        console, "Facts and episodes were found in the background, the summary was made on demand; no model was asked."
    )


def pinned(console: Console, memory: Memory) -> None:
    title(console, "A pin stays in view", "one was made for a decision, one by hand")
    chat = memory.space(story.SPACE).conversation(story.TRIP)
    if all(pin.content != story.BUDGET for pin in chat.pins()):
        chat.pin(next(message for message in chat.messages() if message.text == story.BUDGET))
    rows = ((f"{pin.importance:.1f}", pin.type, pin.reason or "", pin.content) for pin in chat.pins())
    console.print(table(("importance", "type", "reason", "pin"), rows, right=("importance",)))


def forgotten(console: Console, memory: Memory) -> None:
    space = memory.space(story.SPACE)
    secret = space.conversation(story.TRIP).add("user", story.SECRET, id="demo-secret")
    memory.flush()
    title(console, "What is forgotten is gone", f"“{story.SECRET}” is said, and a fact made of it, and then:")
    erasure = space.forget(message=secret.id)
    rows = ((part.kind, part.count, part.reason) for part in erasure.erased)
    console.print(table(("erased", "count", "why"), rows, right=("count",)))
    remark(console, _proof(erasure, memory.verify_erasure(story.SECRET)))


def _said(fact: Fact) -> str:
    return f"“{fact.evidence[0].quote}”" if fact.evidence else "by hand"


def _proof(erasure: Erasure, seen: Verification) -> str:
    scrubbed = "The files are scrubbed" if erasure.complete else "The files are still being scrubbed"
    found = "not a trace of its words" if seen.clean else f"its words in {len(seen.found)} places"
    looked = f"{len(seen.tables)} tables and {len(seen.files)} files, {seen.bytes:,} bytes"
    return f"{scrubbed}. Looked at {looked}: {found}."
