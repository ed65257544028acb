"""The command line: a door. It knows Memory and nothing below."""

import logging
import sys
from io import TextIOWrapper


def main() -> None:
    """Runs the command that the process was started with, and ends the process."""
    from recollect.cli.app import app

    logging.getLogger("recollect").addHandler(logging.NullHandler())  # what went wrong is said in our own words
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")  # no text is too foreign for a terminal
    app()
