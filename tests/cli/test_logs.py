"""A log that cannot be written."""

import io
import logging

from recollect.cli.logs import Line, Lines


def test_a_line_that_is_lost_is_told_without_its_words(capfd):
    stream = io.StringIO()
    handler = Lines(stream)
    handler.setFormatter(Line())
    log = logging.Logger("recollect.test")
    log.addHandler(handler)
    stream.close()
    try:
        raise RuntimeError("somebody's secret words")
    except RuntimeError:
        log.exception("request failed")
    assert capfd.readouterr().err == "a line of the log is lost: ValueError\n"
