"""What is done with facts by hand."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import TypedDict

from recollect.distill.facts import Reconciling
from recollect.distill.lifecycle import archived, chosen, edited, promoted, rejected, related, undone
from recollect.distill.reconcile import Given, fresh
from recollect.distill.slot import says_same
from recollect.errors import InvalidInput, NotFound
from recollect.ids import Ids
from recollect.models import FACT_KINDS, RELATION_KINDS, Fact, FactKind, Json, Relation
from recollect.ports import Clock, Facts, Tokenizer
from recollect.records import Change, Claim, Proof, Proposal, Remark, Seen, Topic
from recollect.text import accept
from recollect.text.given import several

UNSURE = 0.5  # how certain a fact is that another program noted
LONGEST = 10_000  # characters of a fact's text: what is longer is a message
VERSIONED = ("kind", "subject", "attribute", "value", "text", "valid_from", "valid_until")  # what makes another fact
Decision = Callable[[Seen, str, datetime], Change]


class Details(TypedDict, total=False):
    """What may be said of a fact besides its words."""

    kind: FactKind
    importance: float | None
    category: str | None
    tags: Sequence[str]
    subject: str | None
    attribute: str | None
    value: str | None
    valid_from: datetime | str | None
    valid_until: datetime | str | None


@dataclass(frozen=True, slots=True)
class Curating:
    """Decisions by hand, each in one transaction with all that follows from it. Every decision gives the fact as it
    is afterwards."""

    facts: Facts
    reconciling: Reconciling
    tokenizer: Tokenizer
    ids: Ids
    clock: Clock

    def remember(self, space: str, text: str, source: str | None, details: Details) -> Fact:
        """A fact that is active at once. What is known already in the same words is strengthened."""
        given = checked(details)
        claim = Claim(
            kind=given.get("kind", "fact"),
            subject=given.get("subject") or "user",
            attribute=given.get("attribute"),
            value=given.get("value"),
            text=worded(text),
            quote="",
            start=0,
            confidence=1.0,
            category=given.get("category"),
            tags=tuple(given.get("tags", ())),
            valid_from=given.get("valid_from"),
            valid_until=given.get("valid_until"),
        )
        _refuse_backwards(claim.valid_from, claim.valid_until)
        proof = None if source is None else Proof(accept.name(source, "source"), None, claim.text, claim.value)
        proposal = Proposal(claim, "manual", self.clock(), proof, importance=given.get("importance"))
        return self.get(space, self.reconciling.settle(space, proposal, 0.0, durable=True).facts[-1].id)

    def propose(self, space: str, noted: Remark) -> bool:
        """A fact that waits for review, with the words of a message as its evidence, whoever wrote them; False where
        something says the same already, also if it was rejected."""
        now = self.clock()
        claim = Claim("fact", "user", None, None, worded(noted.text), noted.quote, 0, UNSURE, tags=noted.tags)
        proof = Proof(accept.name(noted.source, "source"), noted.quote, claim.text, None)
        given = Given(space, now, 1.0, self.ids.make(now), self.tokenizer.count(claim.text))

        def decide(seen: Seen) -> Change:
            if any(says_same(claim, fact) for fact in seen.facts):
                return Change()
            new = fresh(Proposal(claim, "manual", now, proof), given)
            return Change(facts=(new,), proofs=((new.id, proof),))

        topic = Topic((), claim.subject, None, None, claim.text, proof.message_id)
        return bool(self.facts.change(space, topic, decide, now).facts)

    def promote(self, space: str, id: str) -> Fact:
        return self._decide(space, id, promoted)

    def reject(self, space: str, id: str) -> Fact:
        return self._decide(space, id, rejected)

    def archive(self, space: str, id: str) -> Fact:
        return self._decide(space, id, archived)

    def undo(self, space: str, id: str) -> Fact:
        return self._decide(space, id, undone)

    def edit(self, space: str, id: str, text: str | None, details: Details) -> Fact:
        """What is given changes. New words or another time make a new version, which supersedes the old one."""
        given = checked(details)
        now = self.clock()
        fresh = self.ids.make(now)

        def decide(seen: Seen) -> Change:
            old = chosen(seen, id)
            _refuse_backwards(given.get("valid_from", old.valid_from), given.get("valid_until", old.valid_until))
            changed = replace(old, **given, text=old.text if text is None else worded(text), updated_at=now)
            if all(getattr(old, name) == getattr(changed, name) for name in VERSIONED):
                return Change((changed,))
            return edited(seen, id, self._version(changed, fresh, now), now)

        slot = given.get("subject") or self.get(space, id).subject, given.get("attribute"), given.get("value")
        change = self.facts.change(space, Topic((accept.name(id, "id"),), *slot), decide, now)
        return self.get(space, change.facts[-1].id)

    def relate(self, space: str, source: str, kind: str, target: str, strength: float) -> Relation:
        """Links two facts. One that supersedes another ends it, too."""
        known = accept.choice(kind, RELATION_KINDS, "a relation's kind")
        if source == target:
            raise InvalidInput("a fact bears no relation to itself")
        now = self.clock()
        ends = accept.name(source, "source"), accept.name(target, "target")
        relation = Relation(ends[0], known, ends[1], accept.share(strength, "strength"), now)
        self.facts.change(space, Topic(ends), lambda seen: related(seen, relation), now)
        return relation

    def unrelate(self, space: str, source: str, kind: str, target: str) -> bool:
        known = accept.choice(kind, RELATION_KINDS, "a relation's kind")
        if known == "supersedes":
            raise InvalidInput("that one fact superseded another is taken back with undo(id)")
        return self.facts.unrelate(space, accept.name(source, "source"), known, accept.name(target, "target"))

    def get(self, space: str, id: str) -> Fact:
        found = self.facts.get(space, accept.name(id, "id"))
        if found is None:
            raise NotFound(f"space {space!r} has no fact {id!r}")
        return found

    def _decide(self, space: str, id: str, decision: Decision) -> Fact:
        now, known = self.clock(), accept.name(id, "id")
        self.facts.change(space, Topic((known,)), lambda seen: decision(seen, known, now), now)
        return self.get(space, known)

    def _version(self, fact: Fact, id: str, now: datetime) -> Fact:
        return replace(
            fact,
            id=id,
            status="pending",
            method="manual",
            model=None,
            confidence=1.0,
            tokens=self.tokenizer.count(fact.text),
            evidence=(),
            known_from=now,
            known_until=None,
            created_at=now,
            updated_at=now,
        )


def worded(text: str) -> str:
    words = accept.words(text, "a fact")
    if len(words) > LONGEST:
        raise InvalidInput(
            f"a fact has {len(words)} characters; {LONGEST} is the most: add what is longer as a message"
        )
    return words


def checked(details: Details) -> dict[str, Json]:
    """What is given, if it can be taken, by the names of a fact's fields. None counts as not given, but for the ends of
    its time."""
    given: dict[str, Json] = {}
    if (kind := details.get("kind")) is not None:
        given["kind"] = accept.choice(kind, FACT_KINDS, "a fact's kind")
    if (importance := details.get("importance")) is not None:
        given["importance"] = accept.share(importance, "importance")
    if (category := details.get("category")) is not None:
        given["category"] = accept.new_name(category, "category")
    for name, word in _words(details).items():
        if word is not None:
            given[name] = accept.name(word, name)
    if "tags" in details:
        given["tags"] = tags(details["tags"])
    if "valid_from" in details:
        given["valid_from"] = _moment(details["valid_from"], "valid_from")
    if "valid_until" in details:
        given["valid_until"] = _moment(details["valid_until"], "valid_until")
    return given


def _words(details: Details) -> dict[str, str | None]:
    return {
        "subject": details.get("subject"),
        "attribute": details.get("attribute"),
        "value": details.get("value"),
    }


def _moment(given: datetime | str | None, what: str) -> datetime | None:
    """A moment; of a day in UTC, as `2026-03-01`, its end, or its beginning for `valid_from`."""
    return None if given is None else accept.edge(given, what, begins=what == "valid_from")


def tags(given: Sequence[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(accept.new_name(tag, "a tag") for tag in several(given, "tags")))


def _refuse_backwards(start: datetime | None, stop: datetime | None) -> None:
    if start is not None and stop is not None and start >= stop:
        raise InvalidInput(f"valid_from {start.isoformat()} must lie before valid_until {stop.isoformat()}")
