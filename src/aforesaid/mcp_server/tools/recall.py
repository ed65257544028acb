"""recall: searches the memory for answers to a question."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, cast

from pydantic import Field

from aforesaid.mcp_server.caller import McpCaller
from aforesaid.mcp_server.passage import NOTICE, MemoryPassage, PassageMask, fit_passages, passage_mask, render_passages
from aforesaid.mcp_server.tool import SINCE, FilterArgument, TimeArgument, ToolArguments, ToolReply, tool
from aforesaid.models.recall import HitKind

if TYPE_CHECKING:
    from aforesaid import Hit, Hits, RecallOptions, Space

AFORESAID_SPEAKER = "aforesaid"  # the speaker of summaries and episodes


class RecallToolArguments(ToolArguments):
    query: str = Field(min_length=1, description="A full question.")
    limit: int = Field(8, ge=1, le=50, description="Default 8.")
    conversation: str | None = Field(None, description="Only this one.")
    kinds: list[HitKind] | None = None
    since: TimeArgument = Field(None, description=SINCE)
    until: TimeArgument = None
    filter: FilterArgument = Field(None, description="MongoDB filter on metadata.")


@dataclass(frozen=True, slots=True)
class RecallToolAnswer:
    """Recalled passages, best first. `left_out` is the number of passages that did not fit."""

    passages: tuple[MemoryPassage, ...]
    left_out: int = 0
    warnings: tuple[str, ...] = ()


@tool()
def recall(caller: McpCaller, arguments: RecallToolArguments) -> ToolReply[RecallToolAnswer]:
    """Search earlier conversations. Use it before you answer anything that may depend on the past: names, preferences,
    decisions, plans, dates, 'last time'.
    """
    space = caller.space(arguments.space, "read")
    filters = arguments.model_dump(include={"kinds", "since", "until", "filter"}, exclude_none=True)
    options = cast("RecallOptions", filters)
    hits = space.recall(arguments.query, arguments.limit, conversation=arguments.conversation, **options)
    return recall_reply(space, hits)


def recall_reply(space: Space, hits: Hits) -> ToolReply[RecallToolAnswer]:
    mask = passage_mask(space)
    passages = fit_passages(of_hit(space, hit, mask) for hit in hits)
    left_out = len(hits) - len(passages)
    answer = RecallToolAnswer(passages, left_out, hits.warnings)
    if not passages:
        return ToolReply(answer, "\n".join(("Nothing in memory answers this.", *hits.warnings)))
    more = (f"{left_out} more did not fit; ask a narrower question.",) if left_out else ()
    return ToolReply(answer, "\n\n".join((NOTICE, render_passages(passages), *more, *hits.warnings)))


def of_hit(space: Space, hit: Hit, mask: PassageMask) -> MemoryPassage:
    if hit.message is not None:
        return mask.message(hit.message, hit.text)
    if hit.fact is not None:
        return mask.fact(hit.fact)
    passage = MemoryPassage(hit.kind, hit.id, hit.text, AFORESAID_SPEAKER, conversation=hit.conversation or None)
    if hit.messages:
        source = mask.message(space.conversation(hit.conversation).message(hit.messages[0]))
        by = source.by if hit.kind == "pin" else AFORESAID_SPEAKER
        passage = replace(passage, by=by, at=source.at, untrusted=source.untrusted)
    return mask.passage(passage)
