"""Puts `AforesaidSession` in place of the SDK's SQLiteSession, before its tests import it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import agents
import agents.memory
from upstream_plugin import used

from aforesaid import Memory
from aforesaid.integrations.openai_agents import AforesaidSession


class SQLiteSession(AforesaidSession):
    """Our session with the arguments of theirs."""

    def __init__(self, session_id: str, db_path: str | Path = ":memory:", session_settings: Any = None) -> None:
        used()
        self._own = Memory(db_path, embedder="none", worker=False, environment={})
        super().__init__(session_id, self._own, session_settings=session_settings)

    def close(self) -> None:
        super().close()
        self._own.close()


agents.SQLiteSession = agents.memory.SQLiteSession = SQLiteSession
