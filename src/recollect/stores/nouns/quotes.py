"""Who else has the words of what was forgotten: receipts go with it, what a person wrote by hand stays and is named.

A word counts where no message of the space has it any more.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence

import apsw

from recollect.models import Json
from recollect.stores import queries
from recollect.stores.nouns.tally import Scope, Tally
from recollect.stores.sqlite.database import Row, fetch
from recollect.text.terms import index_terms

SQL = queries.named("sqlite", "forget")

BY_HAND = "has words of it; given by hand, change it by hand"
NUMBERS = "numbers only"


def erase(connection: apsw.Connection, scope: Scope, tally: Tally, texts: Sequence[str] = ()) -> None:
    """After the messages, and other `texts`, are gone from the index."""
    gone = _gone(connection, scope, texts)
    names = set(scope.conversations.values())
    for key, _, conversation, at, body in fetch(connection, SQL["receipts"], {"space_key": scope.space_key}):
        old = scope.before is not None and at < scope.before
        if scope.everything or old or conversation in names or _quotes(json.loads(body), tally.ids, gone):
            connection.execute(SQL["delete_receipt"], {"receipt_key": key})
            tally.erased["receipt", "quotes it"] += 1
    for kind, text in _by_hand(connection, scope):
        if gone & set(index_terms(text)):
            tally.kept[kind, BY_HAND] += 1


def numbers(connection: apsw.Connection, scope: Scope) -> int:
    """How many retrievals of the space are kept: neither questions nor answers are in them."""
    return int(fetch(connection, SQL["retrievals"], {"space_key": scope.space_key})[0][0])


def _gone(connection: apsw.Connection, scope: Scope, texts: Sequence[str]) -> set[str]:
    """The terms that only these messages had."""
    if scope.everything:
        return set()
    words = [*(message.text for message in scope.messages), *texts]
    terms = {term for text in words for term in index_terms(text)}
    return {term for term in terms if not _posted(connection, f"{scope.space_key}{term}")}


def _posted(connection: apsw.Connection, term: str) -> bool:
    return bool(fetch(connection, SQL["posted"], {"term": term}))


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


def _by_hand(connection: apsw.Connection, scope: Scope) -> Iterator[tuple[str, str]]:
    rows: list[Row] = fetch(connection, SQL["titles"], {"space_key": scope.space_key})
    for _, text in [row for row in rows if row[0] not in scope.conversations.values()]:
        yield "title, outcome or metadata", text
    for _, _, _, content, _, _ in fetch(connection, SQL["pins"], {"space_key": scope.space_key}):
        yield "pin", content
