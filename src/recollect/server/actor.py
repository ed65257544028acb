"""In whose name something is done, for the audit."""

from __future__ import annotations

from typing import Annotated

from fastapi import Depends, Query

from recollect.server.scope import Caller


def actor(
    principal: Caller,
    by: Annotated[
        str | None,
        Query(max_length=1024, description="Who does it, for the audit: the key's name. Another's takes an admin key."),
    ] = None,
) -> str | None:
    return principal.actor(by)


Actor = Annotated[str | None, Depends(actor)]
