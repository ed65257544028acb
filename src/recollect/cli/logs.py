"""Logs of what runs for long: one JSON object a line, on standard error, without anybody's words."""

from __future__ import annotations

import json
import logging
import sys
import traceback
from contextlib import suppress
from datetime import UTC, datetime
from enum import StrEnum
from typing import TextIO

OWN = frozenset(vars(logging.LogRecord("", 0, "", 0, "", None, None))) | {"message", "asctime", "taskName"}


class Level(StrEnum):
    debug = "debug"
    info = "info"
    warning = "warning"
    error = "error"


class Line(logging.Formatter):
    """A record as JSON. Of an error, its kind and where it was raised: its text may quote what somebody said."""

    def format(self, record: logging.LogRecord) -> str:
        said = {
            "at": datetime.fromtimestamp(record.created, UTC).isoformat(),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage() if _speechless(record) else str(record.msg),
        }
        extra = {name: value for name, value in vars(record).items() if name not in OWN}
        return json.dumps(said | extra | _error(record), ensure_ascii=False, default=str)


class Lines(logging.StreamHandler[TextIO]):
    """Says that a line is lost, and no more: logging's own report would quote the error that the line is about."""

    def handleError(self, record: logging.LogRecord) -> None:  # noqa: N802, ARG002 (as logging calls it)
        kind = sys.exc_info()[0]
        with suppress(OSError, ValueError):  # standard error is what is lost
            print(f"a line of the log is lost: {kind.__name__ if kind else 'unknown'}", file=sys.stderr)


def begin(level: Level) -> None:
    """Logs of this level and above, from now on."""
    handler = Lines(sys.stderr)
    handler.setFormatter(Line())
    handler.addFilter(_untold)
    logging.basicConfig(level=level.upper(), handlers=[handler], force=True)
    logging.getLogger("httpx2").setLevel(logging.WARNING)  # addresses


def _speechless(record: logging.LogRecord) -> bool:
    """Whether its message, filled in, has nobody's words: it is our own, or has nothing but numbers to fill in."""
    given = record.args if isinstance(record.args, tuple) else (record.args,)
    return record.name.startswith("recollect") or all(isinstance(one, int | float) for one in given)


def _untold(record: logging.LogRecord) -> bool:
    """Not what the server says of an answer that was broken off on purpose: whoever did has said why."""
    kind = (record.exc_info or (None,))[0]
    return record.name != "uvicorn.error" or kind is None or not issubclass(kind, ConnectionAbortedError)


def _error(record: logging.LogRecord) -> dict[str, object]:
    kind, _, trace = record.exc_info or (None, None, None)
    if kind is None:
        return {}
    places = [f"{frame.filename}:{frame.lineno} {frame.name}" for frame in traceback.extract_tb(trace)]
    return {"error": kind.__name__, "raised": places}
