"""The command-line interface. It uses the public API only."""

import sys

FULL_HOOK = ("--help", "--status", "--stop")  # options of `hook` that need the complete command line


def main() -> None:
    """Runs the command of this process, and ends the process."""
    if sys.argv[1:] == ["--version"]:  # without typer, whose import takes three times as long as this
        from aforesaid.cli.output import print_version

        print_version()
        return
    if sys.argv[1:2] == ["hook"] and len(sys.argv) > 2 and not set(sys.argv).intersection(FULL_HOOK):
        from aforesaid.hooks.entry import run  # agents wait for it

        run(sys.argv[2:])
        return
    import logging
    from io import TextIOWrapper

    from aforesaid.cli.app import app

    logging.getLogger("aforesaid").addHandler(logging.NullHandler())  # the commands print errors themselves
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")  # any text can be printed on any terminal
    app()
