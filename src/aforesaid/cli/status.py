"""The commands `status`, `spaces` and `stats`: the content of a store and of a space, in numbers."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict

from aforesaid import Memory, Stats, Status
from aforesaid.cli.options import SPACE, STORE, AfterId, AsJson, Limit, SpaceName, Store
from aforesaid.cli.output import Table, format_time, print_result
from aforesaid.cli.store import open_existing, open_space

JOB_STATES = ("queued", "running", "done", "failed")
SPACE_COUNTS = ("conversations", "messages")
STATS_COUNTS = ("conversations", "messages", "chunks", "summaries", "pins", "facts", "episodes", "items")
STATS_BYTES = {"text": "messages", "full_text": "full-text index", "vectors": "vectors"}


def status(store: Store = STORE, as_json: AsJson = False) -> None:
    """Show the content of a store in numbers, its open jobs, and the embedding models of its vectors.

    Example: aforesaid status --store app.db
    """
    with open_existing(store) as memory:
        counts = memory.status()
    print_result({"store": memory.address, **asdict(counts)}, as_json, status_table(memory.address, counts))


def status_table(store: str, status: Status) -> Table:
    rows = [
        ("store", f"{store} (schema {status.schema_version})"),
        ("holds", _holdings(status)),
        ("jobs", jobs_line(status)),
    ]
    for model in status.models:
        reach = f"{model.embedded} of {model.expected} vectors"
        rows.append(("model", f"{model.name}, {model.state}: {reach}, {model.dimension} dimensions"))
    return Table(("", ""), rows)


def _holdings(status: Status) -> str:
    nouns = ("space", "conversation", "message", "chunk")
    counts = ((getattr(status, f"{noun}s"), noun) for noun in nouns)
    return ", ".join(f"{count:,} {noun}{'' if count == 1 else 's'}" for count, noun in counts)


def jobs_line(status: Status) -> str:
    return ", ".join(f"{status.jobs.get(state, 0):,} {state}" for state in JOB_STATES)


def last_error(memory: Memory) -> str:
    """The error of the newest failed or retried job; empty if there is none."""
    errors = [job.error for state in ("failed", "queued") for job in memory.jobs(state, 1) if job.error]
    return f"; last reason: {errors[0]}" if errors else ""


def spaces(limit: Limit = 50, after: AfterId = None, store: Store = STORE, as_json: AsJson = False) -> None:
    """List the spaces of a store, oldest first, with their counts.

    Example: aforesaid spaces --store app.db
    """
    with open_existing(store) as memory:
        page = memory.spaces(limit, after=after)
    rows = ((info.id, info.conversations, info.messages, format_time(info.created_at)) for info in page)
    print_result(page, as_json, Table(("space", *SPACE_COUNTS, "since"), rows, right=SPACE_COUNTS))


def stats(space: SpaceName = SPACE, store: Store = STORE, as_json: AsJson = False) -> None:
    """Show the content of a space in numbers, and its size in bytes. `aforesaid status` shows the whole store.

    Example: aforesaid stats --space alice
    """
    with open_space(store, space) as known:
        counts, consent = known.stats(), known.consent().granted
    record = {"space": space, **asdict(counts), "profile_consent": consent}
    print_result(record, as_json, Table(("", ""), _stats_rows(counts, consent)))


def _stats_rows(stats: Stats, consent: bool) -> Iterator[tuple[str, str]]:
    for name in STATS_COUNTS:
        yield name, f"{getattr(stats, name):,}"
    for name, label in STATS_BYTES.items():
        yield f"bytes of {label}", f"{stats.bytes[name]:,}"
    yield "profile", "kept, with consent" if consent else "no consent"
