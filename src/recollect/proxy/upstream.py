"""The service that is asked: one pool of connections, no cookies, nothing followed."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from http.cookiejar import CookieJar, DefaultCookiePolicy
from urllib.parse import urlsplit

import httpx2

from recollect.proxy.options import Upstream, base

CONNECT = 10.0
POOL = httpx2.Limits(max_connections=1000, max_keepalive_connections=20)


class Asked:
    """Sends requests on. Open while the application runs."""

    def __init__(self, upstream: Upstream) -> None:
        self._base = base(upstream.url)
        self._timeout = httpx2.Timeout(upstream.timeout, connect=min(CONNECT, upstream.timeout))
        self._client: httpx2.AsyncClient | None = None

    @asynccontextmanager
    async def open(self) -> AsyncIterator[None]:
        none = CookieJar(DefaultCookiePolicy(allowed_domains=()))  # one caller's cookies are not another's
        here = urlsplit(self._base).hostname in ("localhost", "127.0.0.1", "::1")  # asked through no proxy
        async with httpx2.AsyncClient(timeout=self._timeout, limits=POOL, cookies=none, trust_env=not here) as client:
            self._client = client
            yield

    async def send(self, method: str, path: str, headers: dict[str, str], body: bytes) -> httpx2.Response:
        """The beginning of the answer. Its body is to be read and closed."""
        assert self._client is not None, "not running"
        request = self._client.build_request(method, f"{self._base}/{path}", headers=headers, content=body)
        return await self._client.send(request, stream=True, follow_redirects=False)
