"""Routes for spaces and their settings."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated, Literal

from fastapi import Path
from pydantic import BaseModel, Field

from aforesaid.access.authentication import Principal
from aforesaid.errors import NotFound
from aforesaid.memory import Memory
from aforesaid.models.space import Setting, SpaceInfo
from aforesaid.server.dependencies import AdminPrincipal, AdminSpace, Caller, ReadableSpace, ServedStore
from aforesaid.server.params import After, Limit, PercentDecoded, StrictBody
from aforesaid.server.router import ListResponse, Page, api_router, list_response, paginate
from aforesaid.server.routes.conversations import DeleteResponse
from aforesaid.settings import SettingValue, definition

router = api_router("spaces", "/spaces")
settings_router = api_router("settings", "/settings")

SpacePathName = Annotated[
    str, Path(description="The space's name, percent-encoded.", examples=["alice"]), PercentDecoded
]
SettingName = Annotated[str, Path(description="The setting's name.", examples=["chunk_tokens"])]


class SettingBody(StrictBody):
    value: bool | int | float | str = Field(examples=[300])


class SettingResponse(BaseModel):
    """A setting with its effective value, the source of that value, and its allowed values. `variable` is its
    environment variable. `least` and `most` are null without a bound; `choices` is empty if any value of the type is
    allowed."""

    name: str
    value: SettingValue
    source: Literal["default", "environment", "space"]
    default: SettingValue
    help: str
    variable: str
    least: float | None
    most: float | None
    choices: tuple[str, ...]


@router.get("", name="list")
def list_spaces(memory: ServedStore, caller: Caller, limit: Limit = 50, after: After = None) -> Page[SpaceInfo]:
    """Lists the spaces that the key opens and that have content."""
    if caller.spaces is None:
        return paginate(memory.spaces(limit + 1, after=after), limit, lambda info: info.id)
    return paginate(_opened_spaces(memory, caller, after)[: limit + 1], limit, lambda info: info.id)


@router.get("/{name}", name="get")
def space(memory: ServedStore, caller: Caller, name: SpacePathName) -> SpaceInfo:
    """Returns the counts of a space."""
    info = memory.space(caller.space(name)).info()
    if info is None:
        raise NotFound(f"there is no space {name!r}")
    return info


@router.delete("/{name}", name="delete")
def delete_space(memory: ServedStore, caller: AdminPrincipal, name: SpacePathName) -> DeleteResponse:
    """Deletes a space and everything in it. `forget` with `everything` also scrubs the files and leaves a record."""
    return DeleteResponse(deleted=memory.space(caller.space(name)).delete())


def _opened_spaces(memory: Memory, caller: Principal, after: str | None) -> list[SpaceInfo]:
    """The spaces after `after`, in the order of the key. Empty if the key does not open `after`."""
    names = caller.spaces or ()
    rest = names if after is None else names[names.index(after) + 1 :] if after in names else ()
    return [info for name in rest if (info := memory.space(name).info()) is not None]


def setting_response(setting: Setting) -> SettingResponse:
    row = definition(setting.name)
    return SettingResponse.model_validate(asdict(row) | asdict(setting) | {"variable": row.variable})


@settings_router.get("", name="list")
def settings(space: ReadableSpace) -> ListResponse[SettingResponse]:
    """Lists every setting with its effective value, and whether the space, the environment or the default sets it."""
    return list_response(map(setting_response, space.settings()))


@settings_router.put("/{name}", name="update")
def set_setting(space: AdminSpace, name: SettingName, body: SettingBody) -> SettingResponse:
    """Sets a setting of this space. It takes effect immediately, in every process."""
    return setting_response(space.set(name, body.value))


@settings_router.delete("/{name}", name="delete")
def unset_setting(space: AdminSpace, name: SettingName) -> SettingResponse:
    """Returns to the environment's value or the default."""
    return setting_response(space.unset(name))
