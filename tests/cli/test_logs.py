"""Tests the JSON log format, and a log that cannot be written."""

import io
import json
import logging

import pytest

from aforesaid.cli.logs import JsonFormatter, JsonLogHandler


def test_a_lost_log_line_is_reported_without_its_text(capfd):
    stream = io.StringIO()
    handler = JsonLogHandler(stream)
    handler.setFormatter(JsonFormatter())
    log = logging.Logger("aforesaid.test")
    log.addHandler(handler)
    stream.close()
    try:
        raise RuntimeError("somebody's secret words")
    except RuntimeError:
        log.exception("request failed")
    assert capfd.readouterr().err == "a line of the log is lost: ValueError\n"


@pytest.mark.parametrize(
    ("said", "given", "written"),
    [
        ("Cancel %s running task(s)", (2,), "Cancel 2 running task(s)"),
        ("Invalid request %s of %s", ("somebody's words", 2), "Invalid request %s of %s"),
        ("100%", (), "100%"),
    ],
)
def test_log_records_of_other_libraries_get_only_numeric_arguments(said, given, written):
    record = logging.LogRecord("uvicorn.error", logging.ERROR, "", 0, said, given, None)
    assert json.loads(JsonFormatter().format(record))["message"] == written
