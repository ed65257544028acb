"""A model's whole answer, as a message would keep it."""

from __future__ import annotations

from dataclasses import dataclass

from recollect.models import Json


@dataclass(frozen=True, slots=True)
class Reply:
    """What a model has said.

    `tool_calls` are in OpenAI's shape, and none where the reply was cut: half a call cannot be carried out. `finish` is
    why it ended, in the service's own word; tokens are None where nothing was said of them. `ended`: it came to its
    end, was not broken off, and told of no failure. `failure` is the kind of failure that it told of.
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
