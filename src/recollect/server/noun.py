"""Routers whose routes are whole: an application takes them as they are, and makes nothing of them anew."""

from __future__ import annotations

from fastapi import APIRouter

from recollect.server.failing import EVERYWHERE
from recollect.server.made import PREFIX


def noun(tag: str, path: str = "") -> APIRouter:
    """A router of the API, below a path of its own."""
    return APIRouter(prefix=PREFIX + path, tags=[tag], responses=EVERYWHERE)
