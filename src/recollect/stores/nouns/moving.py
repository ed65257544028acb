"""What was distilled, as it leaves with its space and comes back."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from recollect.models import Json, Summary
from recollect.ports import Made
from recollect.records import FactFilter, KeptConsolidation, KeptEpisode, KeptFact, Sources
from recollect.stores import episode_rows, queries
from recollect.stores.database import Database, Session
from recollect.stores.ledger_rows import written
from recollect.stores.nouns import (
    conversations,
    episode_notes,
    moving_consolidations,
    moving_episodes,
    moving_facts,
    moving_summaries,
    spaces,
)
from recollect.stores.nouns.facts import Facts

SQL = queries.named("moving")


class Moving:
    def __init__(self, database: Database, facts: Facts) -> None:
        self._database = database
        self._facts = facts

    def facts(self, space: str, limit: int, after: str | None) -> Sequence[KeptFact]:
        page = self._facts.list(space, FactFilter(), limit, after)
        with self._database.read(space) as session:
            return moving_facts.kept(session, spaces.key_of(session, space), page)

    def keep_facts(self, space: str, facts: Sequence[KeptFact], own: Collection[str]) -> None:
        def work(session: Session) -> None:
            space_key = spaces.key_needed(session, space)
            for one in facts:
                moving_facts.keep(session, space_key, one, own)

        self._database.write(work, space)

    def tie_facts(self, space: str, facts: Sequence[KeptFact]) -> None:
        def work(session: Session) -> None:
            space_key = spaces.key_needed(session, space)
            for one in facts:
                moving_facts.tie(session, space_key, one)

        self._database.write(work, space)

    def episodes(self, space: str, conversation: str) -> Sequence[KeptEpisode]:
        with self._database.read(space) as session:
            keys = conversations.keys_of(session, space, conversation)
            scope = {"conversation_key": keys[1] if keys else None, "space": space}
            found = session.fetch(SQL["episodes"], scope)
        return [KeptEpisode(episode_rows.episode(row[:-1]), row[-1]) for row in found]

    def keep_episodes(self, space: str, episodes: Sequence[KeptEpisode]) -> None:
        def work(session: Session) -> None:
            moving_episodes.keep(session, space, episodes)

        self._database.write(work, space)

    def keep_summaries(self, summaries: Sequence[Summary], own: Collection[str]) -> None:
        def work(session: Session) -> None:
            for summary in summaries:
                moving_summaries.keep(session, summary, own)

        self._database.write(work, *(summary.space for summary in summaries))

    def sources(self, space: str, made: Made, id: str) -> Sources:
        with self._database.read(space) as session:
            scope: dict[str, Json] = {"space_key": spaces.key_of(session, space), "made": made, "id": id}
            for (key,) in session.fetch(SQL[made], scope):
                return Sources(
                    *(
                        tuple(source for (source,) in session.fetch(SQL[query], scope | {"key": key}))
                        for query in ("from_messages", "from_summaries", "from_facts")
                    )
                )
        return Sources()

    def keep_sources(self, space: str, made: Made, sources: Mapping[str, Sources | None]) -> None:
        def work(session: Session) -> None:
            scope: dict[str, Json] = {"space_key": spaces.key_of(session, space), "made": made}
            for id, known in sources.items():
                for (key,) in session.fetch(SQL[made], scope | {"id": id}):
                    _trace(session, scope | {"key": key}, known)

        self._database.write(work, space)

    def consolidations(self, space: str) -> Sequence[KeptConsolidation]:
        with self._database.read(space) as session:
            return moving_consolidations.kept(session, spaces.key_of(session, space))

    def keep_consolidations(self, space: str, kept: Sequence[KeptConsolidation]) -> None:
        def work(session: Session) -> None:
            space_key = spaces.key_needed(session, space)
            for one in kept:
                moving_consolidations.keep(session, space_key, one)

        self._database.write(work, space)


def _trace(session: Session, scope: dict[str, Json], known: Sources | None) -> None:
    if known is None or known == Sources():  # made before sources were kept, or brought from there
        session.execute(SQL[f"put_span_of_{scope['made']}"], {"key": scope["key"]})
    else:
        session.execute(SQL["put_messages"], scope | {"ids": written(known.messages)})
        session.execute(SQL["put_summaries"], scope | {"ids": written(known.summaries)})
        session.execute(SQL["put_facts"], scope | {"ids": written(known.facts)})
    if scope["made"] == "episode":
        episode_notes.note(session, scope["space_key"], scope["key"])
