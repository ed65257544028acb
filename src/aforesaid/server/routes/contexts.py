"""Routes that build contexts: what the model will see."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Annotated, Literal

from pydantic import Field

from aforesaid import Budget, Context, Section
from aforesaid.models.json import Json
from aforesaid.server.dependencies import ReadableSpace
from aforesaid.server.params import MAX_SEQ, ConversationName, StrictBody
from aforesaid.server.router import api_router

router = api_router("context", "/conversations/{conversation}")

PayloadFormat = Literal["openai", "anthropic", "text"]


class ContextOptionsBody(StrictBody):
    recipe: str = Field("balanced", examples=["balanced", "window", "project", "rolling", "retrieval"])
    max_tokens: int | None = Field(
        None, ge=1, le=MAX_SEQ, description="Token limit of the context. Default: the recipe's."
    )
    system: str | None = Field(
        None, description="The system prompt. Default: the conversation's first system messages."
    )
    domain: str | None = Field(None, description="Background knowledge of the caller, for the system text.")
    overflow: Literal["raise", "truncate"] = Field(
        "raise", description="Required parts that do not fit are refused with `budget_exceeded`, or truncated."
    )


class ContextBody(ContextOptionsBody):
    """The question to answer, and the limits of the context."""

    query: str | None = Field(
        None, description="The question. Default: the newest user message.", examples=["Where are we going?"]
    )
    include_newest: bool | None = Field(
        None,
        description="Null shows the current question after the history, true also counts it as a recent message, "
        "false leaves it to the caller to send.",
    )
    format: PayloadFormat | None = Field(
        None, description="Returns a payload for this provider's API, instead of the items of each section."
    )
    cache: bool = Field(False, description="With `anthropic`: adds cache markers.")


@dataclass(frozen=True, slots=True)
class ContextResponse:
    """A context. Without `format`, `sections` have items and `system` is the system text. With `format`, `payload` is
    the provider's payload: `messages`, `system` and `messages`, or `text`."""

    sections: tuple[Section, ...]
    tokens: int
    budget: Budget
    prefix_tokens: Annotated[
        int, Field(description="The number of leading tokens that stay the same in the next turn.")
    ]
    cache_breakpoints: Annotated[
        tuple[int, ...], Field(description="Indexes in the `messages` of `openai` after which a cache marker belongs.")
    ]
    warnings: tuple[str, ...]
    degraded: tuple[str, ...]
    receipt: Annotated[str, Field(description="The id of the receipt, which gives the reason for each item.")]
    milliseconds: Mapping[str, float]
    system: str | None
    payload: dict[str, Json] | None


@router.post("/context")
def context(space: ReadableSpace, conversation: ConversationName, body: ContextBody | None = None) -> ContextResponse:
    """Builds what the model will see, in at most `max_tokens`. If a part is not available, the context is smaller and
    says so."""
    body = body or ContextBody.model_validate({})
    built = space.conversation(conversation).context(**body.model_dump(exclude={"format", "cache"}))
    return context_response(built, body.format, cache=body.cache)


def context_response(context: Context, format: PayloadFormat | None, *, cache: bool) -> ContextResponse:
    sections = context.sections if format is None else tuple(replace(part, items=()) for part in context.sections)
    payload: dict[str, Json] | None = None
    if format == "openai":
        payload = {"messages": context.to_openai()}
    elif format == "anthropic":
        payload = context.to_anthropic(cache=cache)
    elif format == "text":
        payload = {"text": context.text}
    return ContextResponse(
        sections,
        context.tokens,
        context.budget,
        context.prefix_tokens,
        context.cache_breakpoints,
        context.warnings,
        context.degraded,
        context.receipt.id,
        context.milliseconds,
        context.system if format is None else None,
        payload,
    )
