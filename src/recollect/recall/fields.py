"""What of a profile answers a question: compared as it is read, so that no copy of it is kept anywhere."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime

import numpy as np

from recollect.models import Hit, Score
from recollect.ports import Profiles
from recollect.recall.filters import Filter, Scope
from recollect.recall.fuse import Weights
from recollect.recall.notes import RELEVANT, Wanted, completed
from recollect.text.terms import index_terms

IMPORTANCE = 0.8  # of a field, as of a pin

Similarity = Callable[[Sequence[str]], Sequence[float]]


@dataclass(frozen=True, slots=True)
class Field:
    name: str
    text: str
    conversation: str
    since: datetime


class Fields:
    def __init__(self, profiles: Profiles) -> None:
        self._profiles = profiles

    def find(self, scope: Scope, bounds: Filter, wanted: Wanted, weights: Weights, similarity: Similarity) -> list[Hit]:
        """The fields of the space's profile, by consent, that have something to do with the question."""
        if "profile" not in bounds.kinds or bounds.categories or bounds.tags or bounds.types:
            return []
        found = [field for field in self._all(scope, bounds, wanted.now) if bounds.allows(field.since, IMPORTANCE)]
        similar = similarity([field.text for field in found]) if found else []
        hits = (_hit(field, cosine, wanted, weights) for field, cosine in zip(found, similar, strict=True))
        return [hit for hit in hits if hit is not None]

    def _all(self, scope: Scope, bounds: Filter, now: datetime) -> Iterator[Field]:
        profile = self._profiles.get(scope.space, bounds.as_of or now, bounds.known_at or now)
        for field in (*profile.fields, *([profile.free] if profile.free else [])):
            text = f"{field.name}: {field.value}" if field.name else str(field.value)
            yield Field(field.name, text, field.conversation or "", field.since)


def _hit(field: Field, cosine: float, wanted: Wanted, weights: Weights) -> Hit | None:
    terms = set(index_terms(field.text))
    whole = sum(wanted.rarities.values())
    lexical = sum(rarity for term, rarity in wanted.rarities.items() if term in terms) / whole if whole else 0.0
    if not lexical and cosine < RELEVANT:
        return None
    dense = float(np.clip((1 + cosine) / 2, 0, 1)) if cosine else 0.0
    score = Score(0.0, dense, lexical, importance=IMPORTANCE, speaker=float(wanted.query.first))
    return Hit(
        "profile",
        field.name,
        field.text,
        completed(score, field.text, wanted, weights),
        ("profile",),
        field.conversation,
    )
