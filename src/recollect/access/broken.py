"""An answer that does not come to its end."""

from __future__ import annotations


class BrokenOff(ConnectionAbortedError):
    """The connection is closed in the middle of an answer. Whoever raises it has told the log why."""
