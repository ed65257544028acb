"""Whose memories the store holds."""

from __future__ import annotations

from typing import Annotated

from fastapi import Path, Request
from pydantic import BaseModel, Field

from recollect.access.principal import Principal
from recollect.errors import NotFound
from recollect.memory import Memory
from recollect.models import SpaceInfo
from recollect.server.noun import noun
from recollect.server.page import After, Limit, Page, page
from recollect.server.paths import Named
from recollect.server.scope import Admin, Caller

router = noun("spaces", "/spaces")

Name = Annotated[str, Path(description="The space's name, percent-encoded.", examples=["alice"]), Named]


class Deleted(BaseModel):
    deleted: bool = Field(description="False where there was nothing to delete.")


@router.get("")
def list_spaces(request: Request, caller: Caller, limit: Limit = 50, after: After = None) -> Page[SpaceInfo]:
    """The spaces that the key opens and that hold something."""
    memory: Memory = request.app.state.memory
    if caller.spaces is None:
        return page(memory.spaces(limit + 1, after=after), limit, lambda one: one.id)
    return page(_own(memory, caller, after)[: limit + 1], limit, lambda one: one.id)


@router.get("/{name}")
def space(request: Request, caller: Caller, name: Name) -> SpaceInfo:
    """How much the space holds."""
    memory: Memory = request.app.state.memory
    info = memory.space(caller.space(name)).info()
    if info is None:
        raise NotFound(f"there is no space {name!r}")
    return info


@router.delete("/{name}")
def delete_space(request: Request, caller: Admin, name: Name) -> Deleted:
    """Removes the space and everything in it. `forget` with `everything` also scrubs the files and leaves a receipt."""
    memory: Memory = request.app.state.memory
    return Deleted(deleted=memory.space(caller.space(name)).delete())


def _own(memory: Memory, caller: Principal, after: str | None) -> list[SpaceInfo]:
    """In the order that the key names them; nothing after what it does not name."""
    names = caller.spaces or ()
    rest = names if after is None else names[names.index(after) + 1 :] if after in names else ()
    return [info for name in rest if (info := memory.space(name).info()) is not None]
