"""Summaries."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta

from aforesaid.errors import ConflictError, NotFound
from aforesaid.ids import microseconds
from aforesaid.models.job import JobResult
from aforesaid.models.json import Json
from aforesaid.models.summary import Summary, SummaryKind, SummaryStatus, SummaryTimings
from aforesaid.storage import queries
from aforesaid.storage.columns import from_row, moment, to_columns
from aforesaid.storage.database import Row, Session, first, scalar
from aforesaid.storage.repositories import lineage, notes
from aforesaid.storage.repositories.base import Repository, transaction
from aforesaid.storage.repositories.space_keys import (
    NO_END,
    ConversationKeys,
    conversation_keys,
    line_of,
    messages_between,
)

SQL = queries.named("summaries")


class Summaries(Repository):
    @transaction()
    def save(self, session: Session, summary: Summary) -> Summary:
        """Writes or overwrites a summary. Raises NotFound if its conversation is gone, ConflictError if another rolling
        summary of the conversation is in progress or the id belongs to another conversation."""
        scope = scope_of(session, summary)
        _refuse_a_second(session, scope["conversation_key"], summary)
        write(session, scope, summary)
        notes.note_summaries(session, scope)
        return summary

    def get(self, space: str, conversation: str, id: str) -> Summary | None:
        row = first(self._along_line(SQL["get"], space, conversation, {"id": id}))
        return from_row(Summary, row) if row else None

    def list(
        self, space: str, conversation: str, kind: SummaryKind | None, status: SummaryStatus | None, limit: int | None
    ) -> list[Summary]:
        """Returns the last `limit` by the messages they cover, earliest first. Those of other conversations on its line
        too, as far as they cover shared messages."""
        values = {"kind": kind, "status": status, "replaced": True}
        return [*self._last(space, conversation, "list", values, limit)]

    def latest(self, space: str, conversation: str, kind: SummaryKind) -> Summary | None:
        """Returns the completed summary that reaches the furthest; the newest of those."""
        return next(iter(self._last(space, conversation, "latest", {"kind": kind}, 1)), None)

    @transaction(durable=False)
    def begin(self, session: Session, summary: Summary, stuck: datetime | None) -> None:
        """Records that a summary is being made, and from what. Raises NotFound if its conversation, or the summary it
        continues, is gone.

        Other summaries of its kind in progress that overlap: those without a sign of life after `stuck` are marked
        failed, one with a later sign raises ConflictError. With None nothing is checked; this is for segments only.
        """
        scope = scope_of(session, summary)
        if stuck is not None:
            _take_over(session, scope | to_columns(summary), microseconds(stuck))
        _refuse_a_second(session, scope["conversation_key"], summary)
        session.execute(SQL["save"], scope | to_columns(summary))
        bases = [] if summary.base_id is None else [summary.base_id]
        _refuse_without(session, scope, bases)
        _trace(session, scope, summary, bases)

    @transaction(durable=False)
    def renew(self, session: Session, summary: Summary, now: datetime) -> None:
        """Records a sign of life of a summary in progress: how long it has taken until now."""
        scope = _scope(session, summary.space, summary.conversation)
        taken = (now - summary.created_at) / timedelta(milliseconds=1)
        if scope is not None:
            session.execute(SQL["renew"], scope | {"id": summary.id, "milliseconds": max(0.0, taken)})

    @transaction(durable=False)
    def end(self, session: Session, summary: Summary) -> bool:
        """Writes the result of a summary in progress. Returns False and writes nothing if it is not in progress
        anymore: taken over, withdrawn, or its conversation deleted. It replaces a segment of the same range."""
        scope = _scope(session, summary.space, summary.conversation)
        if scope is None:
            return False
        values = scope | to_columns(summary)
        ended = bool(session.changed(SQL["end"], values))
        if ended and (summary.kind, summary.status) == ("segment", "completed"):
            session.execute(SQL["replace_same"], values)
        notes.note_summaries(session, scope)
        return ended

    @transaction(durable=False)
    def merge(self, session: Session, summary: Summary, ids: Sequence[str]) -> bool:
        """Writes a completed segment that replaces others. Returns False and writes nothing if one of these is gone or
        replaced."""
        scope = _scope(session, summary.space, summary.conversation)
        if scope is None or not _all_stand(session, scope, ids):
            return False
        for old in ids:
            session.execute(SQL["replace"], scope | {"id": summary.id, "old": old})
        session.execute(SQL["save"], scope | to_columns(summary))
        _trace(session, scope, summary, ids)
        notes.note_summaries(session, scope)
        return True

    def standing(
        self, space: str, conversation: str, kind: SummaryKind | None, status: SummaryStatus | None, limit: int | None
    ) -> Sequence[Summary]:
        """Like `list`, without replaced summaries."""
        values = {"kind": kind, "status": status, "replaced": False}
        return self._last(space, conversation, "list", values, limit)

    def before(self, space: str, conversation: str, kind: SummaryKind, limit: int, seq: int) -> Sequence[Summary]:
        """Returns the last `limit` completed summaries that end before a seq, and all after them, earliest first.
        Without replaced summaries."""
        values = {"kind": kind, "most": limit, "seq": seq}
        found = self._last(space, conversation, "before", values, None)
        after = sum(summary.last_seq >= seq for summary in found)
        return found[-(limit + after) :]

    def ranges(self, space: str, conversation: str, after: int) -> Sequence[tuple[int, int]]:
        """Returns first and last seq of every segment that is not replaced and ends after a seq, by start."""
        rows = self._along_line(SQL["ranges"], space, conversation, {"after": after}, oldest_first=True)
        return sorted((row.first_seq, row.last_seq) for row in rows)

    def chain(self, space: str, conversation: str, id: str, limit: int) -> Sequence[Summary]:
        """Returns a summary, the one it continues, and so on."""
        links: dict[str, Summary] = {}
        next_id: str | None = id
        while next_id is not None and next_id not in links and len(links) < limit:
            link = self.get(space, conversation, next_id)
            if link is None:
                break
            links[next_id], next_id = link, link.base_id
        return [*links.values()]

    def timings(self, space: str, conversation: str, kind: SummaryKind) -> SummaryTimings:
        rows = self._read(space, conversation, "counts", {"kind": kind})
        counts = {row.status: row.count for row in rows}
        completed = next((row for row in rows if row.status == "completed"), None)
        mean, longest = (completed.mean, completed.longest) if completed else (None, None)
        return SummaryTimings(counts.get("completed", 0), counts.get("failed", 0), mean, longest)

    def ended(self, space: str | None, since: datetime, until: datetime, limit: int) -> Sequence[JobResult]:
        """Returns completed or failed summaries that were begun from `since` on and before `until`, of one space or of
        all."""
        span = {"since": microseconds(since), "until": microseconds(until)}
        rows = self._database.query(SQL["ended"], {"space": space, "limit": limit, **span}, space)
        return [JobResult(moment(at), milliseconds, bool(completed)) for at, milliseconds, completed in rows]

    @transaction()
    def delete(self, session: Session, space: str, conversation: str, id: str) -> bool:
        """Removes a summary; the summaries it had replaced are current again."""
        scope = _scope(session, space, conversation)
        return scope is not None and remove(session, scope | {"id": id})

    def _last(
        self, space: str, conversation: str, query: str, values: Mapping[str, Json], limit: int | None
    ) -> Sequence[Summary]:
        """The last summaries of a line, earliest first."""
        most = {"limit": -1 if limit is None else limit}
        rows = self._each_segment(SQL[query], space, conversation, {**values, **most})
        found = [from_row(Summary, row) for segment in rows for row in reversed(segment)]
        if len(rows) > 1:  # the summary of a branch may cover shared messages
            found.sort(key=lambda summary: (summary.last_seq, summary.created_at))
        return found if limit is None else found[max(0, len(found) - limit) :]

    def _read(self, space: str, conversation: str, query: str, values: dict[str, Json]) -> Sequence[Row]:
        return self._in_conversation(SQL[query], space, conversation, values)


def remove(session: Session, scope: dict[str, Json]) -> bool:
    """Removes a summary and its lineage, by the keys of its space and conversation and its id. The summaries it had
    replaced are current again, and its messages are summarised again."""
    rows = session.fetch(SQL["key"], scope)
    for (key,) in rows:
        lineage.remove(session, scope["space_key"], ("summary", key))
        session.execute(SQL["stand_again"], scope)
        session.execute(SQL["start_over"], scope)
        session.execute(SQL["delete"], scope)
        notes.note_summaries(session, scope)
    return bool(rows)


def withdraw(session: Session, space_key: int, key: int) -> bool:
    """Removes a summary by its own key, as lineage names it."""
    rows = session.fetch(SQL["by_key"], {"space_key": space_key, "summary_key": key})
    for conversation_key, id in rows:
        remove(session, {"space_key": space_key, "conversation_key": conversation_key, "id": id})
    return bool(rows)


def _scope(session: Session, space: str, conversation: str) -> dict[str, Json] | None:
    keys = conversation_keys(session, space, conversation)
    return {"space": space, "conversation": conversation, **keys._asdict()} if keys else None


def write(session: Session, scope: dict[str, Json], summary: Summary) -> None:
    if not session.changed(SQL["save"], scope | to_columns(summary)):
        raise ConflictError(f"summary id {summary.id!r} is taken in another conversation", id=summary.id)


def scope_of(session: Session, summary: Summary) -> dict[str, Json]:
    scope = _scope(session, summary.space, summary.conversation)
    if scope is None:
        raise NotFound(f"space {summary.space!r} has no conversation {summary.conversation!r} to summarise")
    return scope


def _take_over(session: Session, values: dict[str, Json], stuck: int) -> None:
    for other, seen in session.fetch(SQL["in_progress"], values):
        if seen > stuck:
            raise ConflictError(f"another summary of these messages is in progress ({other!r})", id=other)
        reason = f"not completed in time; taken over by {values['id']}"
        session.execute(SQL["give_up"], values | {"id": other, "error": reason})


def _all_stand(session: Session, scope: dict[str, Json], ids: Sequence[str]) -> bool:
    rows = [first(session.fetch(SQL["get"], scope | {"id": id, "last_seq": NO_END})) for id in ids]
    return all(row is not None and row.status == "completed" and row.replaced_by is None for row in rows)


def _refuse_without(session: Session, scope: dict[str, Json], bases: Sequence[str]) -> None:
    """A base that was withdrawn since it was read may contain forgotten text: nothing is made from it."""
    for id in bases:
        if not _keys_on_line(session, scope, id):
            raise NotFound(f"the summary {id!r} that this one continues no longer exists")


def _keys_on_line(session: Session, scope: dict[str, Json], id: str) -> Sequence[int]:
    """The key of a summary of the conversation, or of one that it shares messages with."""
    line = line_of(session, ConversationKeys(scope["space_key"], scope["conversation_key"]))
    found = (session.fetch(SQL["key"], scope | segment._asdict() | {"id": id}) for segment in reversed(line))
    return [int(row.summary_key) for rows in found for row in rows]


def _trace(session: Session, scope: dict[str, Json], summary: Summary, bases: Sequence[str]) -> None:
    """Records the sources of a summary. Leaves out a base that no longer exists."""
    keys = [key for id in bases for key in _keys_on_line(session, scope, id)]
    summary_key = scalar(session.fetch(SQL["key"], scope | {"id": summary.id}))
    owner = ConversationKeys(scope["space_key"], scope["conversation_key"])
    messages = messages_between(session, owner, summary.first_seq, summary.last_seq)
    sources = [("summary", key) for key in keys] + [("message", key) for key in messages]
    lineage.put(session, scope["space_key"], ("summary", summary_key), sources)


def _refuse_a_second(session: Session, conversation_key: int, summary: Summary) -> None:
    """The index refuses it too; this error gives the reason."""
    if (summary.kind, summary.status) != ("rolling", "processing"):
        return
    for (other,) in session.fetch(SQL["in_the_making"], {"conversation_key": conversation_key}):
        if other != summary.id:
            raise ConflictError(
                f"conversation {summary.conversation!r} already has a rolling summary in progress ({other!r}); "
                "wait until it is completed or failed",
                id=other,
            )
