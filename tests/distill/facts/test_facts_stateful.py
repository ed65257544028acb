"""Tests that stored facts never contradict each other and always have evidence, for any sequence of operations."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from aforesaid import Memory, StateError
from aforesaid.distill.facts.extract_facts import store_proposal, to_proposal
from aforesaid.models.fact import Claim
from aforesaid.models.message import Utterance

START = datetime(2026, 3, 1, tzinfo=UTC)
HOMES = ("Lisbon", "Porto", "Braga", "not Lisbon")
DAYS = st.integers(-40, 40)


class Facts(RuleBasedStateMachine):
    """Operates on one single-valued slot in a real store."""

    def __init__(self) -> None:
        super().__init__()
        self.now = START
        self.memory = Memory(worker=False, environment={}, embedder="none", clock=lambda: self.now)
        self.alice = self.memory.space("alice")
        self.conversations = 0

    def teardown(self) -> None:
        self.memory.close()

    @rule(home=st.sampled_from(HOMES), certain=st.sampled_from([0.5, 0.9]), shift=DAYS, since=st.none() | DAYS)
    def say(self, home: str, certain: float, shift: int, since: int | None) -> None:
        """States a home now or in the past, in a new conversation."""
        self.now += timedelta(hours=7)
        self.conversations += 1
        at = self.now + timedelta(days=min(shift, 0))
        quote = f"I live in {home}"
        message = self.alice.conversation(str(self.conversations)).add("user", f"Well, {quote}.", at=at)
        start = None if since is None else at + timedelta(days=since)
        claim = Claim("fact", "user", "home", home, f"user lives in {home}", quote, 6, certain, valid_from=start)
        utterance = Utterance(message.id, 0, "user", "user", message.text, at, None, 3)
        store_proposal(self.memory.engine.facts.reconciler, "alice", to_proposal(claim, utterance), 0.8)

    @rule(home=st.sampled_from(HOMES), start=st.none() | DAYS, length=st.none() | st.integers(1, 30))
    def remember(self, home: str, start: int | None, length: int | None) -> None:
        self.now += timedelta(hours=7)
        begin = None if start is None else self.now + timedelta(days=start)
        end = None if length is None else (begin or self.now) + timedelta(days=length)
        self.alice.remember(f"lives in {home}", attribute="home", value=home, valid_from=begin, valid_until=end)

    @precondition(lambda self: self.alice.facts(status=None))
    @rule(which=st.integers(0, 99), verb=st.sampled_from(["promote", "reject", "archive", "undo", "edit_fact"]))
    def decide(self, which: int, verb: str) -> None:
        self.now += timedelta(hours=7)
        facts = self.alice.facts(status=None)
        fact = facts[which % len(facts)]
        try:
            if verb == "edit_fact":
                self.alice.edit_fact(fact.id, value=HOMES[which % 4])
            else:
                getattr(self.alice, verb)(fact.id)
        except StateError:
            pass

    @precondition(lambda self: self.conversations)
    @rule(which=st.integers(0, 99))
    def delete(self, which: int) -> None:
        self.alice.conversation(str(1 + which % self.conversations)).delete()

    @invariant()
    def one_home_at_a_time(self) -> None:
        facts = self.alice.facts(status=None)
        moments = {START, self.now} | {at for fact in facts for at in (fact.valid_from, fact.valid_until) if at}
        for moment in sorted(moments):
            for at in (moment - timedelta(seconds=1), moment):
                held = {fact.value for fact in self.alice.facts(as_of=at)}
                assert len(held - {"not Lisbon"}) <= 1, (at, held)
                assert not held >= {"Lisbon", "not Lisbon"}, (at, held)

    @invariant()
    def nothing_without_evidence(self) -> None:
        for fact in self.alice.facts(status=None):
            assert fact.evidence or fact.method == "manual"

    @invariant()
    def what_is_known_now_is_what_is_true_now(self) -> None:
        assert self.alice.facts(as_of=self.now) == self.alice.facts(as_of=self.now, known_at=self.now)


Facts.TestCase.settings = settings(
    max_examples=30, stateful_step_count=12, deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
TestFacts = Facts.TestCase
