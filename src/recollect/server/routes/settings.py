"""How a space is set up."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Body, Path
from pydantic import BaseModel, ConfigDict, Field

from recollect.models import Setting
from recollect.server.listed import Listed, listed
from recollect.server.scope import Governed, Readable

router = APIRouter(prefix="/settings", tags=["settings"])

Name = Annotated[str, Path(description="The setting's name.", examples=["chunk_tokens"])]


class Choice(BaseModel):
    model_config = ConfigDict(extra="forbid")

    value: bool | int | float | str = Field(examples=[300])


@router.get("")
def settings(space: Readable) -> Listed[Setting]:
    """Every setting: its effective value here, and whether that is the space's, the environment's or the default."""
    return listed(space.settings())


@router.put("/{name}")
def set_setting(space: Governed, name: Name, body: Annotated[Choice, Body()]) -> Setting:
    """Stores a preference of this space. It takes effect at once, in every process."""
    return space.set(name, body.value)


@router.delete("/{name}")
def unset_setting(space: Governed, name: Name) -> Setting:
    """Goes back to the environment's value, or the default."""
    return space.unset(name)
