"""What was distilled, as it leaves with its space and comes back, in SQLite."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

import apsw

from recollect.models import Json, Summary
from recollect.ports import Made
from recollect.records import FactFilter, KeptConsolidation, KeptEpisode, KeptFact, Sources
from recollect.stores import episode_rows, queries
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
from recollect.stores.nouns.facts import SqliteFacts
from recollect.stores.sqlite.database import Database, fetch

SQL = queries.named("sqlite", "moving")


class SqliteMoving:
    def __init__(self, database: Database, facts: SqliteFacts) -> None:
        self._database = database
        self._facts = facts

    def facts(self, space: str, limit: int, after: str | None) -> Sequence[KeptFact]:
        page = self._facts.list(space, FactFilter(), limit, after)
        with self._database.read() as connection:
            return moving_facts.kept(connection, spaces.key_of(connection, space), page)

    def keep_facts(self, space: str, facts: Sequence[KeptFact], own: Collection[str]) -> None:
        def work(connection: apsw.Connection) -> None:
            space_key = spaces.key_needed(connection, space)
            for one in facts:
                moving_facts.keep(connection, space_key, one, own)

        self._database.write(work)

    def tie_facts(self, space: str, facts: Sequence[KeptFact]) -> None:
        def work(connection: apsw.Connection) -> None:
            space_key = spaces.key_needed(connection, space)
            for one in facts:
                moving_facts.tie(connection, space_key, one)

        self._database.write(work)

    def episodes(self, space: str, conversation: str) -> Sequence[KeptEpisode]:
        with self._database.read() as connection:
            keys = conversations.keys_of(connection, space, conversation)
            scope = {"conversation_key": keys[1] if keys else None, "space": space}
            found = fetch(connection, SQL["episodes"], scope)
        return [KeptEpisode(episode_rows.episode(row[:-1]), row[-1]) for row in found]

    def keep_episodes(self, space: str, episodes: Sequence[KeptEpisode]) -> None:
        def work(connection: apsw.Connection) -> None:
            moving_episodes.keep(connection, space, episodes)

        self._database.write(work)

    def keep_summaries(self, summaries: Sequence[Summary], own: Collection[str]) -> None:
        def work(connection: apsw.Connection) -> None:
            for summary in summaries:
                moving_summaries.keep(connection, summary, own)

        self._database.write(work)

    def sources(self, space: str, made: Made, id: str) -> Sources:
        with self._database.read() as connection:
            scope: dict[str, Json] = {"space_key": spaces.key_of(connection, space), "made": made, "id": id}
            for (key,) in fetch(connection, SQL[made], scope):
                return Sources(
                    *(
                        tuple(source for (source,) in fetch(connection, SQL[query], scope | {"key": key}))
                        for query in ("from_messages", "from_summaries", "from_facts")
                    )
                )
        return Sources()

    def keep_sources(self, space: str, made: Made, sources: Mapping[str, Sources | None]) -> None:
        def work(connection: apsw.Connection) -> None:
            scope: dict[str, Json] = {"space_key": spaces.key_of(connection, space), "made": made}
            for id, known in sources.items():
                for (key,) in fetch(connection, SQL[made], scope | {"id": id}):
                    _trace(connection, scope | {"key": key}, known)

        self._database.write(work)

    def consolidations(self, space: str) -> Sequence[KeptConsolidation]:
        with self._database.read() as connection:
            return moving_consolidations.kept(connection, spaces.key_of(connection, space))

    def keep_consolidations(self, space: str, kept: Sequence[KeptConsolidation]) -> None:
        def work(connection: apsw.Connection) -> None:
            space_key = spaces.key_needed(connection, space)
            for one in kept:
                moving_consolidations.keep(connection, space_key, one)

        self._database.write(work)


def _trace(connection: apsw.Connection, scope: dict[str, Json], known: Sources | None) -> None:
    if known is None or known == Sources():  # made before sources were kept, or brought from there
        connection.execute(SQL[f"put_span_of_{scope['made']}"], {"key": scope["key"]})
    else:
        connection.execute(SQL["put_messages"], scope | {"ids": written(known.messages)})
        connection.execute(SQL["put_summaries"], scope | {"ids": written(known.summaries)})
        connection.execute(SQL["put_facts"], scope | {"ids": written(known.facts)})
    if scope["made"] == "episode":
        episode_notes.note(connection, scope["space_key"], scope["key"])
