"""What is recalled beside messages: pins, the summaries of the conversation that is asked, the profile by consent."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

import numpy as np

from recollect.models import Hit, HitKind, Score
from recollect.ports import Pins, Profiles, Summaries
from recollect.recall.filters import Filter, Scope
from recollect.recall.fuse import Weights, share
from recollect.text.questions import asking
from recollect.text.terms import index_terms

MOST = 100  # of each kind that are looked at
PROFILE = 0.8  # the importance of a field, as of a pin
RELEVANT = 0.5  # a note that shares no word must be this similar


@dataclass(frozen=True, slots=True)
class Note:
    """A short text that is neither indexed nor embedded ahead."""

    kind: HitKind
    id: str
    text: str
    importance: float
    conversation: str
    at: datetime


@dataclass(frozen=True, slots=True)
class Wanted:
    """What a question asks of a note: terms with their rarity, identifiers, whether it speaks of the one who asks, and
    how similar texts are to it, and when it is asked."""

    rarities: dict[str, float]
    identifiers: tuple[str, ...]
    own: bool
    similarity: Callable[[Sequence[str]], Sequence[float]]
    now: datetime


class Notes:
    def __init__(self, pins: Pins, summaries: Summaries, profiles: Profiles) -> None:
        self._pins = pins
        self._summaries = summaries
        self._profiles = profiles

    def find(self, scope: Scope, bounds: Filter, wanted: Wanted, weights: Weights) -> list[Hit]:
        """The notes in scope that have something to do with the question. A summary never leaves its conversation."""
        notes = [note for note in self._all(scope, bounds, wanted.now) if bounds.allows(note.at, note.importance)]
        if not notes or bounds.categories or bounds.tags:
            return []
        similar = wanted.similarity([note.text for note in notes])
        hits = (_hit(note, cosine, wanted, weights) for note, cosine in zip(notes, similar, strict=True))
        return [hit for hit in hits if hit is not None]

    def _all(self, scope: Scope, bounds: Filter, now: datetime) -> Iterator[Note]:
        if "pin" in bounds.kinds:
            for conversation, pin in self._pins.within(scope.space, scope.conversation, MOST):
                yield Note("pin", pin.id, pin.content, pin.importance, conversation, pin.created_at)
        if "summary" in bounds.kinds and scope.conversation is not None:
            for one in self._summaries.standing(scope.space, scope.conversation, None, "completed", MOST):
                yield Note("summary", one.id, one.text, one.importance, one.conversation, one.created_at)
        if "profile" in bounds.kinds:
            profile = self._profiles.get(scope.space, bounds.as_of or now, bounds.known_at or now)
            for field in (*profile.fields, *([profile.free] if profile.free else [])):
                text = f"{field.name}: {field.value}" if field.name else str(field.value)
                yield Note("profile", field.name, text, PROFILE, field.conversation or "", field.since)


def _hit(note: Note, cosine: float, wanted: Wanted, weights: Weights) -> Hit | None:
    terms = set(index_terms(note.text))
    whole = sum(wanted.rarities.values())
    lexical = sum(rarity for term, rarity in wanted.rarities.items() if term in terms) / whole if whole else 0.0
    if not lexical and cosine < RELEVANT:
        return None
    dense = float(np.clip((1 + cosine) / 2, 0, 1)) if cosine else 0.0
    identifier = share(note.text, wanted.identifiers)
    score = Score(
        0.0,
        dense,
        lexical,
        identifier,
        importance=note.importance,
        speaker=float(wanted.own),
        statement=1.0 - asking(note.text),
    )
    score = replace(score, total=sum(weight * getattr(score, name) for name, weight in weights.counted()))
    return Hit(note.kind, note.id, note.text, score, (note.kind,), note.conversation)
