"""What a context leaves in the ledger: numbers, and the messages and facts that it recalled."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from recollect.context.receipt import Receipt
from recollect.models import Retrieval
from recollect.records import Retrieved

TOP = 3  # scores that are kept


def trace(
    receipt: Receipt, flags: Mapping[str, bool | int | float | str], milliseconds: Mapping[str, float]
) -> Retrieved:
    recalled = [item for item in receipt.items if item.included and item.section == "retrieved" and item.score]
    scores = sorted((item.score.total for item in recalled if item.score), reverse=True)
    retrieval = Retrieval(
        id=receipt.id,
        space=receipt.space,
        conversation=receipt.conversation,
        at=receipt.at,
        kind="context",
        hits=len(recalled),
        sources=dict(Counter(source for item in recalled for source in item.sources)),
        content=dict(Counter(item.kind for item in recalled)),
        milliseconds=milliseconds,
        top_scores=tuple(scores[:TOP]),
        flags=flags,
        degraded=receipt.degraded,
        tokens=receipt.tokens,
        budget=receipt.max_tokens,
        prefix_tokens=receipt.prefix_tokens,
    )
    ids = {kind: tuple(item.id for item in recalled if item.kind == kind) for kind in ("message", "fact")}
    return Retrieved(retrieval, ids["message"], ids["fact"])
