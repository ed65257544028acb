"""Refuses what a web page elsewhere could make a browser send: a strange Host, a strange Origin."""

from __future__ import annotations

from collections.abc import Collection
from urllib.parse import urlsplit

from recollect.access.refusal import Misaddressed, NotAllowed

LOOPBACK = ("localhost", "127.0.0.1", "::1")


class Hosts:
    """`names` are the hosts that this server is known by; a page from one of them may ask, any other may not."""

    def __init__(self, names: Collection[str]) -> None:
        self._names = frozenset(name.lower().strip("[]") for name in names)

    def check(self, host: str | None, origin: str | None) -> None:
        if host is None or name_of(f"//{host}") not in self._names:
            raise Misaddressed("this server does not answer to that Host; start it with --host-name to allow one")
        if origin is not None and name_of(origin) not in self._names:
            raise NotAllowed("requests from pages of that origin are not answered")


def name_of(address: str) -> str | None:
    """The host's name in an address, without its port; None where it has none."""
    try:
        return urlsplit(address).hostname
    except ValueError:
        return None
