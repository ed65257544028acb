"""Runs real clients through the proxy, MCP and the agents' hooks: `make clients`, or `make clients ONLY=codex`.

Each client is installed from its registry into a folder of its own, and talks to a scripted model on the loopback
interface. In the first session, the user tells five facts; in the second, with the same opening, the user asks for one
of them; in the third, for each of them, with five tool calls a turn. The table shows, for each client:

stored once    every message of the user is stored, once, and nothing else counts as the user's words
recalled       the answer in the second session has the name
prefix kept    how much of a request the next one begins with, in the third session: as sent, and with memory
cached         the share of the third session that a provider can read from its cache: as sent, and with memory
ms added       the median time of a response outside of the model in the third session, less that of a relay alone
"""

from __future__ import annotations

import argparse
import json
import shutil
import signal
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import asdict, dataclass, field
from pathlib import Path

import httpx2
from tests.clients import measure
from tests.clients.cases import CASES, Case
from tests.clients.environments import NotInstalled, install
from tests.clients.measure import Prefix
from tests.clients.place import AFORESAID, ClientFailed, Place, make_home
from tests.clients.relay import Relay, Relayed
from tests.clients.scripted_model import ASKED, KNOWN, NAME, TOLD, ScriptedModel
from tests.serving import Served, served

from aforesaid import Memory

CACHE = Path.home() / ".cache/aforesaid-clients"
FACTS = {
    "My brother lives in Porto.": "In which town does my brother live?",
    "The spare key is under the blue flower pot.": "Where did I leave the spare key?",
    "Lena's birthday dinner is on Thursday.": "When do we eat with Lena?",
    "The printer needs cartridge 304.": "Which cartridge fits the printer?",
}
FIRST = ("hi", TOLD, *FACTS, "Run ls 2 times and count the files.")
SECOND = ("hi", ASKED)
THIRD = tuple(f"{question} Run ls 5 times." for question in ("Who is Zanzibar?", *FACTS.values()))
LOOPED = 25  # requests of the third session, if the client calls tools
POINTS = 1.0  # how much smaller the shares may be than without memory


@dataclass
class Row:
    """A line of the table. `failures` is what should work and does not."""

    client: str
    door: str
    version: str = ""
    stored: bool | None = None
    recalled: bool | None = None
    sent: Prefix | None = None
    arrived: Prefix | None = None
    added_ms: float | None = None
    failures: list[str] = field(default_factory=list)


@contextmanager
def proxy(store: Path, upstream: str) -> Iterator[Served]:
    with served(str(store), "--upstream", upstream, command="proxy") as server:
        yield server
        server.stop(signal.SIGTERM)


def through_proxy(case: Case, place: Place, model: ScriptedModel, row: Row) -> list[Relayed]:
    """Runs the three sessions through the proxy."""
    with proxy(place.store, model.url) as server, Relay(server.url) as relay:
        place = Place(place.environment, place.home, relay.url, place.store)
        case.talk(place, FIRST)
        row.recalled = KNOWN in case.talk(place, SECOND).replace("\\n", "\n")
        before = len(relay.relayed)
        case.talk(place, THIRD)
    pairs = measure.generations(relay.relayed[before:], model.exchanges)
    row.sent = measure.prefix_shares([json.loads(one.raw) for one, _ in pairs])
    row.arrived = measure.prefix_shares([one.body for _, one in pairs])
    row.added_ms = measure.added_ms(pairs)
    wrong = measure.stored_wrong(measure.user_words(measure.stored_messages(place.store)), FIRST + SECOND + THIRD)
    row.stored = not wrong
    row.failures += wrong + judge(row, relay.relayed) + judge_prefix(row, len(pairs))
    row.failures += sorted(
        {
            f"{sent.path}: the client sets {a} cache breakpoints, {b} arrive"
            for sent, came in measure.generations(relay.relayed, model.exchanges)
            if (a := sent.raw.count(b'"cache_control"')) != (b := came.raw.count(b'"cache_control"'))
        }
    )
    return relay.relayed


def judge(row: Row, relayed: Sequence[Relayed]) -> list[str]:
    refused = [one for one in relayed if one.status >= 400 and one.method != "HEAD"]
    found = sorted({f"{one.method} {one.path} has status {one.status}" for one in refused})
    if not row.recalled:
        found.append("not recalled in the next session")
    return found


def judge_prefix(row: Row, requests: int) -> list[str]:
    """Returns what is worse than without memory. In a session without tool calls, much is new: only `kept` counts."""
    assert row.sent
    assert row.arrived
    found = []
    if row.arrived.kept < row.sent.kept - POINTS:
        found.append(f"only {row.arrived.kept:.1f} % of a request is kept as the next one's beginning")
    if requests >= LOOPED and row.arrived.cached < row.sent.cached - POINTS:
        found.append(f"the cached share is {row.sent.cached - row.arrived.cached:.1f} points smaller")
    return found


def through_mcp(case: Case, place: Place, model: ScriptedModel, row: Row) -> list[Relayed]:
    """Runs the first two sessions with the MCP server; the model is reached directly."""
    with Relay(model.url) as relay:
        place = Place(place.environment, place.home, relay.url, place.store)
        case.talk(place, FIRST[:2])
        said = case.talk(place, SECOND)
    row.recalled = NAME in said
    row.stored = place.store.exists() and NAME in known_facts(place.store)
    row.failures += judge(row, relay.relayed) + ([] if row.stored else ["nothing was stored"])
    return relay.relayed


def known_facts(store: Path) -> str:
    with Memory(str(store)) as memory:
        return " ".join(hit.text for hit in memory.space("default").recall(ASKED))


def through_hooks(case: Case, place: Place, model: ScriptedModel, row: Row) -> list[Relayed]:
    """Runs the three sessions with the agent's hooks, and the third one also without."""
    assert case.plain
    with ScriptedModel(remembers=False) as forgetful, Relay(forgetful.url) as relay:
        bare = Place(place.environment, make_home(place.store.parent / "bare"), relay.url, place.store)
        case.plain(bare, THIRD)
        without = measure.generations(relay.relayed, forgetful.exchanges)
        relay.relayed.clear()
        place = Place(place.environment, place.home, relay.url, place.store)
        case.talk(place, FIRST)
        row.recalled = KNOWN in case.talk(place, SECOND)
        before = len(relay.relayed)
        case.talk(place, THIRD)
        pairs = measure.generations(relay.relayed[before:], forgetful.exchanges)
        place.run(AFORESAID, "uninstall", case.client, "--yes")
    row.sent = measure.prefix_shares([came.body for _, came in without])
    row.arrived = measure.prefix_shares([came.body for _, came in pairs])
    wrong = measure.stored_wrong(measure.user_words(measure.stored_messages(place.store)), FIRST + SECOND + THIRD)
    row.stored = not wrong
    row.failures += wrong + judge(row, relay.relayed) + judge_prefix(row, len(pairs))
    return relay.relayed


DOORS: dict[str, Callable[[Case, Place, ScriptedModel, Row], list[Relayed]]] = {
    "proxy": through_proxy,
    "mcp": through_mcp,
    "hooks": through_hooks,
}


def relay_ms(model: ScriptedModel) -> float:
    """Returns the time that the relay itself adds, in milliseconds."""
    body = {"model": "m-1", "messages": [{"role": "user", "content": "hi " * 5_000}]}
    with Relay(model.url) as relay, httpx2.Client(base_url=relay.url) as client:
        for _ in range(30):
            client.post("/v1/chat/completions", json=body).raise_for_status()
    return measure.added_ms(measure.generations(relay.relayed, model.exchanges))


def run_case(case: Case, cache: Path, *, renew: bool, captures: Path | None) -> Row:
    """Installs a client and runs its sessions. What goes wrong is in the row."""
    row = Row(case.name, case.door)
    try:
        environment = install(case.client, case.packages, cache, node=case.node, renew=renew)
    except NotInstalled as reason:
        row.failures.append(f"not installed: {reason}")
        return row
    row.version = environment.version
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="clients-", ignore_cleanup_errors=True)))
        model = stack.enter_context(ScriptedModel())
        place = Place(environment, make_home(folder / "home"), model.url, folder / "memory.db")
        try:
            relayed = DOORS[case.door](case, place, model, row)
        except ClientFailed as reason:
            row.failures.append(f"did not run: {reason}")
            return row
        if row.added_ms is not None:
            row.added_ms = max(0.0, row.added_ms - relay_ms(model))
        if captures:
            write_captures(captures / f"{case.name} {case.door}".replace(" ", "-"), relayed)
    return row


def write_captures(folder: Path, relayed: Sequence[Relayed]) -> None:
    """Writes what the client sent, one file a request."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    for one in relayed:
        sent = {"method": one.method, "path": one.path, "status": one.status, "memory": one.memory}
        body = json.loads(one.raw) if one.raw[:1] == b"{" else one.raw.decode("utf-8", "replace")
        text = json.dumps(sent | {"body": body}, ensure_ascii=False, indent=1)
        (folder / f"{one.number:03}.json").write_text(text, "utf-8")


def table(rows: Sequence[Row]) -> str:
    def mark(value: bool | None) -> str:
        return "-" if value is None else "yes" if value else "NO"

    lines = [("client", "version", "door", "stored once", "recalled", "prefix kept", "cached", "ms added")]
    for row in rows:
        shares = ["-", "-"]
        if row.sent and row.arrived:
            shares = [f"{row.sent.kept:.1f} -> {row.arrived.kept:.1f} %"]
            shares.append(f"{row.sent.cached:.1f} -> {row.arrived.cached:.1f} %")
        added = f"{row.added_ms:.0f}" if row.added_ms is not None else "-"
        lines.append((row.client, row.version, row.door, mark(row.stored), mark(row.recalled), *shares, added))
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    text = ["  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip() for line in lines]
    problems = [f"{row.client} ({row.door}): {failure}" for row in rows for failure in row.failures]
    return "\n".join([*text, "", *(problems or ["everything works"])])


def main() -> int:
    parser = argparse.ArgumentParser(description="Runs real clients through the proxy, MCP and hooks.")
    parser.add_argument("--only", action="append", default=[], metavar="NAME", help="a client; repeatable")
    parser.add_argument("--door", choices=sorted(DOORS), help="only this door")
    parser.add_argument("--cache", type=Path, default=CACHE, help=f"where clients are installed (default: {CACHE})")
    parser.add_argument("--renew", action="store_true", help="install the newest versions again")
    parser.add_argument("--captures", type=Path, metavar="FOLDER", help="write the clients' requests into this folder")
    parser.add_argument("--json", action="store_true", help="print JSON instead of a table")
    options = parser.parse_args()
    known = {case.client for case in CASES}
    if unknown := [name for name in options.only if name not in known]:
        parser.error(f"unknown client {unknown[0]!r}; the clients are {', '.join(sorted(known))}")
    chosen = [case for case in CASES if not options.only or case.client in options.only]
    chosen = [case for case in chosen if options.door in (None, case.door)]
    renewed: set[str] = set()
    rows = []
    for number, case in enumerate(chosen, 1):
        print(f"[{number}/{len(chosen)}] {case.name} ({case.door})", file=sys.stderr, flush=True)
        renew = options.renew and case.client not in renewed
        renewed.add(case.client)
        rows.append(run_case(case, options.cache, renew=renew, captures=options.captures))
        for failure in rows[-1].failures:
            print(f"    {failure}", file=sys.stderr, flush=True)
    print(json.dumps([asdict(row) for row in rows], indent=1) if options.json else table(rows))
    return 1 if any(row.failures for row in rows) else 0


if __name__ == "__main__":
    sys.exit(main())
