"""timeline: lists episodes and facts in the order of time."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from pydantic import Field

from aforesaid.errors import InvalidInput
from aforesaid.mcp_server.caller import McpCaller
from aforesaid.mcp_server.passage import (
    NOTICE,
    MemoryPassage,
    PassageMask,
    fit_passages,
    passage_mask,
    quoted,
    render_passages,
)
from aforesaid.mcp_server.tool import SINCE, TimeArgument, ToolArguments, ToolReply, tool
from aforesaid.mcp_server.tools.recall import AFORESAID_SPEAKER

if TYPE_CHECKING:
    from aforesaid import Episode, Fact, Space

DAY = re.compile(r"\d{4}-\d\d-\d\d")
PAGE = 500
MAX_READ = 5000  # facts, and episodes, that are read
MAX_RELATED = 50  # facts and episodes that `about` selects
UNMASKED = PassageMask(str)  # of the many entries that are read, only those that are returned get masked
EARLIEST, LATEST = datetime.min.replace(tzinfo=UTC), datetime.max.replace(tzinfo=UTC)


class TimelineToolArguments(ToolArguments):
    conversation: str | None = Field(None, description="Only this one, with its arc.")
    about: str | None = None
    since: TimeArgument = Field(None, description=SINCE)
    until: TimeArgument = None
    limit: int = Field(20, ge=1, le=100, description="The latest; default 20.")


@dataclass(frozen=True, slots=True)
class TimelineEntry:
    """An episode, or a fact that was true from its time on, until `until`."""

    what: MemoryPassage
    until: datetime | None = None


@dataclass(frozen=True, slots=True)
class TimelineToolAnswer:
    """Entries, earliest first. `left_out` is the number of earlier entries that did not fit. `arc` summarizes a
    conversation in thirds."""

    entries: tuple[TimelineEntry, ...]
    left_out: int = 0
    arc: tuple[str, ...] = ()


@tool()
def timeline(caller: McpCaller, arguments: TimelineToolArguments) -> ToolReply[TimelineToolAnswer]:
    """What happened and what was true when, earliest first. For 'when', 'how did it change', 'since then'."""
    space = caller.space(arguments.space, "read")
    since, until = _parse_bound(arguments.since, start=True), _parse_bound(arguments.until, start=False)
    entries = sorted((entry for entry in _entries(space, arguments) if since <= _at(entry) <= until), key=_at)
    mask = passage_mask(space)
    latest = [replace(entry, what=mask.passage(entry.what)) for entry in entries[-arguments.limit :]]
    fitting = len(fit_passages(entry.what for entry in reversed(latest)))
    arc = tuple(map(mask.text, _arc(space, arguments.conversation)))
    answer = TimelineToolAnswer(tuple(latest[len(latest) - fitting :]), len(entries) - fitting, arc)
    return ToolReply(answer, _text(answer))


def _entries(space: Space, arguments: TimelineToolArguments) -> Iterator[TimelineEntry]:
    chat, about = arguments.conversation, arguments.about
    facts = [fact for fact in _facts(space) if chat is None or chat in {e.conversation for e in fact.evidence}]
    episodes = [episode for episode in space.episodes(limit=MAX_READ) if chat in (None, episode.conversation)]
    if about is not None:
        hits = space.recall(about, MAX_RELATED, conversation=chat, kinds=["fact", "episode"])
        ids = {hit.id for hit in hits}
        slots = {
            (fact.subject, fact.attribute)
            for fact in facts
            if (fact.id in ids and fact.attribute) or fact.attribute == about.strip().lower()
        }
        facts = [fact for fact in facts if fact.id in ids or (fact.subject, fact.attribute) in slots]
        episodes = [episode for episode in episodes if episode.id in ids]
    yield from (TimelineEntry(UNMASKED.fact(fact), fact.valid_until or fact.known_until) for fact in facts)
    yield from map(_of_episode, episodes)


def _facts(space: Space) -> Iterable[Fact]:
    """Facts that are or were held true."""
    after: str | None = None
    for _ in range(MAX_READ // PAGE):
        page = space.facts(PAGE, after=after, status=None)
        yield from (fact for fact in page if fact.status in ("active", "superseded"))
        if len(page) < PAGE:
            return
        after = page[-1].id


def _of_episode(episode: Episode) -> TimelineEntry:
    outcome = episode.outcome if episode.outcome and episode.title not in episode.outcome else None
    text = episode.title if outcome is None else f"{episode.title}: {outcome}"
    return TimelineEntry(
        MemoryPassage("episode", episode.id, text, AFORESAID_SPEAKER, episode.at, episode.conversation)
    )


def _at(entry: TimelineEntry) -> datetime:
    return entry.what.at or EARLIEST


def _arc(space: Space, conversation: str | None) -> tuple[str, ...]:
    if conversation is None:
        return ()
    arc = space.conversation(conversation).arc()
    return tuple(third.summary for third in (arc.beginning, arc.middle, arc.end) if third.summary)


def _parse_bound(text: str | None, *, start: bool) -> datetime:
    """Returns the given time, or the start or end of the given day (UTC). Default: the earliest or latest time."""
    if text is None:
        return EARLIEST if start else LATEST
    is_day = DAY.fullmatch(text.strip()) is not None
    try:
        moment = datetime.fromisoformat(text.strip() + ("T00:00:00Z" if start else "T23:59:59.999999Z") * is_day)
    except ValueError as exc:
        raise InvalidInput(f"{text!r} is not a time; write it as 2026-03-01 or 2026-03-01T09:30:00+01:00") from exc
    if moment.tzinfo is None:
        raise InvalidInput(f"{text!r} has no time zone; write it as 2026-03-01T09:30:00+01:00")
    return moment


def _text(answer: TimelineToolAnswer) -> str:
    if not answer.entries and not answer.arc:
        return "Nothing is known about that time."
    arc = (f"Arc:\n{quoted(chr(10).join(answer.arc))}",) if answer.arc else ()
    earlier = (f"{answer.left_out} earlier entries are left out; ask with `until`.",) if answer.left_out else ()
    lines = (
        render_passages([entry.what]) + (f"\n(until {entry.until:%Y-%m-%d})" if entry.until else "")
        for entry in answer.entries
    )
    return "\n\n".join((NOTICE, *arc, *earlier, *lines))
