"""Listens to an answer that passes."""

from __future__ import annotations

from collections.abc import Mapping

from recollect.proxy.unpack import Unheard, Unpacking
from recollect.replies.listen import Listening, Wire, read
from recollect.replies.reply import Reply
from recollect.replies.values import parsed

HEARD = 64 * 2**20  # bytes of an answer that are listened to


class Hearing:
    """One answer. `whole`: it is no stream, and is held until its end. `lost` says why it is not understood. What comes
    once it is `kept` is not listened to."""

    def __init__(self, wire: Wire, headers: Mapping[str, str]) -> None:
        self._wire = wire
        self._listening: Listening | None = None
        self._pieces: list[bytes] = []
        self.whole = self.kept = False
        self.lost: str | None = None
        try:
            self._unpacking = Unpacking(headers.get("content-encoding", "").strip().lower(), HEARD)
        except Unheard as why:
            self.lost = str(why)
            return
        kind = headers.get("content-type", "").partition(";")[0].strip().lower()
        if kind == "text/event-stream":
            self._listening = Listening(wire)
        elif kind.endswith("json"):
            self.whole = True
        else:
            self.lost = "content_type"

    @property
    def rest(self) -> bytes:
        return b"".join(self._pieces)

    @property
    def over(self) -> bool:
        """Whether the last event of a stream was heard."""
        return self._listening is not None and self._listening.over

    def feed(self, piece: bytes) -> None:
        if self.whole:
            self._pieces.append(piece)
        elif self._listening and not self.kept:
            self._listening.feed(self._plain(piece))

    def end(self) -> Reply:
        reply = Reply()
        if self._listening:
            reply = self._listening.end()
        elif self.whole:
            reply = read(self._wire, parsed(self._plain(self.rest).decode("utf-8", "replace")))
        return Reply() if self.lost else reply

    def _plain(self, piece: bytes) -> bytes:
        if self.lost:
            return b""
        try:
            return self._unpacking.feed(piece)
        except Unheard as why:
            self.lost = str(why)
            return b""
