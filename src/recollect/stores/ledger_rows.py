"""Rows of the ledger and of summaries as values, and back: the same for every store."""

from __future__ import annotations

import json
from typing import Any

from recollect.ids import microseconds
from recollect.models import Access, Cost, Json, Retrieval, Summary
from recollect.records import StoredReceipt
from recollect.stores.rows import Row, moment


def access(row: Row) -> Access:
    """From: message's id, count, last_at, …"""
    return Access(row[0], row[1], moment(row[2]))


def retrieval(row: Row) -> Retrieval:
    id, space, conversation, at, kind, hits, *written, tokens, budget, prefix_tokens = row
    sources, content, milliseconds, top_scores, flags, degraded = map(json.loads, written)
    return Retrieval(
        id, space, conversation, moment(at), kind, hits, sources, content, milliseconds,
        tuple(top_scores), flags, tuple(degraded), tokens, budget, prefix_tokens,
    )  # fmt: skip


def retrieval_columns(retrieval: Retrieval) -> dict[str, Json]:
    return {
        "id": retrieval.id,
        "conversation": retrieval.conversation,
        "at": microseconds(retrieval.at),
        "kind": retrieval.kind,
        "hits": retrieval.hits,
        "sources": written(retrieval.sources),
        "content": written(retrieval.content),
        "milliseconds": written(retrieval.milliseconds),
        "top_scores": written(retrieval.top_scores),
        "flags": written(retrieval.flags),
        "degraded": written(retrieval.degraded),
        "tokens": retrieval.tokens,
        "budget": retrieval.budget,
        "prefix_tokens": retrieval.prefix_tokens,
    }


def receipt(row: Row) -> StoredReceipt:
    id, space, conversation, at, body = row
    return StoredReceipt(id, space, conversation, moment(at), body)


def receipt_columns(receipt: StoredReceipt) -> dict[str, Json]:
    return {
        "id": receipt.id,
        "conversation": receipt.conversation,
        "at": microseconds(receipt.at),
        "body": receipt.body,
    }


def cost_columns(cost: Cost) -> dict[str, Json]:
    return {
        "id": cost.id,
        "space": cost.space,
        "at": microseconds(cost.at),
        "model": cost.model,
        "operation": cost.operation,
        "prompt_tokens": cost.prompt_tokens,
        "completion_tokens": cost.completion_tokens,
        "milliseconds": cost.milliseconds,
        "error": cost.error,
    }


def summary(row: Row) -> Summary:
    *place, text, topics, importance, base_id, status, method, model, tokens, milliseconds, error, created, new = row
    id, space, conversation, kind, first_seq, last_seq, count = place
    return Summary(
        id, space, conversation, kind, first_seq, last_seq, count, text, tuple(json.loads(topics)), importance,
        base_id, status, method, model, tokens, milliseconds, error, moment(created), new,
    )  # fmt: skip


def summary_columns(summary: Summary) -> dict[str, Json]:
    return {
        "id": summary.id,
        "kind": summary.kind,
        "first_seq": summary.first_seq,
        "last_seq": summary.last_seq,
        "message_count": summary.message_count,
        "text": summary.text,
        "topics": written(summary.topics),
        "importance": summary.importance,
        "base_id": summary.base_id,
        "status": summary.status,
        "method": summary.method,
        "model": summary.model,
        "tokens": summary.tokens,
        "milliseconds": summary.milliseconds,
        "error": summary.error,
        "created_at": microseconds(summary.created_at),
        "replaced_by": summary.replaced_by,
    }


def written(value: Any) -> str:  # noqa: ANN401 (a mapping or a list of what JSON has)
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
