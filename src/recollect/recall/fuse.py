"""One ranking out of several: α · dense + β · lexical + γ · identifier, each part between 0 and 1."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from recollect.models import Ranked, Score
from recollect.text.identifiers import identifiers


@dataclass(frozen=True, slots=True)
class Weights:
    dense: float
    lexical: float
    identifier: float


def fuse(
    dense: Sequence[Ranked],
    lexical: Sequence[Ranked],
    texts: Mapping[int, str],
    wanted: Sequence[str],
    weights: Weights,
) -> dict[int, Score]:
    """The score of every chunk in `texts`. The best lexical score counts as 1; `wanted` are the query's
    identifiers, of which a chunk has a share."""
    similarity = {ranked.chunk: min(1.0, max(0.0, ranked.score)) for ranked in dense}
    most = max((ranked.score for ranked in lexical), default=0.0)
    words = {ranked.chunk: max(0.0, ranked.score) / most for ranked in lexical if most > 0}
    return {
        chunk: _score(similarity.get(chunk, 0.0), words.get(chunk, 0.0), share(text, wanted), weights)
        for chunk, text in texts.items()
    }


def share(text: str, wanted: Sequence[str]) -> float:
    """How many of the wanted identifiers a text has, as a share."""
    return len(set(wanted) & set(identifiers(text))) / len(wanted) if wanted else 0.0


def _score(dense: float, lexical: float, identifier: float, weights: Weights) -> Score:
    total = weights.dense * dense + weights.lexical * lexical + weights.identifier * identifier
    return Score(total, dense, lexical, identifier)
