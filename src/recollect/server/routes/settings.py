"""How a space is set up."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal

from fastapi import Body, Path
from pydantic import BaseModel, ConfigDict, Field

from recollect.models import Setting
from recollect.server.listed import Listed, listed
from recollect.server.noun import noun
from recollect.server.scope import Governed, Readable
from recollect.settings import Value, definition

router = noun("settings", "/settings")

Name = Annotated[str, Path(description="The setting's name.", examples=["chunk_tokens"])]


class Choice(BaseModel):
    model_config = ConfigDict(extra="forbid")

    value: bool | int | float | str = Field(examples=[300])


@dataclass(frozen=True, slots=True)
class Described:
    """A setting: its effective value, whose that is, and what it may be. `variable` is its name in the environment;
    `least` and `most` are null where it has no bound, `choices` empty where any value of its type will do."""

    name: str
    value: Value
    source: Literal["default", "environment", "space"]
    default: Value
    help: str
    variable: str
    least: float | None
    most: float | None
    choices: tuple[str, ...]


def described(setting: Setting) -> Described:
    row = definition(setting.name)
    bounds = (row.least, row.most, row.choices)
    return Described(setting.name, setting.value, setting.source, row.default, row.help, row.variable, *bounds)


@router.get("")
def settings(space: Readable) -> Listed[Described]:
    """Every setting: its effective value here, and whether that is the space's, the environment's or the default."""
    return listed(map(described, space.settings()))


@router.put("/{name}")
def set_setting(space: Governed, name: Name, body: Annotated[Choice, Body()]) -> Described:
    """Stores a preference of this space. It takes effect at once, in every process."""
    return described(space.set(name, body.value))


@router.delete("/{name}")
def unset_setting(space: Governed, name: Name) -> Described:
    """Goes back to the environment's value, or the default."""
    return described(space.unset(name))
