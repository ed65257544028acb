"""Where a response was given: the next request may go on from its name."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass
from threading import Lock

from recollect import Space
from recollect.proxy.said import digest

MOST = 10_000  # responses that are remembered here: of one without words, nothing is stored


@dataclass(frozen=True, slots=True)
class Link:
    """The conversation of a response, and the id of the message that it was, or that it answered."""

    conversation: str
    last: str


class Chain:
    """Finds responses: in the store by the id of their message, so that every process finds them. Safe to share by
    threads."""

    def __init__(self) -> None:
        self._links: OrderedDict[tuple[str, str], Link] = OrderedDict()
        self._lock = Lock()

    def add(self, space: str, response: str, link: Link) -> None:
        with self._lock:
            self._links[space, response] = link
            while len(self._links) > MOST:
                self._links.popitem(last=False)

    def find(self, space: Space, response: str) -> Link | None:
        with self._lock:
            link = self._links.get((space.id, response))
        if link is not None:
            return link
        message = space.locate(name_of(response))
        return None if message is None else Link(message.conversation, message.id)


def name_of(response: str) -> str:
    """The id of the message that a response is stored as."""
    return f"response-{digest(response)}"
