"""What every HTTP client of ours keeps to."""

from __future__ import annotations

import httpx2

from recollect.errors import InvalidInput

NEVER_PROXIED: dict[str, None] = {"all://localhost": None, "all://127.0.0.1": None, "all://[::1]": None}


def endpoint(base: str, path: str) -> httpx2.URL:
    try:
        return httpx2.URL(f"{base.rstrip('/')}/{path}")
    except httpx2.InvalidURL as error:
        raise InvalidInput("the provider's address is not a usable http address") from error
