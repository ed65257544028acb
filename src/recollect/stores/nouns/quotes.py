"""Who else has the words of what was forgotten: receipts go with it, what a person wrote by hand stays and is named.

A word counts where no message of the space has it any more.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence

from recollect.models import Json
from recollect.stores import queries
from recollect.stores.database import Row, Session
from recollect.stores.ledger_rows import written
from recollect.stores.nouns.tally import Scope, Tally
from recollect.text.terms import index_terms

SQL = queries.named("forget")

BY_HAND = "has words of it; given by hand, change it by hand"
NUMBERS = "numbers only"
APPEND_ONLY = "names where it was said, no more; the audit is append-only"


def erase(session: Session, scope: Scope, tally: Tally, texts: Sequence[str] = ()) -> None:
    """After the messages, and other `texts`, are gone from the index."""
    gone = _gone(session, scope, texts)
    names = set(scope.conversations.values())
    for key, _, conversation, at, body in session.fetch(SQL["receipts"], {"space_key": scope.space_key}):
        old = scope.before is not None and at < scope.before
        if scope.everything or old or conversation in names or _quotes(json.loads(body), tally.ids, gone):
            session.execute(SQL["delete_receipt"], {"receipt_key": key})
            tally.erased["receipt", "quotes it"] += 1
    for kind, text in _by_hand(session, scope):
        if gone & set(index_terms(text)):
            tally.kept[kind, BY_HAND] += 1


def numbers(session: Session, scope: Scope) -> int:
    """How many retrievals of the space are kept: neither questions nor answers are in them."""
    return int(session.fetch(SQL["retrievals"], {"space_key": scope.space_key})[0][0])


def audited(session: Session, scope: Scope) -> int:
    """How many entries of the audit name a conversation or a message that went."""
    messages = [message.id for message in scope.messages]
    names = {"conversations": written(list(scope.conversations.values())), "messages": written(messages)}
    return int(session.fetch(SQL["audited"], {"space_key": scope.space_key, **names})[0][0])


def _gone(session: Session, scope: Scope, texts: Sequence[str]) -> set[str]:
    """The terms that only these messages had."""
    if scope.everything:
        return set()
    words = [*(message.text for message in scope.messages), *texts]
    terms = {term for text in words for term in index_terms(text)}
    return {term for term in terms if not _posted(session, f"{scope.space_key}{term}")}


def _posted(session: Session, term: str) -> bool:
    return bool(session.fetch(SQL["posted"], {"term": term}))


def _quotes(receipt: Json, ids: set[str], gone: set[str]) -> bool:
    """Whether it names something that went, or has words that only that had: in the question, or what was called."""
    for item in receipt["items"]:
        named = item["id"], str(item["id"]).rpartition("#")[0], item["source_message_id"]
        if not ids.isdisjoint(named):
            return True
    texts = [receipt["question"], receipt["call"], receipt["warnings"]]
    return not gone.isdisjoint(term for text in _strings(texts) for term in index_terms(text))


def _strings(value: Json) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list):
        inner: Iterable[Json] = value.values() if isinstance(value, dict) else value
        for one in inner:
            yield from _strings(one)


def _by_hand(session: Session, scope: Scope) -> Iterator[tuple[str, str]]:
    rows: list[Row] = session.fetch(SQL["titles"], {"space_key": scope.space_key})
    for _, text in [row for row in rows if row[0] not in scope.conversations.values()]:
        yield "title, outcome or metadata", text
    for _, _, _, content, _, _ in session.fetch(SQL["pins"], {"space_key": scope.space_key}):
        yield "pin", content
