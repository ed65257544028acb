"""Logs an outage once when it begins and once when it ends, not with every attempt in between."""

from __future__ import annotations

import logging
import threading


class OutageLog:
    """`what` failed is the subject of the messages. Safe for any number of threads."""

    def __init__(self, log: logging.Logger, what: str, action: str) -> None:
        self._log = log
        self._what = what
        self._action = action
        self._lock = threading.Lock()
        self._reason: str | None = None
        self._failures = 0

    def failed(self, reason: str, error: str) -> None:
        """Logs the reason, unless the last failure had the same one. `error` is the detail for structured logs."""
        with self._lock:
            self._failures += 1
            known, self._reason = self._reason == reason, reason
        if not known:
            extra = {"action": self._action, "error": error}
            self._log.warning("%s failed: %s; trying again until it works", self._what, reason, extra=extra)

    def recovered(self) -> None:
        """Logs the end of an outage, if there was one."""
        if self._reason is None:
            return
        with self._lock:
            failures, self._failures = self._failures, 0
            self._reason = None
        extra = {"action": f"{self._action}_over", "failures": failures}
        self._log.warning("%s works again after %d failures", self._what, failures, extra=extra)
