"""Which recollect this is."""

from __future__ import annotations

import platform

from recollect.cli.options import AsJson
from recollect.cli.output import print_json, say


def version(as_json: AsJson = False) -> None:
    """Say which recollect and which Python this is.

    Example: recollect version --json
    """
    from recollect import __version__

    versions = {"recollect": __version__, "python": platform.python_version()}
    if as_json:
        print_json(versions)
    else:
        for name, number in versions.items():
            say(f"{name} {number}")
