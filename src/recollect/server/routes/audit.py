"""Who did what with the profile."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query

from recollect.models import AuditAction, AuditEntry
from recollect.server.listed import Listed, listed
from recollect.server.page import Limit
from recollect.server.scope import Governed

router = APIRouter(prefix="/audit", tags=["profile"])


@router.get("")
def audit(
    space: Governed,
    limit: Limit = 100,
    since: Annotated[str | None, Query(description="A moment with its offset.")] = None,
    action: Annotated[AuditAction | None, Query()] = None,
) -> Listed[AuditEntry]:
    """Who granted, revoked, read and changed the profile, the newest first. Names of fields, never their values."""
    return listed(space.audit(limit, since=since, action=action))
