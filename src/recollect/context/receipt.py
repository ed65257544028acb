"""The receipt: item by item, what is in a context and why, what was left out and why."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, fields
from datetime import datetime

from recollect.context.ask import Ask
from recollect.models import Json, Score

PLAIN = ("section", "kind", "id", "source_message_id", "included", "reason", "tokens")  # written as they are
SCORE = tuple(field.name for field in fields(Score))


@dataclass(frozen=True, slots=True)
class ReceiptItem:
    """One thing that is in the context, or could have been. `tokens` are its own; 0 where they were not counted."""

    section: str
    kind: str
    id: str
    source_message_id: str | None
    included: bool
    reason: str
    tokens: int = 0
    score: Score | None = None
    sources: tuple[str, ...] = ()

    def to_dict(self) -> dict[str, Json]:
        made: dict[str, Json] = {name: getattr(self, name) for name in PLAIN}
        score = None if self.score is None else {name: getattr(self.score, name) for name in SCORE}
        return made | {"score": score, "sources": list(self.sources)}

    @classmethod
    def from_dict(cls, record: Mapping[str, Json]) -> ReceiptItem:
        """An item from what `to_dict` gave. Parts of a score that another version has are left out."""
        score = record["score"]
        made = None if score is None else Score(**{name: score[name] for name in SCORE if name in score})
        return cls(**dict(record) | {"score": made, "sources": tuple(record["sources"])})


@dataclass(frozen=True, slots=True)
class Receipt:
    """What a context was made of. `call` is what it takes to build it again; `digest` is the SHA-256 of the request's
    JSON, so that equal digests mean equal bytes."""

    id: str
    at: datetime
    space: str
    conversation: str
    call: Ask
    question: str | None
    tokens: int
    prefix_tokens: int
    sections: Mapping[str, int]
    items: tuple[ReceiptItem, ...]
    warnings: tuple[str, ...]
    degraded: tuple[str, ...]
    digest: str

    @property
    def query(self) -> str | None:
        return self.call.query

    @property
    def recipe(self) -> str:
        return self.call.recipe.name

    @property
    def max_tokens(self) -> int:
        return self.call.max_tokens

    def to_dict(self) -> dict[str, Json]:
        """As JSON has it; `from_dict` makes the same receipt of it."""
        return {field.name: getattr(self, field.name) for field in fields(self)} | {
            "at": self.at.isoformat(),
            "call": self.call.to_dict(),
            "sections": dict(self.sections),
            "items": [item.to_dict() for item in self.items],
            "warnings": list(self.warnings),
            "degraded": list(self.degraded),
        }

    @classmethod
    def from_dict(cls, record: Mapping[str, Json]) -> Receipt:
        return cls(
            **dict(record)
            | {
                "at": datetime.fromisoformat(record["at"]),
                "call": Ask.from_dict(record["call"]),
                "items": tuple(ReceiptItem.from_dict(item) for item in record["items"]),
                "warnings": tuple(record["warnings"]),
                "degraded": tuple(record["degraded"]),
            }
        )

    def to_json(self) -> str:
        return json.dumps(self.to_dict(), ensure_ascii=False, separators=(",", ":"))

    @classmethod
    def from_json(cls, body: str) -> Receipt:
        return cls.from_dict(json.loads(body))

    def table(self) -> list[tuple[str, ...]]:
        """Rows of text: section, in or out, kind, tokens, score, id, reason."""
        return [
            (
                item.section,
                "in" if item.included else "out",
                item.kind,
                str(item.tokens or ""),
                "" if item.score is None else f"{item.score.total:.2f}",
                item.id,
                item.reason,
            )
            for item in self.items
        ]

    def to_html(self) -> str:
        """A page of its own: the budget as a bar, the items in order with their scores, what was left out."""
        from recollect.context.page import page

        return page(self)
