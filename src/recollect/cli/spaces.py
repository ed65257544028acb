"""The spaces of a store."""

from __future__ import annotations

from recollect.cli.opening import reading
from recollect.cli.options import STORE, AfterId, AsJson, Limit, Store
from recollect.cli.output import output, print_json, table
from recollect.cli.text import moment

COUNTS = ("conversations", "messages")


def spaces(limit: Limit = 50, after: AfterId = None, store: Store = STORE, as_json: AsJson = False) -> None:
    """List the spaces of a store and how much each holds.

    Example: recollect spaces --store app.db
    """
    with reading(store) as memory:
        found = memory.spaces(limit, after=after)
    if as_json:
        print_json(found)
    else:
        rows = ((one.id, one.conversations, one.messages, moment(one.created_at)) for one in found)
        output().print(table(("space", *COUNTS, "since"), rows, right=COUNTS))
