"""The complete reply of a model."""

from __future__ import annotations

from dataclasses import dataclass

from aforesaid.models.json import Json


@dataclass(frozen=True, slots=True)
class ModelReply:
    """The reply of a model.

    `tool_calls` are in OpenAI's format; an incomplete reply has none. `finish` is the finish reason of the service.
    Token counts are None if the service does not report them. `ended` is True if the reply is complete and reports no
    failure; `failure` is the kind of failure.
    """

    text: str = ""
    tool_calls: tuple[dict[str, Json], ...] = ()
    finish: str | None = None
    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    ended: bool = False
    failure: str | None = None
    id: str | None = None
    model: str | None = None
