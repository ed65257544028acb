"""Tests retention after random operations: at no time does a read return what has expired, or miss what has not."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule

from aforesaid import Memory, NotFound

START = datetime(2026, 3, 1, tzinfo=UTC)
CHATS = st.sampled_from("ab")
HOURS = st.sampled_from((1, 2, 5, 24))


@dataclass
class Said:
    """A message of the model: its chat, its text, and when it expires by itself."""

    chat: str
    text: str
    expires_at: datetime | None


class Retention(RuleBasedStateMachine):
    """Compares a space with a model of what must be visible, after every step."""

    def __init__(self) -> None:
        super().__init__()
        self.now = START
        self.memory = Memory(worker=False, environment={}, embedder="none", clock=lambda: self.now)
        self.space = self.memory.space("ann")
        self.said: dict[str, Said] = {}
        self.facts: dict[str, datetime | None] = {}
        self.ends: dict[str, datetime | None] = {}
        self.held = False

    def teardown(self) -> None:
        self.memory.close()

    def over(self, at: datetime | None) -> bool:
        return at is not None and at <= self.now

    def renew(self, chat: str) -> bool:
        """A write to an expired conversation starts it anew, unless a hold keeps it. Returns False if it does."""
        if self.over(self.ends.get(chat)):
            if self.held:
                return False
            self.said = {id: one for id, one in self.said.items() if one.chat != chat}
            del self.ends[chat]
        return True

    @rule(chat=CHATS, hours=st.none() | HOURS, role=st.sampled_from(("user", "assistant", "tool")))
    def say(self, chat: str, hours: int | None, role: str) -> None:
        if not self.renew(chat):
            return
        text = f"I like word{len(self.said)}x{self.now.timestamp():.0f}."
        expires = None if hours is None else timedelta(hours=hours)
        message = self.space.conversation(chat).add(role, text, expires=expires)
        self.said[message.id] = Said(chat, text, message.expires_at)
        self.ends.setdefault(chat, None)

    @rule(hours=st.none() | HOURS)
    def remember(self, hours: int | None) -> None:
        fact = self.space.remember(f"Owns item{len(self.facts)}", expires=None if hours is None else f"{hours}h")
        self.facts[fact.id] = fact.expires_at

    @rule(chat=CHATS, hours=st.none() | HOURS)
    def expire(self, chat: str, hours: int | None) -> None:
        end = "never" if hours is None else timedelta(hours=hours)
        if chat not in self.ends or self.over(self.ends[chat]):
            with pytest.raises(NotFound):
                self.space.conversation(chat).expire(end)
            return
        self.ends[chat] = self.space.conversation(chat).expire(end).expires_at

    @rule(minutes=st.sampled_from((1, 59, 60, 61, 300)))
    def wait(self, minutes: int) -> None:
        self.now += timedelta(minutes=minutes)

    @rule()
    def flush(self) -> None:
        self.memory.flush()
        if not self.held:
            self.said = {id: one for id, one in self.said.items() if self.live(one)}
            self.ends = {chat: end for chat, end in self.ends.items() if not self.over(end)}
            assert self.memory.engine.store.retention.due() is None

    @rule()
    def hold(self) -> None:
        self.held = self.space.hold("a case") is not None

    @rule()
    def release(self) -> None:
        assert self.space.release_hold() == self.held
        self.held = False

    def live(self, one: Said) -> bool:
        return not self.over(one.expires_at) and not self.over(self.ends.get(one.chat))

    @invariant()
    def every_read_agrees(self) -> None:
        live = {id: one for id, one in self.said.items() if self.live(one)}
        shown = [message for chat in "ab" for message in self.space.conversation(chat).messages(200)]
        assert {message.id for message in shown} == set(live)
        recent = [
            message for chat in "ab" for message in self.space.conversation(chat).recent(200, include_newest=True)
        ]
        assert {message.id for message in recent} == set(live)
        words = {one.text for one in live.values()}
        hits = self.space.recall("What do I like?", limit=50)
        assert {hit.text for hit in hits if hit.kind == "message"} <= words
        quotes = [quote for fact in self.space.facts(200, status=None) for quote in fact.evidence]
        assert {quote.message_id for quote in quotes} <= set(live)
        remembered = {fact.id for fact in self.space.facts(200) if fact.method == "manual"}
        assert remembered == {id for id, at in self.facts.items() if not self.over(at)}
        chats = {info.id for info in self.space.conversations()}
        assert chats == {chat for chat, end in self.ends.items() if not self.over(end)}
        for chat in chats:
            text = self.space.conversation(chat).context("What do I like?").text
            gone = {one.text for id, one in self.said.items() if id not in live} - words
            assert not [one for one in gone if one in text]


TestRetention = pytest.mark.req("X24")(Retention.TestCase)
TestRetention.settings = settings(max_examples=25, stateful_step_count=25, deadline=None)
