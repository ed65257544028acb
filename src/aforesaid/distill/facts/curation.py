"""Manual changes to facts: remember, propose, promote, reject, archive, edit, relate; and the filter of a list."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial
from typing import TypedDict

from aforesaid.distill.facts.agreement import agreeing, edited_record
from aforesaid.distill.facts.compare import says_same
from aforesaid.distill.facts.extract_facts import FactReconciler
from aforesaid.distill.facts.lifecycle import archive, edit, fact_by_id, promote, reject, relate, undo
from aforesaid.distill.facts.reconcile import ReconcileInput, new_fact
from aforesaid.errors import InvalidInput, NotFound
from aforesaid.ids import Ids
from aforesaid.models.fact import (
    FACT_KINDS,
    FACT_STATES,
    RELATION_KINDS,
    Claim,
    Fact,
    FactChange,
    FactFilter,
    FactKind,
    FactProposal,
    FactStatus,
    FactTopic,
    ImportedMemory,
    Proof,
    Relation,
    TopicFacts,
)
from aforesaid.models.json import Json
from aforesaid.models.message import Expires
from aforesaid.models.record import Schema
from aforesaid.ports import Clock, Tokenizer
from aforesaid.storage.repositories.facts import Facts
from aforesaid.text import validate
from aforesaid.text.validate import sequence

PROPOSED_CONFIDENCE = 0.5  # of a fact that another program has noted
LONGEST_REASON = 1_000  # characters
LONGEST = 10_000  # characters of a fact's text; a longer text is a message
VERSIONED = ("kind", "subject", "attribute", "value", "text", "valid_from", "valid_until")  # fields of a version
Transition = Callable[[TopicFacts, str, datetime], FactChange]


class FactDetails(TypedDict, total=False):
    """The optional fields of a fact."""

    kind: FactKind
    importance: float | None
    category: str | None
    tags: Sequence[str]
    subject: str | None
    attribute: str | None
    value: str | None
    valid_from: datetime | str | None
    valid_until: datetime | str | None
    expires: Expires | None


@dataclass(frozen=True, slots=True)
class FactEditor:
    """Manual decisions about facts, each in one transaction. Each returns the changed fact."""

    facts: Facts
    reconciler: FactReconciler
    tokenizer: Tokenizer
    ids: Ids
    clock: Clock
    schemas: Callable[[str], Mapping[str, Schema]]  # of a space

    def remember(self, space: str, text: str, source: str | None, details: FactDetails) -> Fact:
        """Adds an active fact. A known fact in the same words is strengthened instead."""
        values = check_details(details)
        importance = values.pop("importance", None)
        expires = details.get("expires")
        claim = replace(Claim("fact", "user", None, None, check_text(text), "", 0, 1.0), **values)
        _check_order(claim.valid_from, claim.valid_until)
        proof = None if source is None else Proof(validate.name(source, "source"), None, claim.text, claim.value)
        proposal = FactProposal(claim, "manual", self.clock(), proof, importance=importance, expires=expires)
        return self.get(space, self.reconciler.reconcile(space, proposal, 0.0, durable=True).facts[-1].id)

    def propose(self, space: str, memory: ImportedMemory) -> bool:
        """Adds a pending fact with a quote as its evidence. Returns False if a known or rejected fact says the same."""
        now = self.clock()
        text = check_text(memory.text)
        claim = Claim("fact", "user", None, None, text, memory.quote, 0, PROPOSED_CONFIDENCE, tags=memory.tags)
        proof = Proof(validate.name(memory.source, "source"), memory.quote, text, None)
        inputs = ReconcileInput(space, now, 1.0, self.ids.make(now), self.tokenizer.count(text))

        def decide(known: TopicFacts) -> FactChange:
            if any(says_same(claim, fact) for fact in known.facts):
                return FactChange()
            new = new_fact(FactProposal(claim, "manual", now, proof), inputs)
            return FactChange(facts=(new,), proofs=((new.id, proof),))

        topic = FactTopic((), claim.subject, None, None, text, proof.message_id)
        return bool(self.facts.change(space, topic, decide, now).facts)

    def promote(self, space: str, id: str) -> Fact:
        return self._decide(space, id, promote)

    def reject(self, space: str, id: str, reason: str | None) -> Fact:
        return self._decide(space, id, partial(reject, reason=_check_reason(reason)))

    def archive(self, space: str, id: str, reason: str | None) -> Fact:
        return self._decide(space, id, partial(archive, reason=_check_reason(reason)))

    def undo(self, space: str, id: str) -> Fact:
        return self._decide(space, id, undo)

    def edit(self, space: str, id: str, text: str | None, details: FactDetails) -> Fact:
        """Changes the given fields. A change of content or validity makes a new version that supersedes the old one.
        Its words and its value agree; `attribute=None` removes the slot."""
        values = check_details(details)
        slot_given = "attribute" in values or "value" in values
        if "attribute" in details and details["attribute"] is None:
            values |= {"attribute": None, "value": values.get("value")}
        now = self.clock()
        if (expires := details.get("expires")) is not None:
            values["expires_at"] = validate.expiry(expires, "expires", now)
        new_id = self.ids.make(now)

        def decide(known: TopicFacts) -> FactChange:
            old = fact_by_id(known, id)
            if "valid_from" in values or "valid_until" in values:
                _check_order(values.get("valid_from", old.valid_from), values.get("valid_until", old.valid_until))
            changed = replace(old, **values, text=old.text if text is None else check_text(text), updated_at=now)
            if old.schema is None:
                changed = agreeing(old, changed, slot_given=slot_given)
            else:
                changed = edited_record(old, changed, self.schemas(space).get(old.schema))
            if all(getattr(old, name) == getattr(changed, name) for name in VERSIONED):
                return FactChange((changed,))
            return edit(known, id, self._version(changed, new_id, now), now)

        slot = values.get("subject") or self.get(space, id).subject, values.get("attribute"), values.get("value")
        change = self.facts.change(space, FactTopic((validate.name(id, "id"),), *slot), decide, now)
        return self.get(space, change.facts[-1].id)

    def relate(self, space: str, source: str, kind: str, target: str, strength: float) -> Relation:
        """Links two facts. `supersedes` also ends the target."""
        relation_kind = validate.choice(kind, RELATION_KINDS, "a relation's kind")
        if source == target:
            raise InvalidInput("a fact cannot be related to itself")
        now = self.clock()
        ends = validate.name(source, "source"), validate.name(target, "target")
        relation = Relation(ends[0], relation_kind, ends[1], validate.share(strength, "strength"), now)
        self.facts.change(space, FactTopic(ends), lambda known: relate(known, relation), now)
        return relation

    def unrelate(self, space: str, source: str, kind: str, target: str) -> bool:
        relation_kind = validate.choice(kind, RELATION_KINDS, "a relation's kind")
        if relation_kind == "supersedes":
            raise InvalidInput("the relation `supersedes` cannot be removed; call undo(id)")
        ends = validate.name(source, "source"), validate.name(target, "target")
        return self.facts.unrelate(space, ends[0], relation_kind, ends[1])

    def get(self, space: str, id: str) -> Fact:
        fact = self.facts.get(space, validate.name(id, "id"))
        if fact is None:
            raise NotFound(f"space {space!r} has no fact {id!r}")
        return fact

    def _decide(self, space: str, id: str, transition: Transition) -> Fact:
        now, fact_id = self.clock(), validate.name(id, "id")
        self.facts.change(space, FactTopic((fact_id,)), lambda known: transition(known, fact_id, now), now)
        return self.get(space, fact_id)

    def _version(self, fact: Fact, id: str, now: datetime) -> Fact:
        """The next version of a fact, which was true as long as the fact."""
        said = fact.created_at if fact.valid_until is None or fact.created_at < fact.valid_until else None
        return replace(
            fact,
            id=id,
            valid_from=fact.valid_from if fact.evidence else fact.valid_from or said,
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


def _check_reason(reason: str | None) -> str | None:
    if reason is None:
        return None
    words = validate.non_blank(reason, "reason")
    if len(words) > LONGEST_REASON:
        raise InvalidInput(f"a reason has {len(words)} characters; the limit is {LONGEST_REASON}")
    return words


def check_text(text: str) -> str:
    words = validate.non_blank(text, "a fact")
    if len(words) > LONGEST:
        raise InvalidInput(f"a fact has {len(words)} characters; the limit is {LONGEST}: add longer text as a message")
    return words


def check_details(details: FactDetails) -> dict[str, Json]:
    """The valid details, by the names of a fact's fields. None means not given, except for the bounds of validity."""
    values: dict[str, Json] = {}
    if (kind := details.get("kind")) is not None:
        values["kind"] = validate.choice(kind, FACT_KINDS, "a fact's kind")
    if (importance := details.get("importance")) is not None:
        values["importance"] = validate.share(importance, "importance")
    if (category := details.get("category")) is not None:
        values["category"] = validate.new_name(category, "category")
    slot = {"subject": details.get("subject"), "attribute": details.get("attribute"), "value": details.get("value")}
    value = details.get("value")
    if isinstance(value, str) and value.startswith("{"):  # of a record
        values["value"] = check_text(value)
        slot.pop("value")
    values |= {name: validate.name(word, name) for name, word in slot.items() if word is not None}
    if "tags" in details:
        tags = [validate.new_name(tag, "a tag") for tag in sequence(details["tags"], "tags")]
        values["tags"] = tuple(dict.fromkeys(tags))
    if "valid_from" in details:
        values["valid_from"] = _moment(details["valid_from"], "valid_from", begins=True)
    if "valid_until" in details:
        values["valid_until"] = _moment(details["valid_until"], "valid_until")
    return values


def _moment(value: datetime | str | None, what: str, *, begins: bool = False) -> datetime | None:
    """A time. A day such as `2026-03-01` means its end in UTC, or its beginning if it `begins` a span."""
    return None if value is None else validate.day_edge(value, what, begins=begins)


def _check_order(start: datetime | None, stop: datetime | None) -> None:
    if start is not None and stop is not None and start >= stop:
        raise InvalidInput(f"valid_from {start.isoformat()} must be before valid_until {stop.isoformat()}")


class FactCriteria(TypedDict, total=False):
    """The filter of a list of facts, as a caller gives it."""

    status: FactStatus | None
    kind: FactKind | None
    category: str | None
    tag: str | None
    subject: str | None
    schema: str | None
    conversation: str | None
    as_of: datetime | str | None
    known_at: datetime | str | None


def fact_filter(criteria: FactCriteria, now: datetime) -> FactFilter:
    """Selects active facts by default. With `as_of` or `known_at`, these are the facts believed at that time, also
    those superseded since; otherwise those that are still valid."""
    status = criteria.get("status", "active")
    as_of, known_at = _moment(criteria.get("as_of"), "as_of"), _moment(criteria.get("known_at"), "known_at")
    timed = as_of is not None or known_at is not None
    held = status == "active" and timed
    kind = criteria.get("kind")
    return FactFilter(
        status=None if status is None else validate.choice(status, FACT_STATES, "a fact's status"),
        kind=None if kind is None else validate.choice(kind, FACT_KINDS, "a fact's kind"),
        category=_name(criteria.get("category"), "category"),
        tag=_name(criteria.get("tag"), "tag"),
        subject=_name(criteria.get("subject"), "subject"),
        schema=_name(criteria.get("schema"), "schema"),
        conversation=_name(criteria.get("conversation"), "conversation"),
        held=held,
        not_over=now if status == "active" and not timed else None,
        as_of=as_of or known_at if held else as_of,
        known_at=known_at or now if held else known_at,
    )


def _name(value: str | None, what: str) -> str | None:
    return None if value is None else validate.name(value, what)
