"""Rows of episodes as values, and back: the same for every store."""

from __future__ import annotations

import json

from recollect.ids import microseconds
from recollect.models import Episode, Json
from recollect.stores.rows import Row, moment


def episode(row: Row) -> Episode:
    id, space, conversation, type, title, summary, context, participants, outcome, *numbers = row
    valence, significance, facts, first, last, method, model, tokens, created, at = numbers
    return Episode(
        id, space, conversation, type, title, summary, context, tuple(json.loads(participants)), outcome,
        valence, significance, tuple(json.loads(facts)), first, last, method, model, tokens, moment(created),
        moment(at),
    )  # fmt: skip


def columns(episode: Episode) -> dict[str, Json]:
    return {
        "id": episode.id,
        "type": episode.type,
        "title": episode.title,
        "summary": episode.summary,
        "context": episode.context,
        "participants": json.dumps(episode.participants, ensure_ascii=False),
        "outcome": episode.outcome,
        "valence": episode.valence,
        "significance": episode.significance,
        "facts": json.dumps(episode.facts, ensure_ascii=False),
        "first_seq": episode.first_seq,
        "last_seq": episode.last_seq,
        "method": episode.method,
        "model": episode.model,
        "tokens": episode.tokens,
        "created_at": microseconds(episode.created_at),
    }
