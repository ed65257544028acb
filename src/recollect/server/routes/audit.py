"""Who did what with the profile."""

from __future__ import annotations

from typing import Annotated

from fastapi import Query

from recollect.models import AuditAction, AuditEntry
from recollect.server.noun import noun
from recollect.server.page import After, Limit, Page, page
from recollect.server.scope import Governed

router = noun("profile", "/audit")


@router.get("")
def audit(
    space: Governed,
    limit: Limit = 100,
    after: After = None,
    since: Annotated[str | None, Query(description="From this moment on, or this day (UTC).")] = None,
    action: Annotated[AuditAction | None, Query()] = None,
) -> Page[AuditEntry]:
    """Who granted, revoked, read and changed the profile, the newest first. Names of fields, never their values."""
    found = space.audit(limit + 1, after=after, since=since, action=action)
    return page(found, limit, lambda entry: entry.id)
