"""Tests that stored facts never contradict each other, agree with themselves and have evidence, for any sequence of
operations."""

from __future__ import annotations

from contextlib import suppress
from datetime import UTC, datetime, timedelta

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from aforesaid import Fact, Memory, StateError
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
    @rule(which=st.integers(0, 99), verb=st.sampled_from(["promote", "reject", "archive", "undo"]))
    def decide(self, which: int, verb: str) -> None:
        reason = {"reason": f"reason {which}"} if verb in ("reject", "archive") and which % 2 else {}
        with suppress(StateError):
            getattr(self.alice, verb)(self.some_fact(which).id, **reason)

    @precondition(lambda self: self.alice.facts(status=None))
    @rule(which=st.integers(0, 99), home=st.sampled_from(HOMES), given=st.sampled_from(["text", "value", "both"]))
    def edit(self, which: int, home: str, given: str) -> None:
        fact = self.some_fact(which)
        text = f"{fact.text.partition('lives in ')[0]}lives in {home}"
        details = {"text": {"text": text}, "value": {"value": home}, "both": {"text": text, "value": home}}[given]
        with suppress(StateError):
            edited = self.alice.edit_fact(fact.id, **details)
            if home != fact.value:
                assert (edited.status, edited.method, edited.confidence) == ("active", "manual", 1.0)
                assert not any(each.supports for each in edited.evidence)

    @precondition(lambda self: self.alice.facts())
    @rule(which=st.integers(0, 99), verb=st.sampled_from(["reject", "archive"]))
    def withdraw_and_undo(self, which: int, verb: str) -> None:
        """What was true before is true again."""
        facts = self.alice.facts()
        fact = facts[which % len(facts)]
        before = self.believed()
        getattr(self.alice, verb)(fact.id, reason="a slip")
        assert fact.id not in {each.id for each in self.alice.facts()}
        self.alice.undo(fact.id)
        assert self.believed() == before

    def some_fact(self, which: int) -> Fact:
        self.now += timedelta(hours=7)
        facts = self.alice.facts(status=None)
        return facts[which % len(facts)]

    def believed(self) -> set[tuple[str, str, datetime | None, datetime | None]]:
        return {(each.id, each.text, each.valid_from, each.valid_until) for each in self.alice.facts()}

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
    def words_value_certainty_and_evidence_agree(self) -> None:
        for fact in self.alice.facts(status=None):
            assert fact.text.endswith(f"lives in {fact.value}")
            for each in fact.evidence:
                assert each.quote == f"I live in {fact.value}" if each.supports else fact.method == "manual"
            assert fact.withdrawn_from is not None or fact.status not in ("archived", "rejected")
            assert fact.reason is None or fact.withdrawn_from is not None
            assert fact.withdrawn_from is None or fact.status not in ("active", "pending")

    @invariant()
    def what_is_known_now_is_what_is_true_now(self) -> None:
        assert self.alice.facts(as_of=self.now) == self.alice.facts(as_of=self.now, known_at=self.now)


Facts.TestCase.settings = settings(
    max_examples=30, stateful_step_count=12, deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
TestFacts = Facts.TestCase
