"""Feedback on recalled messages. A message has one verdict for each question; a person's replaces that of a quote."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import blake2b

from aforesaid.ids import microseconds
from aforesaid.models.feedback import Feedback
from aforesaid.models.json import Json
from aforesaid.storage import queries
from aforesaid.storage.columns import from_row, json_text
from aforesaid.storage.database import Session
from aforesaid.storage.repositories.base import Repository, transaction

SQL = queries.named("feedback")
NO_LIMIT = -1
MAX_COUNTED = 2000  # the newest verdicts of a space, which a recall reads


class FeedbackLog(Repository):
    @transaction()
    def add(self, session: Session, space: str, feedback: Sequence[Feedback]) -> None:
        session.execute_each(SQL["add"], [_columns(session, space, one) for one in feedback])

    @transaction()
    def restore(self, session: Session, space: str, feedback: Sequence[Feedback]) -> None:
        """Writes verdicts where there are none yet."""
        session.execute_each(SQL["restore"], [_columns(session, space, one) for one in feedback])

    def latest(self, space: str, limit: int | None = MAX_COUNTED) -> dict[int, list[Feedback]]:
        """Returns the newest verdicts of a space, newest first, by the key of their message. None for all."""
        most = NO_LIMIT if limit is None else limit
        by_key: dict[int, list[Feedback]] = {}
        for row in self._database.query(SQL["latest"], {"limit": most}, space):
            by_key.setdefault(row.message_key, []).append(from_row(Feedback, row))
        return by_key

    @transaction()
    def clear(self, session: Session, space: str) -> int:
        """Deletes all verdicts of a space. Returns their number."""
        return session.changed(SQL["delete_all"], {"space_key": session.key_of(space)})


def _columns(session: Session, space: str, feedback: Feedback) -> dict[str, Json]:
    terms = json_text(feedback.terms)
    question = int.from_bytes(blake2b(terms.encode(), digest_size=7).digest())
    fixed = {"space_key": session.key_of(space), "id": feedback.message_id, "question": question, "terms": terms}
    return fixed | {"verdict": feedback.verdict, "at": microseconds(feedback.at)}
