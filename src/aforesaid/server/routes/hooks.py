"""The route for the hooks of coding agents. It needs a key to all spaces: a hook names the space of its project."""

from __future__ import annotations

from pydantic import Field

from aforesaid.hooks.agents import EventKind, HookEvent
from aforesaid.hooks.handle import HookResult, handle
from aforesaid.server.dependencies import WholeStore
from aforesaid.server.params import ShortText, StrictBody
from aforesaid.server.router import api_router

router = api_router("store")


class HookEventBody(StrictBody):
    """An event of a coding agent's session."""

    agent: str = Field(min_length=1, max_length=64, pattern=r"\S", examples=["claude-code"])
    kind: EventKind = Field(examples=["prompt"])
    session: str = Field(min_length=1, max_length=256, pattern=r"\S", examples=["b737efd3"])
    space: str = Field(min_length=1, max_length=256, pattern=r"\S", description="The project's space.")
    turn: ShortText = Field("", description="The id of the prompt, so that an event that is sent twice is stored once.")
    text: str = Field("", description="The prompt or the answer.", examples=["My horse is called Zanzibar."])
    source: ShortText = Field("", description="How a session started, such as `startup` or `resume`.")


@router.post("/hooks")
def hook(memory: WholeStore, body: HookEventBody) -> HookResult:
    """Stores what was said, and returns the text to add to the session; empty if nothing is relevant."""
    return handle(memory, HookEvent(**body.model_dump()))
