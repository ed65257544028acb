"""Forgets messages and all that came from them, inside the caller's transaction, and says what became of it."""

from __future__ import annotations

from collections.abc import Iterable

from recollect.errors import NotFound
from recollect.ids import microseconds
from recollect.records import Forget
from recollect.stores import queries
from recollect.stores.database import Session
from recollect.stores.nouns import erase, erasers, forget_facts, gaps, jobs, lineage, quotes
from recollect.stores.nouns.tally import Doomed, Scope, Tally

SQL = queries.named("forget")
VECTORS = queries.named("vectors")

ASKED = "asked for"


def forget(session: Session, space_key: int, asked: Forget) -> Tally:
    """NotFound where there is nothing of that name."""
    if asked.target == "fact":
        return _fact(session, space_key, asked.id or "")
    tally = Tally()
    scope = _scope(session, space_key, asked)
    derived(session, scope, tally)
    for message in scope.messages:
        _remove(session, message, tally)
    session.execute(VECTORS["unreach"])  # a message key that is free may be used again
    _shrink(session, scope)
    quotes.erase(session, scope, tally)
    before = quotes.numbers(session, scope)
    for key in scope.conversations:
        tally.erased["conversation", ASKED] += 1
        erase.conversation(session, space_key, key)
    tally.kept["audit entry", quotes.APPEND_ONLY] += quotes.audited(session, scope)
    tally.kept["retrieval", quotes.NUMBERS] += quotes.numbers(session, scope)
    tally.erased["retrieval", "of a conversation that went"] += before - quotes.numbers(session, scope)
    make_anew(session, scope, tally, microseconds(asked.at))
    return tally


def _fact(session: Session, space_key: int, id: str) -> Tally:
    """A fact goes with its evidence and relations; the messages that say it stay."""
    tally = Tally(ids={id})
    found = session.fetch(SQL["fact"], {"space_key": space_key, "id": id})
    if not found:
        raise NotFound(f"there is no fact {id!r} to forget")
    (key, text, quotes_), *_ = found
    made = lineage.made_from(session, space_key, [("fact", key)])
    forget_facts.remove(session, space_key, key)
    tally.erased["fact", ASKED] += 1
    tally.erased["quote", "evidence of it"] += quotes_
    tally.kept["message", "the words themselves; forget the message to erase them"] += quotes_
    scope = Scope(space_key)
    erasers.withdraw(session, scope, tally, made)
    quotes.erase(session, scope, tally, [text])
    tally.kept["retrieval", quotes.NUMBERS] += quotes.numbers(session, scope)
    return tally


def derived(session: Session, scope: Scope, tally: Tally) -> None:
    """Everything that was made from these messages goes; they themselves stay."""
    for eraser in erasers.ERASERS:
        eraser(session, scope, tally)


def make_anew(session: Session, scope: Scope, tally: Tally, at: int, *, learn: bool = False) -> None:
    """Lets the steps read the conversations again of which something was withdrawn, from there on. Facts are read again
    with `learn` only: the others of a conversation lose nothing by a message that goes. A model looks for episodes
    again from where the first begins that was withdrawn, and not where none was: what it reads is paid for."""
    first: dict[int, int] = {}
    for message in scope.messages:
        first[message.conversation] = min(message.seq, first.get(message.conversation, message.seq))
    for key in tally.again - set(scope.conversations):
        read = {"conversation_key": key, "reached": first.get(key, 0) - 1, "learn": learn}
        session.execute(SQL["read_again"] if read["reached"] >= 0 else SQL["begin_again"], read)
        if key in tally.told:
            told = {"conversation_key": key, "reached": tally.told[key] - 1}
            session.execute(SQL["narrate_again"] if told["reached"] >= 0 else SQL["narrate_anew"], told)
        jobs.insert(session, "distill", scope.space_key, key, at)


def doomed(rows: Iterable[tuple[object, ...]]) -> tuple[Doomed, ...]:
    return tuple(Doomed(*row) for row in rows)  # type: ignore[arg-type]


def _scope(session: Session, space_key: int, asked: Forget) -> Scope:
    names: dict[str, str | int | None] = {"space_key": space_key, "id": asked.id}
    if asked.target == "message":
        found = doomed(session.fetch(SQL["message"], names))
        if not found:
            raise NotFound(f"there is no message {asked.id!r} to forget")
        return Scope(space_key, found)
    if asked.target == "before":
        before = microseconds(asked.before) if asked.before is not None else 0
        names["before"] = before
        emptied: dict[int, str] = dict(session.fetch(SQL["emptied"], names))
        return Scope(space_key, doomed(session.fetch(SQL["before"], names)), emptied, before)
    query = SQL["conversations" if asked.target == "everything" else "conversation"]
    whole: dict[int, str] = dict(session.fetch(query, names))
    if asked.target != "everything" and not whole:
        raise NotFound(f"there is no conversation {asked.id!r} to forget")
    found = tuple(
        one for key in whole for one in doomed(session.fetch(SQL["of_conversation"], {"conversation_key": key}))
    )
    return Scope(space_key, found, whole, everything=asked.target == "everything")


def _remove(session: Session, message: Doomed, tally: Tally) -> None:
    tally.ids.add(message.id)
    tally.erased["message", ASKED] += 1
    session.execute(SQL["delete_message"], {"message_key": message.key})
    gaps.keep(session, message.conversation, message.seq, message.seq)


def _shrink(session: Session, scope: Scope) -> None:
    """Counts again what the conversations that stay hold."""
    for key in {message.conversation for message in scope.messages} - set(scope.conversations):
        session.execute(SQL["recount"], {"conversation_key": key})
