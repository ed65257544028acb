"""Which facts somebody asks for."""

from __future__ import annotations

from datetime import datetime
from typing import TypedDict

from recollect.models import FACT_KINDS, FACT_STATES, FactKind, FactStatus
from recollect.records import FactFilter
from recollect.text import accept


class Wanted(TypedDict, total=False):
    """What a list of facts is narrowed by."""

    status: FactStatus | None
    kind: FactKind | None
    category: str | None
    tag: str | None
    subject: str | None
    as_of: datetime | str | None
    known_at: datetime | str | None


def wish(wanted: Wanted, now: datetime) -> FactFilter:
    """Active ones unless another status is given. Asked for a time, those that were held true are meant, and what was
    superseded since is among them; otherwise those whose time is not over."""
    status = wanted.get("status", "active")
    as_of, known_at = _moment(wanted.get("as_of"), "as_of"), _moment(wanted.get("known_at"), "known_at")
    timed = as_of is not None or known_at is not None
    held = status == "active" and timed
    kind = wanted.get("kind")
    return FactFilter(
        status=None if status is None else accept.choice(status, FACT_STATES, "a fact's status"),
        kind=None if kind is None else accept.choice(kind, FACT_KINDS, "a fact's kind"),
        category=_word(wanted.get("category"), "category"),
        tag=_word(wanted.get("tag"), "tag"),
        subject=_word(wanted.get("subject"), "subject"),
        held=held,
        not_over=now if status == "active" and not timed else None,
        as_of=as_of or known_at if held else as_of,
        known_at=known_at or now if held else known_at,
    )


def _moment(given: datetime | str | None, what: str) -> datetime | None:
    return None if given is None else accept.edge(given, what)


def _word(given: str | None, what: str) -> str | None:
    return None if given is None else accept.name(given, what)
