"""What every HTTP client of ours keeps to."""

from __future__ import annotations

import httpx2

from recollect.errors import InvalidInput
from recollect.providers.address import loopback


def endpoint(base: str, path: str) -> httpx2.URL:
    try:
        return httpx2.URL(f"{base.rstrip('/')}/{path}")
    except httpx2.InvalidURL as error:
        raise InvalidInput("the provider's address is not a usable http address") from error


def unproxied(url: httpx2.URL) -> dict[str, None]:
    """The mounts of a client that asks this address: what is on this machine is never asked through a proxy."""
    if not loopback(str(url)):
        return {}
    return {f"all://[{url.host}]" if ":" in url.host else f"all://{url.host}": None}
