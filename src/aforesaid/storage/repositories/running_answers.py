"""Answers that models write now: who writes them, and until when."""

from __future__ import annotations

from datetime import datetime

from aforesaid.errors import ConflictError, NotFound
from aforesaid.ids import microseconds
from aforesaid.models.answer import AnswerClaim, RunningAnswer
from aforesaid.models.json import Json
from aforesaid.storage import queries
from aforesaid.storage.columns import moment
from aforesaid.storage.database import Session, first
from aforesaid.storage.repositories.base import Repository
from aforesaid.storage.repositories.space_keys import conversation_keys

SQL = queries.named("running_answers")
MESSAGES = queries.named("messages")


class RunningAnswers(Repository):
    """One holder at a time writes the answer to a message in a conversation, until its lease ends."""

    def claim(self, claim: AnswerClaim, at: datetime, until: datetime) -> None:
        """Raises ConflictError if another holder writes this answer, NotFound if the message was forgotten."""

        def work(session: Session) -> None:
            keys = _keys(session, claim.space, claim.conversation, claim.question)
            if keys is None:
                raise NotFound(f"message {claim.question!r} was just forgotten; there is nothing to answer")
            session.execute(SQL["expire"], keys | {"at": microseconds(at)})
            if session.fetch(SQL["held"], keys):
                raise ConflictError(
                    f"a model is answering message {claim.question!r}; wait for its answer, or stop it",
                    id=claim.question,
                )
            values = {"holder": claim.holder, "model": claim.model}
            session.execute(SQL["claim"], keys | values | {"at": microseconds(at), "until": microseconds(until)})

        self._database.write(work, claim.space, durable=False)

    def renew(self, claim: AnswerClaim, until: datetime, retries: int) -> None:
        """Prolongs the lease, if it is still held."""
        self._change("renew", claim, {"until": microseconds(until), "retries": retries})

    def release(self, claim: AnswerClaim) -> None:
        self._change("release", claim, {})

    def is_stopping(self, claim: AnswerClaim) -> bool | None:
        """Returns True if somebody asked to stop the answer; None if the holder has lost it."""
        with self._database.read(claim.space) as session:
            keys = _keys(session, claim.space, claim.conversation, claim.question)
            row = first(session.fetch(SQL["stopping"], keys | {"holder": claim.holder})) if keys else None
        return None if row is None else bool(row.stopping)

    def stop(self, space: str, conversation: str, question: str, at: datetime) -> bool:
        """Asks the holder to stop. Returns False if nobody writes this answer."""

        def work(session: Session) -> bool:
            keys = _keys(session, space, conversation, question)
            return keys is not None and session.changed(SQL["stop"], keys | {"at": microseconds(at)}) > 0

        return self._database.write(work, space, durable=False)

    def list(self, space: str, conversation: str, at: datetime) -> list[RunningAnswer]:
        """Returns the answers that are being written in a conversation, the oldest first."""
        rows = self._in_conversation(SQL["list"], space, conversation, {"at": microseconds(at)})
        return [
            RunningAnswer(row.question, row.model, moment(row.begun_at), row.retries, bool(row.stopping))
            for row in rows
        ]

    def _change(self, query: str, claim: AnswerClaim, values: dict[str, Json]) -> None:
        def work(session: Session) -> None:
            keys = _keys(session, claim.space, claim.conversation, claim.question)
            if keys is not None:
                session.execute(SQL[query], keys | {"holder": claim.holder} | values)

        self._database.write(work, claim.space, durable=False)


def _keys(session: Session, space: str, conversation: str, question: str) -> dict[str, Json] | None:
    keys = conversation_keys(session, space, conversation)
    if keys is None:
        return None
    row = first(session.fetch(MESSAGES["by_id"], {"space_key": keys.space_key, "id": question}))
    return None if row is None else {**keys._asdict(), "message_key": row.message_key}
