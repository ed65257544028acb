"""unpin: no longer keeps something in view."""

from __future__ import annotations

from dataclasses import dataclass

from pydantic import Field

from recollect.mcp_server.caller import Caller
from recollect.mcp_server.tool import Arguments, Reply, Tool


class Unpinning(Arguments):
    conversation: str = Field(description="Which conversation.")
    id: str = Field(description="The pin's id.")


@dataclass(frozen=True, slots=True)
class Unpinned:
    id: str


def run(caller: Caller, given: Unpinning) -> Reply:
    caller.space(given.space, "write").conversation(given.conversation).unpin(given.id)
    return Reply(Unpinned(given.id), "Unpinned.")


TOOL = Tool(
    name="unpin",
    title="Unpin",
    description=(
        "Take a pin away, by its id, when it no longer matters. The message that it was made of stays. To erase words, "
        "use forget."
    ),
    arguments=Unpinning,
    answer=Unpinned,
    run=run,
    needs="write",
    destructive=True,
)
