"""The command-line interface. It uses the public API only."""

import logging
import sys
from io import TextIOWrapper

from aforesaid import __version__


def versions() -> dict[str, str]:
    """The versions of aforesaid and of Python."""
    return {"aforesaid": __version__, "python": ".".join(map(str, sys.version_info[:3]))}


def show_version() -> None:
    for name, number in versions().items():
        print(f"{name} {number}")


def main() -> None:
    """Runs the command of this process, and ends the process."""
    if sys.argv[1:] == ["--version"]:  # needs none of the commands
        show_version()
        return
    from aforesaid.cli.app import app

    logging.getLogger("aforesaid").addHandler(logging.NullHandler())  # the commands print errors themselves
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")  # any text can be printed on any terminal
    app()
