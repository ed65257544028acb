"""The upstream: its options, headers and HTTP client, which keeps no cookies and follows no redirects."""

from __future__ import annotations

from collections.abc import AsyncIterable, AsyncIterator, Iterable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from http.cookiejar import CookieJar, DefaultCookiePolicy
from urllib.parse import urlsplit

import httpx2

from aforesaid.access.problems import PROXY_PREFIX
from aforesaid.errors import InvalidInput
from aforesaid.replies.parser import ApiFormat

CREDENTIALS = frozenset(("authorization", "x-api-key", "api-key"))
HOP_BY_HOP = frozenset((
    "connection", "keep-alive", "proxy-authenticate", "proxy-authorization", "proxy-connection", "te", "trailer",
    "transfer-encoding", "upgrade",
))  # fmt: skip
REQUEST_DROPPED = frozenset((
    "host", "content-length", "accept-encoding", "cookie", "origin", "referer", "expect", "forwarded"
))  # fmt: skip
REQUEST_DROPPED_PREFIXES = ("x-aforesaid-", "x-forwarded-", "sec-")
RESPONSE_DROPPED = frozenset(("set-cookie", "server", "date", "alt-svc", "strict-transport-security"))
RESPONSE_DROPPED_PREFIXES = ("access-control-", "x-aforesaid-")
CONNECT_SECONDS = 10.0
POOL_LIMITS = httpx2.Limits(max_connections=1000, max_keepalive_connections=20)


@dataclass(frozen=True, slots=True)
class UpstreamOptions:
    """The model API behind the proxy. `key` replaces the caller's credentials. Memory adds at most `tokens` to a
    message.

    `windows` are the context windows of models in tokens, by name or pattern; a longer history is shortened. `timeout`
    is the longest wait for data from the upstream, `patience` the longest wait for the memory, both in seconds.
    """

    url: str
    key: str | None = field(default=None, repr=False)
    tokens: int = 2000
    windows: Mapping[str, int] = field(default_factory=dict)
    timeout: float = 600.0
    patience: float = 5.0

    def window(self, model: str) -> int | None:
        """Returns the window of a model, by its name or the first matching pattern."""
        if model in self.windows:
            return self.windows[model]
        return next((size for pattern, size in self.windows.items() if fnmatchcase(model, pattern)), None)


def base_url(url: str) -> str:
    """Returns the URL that paths are appended to. Adds /v1 to a URL without a path, as OpenAI and Anthropic use it."""
    try:
        parts = urlsplit(url)
        valid = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        valid = False
    if not valid or parts.query or parts.fragment:
        raise InvalidInput(f"{url!r} is not an upstream URL; use for example https://api.openai.com/v1")
    return f"{parts.scheme}://{parts.netloc}{parts.path.rstrip('/') or '/v1'}"


def windows(options: Iterable[str]) -> dict[str, int]:
    """Parses `MODEL=TOKENS` options. MODEL may contain `*`."""
    sizes: dict[str, int] = {}
    for option in options:
        name, _, size = option.rpartition("=")
        if not name or not size.isdecimal() or not 0 < int(size) < 1 << 40:
            raise InvalidInput(f"{option!r} is not a window; write it as MODEL=TOKENS, for example gpt-5*=400000")
        sizes[name] = int(size)
    return sizes


def request_headers(
    headers: Mapping[str, str], key: str | None, wire: ApiFormat | None, *, own: bool
) -> dict[str, str]:
    """Returns the headers to send on. `own`: the caller's credentials are the upstream's and are sent on, unless a
    `key` replaces them; otherwise they are this server's and are dropped."""
    dropped = HOP_BY_HOP | REQUEST_DROPPED | _connection_headers(headers.get("connection", ""))
    sent: dict[str, str] = {}
    for name, value in headers.items():
        if name not in dropped and not name.startswith(REQUEST_DROPPED_PREFIXES):
            sent[name] = f"{sent[name]}, {value}" if name in sent else value
    if key is not None or not own:
        sent = {name: value for name, value in sent.items() if name not in CREDENTIALS}
    if key is not None:
        anthropic = wire == "messages" or "anthropic-version" in headers
        sent |= {"x-api-key": key} if anthropic else {"authorization": f"Bearer {key}"}
    return sent | {"accept-encoding": "identity"}  # so that the response can be read while it passes


def response_headers(headers: Iterable[tuple[bytes, bytes]]) -> list[tuple[bytes, bytes]]:
    """Returns the headers to send back, without those of the connection and of the upstream itself."""
    pairs = [(name.lower(), value) for name, value in headers]
    connection = b"".join(value for name, value in pairs if name == b"connection").decode("latin-1")
    dropped = HOP_BY_HOP | RESPONSE_DROPPED | _connection_headers(connection)
    return [
        (name, value)
        for name, value in pairs
        if (text := name.decode("latin-1")) not in dropped and not text.startswith(RESPONSE_DROPPED_PREFIXES)
    ]


def _connection_headers(connection: str) -> frozenset[str]:
    return frozenset(name.strip().lower() for name in connection.split(",") if name.strip())


class UpstreamClient:
    def __init__(self, upstream: UpstreamOptions) -> None:
        self._base = base_url(upstream.url)
        self._timeout = httpx2.Timeout(upstream.timeout, connect=min(CONNECT_SECONDS, upstream.timeout))
        self._client: httpx2.AsyncClient | None = None

    @asynccontextmanager
    async def open(self) -> AsyncIterator[None]:
        no_cookies = CookieJar(DefaultCookiePolicy(allowed_domains=()))  # callers must not share cookies
        local = urlsplit(self._base).hostname in ("localhost", "127.0.0.1", "::1")  # bypass HTTP_PROXY
        async with httpx2.AsyncClient(
            timeout=self._timeout, limits=POOL_LIMITS, cookies=no_cookies, trust_env=not local
        ) as client:
            self._client = client
            yield

    async def send(
        self, method: str, path: str, headers: dict[str, str], body: bytes | AsyncIterable[bytes]
    ) -> httpx2.Response:
        """Returns the response when its headers arrive. The caller reads its body and closes it."""
        assert self._client is not None, "not running"
        request = self._client.build_request(method, self._url(path), headers=headers, content=body)
        return await self._client.send(request, stream=True, follow_redirects=False)

    def _url(self, path: str) -> str:
        """Returns the URL of a path: below the base URL if it begins with /v1, else beside the base URL's own /v1."""
        if path.startswith(PROXY_PREFIX):
            return f"{self._base}/{path.removeprefix(PROXY_PREFIX)}"
        return self._base.removesuffix(PROXY_PREFIX.rstrip("/")) + path
