"""The commands `init`, `doctor`, `rechunk` and `consolidate`: create, check, rebuild and tidy a store."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from aforesaid import Consolidation, ConsolidationItem, Finding, Memory
from aforesaid.cli.exit_codes import OTHER
from aforesaid.cli.jobs import finish_local_jobs
from aforesaid.cli.options import SPACE, STORE, AsJson, DryRun, SpaceName, Store, Yes
from aforesaid.cli.output import Table, note, print_json, print_result, progress, shorten, show
from aforesaid.cli.store import open_existing, open_or_create, open_space
from aforesaid.errors import InvalidInput

NEXT_STEPS = (
    'aforesaid add trip "We settled on Lisbon in May."',
    'aforesaid recall "where are we going?"',
    "aforesaid serve",
)
TEXT_LENGTH = 60
MAX_ROWS = 50  # rows of the table; the totals count all


def init(
    embedder: Annotated[
        str | None, typer.Option(metavar="EMBEDDER", help="The embedding model: static:256, ollama:… or openai:….")
    ] = None,
    store: Store = STORE,
    as_json: AsJson = False,
) -> None:
    """Create a store, and show what to do next. An existing store stays as it is.

    With a different embedder, new vectors are made in the background beside the old ones.

    Example: aforesaid init --store app.db
    """
    exists = Path(store).exists()
    with Memory(store, embedder=embedder, worker=False) as memory:
        status = memory.status()
    schema, models = status.schema_version, status.models
    state = "exists already" if exists else "is created"
    embedders = ", ".join(f"{model.name} ({model.state})" for model in models) or "no embedder"
    record = {"store": memory.address, "made": not exists, "schema_version": schema, "models": models}
    print_result(record, as_json, f"{memory.address} {state}: schema {schema}, {embedders}")
    if not exists and not as_json:
        note("next:")
        for line in NEXT_STEPS:
            note(line if store == STORE else f"{line} --store {memory.address}")


def doctor(
    repair: Annotated[bool, typer.Option("--repair", help="Rebuild indexes and counts from the messages.")] = False,
    backup: Annotated[
        Path | None, typer.Option(metavar="FILE", help="A backup: say which damaged records it has intact.")
    ] = None,
    store: Store = STORE,
    as_json: AsJson = False,
) -> None:
    """Check a store: compare its records with their checksums, and its indexes with its messages.

    Exit code 1: something is wrong.

    Example: aforesaid doctor --repair
    """
    with open_existing(store) as memory:
        with progress("checking") as tick:
            findings = memory.doctor(repair=repair, backup=backup, progress=tick)
        if repair:
            finish_local_jobs(memory)
    print_result(findings, as_json, Table(("check", "result", "detail"), map(_finding_row, findings)))
    note(verdict(findings))
    if not all(map(_is_healthy, findings)):
        raise typer.Exit(OTHER)


def verdict(findings: Sequence[Finding]) -> str:
    wrong = [finding.check for finding in findings if not _is_healthy(finding)]
    return f"problems: {', '.join(wrong)}" if wrong else f"no problems: {len(findings)} checks"


def _is_healthy(finding: Finding) -> bool:
    return finding.ok or finding.repaired


def _finding_row(finding: Finding) -> tuple[str, str, str]:
    if finding.ok:
        return finding.check, "ok", "" if finding.detail == "ok" else finding.detail
    return finding.check, f"{finding.count} {'repaired' if finding.repaired else 'wrong'}", finding.detail


def rechunk(
    space: Annotated[str, typer.Argument(help="The space whose messages to split.", show_default=False)],
    store: Store = STORE,
    as_json: AsJson = False,
) -> None:
    """Split stored messages into chunks again, with the current settings. It can be interrupted and repeated.

    Example: aforesaid rechunk alice
    """
    with open_or_create(store) as memory:
        with progress("splitting") as tick:
            changed = memory.space(space).rechunk(progress=tick)
        finish_local_jobs(memory)
    print_result({"space": space, "changed": changed}, as_json, f"{changed} messages of {space} were split again")


def consolidate(
    *,
    days: Annotated[int, typer.Option(metavar="N", help="Keep facts created or recalled in the last N days.")] = 30,
    dry_run: DryRun = False,
    yes: Yes = False,
    undo: Annotated[bool, typer.Option("--undo", help="Undo the last consolidation.")] = False,
    space: SpaceName = SPACE,
    store: Store = STORE,
    as_json: AsJson = False,
) -> None:
    """Archive memories that are weak and old, and merge duplicates. Nothing is deleted.

    The command first shows what it would do, and asks.

    Example: aforesaid consolidate --space alice --dry-run
    """
    if undo and dry_run:
        raise InvalidInput("give one of --undo and --dry-run")
    with open_space(store, space) as known:
        with progress("undoing" if undo else "looking"):
            done = known.undo_consolidation() if undo else known.consolidate(days=days, dry_run=True)
        if not undo and not dry_run and done.records:
            if not as_json:
                _print_consolidation(done, "would be")
            if not yes and not typer.confirm("Do it?", err=True):
                raise typer.Exit(OTHER)
            with progress("consolidating"):
                done = known.consolidate(days=days)
    if as_json:
        print_json(done)
    elif undo:
        show(f"undone: {done.archived} archived and {done.merged} merged memories are back")
    elif dry_run or not done.records:
        _print_consolidation(done, "would be")
    else:
        show(_totals(done, "were"))


def _print_consolidation(done: Consolidation, verb: str) -> None:
    columns = ("what", "memory", "strength", "into", "text")
    if done.records:
        show(Table(columns, map(_consolidated_row, done.records[:MAX_ROWS])))
    if len(done.records) > MAX_ROWS:
        note(f"and {done.archived + done.merged - MAX_ROWS} more")
    show(_totals(done, verb))


def _consolidated_row(item: ConsolidationItem) -> tuple[object, ...]:
    strength = "" if item.strength is None else f"{item.strength:.2f}"
    return item.action, item.id, strength, item.into or "", shorten(item.text, TEXT_LENGTH)


def _totals(done: Consolidation, verb: str) -> str:
    counts = f"{done.archived} archived, {done.merged} merged of {done.looked_at} memories"
    return f"{counts}; {done.tokens} tokens {verb} reclaimed"
