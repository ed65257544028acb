"""Routes for access keys."""

from __future__ import annotations

from pydantic import Field

from aforesaid.models.key import Key, KeyAccess, NewKey
from aforesaid.server.dependencies import WholeStore
from aforesaid.server.params import Id, ShortText, StrictBody
from aforesaid.server.router import ListResponse, api_router, list_response

router = api_router("keys", "/keys")


class KeyBody(StrictBody):
    name: ShortText = Field(description="The actor's name in the audit.", examples=["laptop"])
    access: KeyAccess = Field("write", description="Each level includes the levels before it.")
    spaces: list[str] | None = Field(None, max_length=1000, description="Null: all spaces.", examples=[["alice"]])


@router.get("")
def keys(memory: WholeStore) -> ListResponse[Key]:
    """Lists all keys, also revoked ones, oldest first. Never contains secrets."""
    return list_response(memory.keys())


@router.post("", status_code=201)
def create_key(memory: WholeStore, body: KeyBody) -> NewKey:
    """Creates a key. Only this response contains its secret."""
    return memory.create_key(body.name, access=body.access, spaces=body.spaces)


@router.delete("/{id}")
def revoke_key(memory: WholeStore, id: Id) -> Key:
    """Revokes a key, at once and in every process."""
    return memory.revoke_key(id)
