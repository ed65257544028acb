"""Every command, and what becomes of an error."""

from __future__ import annotations

import errno
from collections.abc import Callable

import typer
from typer.core import TyperGroup

from recollect.cli import bench, exits, keys
from recollect.cli.add import add
from recollect.cli.arc import arc
from recollect.cli.audit import audit
from recollect.cli.backup import backup, restore
from recollect.cli.chat import chat
from recollect.cli.consent import consent
from recollect.cli.consolidate import consolidate
from recollect.cli.context import context
from recollect.cli.conversations import conversations
from recollect.cli.copy import copy
from recollect.cli.cost import cost
from recollect.cli.decide import promote, reject
from recollect.cli.demo import demo
from recollect.cli.doctor import doctor
from recollect.cli.episodes import episodes
from recollect.cli.explain import explain
from recollect.cli.facts import facts
from recollect.cli.forget import forget
from recollect.cli.imports import import_
from recollect.cli.init import init
from recollect.cli.jobs import jobs
from recollect.cli.mcp import mcp
from recollect.cli.messages import messages
from recollect.cli.metrics import metrics
from recollect.cli.output import note
from recollect.cli.pins import pins
from recollect.cli.portable import export_space
from recollect.cli.profile import profile
from recollect.cli.proxy import proxy
from recollect.cli.recall import recall
from recollect.cli.rechunk import rechunk
from recollect.cli.serve import serve
from recollect.cli.settings import settings
from recollect.cli.spaces import spaces
from recollect.cli.stats import stats
from recollect.cli.status import status
from recollect.cli.summaries import summaries
from recollect.cli.tune import tune
from recollect.cli.verify_erasure import verify_erasure
from recollect.cli.version import version
from recollect.cli.worker import worker
from recollect.errors import RecollectError

COMMANDS: tuple[tuple[str, Callable[..., None]], ...] = (
    ("init", init),
    ("chat", chat),
    ("add", add),
    ("recall", recall),
    ("context", context),
    ("explain", explain),
    ("messages", messages),
    ("pins", pins),
    ("summaries", summaries),
    ("episodes", episodes),
    ("arc", arc),
    ("conversations", conversations),
    ("facts", facts),
    ("promote", promote),
    ("reject", reject),
    ("spaces", spaces),
    ("profile", profile),
    ("consent", consent),
    ("audit", audit),
    ("consolidate", consolidate),
    ("forget", forget),
    ("verify-erasure", verify_erasure),
    ("settings", settings),
    ("status", status),
    ("stats", stats),
    ("jobs", jobs),
    ("metrics", metrics),
    ("cost", cost),
    ("export", export_space),
    ("import", import_),
    ("copy", copy),
    ("backup", backup),
    ("restore", restore),
    ("rechunk", rechunk),
    ("tune", tune),
    ("doctor", doctor),
    ("serve", serve),
    ("proxy", proxy),
    ("mcp", mcp),
    ("worker", worker),
    ("version", version),
    ("demo", demo),
)


class Commands(TyperGroup):
    """An error that recollect expects is one line on standard error and an exit code, never a traceback."""

    def invoke(self, ctx: typer.Context) -> object:  # type: ignore[override]
        try:
            return super().invoke(ctx)
        except RecollectError as exc:
            note(f"error: {exc}")
            raise typer.Exit(exits.code(exc)) from exc
        except OSError as exc:
            if exc.errno == errno.EPIPE:  # the reader of a pipe went away: typer ends quietly
                raise
            note(f"error: {exc}")
            raise typer.Exit(exits.OTHER) from exc


app = typer.Typer(
    cls=Commands,
    no_args_is_help=True,
    pretty_exceptions_show_locals=False,
    help="Conversation memory on one SQLite file: every word kept, the right ones found.\n\n"
    'Example: recollect add trip "We settled on Lisbon in May."',
)

for name, command in COMMANDS:
    app.command(name)(command)
app.add_typer(keys.app, name="keys")
app.add_typer(bench.app, name="bench")
