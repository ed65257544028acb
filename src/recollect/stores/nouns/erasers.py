"""How each record that was made from messages goes with them: one function a record, inside the caller's transaction.

What mixed sources is withdrawn, and its conversation named in `tally.again`, so that it is made anew without them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from recollect.stores import queries
from recollect.stores.database import Row, Session
from recollect.stores.ledger_rows import written
from recollect.stores.nouns import chunks, episodes, forget_facts, jobs, lineage, mentions, notes, vectors
from recollect.stores.nouns import summaries as stored_summaries
from recollect.stores.nouns.tally import ANEW, DERIVED, Scope, Tally

SQL = queries.named("forget")
FACTS = queries.named("forget_facts")

Eraser = Callable[[Session, Scope, Tally], None]


def summaries_and_episodes(session: Session, scope: Scope, tally: Tally) -> None:
    """By lineage, at however many removes, and by the range that they say they are about."""
    sources = [("message", key) for key in scope.keys]
    found = dict.fromkeys(lineage.made_from(session, scope.space_key, sources))
    for message in scope.messages:
        over = {"conversation_key": message.conversation, "seq": message.seq}
        found |= {("summary", key): None for (key,) in session.fetch(SQL["summaries_over"], over)}
        found |= {("episode", key): None for (key,) in session.fetch(SQL["episodes_over"], over)}
    withdraw(session, scope, tally, found)


def withdraw(session: Session, scope: Scope, tally: Tally, made: Iterable[lineage.Made]) -> None:
    """Summaries and episodes, by their keys."""
    for kind, key in made:
        for row in session.fetch(SQL[kind], {"key": key}):
            WITHDRAWN[kind](session, scope.space_key, key)
            _counted(session, scope, tally, kind, row)


def _counted(session: Session, scope: Scope, tally: Tally, kind: str, row: Row) -> None:
    """Something about a range of messages is gone for ever where none of those remains."""
    _, conversation, id, first, last, made_again = row
    tally.ids.add(id)
    gone = {message.seq for message in scope.messages if message.conversation == conversation}
    if made_again and conversation not in scope.conversations and _remains(session, conversation, first, last, gone):
        tally.recomputed[kind, ANEW] += 1
        tally.again.add(conversation)
        if kind == "episode":
            tally.told[conversation] = min(first, tally.told.get(conversation, first))
    else:
        tally.erased[kind, DERIVED] += 1


def _remains(session: Session, conversation: int, first: int, last: int, gone: set[int]) -> bool:
    span = {"conversation_key": conversation, "first_seq": first, "last_seq": last}
    return any(seq not in gone for (seq,) in session.fetch(SQL["seqs"], span))


def facts(session: Session, scope: Scope, tally: Tally) -> None:
    """Those that nothing else says; one that other messages say too says what those say."""
    where = {"space_key": scope.space_key, "messages": written(sorted(scope.keys))}
    said = {int(key) for (key,) in session.fetch(FACTS["of_messages"], where)}
    named = {key: id for key, id, *_ in session.fetch(SQL["facts"], {"keys": written(sorted(said))})}
    forget_facts.said_in(session, scope.space_key, scope.keys)
    stay = {key for key, *_ in session.fetch(SQL["facts"], {"keys": written(sorted(said))})}
    tally.kept["fact", "other messages say it; the quote was erased"] += len(stay)
    _gone_facts(tally, [named[key] for key in said - stay])
    by_hand = {"space_key": scope.space_key, "before": scope.before, "everything": scope.everything}
    for key, id in session.fetch(SQL["facts_by_hand"], by_hand) if scope.before or scope.everything else ():
        forget_facts.remove(session, scope.space_key, key)
        _gone_facts(tally, [id])


def _gone_facts(tally: Tally, ids: Sequence[str]) -> None:
    tally.erased["fact", DERIVED] += len(ids)
    tally.ids |= set(ids)


def pins(session: Session, scope: Scope, tally: Tally) -> None:
    """Those that name a message as their source, that say what it says, or a part of it; not what is still said."""
    sources = {message.id for message in scope.messages}
    kept = {"marks": written(scope.marks)}
    marks = [{"conversation_key": message.conversation, "id": message.id, **kept} for message in scope.messages]
    session.execute_each(SQL["pin_marks"], marks)
    said = _plain(scope.said)
    texts = [_plain(message.text) for message in scope.messages if message.text.strip()]
    for key, conversation, id, content, source, created in session.fetch(SQL["pins"], {"space_key": scope.space_key}):
        whole = scope.everything or conversation in scope.conversations
        old = scope.before is not None and created < scope.before
        if _plain(content) in said:
            continue
        if whole or old or source in sources or _copies(_plain(content), texts):
            session.execute(SQL["delete_pin"], {"pin_key": key})
            notes.remove(session, scope.space_key, "pin", [id])
            tally.ids.add(id)
            tally.erased["pin", DERIVED if not whole else "of what was forgotten"] += 1


def _plain(text: str) -> str:
    return " ".join(text.casefold().split())


def _copies(pin: str, texts: list[str]) -> bool:
    return any(pin in text or text in pin for text in texts)


def profiles(session: Session, scope: Scope, tally: Tally) -> None:
    """What the profile has from these messages, with its history."""
    if scope.everything:
        tally.erased["profile entry", DERIVED] += session.changed(SQL["profile"], {"space_key": scope.space_key})
    for message in scope.messages:
        tally.erased["profile entry", DERIVED] += session.changed(
            SQL["profile_from"], {"space_key": scope.space_key, "id": message.id}
        )


def index(session: Session, scope: Scope, tally: Tally) -> None:
    """Chunks with their terms, vectors, mentions of time, accesses and open work."""
    for message in scope.messages:
        span = {"first_chunk": message.first_chunk, "last_chunk": message.last_chunk}
        tally.erased["chunk", "a part of it"] += int(session.fetch(SQL["weight"], span)[0][0])
        chunks.remove(session, scope.space_key, message.first_chunk, message.last_chunk)
    accessed = [{"space_key": scope.space_key, "message_key": key} for key in scope.keys]
    tally.erased["access", DERIVED] += session.changed_each(SQL["accesses"], accessed)
    tally.erased["mention of time", DERIVED] += mentions.remove(session, scope.space_key, scope.keys)
    tally.erased["vector", DERIVED] += vectors.remove(session, scope.space_key, scope.keys)
    jobs.remove(session, "message", scope.keys)
    session.execute(SQL["quiet_jobs"], {"space_key": scope.space_key})
    lineage.remove_sources(session, scope.space_key, "message", scope.keys)


WITHDRAWN: Mapping[str, Callable[[Session, int, int], object]] = {
    "summary": stored_summaries.withdraw,
    "episode": episodes.withdraw,
}
ERASERS: tuple[Eraser, ...] = (summaries_and_episodes, facts, pins, profiles, index)
