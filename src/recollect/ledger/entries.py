"""What a recall leaves behind."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from recollect.models import Hit, Hits, Retrieval
from recollect.records import Retrieved

TOP = 3  # scores that are kept


@dataclass(frozen=True, slots=True)
class Occasion:
    """Who asked, where and when, under which settings, and how long each stage took."""

    id: str
    space: str
    conversation: str | None
    at: datetime
    flags: Mapping[str, bool | int | float | str]
    milliseconds: Mapping[str, float]


def of_recall(occasion: Occasion, hits: Hits) -> Retrieved:
    retrieval = Retrieval(
        id=occasion.id,
        space=occasion.space,
        conversation=occasion.conversation,
        at=occasion.at,
        kind="recall",
        hits=len(hits),
        sources=dict(Counter(source for hit in hits for source in hit.sources)),
        content=dict(Counter(map(_content, hits))),
        milliseconds=occasion.milliseconds,
        top_scores=tuple(hit.score.total for hit in hits[:TOP]),
        flags=occasion.flags,
        degraded=hits.degraded,
    )
    facts = [id for hit in hits for id in ((hit.id,) if hit.kind == "fact" else hit.notes)]
    return Retrieved(retrieval, tuple(hit.message.id for hit in hits if hit.message), tuple(facts))


def _content(hit: Hit) -> str:
    if hit.message is None or hit.chunk is None:
        return hit.kind
    return "message" if len(hit.chunk.content) == len(hit.message.text) else "chunk"
