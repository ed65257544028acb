"""Is the store well?"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from recollect.cli.exits import OTHER
from recollect.cli.opening import reading
from recollect.cli.options import STORE, AsJson, Store
from recollect.cli.output import note, output, print_json, table
from recollect.cli.progress import progress
from recollect.cli.settle import settle

if TYPE_CHECKING:
    from collections.abc import Sequence

    from recollect import Finding


def doctor(
    repair: Annotated[bool, typer.Option("--repair", help="Mend what can be rebuilt from the log.")] = False,
    store: Store = STORE,
    as_json: AsJson = False,
) -> None:
    """Check a store, and mend it where that is wanted.

    Compares the indexes with the log. Exit code 1: something is wrong and was not mended.

    Example: recollect doctor --repair
    """
    with reading(store) as memory:
        with progress("checking") as tick:
            findings = memory.doctor(repair=repair, progress=tick)
        if repair:
            settle(memory)
    if as_json:
        print_json(findings)
    else:
        output().print(table(("check", "found", "detail"), map(_row, findings)))
    note(verdict(findings))
    if not all(map(well, findings)):
        raise typer.Exit(OTHER)


def well(finding: Finding) -> bool:
    return finding.ok or finding.repaired


def verdict(findings: Sequence[Finding]) -> str:
    wrong = [finding.check for finding in findings if not well(finding)]
    return f"not well: {', '.join(wrong)}" if wrong else f"all is well: {len(findings)} checks"


def _row(finding: Finding) -> tuple[str, str, str]:
    if finding.ok:
        return finding.check, "ok", "" if finding.detail == "ok" else finding.detail
    return finding.check, f"{finding.count} {'mended' if finding.repaired else 'wrong'}", finding.detail
