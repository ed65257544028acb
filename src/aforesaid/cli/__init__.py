"""The command-line interface. It uses the public API only."""

import logging
import sys
from io import TextIOWrapper


def main() -> None:
    """Runs the command of this process, and ends the process."""
    if sys.argv[1:] == ["--version"]:  # without typer, whose import takes three times as long as this
        from aforesaid.cli.output import print_version

        print_version()
        return
    from aforesaid.cli.app import app

    logging.getLogger("aforesaid").addHandler(logging.NullHandler())  # the commands print errors themselves
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")  # any text can be printed on any terminal
    app()
