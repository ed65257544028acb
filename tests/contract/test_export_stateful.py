"""Tests export and import after random operations: the imported space and its own export are identical."""

from __future__ import annotations

import contextlib
import shutil
import tempfile
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, precondition, rule

from aforesaid import Memory, NotFound, Space, StateError

START = datetime(2026, 3, 1, tzinfo=UTC)
SAYINGS = (
    "I live in Lisbon.", "I live in Porto now.", "I moved to Braga in 2024.", "Actually, I live in Faro.",
    "I work at Acme.", "I prefer tea to coffee.", "My name is 王小明 🎉.", "We decided to use SQLite for the store.",
    "It works now! The bug is fixed.", "We settled on Lisbon in May.", "I am allergic to peanuts.", "Well, who knows?",
)  # fmt: skip
QUESTIONS = ("where does the user live", "SQLite decision", "pin episode 7")
VERBS = ("promote", "reject", "archive", "undo", "edit_fact")
KINDS = ("related_to", "depends_on", "contradicts", "supersedes", "part_of")


class Moves(RuleBasedStateMachine):
    """A space that random operations change and that is moved to a new store at random times."""

    def __init__(self) -> None:
        super().__init__()
        self.now = START
        self.folder = Path(tempfile.mkdtemp())
        self.memory = self.open()
        self.space = self.memory.space("alice")
        self.moves = 0

    def open(self) -> Memory:
        return Memory(worker=False, environment={}, embedder="none", clock=lambda: self.now)

    def teardown(self) -> None:
        try:
            self.move()
        finally:
            self.memory.close()
            shutil.rmtree(self.folder)

    @rule(chat=st.sampled_from("ab"), saying=st.sampled_from(SAYINGS), role=st.sampled_from(("user", "assistant")))
    def say(self, chat: str, saying: str, role: str) -> None:
        self.now += timedelta(hours=7)
        self.space.conversation(chat).add(role, saying)

    @rule(chat=st.sampled_from("ab"), saying=st.sampled_from(SAYINGS))
    def say_without_time(self, chat: str, saying: str) -> None:
        self.space.conversation(chat).add_many([{"role": "user", "content": saying}] * 2)

    @rule()
    def distil(self) -> None:
        self.memory.flush()

    @rule(home=st.sampled_from(("Lisbon", "Porto")), start=st.none() | st.integers(-40, 40))
    def remember(self, home: str, start: int | None) -> None:
        self.now += timedelta(hours=7)
        begin = None if start is None else self.now + timedelta(days=start)
        self.space.remember(f"lives in {home}", attribute="home", value=home, valid_from=begin, tags=["x"])

    @precondition(lambda self: self.space.facts(status=None))
    @rule(which=st.integers(0, 99), verb=st.sampled_from(VERBS))
    def decide(self, which: int, verb: str) -> None:
        self.now += timedelta(hours=7)
        facts = self.space.facts(status=None)
        fact = facts[which % len(facts)]
        try:
            if verb == "edit_fact":
                self.space.edit_fact(fact.id, value=("Lisbon", "Porto", "Faro")[which % 3])
            else:
                getattr(self.space, verb)(fact.id)
        except StateError:
            pass

    @precondition(lambda self: len(self.space.facts(status=None)) > 1)
    @rule(which=st.integers(0, 99), kind=st.sampled_from(KINDS))
    def relate(self, which: int, kind: Any) -> None:
        facts = self.space.facts(status=None)
        source, target = facts[which % len(facts)], facts[(which + 1) % len(facts)]
        with contextlib.suppress(StateError):
            self.space.relate(source.id, kind, target.id, 0.5)

    @precondition(lambda self: self.space.conversations())
    @rule(which=st.integers(0, 99))
    def pin_sum_up_and_note(self, which: int) -> None:
        chats = self.space.conversations()
        chat = self.space.conversation(chats[which % len(chats)].id)
        chat.pin(f"pin {which}")
        with contextlib.suppress(NotFound):
            chat.summarize()
        chat.note_episode(f"episode {which}", type="pivot")

    @precondition(lambda self: self.space.conversations())
    @rule(which=st.integers(0, 99))
    def remove(self, which: int) -> None:
        chats = self.space.conversations()
        chat = self.space.conversation(chats[which % len(chats)].id)
        for pin in chat.pins(1):
            chat.unpin(pin.id)
        for episode in chat.episodes()[:1]:
            chat.remove_episode(episode.id)

    @rule(days=st.integers(1, 400))
    def consolidate(self, days: int) -> None:
        self.now += timedelta(days=days)
        self.space.consolidate()

    @rule()
    def take_back(self) -> None:
        with contextlib.suppress(NotFound):
            self.space.undo_consolidation()

    @rule(city=st.sampled_from(("Porto", "Rome")))
    def tell_of_oneself(self, city: str) -> None:
        self.space.grant_consent(by="alice")
        self.space.set_profile({"city": city}, text="about")

    @precondition(lambda self: self.space.info() is not None)
    @rule()
    def move(self) -> None:
        """Continues in the copy, so that later operations use imported records."""
        if self.space.info() is None:
            return
        self.moves += 1
        first, second = self.folder / f"{self.moves} first", self.folder / f"{self.moves} second"
        self.space.export(first)
        copy = self.open()
        moved = copy.import_space(first)
        assert files(moved.export(second)) == files(first)
        assert shown(moved, self.now) == shown(self.space, self.now)
        copy.import_space(first)
        self.now += timedelta(seconds=1)
        assert shown(moved, self.now) == shown(self.space, self.now)
        self.memory.close()
        self.memory, self.space = copy, moved


def files(folder: Path) -> dict[str, bytes]:
    """Returns all files except the audit, which records every export and import."""
    return {file.name: file.read_bytes() for file in folder.iterdir() if file.name != "audit.json"}


def shown(space: Space, now: datetime) -> dict[str, Any]:
    """Returns all data of a space that the public API exposes."""
    facts = space.facts(1000, status=None)
    moments = {now, *(at for fact in facts for at in (fact.valid_from, fact.known_from, fact.updated_at) if at)}
    chats = [space.conversation(chat.id) for chat in space.conversations()]
    return {
        "facts": facts,
        "relations": space.relations(limit=1000),
        "review": space.review(1000),
        "as of": {at: space.facts(1000, as_of=at) for at in moments},
        "known at": {at: space.facts(1000, known_at=at) for at in moments},
        "both": {at: space.facts(1000, as_of=now, known_at=at) for at in moments},
        "episodes": [chat.episodes() for chat in chats],
        "arc": [chat.arc() for chat in chats],
        "summaries": [chat.summaries(status=None) for chat in chats],
        "chains": [chat.chain(one.id) for chat in chats for one in chat.summaries(status=None)],
        "pins": [chat.pins() for chat in chats],
        "messages": [chat.messages(1000) for chat in chats],
        "conversations": space.conversations(),
        "consolidations": space.consolidations(),
        "consent": space.consent(),
        "profile": space.profile(),
        "settings": space.settings(),
        "recalled": [recalled(space, question, None) for question in QUESTIONS],
        "recalled as of": {at: recalled(space, QUESTIONS[0], at) for at in moments},
    }


def recalled(space: Space, question: str, as_of: datetime | None) -> set[tuple[str, str]]:
    """Returns the hits without scores, because term statistics also count notes that were deleted since."""
    return {(hit.kind, hit.id) for hit in space.recall(question, 1000, as_of=as_of, kinds=("fact", "episode"))}


Moves.TestCase.settings = settings(
    max_examples=20, stateful_step_count=20, deadline=None, suppress_health_check=list(HealthCheck)
)
TestMoves = pytest.mark.req("B16")(Moves.TestCase)
