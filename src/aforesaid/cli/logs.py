"""JSON logs on standard error for long-running commands. They contain no user text."""

from __future__ import annotations

import json
import logging
import sys
import traceback
from contextlib import suppress
from datetime import UTC, datetime
from typing import Literal, TextIO

STANDARD_FIELDS = frozenset(vars(logging.LogRecord("", 0, "", 0, "", None, None))) | {"message", "asctime", "taskName"}
LogLevel = Literal["debug", "info", "warning", "error"]


class JsonFormatter(logging.Formatter):
    """Formats a record as JSON. An error has its type and traceback but not its text, which may quote a user."""

    def format(self, record: logging.LogRecord) -> str:
        fields = {
            "at": datetime.fromtimestamp(record.created, UTC).isoformat(),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage() if _has_no_user_text(record) else str(record.msg),
        }
        extra = {name: value for name, value in vars(record).items() if name not in STANDARD_FIELDS}
        return json.dumps(fields | extra | _error(record), ensure_ascii=False, default=str)


class JsonLogHandler(logging.StreamHandler[TextIO]):
    """Reports a lost line without the error's text, which logging's own report would quote."""

    def handleError(self, record: logging.LogRecord) -> None:  # noqa: N802, ARG002 (the name that logging calls)
        kind = sys.exc_info()[0]
        with suppress(OSError, ValueError):  # standard error itself may be closed
            print(f"a line of the log is lost: {kind.__name__ if kind else 'unknown'}", file=sys.stderr)


def configure_logging(level: LogLevel) -> None:
    """Logs records of this level and above from now on."""
    handler = JsonLogHandler(sys.stderr)
    handler.setFormatter(JsonFormatter())
    handler.addFilter(_is_not_deliberate_abort)
    logging.basicConfig(level=level.upper(), handlers=[handler], force=True)
    logging.getLogger("httpx2").setLevel(logging.WARNING)  # below that it logs addresses


def _has_no_user_text(record: logging.LogRecord) -> bool:
    """Returns True for our own records, and for records whose arguments are all numbers."""
    arguments = record.args if isinstance(record.args, tuple) else (record.args,)
    return record.name.startswith("aforesaid") or all(isinstance(value, int | float) for value in arguments)


def _is_not_deliberate_abort(record: logging.LogRecord) -> bool:
    """Drops the server's report of a response that was aborted on purpose; the reason is logged elsewhere."""
    kind = (record.exc_info or (None,))[0]
    return record.name != "uvicorn.error" or kind is None or not issubclass(kind, ConnectionAbortedError)


def _error(record: logging.LogRecord) -> dict[str, object]:
    kind, _, trace = record.exc_info or (None, None, None)
    if kind is None:
        return {}
    places = [f"{frame.filename}:{frame.lineno} {frame.name}" for frame in traceback.extract_tb(trace)]
    return {"error": kind.__name__, "raised": places}
