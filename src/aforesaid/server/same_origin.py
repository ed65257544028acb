"""Decides whether a request comes from a page of another origin, and whether its Host and its framing are valid.

A browser sends `Origin` with every request that can change something, and `Sec-Fetch-Site` with every request to this
machine. Other programs send neither. A page of another origin can send some requests without asking the server first:
a GET, and a POST with the Content-Type of an HTML form or none. So a POST needs another Content-Type, or a header that
such a page cannot set.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from typing import NamedTuple

from starlette.datastructures import Headers
from starlette.types import Scope

from aforesaid.access.problems import Forbidden, MalformedRequest, UnsupportedMediaType
from aforesaid.errors import InvalidInput

HOST = re.compile(r"([a-z0-9][a-z0-9._-]{0,253}|\[[0-9a-f:.]{2,45}\])(?::([0-9]{1,5}))?", re.IGNORECASE)
PORTS = {"http": 80, "https": 443}
OWN_SITES = ("same-origin", "none")  # `none`: the user typed the address or opened a bookmark
PAGE_PATHS = ("/", "/docs")  # a link on another page may lead here
FORM_TYPES = ("", "application/x-www-form-urlencoded", "multipart/form-data", "text/plain")
OWN_HEADERS = ("authorization", "x-api-key", "x-aforesaid-")  # the beginnings of headers that no foreign page can set
CLOSE = {"Connection": "close"}
FOREIGN = "pages of another origin may not send requests to this server; allow your own with --origin"
FORM_TYPE = (
    "a POST without a key needs a Content-Type that no web page of another origin can send: application/json, or "
    "application/octet-stream for imports"
)


class Origin(NamedTuple):
    """A scheme, a host and a port, in lower case."""

    scheme: str
    host: str
    port: int


def parse_origin(text: str) -> Origin | None:
    """Returns None if the text is not the origin of a web page, such as `null`."""
    scheme, separator, rest = text.partition("://")
    return parse_host(scheme.lower(), rest) if separator and scheme.lower() in PORTS else None


def parse_host(scheme: str, text: str) -> Origin | None:
    """Parses the value of a Host header. Returns None if it is not a host with an optional port."""
    matched = HOST.fullmatch(text)
    port = int(matched[2] or PORTS.get(scheme, 0)) if matched else 0
    return Origin(scheme, matched[1].lower().strip("[]"), port) if matched and port < 2**16 else None


def allowed_origin(text: str) -> Origin:
    """Parses an origin from the configuration."""
    origin = parse_origin(text.rstrip("/"))
    if origin is None:
        raise InvalidInput(f"{text!r} is not an origin; write it as https://memory.example.org")
    return origin


def requested_origin(scope: Scope, headers: Headers) -> Origin:
    """Returns the server's own origin, as the client addresses it. Raises MalformedRequest for an invalid Host."""
    hosts = headers.getlist("host")
    origin = parse_host(scope["scheme"], hosts[0]) if len(hosts) == 1 else None
    if origin is None:
        raise MalformedRequest("send one Host header with a host name and an optional port", CLOSE)
    return origin


def check_framing(scope: Scope, headers: Headers) -> None:
    """Raises MalformedRequest if two servers could disagree on where the request ends."""
    if "transfer-encoding" in headers and ("content-length" in headers or scope.get("http_version") == "1.0"):
        raise MalformedRequest("send either Content-Length or, in HTTP/1.1, Transfer-Encoding", CLOSE)


def check_sender(scope: Scope, headers: Headers, own: Collection[Origin]) -> None:
    """Raises Forbidden or UnsupportedMediaType if a page of another origin sent the request, or could have sent it
    unasked. The answer does not depend on the path, so such a page learns nothing from it."""
    origins = headers.getlist("origin")
    if origins:
        foreign = any(parse_origin(origin) not in own for origin in origins)
    else:
        foreign = headers.get("sec-fetch-site", "none") not in OWN_SITES and not _opens_page(scope, headers)
    if foreign:
        raise Forbidden(FOREIGN)
    if scope.get("method") == "POST" and _could_be_foreign(headers):
        raise UnsupportedMediaType(FORM_TYPE)


def _opens_page(scope: Scope, headers: Headers) -> bool:
    """Returns True if the user follows a link to the page."""
    by_link = headers.get("sec-fetch-mode") == "navigate" and headers.get("sec-fetch-dest") == "document"
    return by_link and scope.get("method") == "GET" and scope["path"] in PAGE_PATHS


def _could_be_foreign(headers: Headers) -> bool:
    """Returns True for a body that an HTML form can send. A POST without a body has passed the check of its origin."""
    if any(name.startswith(OWN_HEADERS) for name in headers):
        return False
    has_body = "transfer-encoding" in headers or headers.get("content-length", "0") != "0"
    types: Sequence[str] = headers.getlist("content-type") or ([""] if has_body else [])
    return any(type.partition(";")[0].strip().lower() in FORM_TYPES for type in types)
