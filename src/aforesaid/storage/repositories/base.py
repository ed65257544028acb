"""The base of all repositories."""

from __future__ import annotations

from collections.abc import Mapping

from aforesaid.models.json import Json
from aforesaid.storage.database import Database, Row
from aforesaid.storage.queries import NamedQuery
from aforesaid.storage.repositories.space_keys import conversation_keys


class Repository:
    """The records of one kind. Each public method is one transaction."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def _in_conversation(
        self, query: NamedQuery, space: str, conversation: str, values: Mapping[str, Json]
    ) -> list[Row]:
        """Returns the rows of a query about a conversation; none if there is no such conversation."""
        with self._database.read(space) as session:
            keys = conversation_keys(session, space, conversation)
            scope = {"space": space, "conversation": conversation, **values}
            return [] if keys is None else session.fetch(query, scope | keys._asdict())
