"""From when to when something holds, where the words beside it say so."""

from __future__ import annotations

import re
from datetime import datetime, timedelta

from recollect.models import When
from recollect.text.times import mentioned

DAY, WEEK = timedelta(days=1), timedelta(days=7)

_CLAUSE = re.compile(r"[,;.!?](?=\s|$)")
_SINCE = re.compile(r"(?:since|as of|starting|from|seit|ab|depuis|desde|dal|da|sinds|vanaf)\b", re.IGNORECASE)
_UNTIL = re.compile(r"(?:until|till|through|bis|jusqu|hasta|fino|até|tot)\b", re.IGNORECASE)
_BEFORE = re.compile(r"([\w']+)(?:\s+(?:the|le|dem|den|zum|el|al|o|de|in|à))*\s*\Z", re.IGNORECASE)


def validity(words: str, at: datetime, begins: bool) -> tuple[datetime | None, datetime | None]:
    """The moments that a claim's clause gives for its beginning and its end, as seen from `at`; None where it is open.

    `begins` says that a past time beside the words is when it began ("we moved last spring")."""
    clause = _CLAUSE.split(words, maxsplit=1)[0]
    since = until = None
    for when in mentioned(clause, at):
        lead = _lead(clause, when.text)
        if _UNTIL.match(lead):
            until = until or _ahead(when, at)
        elif _SINCE.match(lead) or (begins and when.start <= at):
            since = since or when.start
    return since, until if until is None or since is None or until > since else None


def _ahead(when: When, at: datetime) -> datetime | None:
    """The end of a span: a weekday's is the coming one's; a span that is over ends nothing that is said to hold."""
    if when.stop > at:
        return when.stop
    coming = when.stop + WEEK
    return coming if when.stop - when.start == DAY and coming > at else None


def _lead(clause: str, words: str) -> str:
    """The word that a phrase of time begins with or stands behind."""
    if _SINCE.match(words) or _UNTIL.match(words):
        return words
    before = _BEFORE.search(clause[: clause.find(words)])
    return before[1] if before else ""
