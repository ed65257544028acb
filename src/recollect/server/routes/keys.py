"""Who may come in."""

from __future__ import annotations

from typing import Annotated

from fastapi import Body
from pydantic import BaseModel, ConfigDict, Field

from recollect.models import Key, KeyAccess, NewKey
from recollect.server.listed import Listed, listed
from recollect.server.noun import noun
from recollect.server.paths import Id
from recollect.server.scope import Whole

router = noun("keys", "/keys")


class Wish(BaseModel):
    model_config = ConfigDict(extra="forbid")

    name: str = Field(max_length=1024, description="Stands in the audit.", examples=["laptop"])
    access: KeyAccess = Field("write", description="Each may do what those before it may.")
    spaces: list[str] | None = Field(None, max_length=1000, description="None: all of them.", examples=[["alice"]])


@router.get("")
def keys(memory: Whole) -> Listed[Key]:
    """Every key, revoked ones too, the oldest first. Never their secrets."""
    return listed(memory.keys())


@router.post("", status_code=201)
def create_key(memory: Whole, body: Annotated[Wish, Body()]) -> NewKey:
    """Makes a key. Its secret is in this answer and nowhere else."""
    return memory.create_key(body.name, access=body.access, spaces=body.spaces)


@router.delete("/{id}")
def revoke_key(memory: Whole, id: Id) -> Key:
    """The key opens nothing from now on, in any process."""
    return memory.revoke_key(id)
