"""Export and import of distilled records: facts, episodes, summaries and consolidations, with their sources."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import fields
from functools import partial
from itertools import groupby
from operator import attrgetter
from typing import Literal, TypeVar

from aforesaid.errors import ConflictError, InvalidInput, NotFound
from aforesaid.ids import microseconds
from aforesaid.models.consolidation import ConsolidationExport, ConsolidationStep
from aforesaid.models.episode import Episode, EpisodeExport
from aforesaid.models.fact import Fact, FactExport, FactFilter, Proof, Relation, SupersessionRecord
from aforesaid.models.json import Json
from aforesaid.models.summary import Summary
from aforesaid.models.transfer import SourceIds
from aforesaid.storage import queries
from aforesaid.storage.columns import from_row, json_text, to_columns
from aforesaid.storage.database import Database, Row, Session, first
from aforesaid.storage.repositories import consolidations, fact_changes, lineage, notes, space_keys, summaries
from aforesaid.storage.repositories.base import Repository, transaction
from aforesaid.storage.repositories.facts import Facts
from aforesaid.storage.repositories.space_keys import conversation_keys

SQL = queries.named("moving")
EPISODES = queries.named("episodes")
SUMMARIES = queries.named("summaries")
T = TypeVar("T")
DerivedKind = Literal["summary", "episode"]
DECIDED = ("rejected", "archived")


def _by_fact(rows: Sequence[Row], convert: Callable[[Row], T]) -> Mapping[str, tuple[T, ...]]:
    """Groups rows by the id of their fact. The rows of a fact follow each other."""
    return {id: tuple(map(convert, group)) for id, group in groupby(rows, key=attrgetter("id"))}


def _import_fact(session: Session, space_key: int, record: FactExport, own: Collection[str]) -> None:
    """Writes a fact with its evidence, unless it was changed here since. An unchanged one gets lost evidence back."""
    fact, at = record.fact, microseconds(record.fact.updated_at)
    stored = first(session.fetch(SQL["fact"], {"space_key": space_key, "id": fact.id}))
    if stored and stored.updated_at > at:
        return
    unchanged = stored is not None and stored.updated_at == at
    fact_key = int(stored.fact_key) if stored and unchanged else fact_changes.save(session, space_key, fact)
    _prove(session, space_key, fact_key, record)
    if stored is None:
        _replace_same_facts(session, {"space_key": space_key, "fact_key": fact_key}, fact, own)
    notes.note_fact(session, space_key, fact_key)


def _link_fact(session: Session, space_key: int, record: FactExport) -> None:
    """Writes the supersessions of a fact, if it is unchanged, and its relations."""
    id = record.fact.id
    for fact_key, updated_at in session.fetch(SQL["fact"], {"space_key": space_key, "id": id}):
        if updated_at == microseconds(record.fact.updated_at):
            _end(session, space_key, fact_key, record)
        for relation in record.relations:
            keys = {"source_key": fact_key, "target_key": _other(session, space_key, id, relation.target)}
            session.execute(SQL["relate"], to_columns(relation) | keys | {"space_key": space_key})


def _prove(session: Session, space_key: int, fact_key: int, record: FactExport) -> None:
    """The evidence gate: every message contains its quote, and a fact not made by hand has a user's message."""
    for proof in record.proofs:
        try:
            fact_changes.add_evidence(session, space_key, fact_key, proof, strict=False)
        except (InvalidInput, NotFound) as exc:
            raise InvalidInput(f"fact {record.fact.id!r}: {exc}") from exc
    scope = {"space_key": space_key, "fact_key": fact_key}
    if record.fact.method != "manual" and not session.fetch(SQL["said_by_a_user"], scope):
        raise InvalidInput(f"fact {record.fact.id!r}: no message of a user is evidence for it")


def _replace_same_facts(session: Session, scope: dict[str, int], fact: Fact, own: Collection[str]) -> None:
    """Replaces facts that were derived here from the same messages and say the same. Decisions about them are kept."""
    for twin_key, id, status in session.fetch(SQL["twins"], scope):
        if id in own:
            continue
        pair = scope | {"twin_key": twin_key}
        if status in DECIDED and fact.status not in DECIDED:
            session.execute(SQL["take_decision"], pair)
        session.execute(SQL["take_evidence"], pair)
        fact_changes.remove_fact(session, scope["space_key"], twin_key)


def _end(session: Session, space_key: int, fact_key: int, record: FactExport) -> None:
    stored = session.fetch(SQL["ended"], {"space_key": space_key, "ids": json_text([record.fact.id])})
    if [from_row(SupersessionRecord, row) for row in stored] == list(record.ended):
        return
    session.execute(SQL["unend"], {"fact_key": fact_key})
    for ended in record.ended:
        by_key = _other(session, space_key, record.fact.id, ended.by)
        keys = {"space_key": space_key, "fact_key": fact_key, "by_key": by_key}
        session.execute(SQL["end"], to_columns(ended) | keys)
    notes.note_fact(session, space_key, fact_key)


def _other(session: Session, space_key: int, id: str, other: str) -> int:
    try:
        return fact_changes.key_of(session, space_key, other)
    except NotFound as exc:
        raise InvalidInput(f"fact {id!r}: {exc}") from exc


def _save_episode(session: Session, space: str, episode: Episode, own: set[str]) -> bool:
    """Returns False if the episode exists."""
    keys = conversation_keys(session, space, episode.conversation)
    if keys is None:
        raise NotFound(f"space {space!r} has no conversation {episode.conversation!r}")
    scope: dict[str, Json] = keys._asdict()
    if session.fetch(EPISODES["key"], scope | {"id": episode.id}):
        return False
    columns = to_columns(episode)
    for key, id in session.fetch(SQL["episode_twins"], scope | columns):
        if id not in own:
            lineage.remove(session, keys.space_key, ("episode", key))
            notes.remove_notes(session, keys.space_key, "episode", [id])
            session.execute(SQL["drop_episode"], {"episode_key": key})
    if not session.changed(EPISODES["save"], scope | columns):
        raise ConflictError(f"episode id {episode.id!r} is taken in another conversation", id=episode.id)
    return True


def _import_summary(session: Session, summary: Summary, own: Collection[str]) -> None:
    """Writes a summary unless it exists."""
    scope = summaries.scope_of(session, summary)
    if session.fetch(SUMMARIES["key"], scope | {"id": summary.id}):
        return
    summaries.write(session, scope, summary)
    if (summary.kind, summary.status, summary.replaced_by) == ("segment", "completed", None):
        _replace_same_segments(session, scope | to_columns(summary), own)
    notes.note_summaries(session, scope)


def _replace_same_segments(session: Session, values: dict[str, Json], own: Collection[str]) -> None:
    """Replaces a segment that was made here of the same messages."""
    for (old,) in session.fetch(SQL["summary_twins"], values):
        if old not in own:
            session.execute(SUMMARIES["replace"], values | {"old": old})


def _import_consolidation(session: Session, space_key: int, record: ConsolidationExport) -> None:
    """Writes a consolidation unless it exists. Leaves out steps about records that were erased since."""
    key = consolidations.insert(session, space_key, record.report)
    for step in record.steps if key is not None else ():
        record_key = _record_key(session, space_key, step.record, step.id)
        into_key = None if step.into is None else _record_key(session, space_key, step.record, step.into)
        if record_key is not None and (step.into is None or into_key is not None):
            keys = {"space_key": space_key, "consolidation_key": key, "record_key": record_key, "into_key": into_key}
            copied = {"copied": _copied_keys(session, space_key, step)}
            session.execute(SQL["keep_step"], to_columns(step) | keys | copied)


def _consolidation_steps(session: Session, key: int) -> tuple[ConsolidationStep, ...]:
    steps = []
    for row in session.fetch(SQL["steps"], {"consolidation_key": key}):
        copied = json.loads(row.copied)
        if row.record == "fact":
            copied = [id for (id,) in session.fetch(SQL["message_ids"], {"keys": row.copied})]
        steps.append(from_row(ConsolidationStep, row, copied=tuple(copied)))
    return tuple(steps)


def _copied_keys(session: Session, space_key: int, step: ConsolidationStep) -> str:
    if step.record == "episode":
        return json_text(step.copied)
    scope = {"space_key": space_key, "ids": json_text(step.copied)}
    return json_text([key for (key,) in session.fetch(SQL["message_keys"], scope)])


def _record_key(session: Session, space_key: int, record: str, id: str) -> int | None:
    for key, *_ in session.fetch(SQL[record], {"space_key": space_key, "id": id}):
        return int(key)
    return None


class Transfer(Repository):
    """Exports and imports derived records, complete, as they move with their space."""

    def __init__(self, database: Database, facts: Facts) -> None:
        super().__init__(database)
        self._facts = facts

    def facts(self, space: str, limit: int, after: str | None) -> Sequence[FactExport]:
        """Returns facts in the order they were noted, starting behind `after`."""
        page = self._facts.list(space, FactFilter(), limit, after)
        scope = {"ids": json_text([fact.id for fact in page])}
        with self._database.read(space) as session:
            proofs = _by_fact(session.fetch(SQL["proofs"], scope), partial(from_row, Proof))
            ended = _by_fact(session.fetch(SQL["ended"], scope), partial(from_row, SupersessionRecord))
            relations = _by_fact(session.fetch(SQL["relations"], scope), partial(from_row, Relation))
        return [
            FactExport(fact, proofs.get(fact.id, ()), ended.get(fact.id, ()), relations.get(fact.id, ()))
            for fact in page
        ]

    @transaction()
    def import_facts(self, session: Session, space: str, facts: Sequence[FactExport], own: Collection[str]) -> None:
        """Writes facts with their evidence, unless the stored ones are newer.

        `own` are the ids of all facts that are imported. Another fact that was derived here from the same messages
        and says the same is replaced; decisions about it apply to the imported fact. The evidence gate: raises
        InvalidInput for a quote that is not in its message, and for a fact that was not made by hand and has no
        user's message as evidence.
        """
        space_key = space_keys.require_key(session, space)
        for record in facts:
            _import_fact(session, space_key, record, own)

    @transaction()
    def link_facts(self, session: Session, space: str, facts: Sequence[FactExport]) -> None:
        """Restores the relations of stored facts, and what closed those that are unchanged."""
        space_key = space_keys.require_key(session, space)
        for record in facts:
            _link_fact(session, space_key, record)

    def episodes(self, space: str, conversation: str) -> Sequence[EpisodeExport]:
        """Returns episodes, including merged ones in their original form."""
        rows = self._in_conversation(SQL["episodes"], space, conversation, {})
        return [EpisodeExport(from_row(Episode, row), row.merged_into) for row in rows]

    @transaction()
    def import_episodes(self, session: Session, space: str, episodes: Sequence[EpisodeExport]) -> None:
        """Writes episodes that do not exist yet; their messages may come before or after. Replaces episodes that were
        detected here in the same messages."""
        own = {record.episode.id for record in episodes}
        new = [record for record in episodes if _save_episode(session, space, record.episode, own)]
        space_key = space_keys.require_key(session, space)
        for record in new:
            scope: dict[str, Json] = {"space_key": space_key, "id": record.episode.id}
            session.execute(SQL["merge_episode"], scope | {"into": record.merged_into})
            for (key,) in session.fetch(SQL["episode"], scope):
                notes.note_episode(session, space_key, key)

    def import_summaries(self, summaries: Sequence[Summary], own: Collection[str]) -> None:
        """Writes summaries that do not exist yet; their messages may come before or after. `own` are the ids of all
        summaries that are imported; another segment that was made here of the same messages is replaced."""

        def work(session: Session) -> None:
            for summary in summaries:
                _import_summary(session, summary, own)

        self._database.write(work, *(summary.space for summary in summaries))

    def sources(self, space: str, made: DerivedKind, id: str) -> SourceIds:
        with self._database.read(space) as session:
            scope: dict[str, Json] = {"space_key": session.key_of(space), "made": made, "id": id}
            for (key,) in session.fetch(SQL[made], scope):
                rows = [session.fetch(SQL[f"from_{field.name}"], scope | {"key": key}) for field in fields(SourceIds)]
                return SourceIds(*(tuple(row.id for row in some) for some in rows))
        return SourceIds()

    @transaction()
    def import_sources(
        self, session: Session, space: str, made: DerivedKind, sources: Mapping[str, SourceIds | None]
    ) -> None:
        """Records what each of these was made from, as far as that exists. None: the messages it covers."""
        scope: dict[str, Json] = {"space_key": session.key_of(space), "made": made}
        for id, known in sources.items():
            for (key,) in session.fetch(SQL[made], scope | {"id": id}):
                _write_sources(session, scope | {"key": key}, known)

    def consolidations(self, space: str) -> Sequence[ConsolidationExport]:
        """Returns the oldest first."""
        with self._database.read(space) as session:
            rows = reversed(session.fetch(consolidations.SQL["list"], {"limit": -1}))
            return [
                ConsolidationExport(
                    consolidations.consolidation_from_row(row), _consolidation_steps(session, row.consolidation_key)
                )
                for row in rows
            ]

    @transaction()
    def import_consolidations(self, session: Session, space: str, records: Sequence[ConsolidationExport]) -> None:
        """Writes consolidations that do not exist yet. Import the records they are about first."""
        space_key = space_keys.require_key(session, space)
        for record in records:
            _import_consolidation(session, space_key, record)


def _write_sources(session: Session, scope: dict[str, Json], known: SourceIds | None) -> None:
    if known is None or known == SourceIds():  # made before sources were kept, or brought from there
        session.execute(SQL[f"put_span_of_{scope['made']}"], {"key": scope["key"]})
    else:
        for field in fields(SourceIds):
            session.execute(SQL[f"put_{field.name}"], scope | {"ids": json_text(getattr(known, field.name))})
    if scope["made"] == "episode":
        notes.note_episode(session, scope["space_key"], scope["key"])
