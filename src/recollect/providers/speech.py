"""An answer that comes over a wire, piece by piece, from the event loop that hears it to whoever waits."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from queue import SimpleQueue

from recollect.errors import ClosedError
from recollect.ports import Completion
from recollect.providers.call import Call

Tell = Callable[[str], None]


class WiredSpeech:
    """Begins at once. `begin` is given whom to tell of each piece; `outcome` waits for the end of what it began."""

    def __init__(
        self, begin: Callable[[Tell], Call[Completion]], outcome: Callable[[Call[Completion]], Completion]
    ) -> None:
        self._pieces: SimpleQueue[str | None] = SimpleQueue()
        self._outcome = outcome
        self._stopped = self._over = False
        self._completion: Completion | None = None
        self._call = begin(self._pieces.put)
        self._call.when_over(partial(self._pieces.put, None))

    def __iter__(self) -> WiredSpeech:
        return self

    def __next__(self) -> str:
        if not (self._stopped or self._over):
            piece = self._pieces.get()
            if piece is not None and not self._stopped:
                return piece
            self._end()
        raise StopIteration

    @property
    def completion(self) -> Completion | None:
        return self._completion

    def close(self) -> None:
        self._stopped = not self._over
        self._call.cancel()

    def __del__(self) -> None:
        if hasattr(self, "_call"):
            self._call.cancel()  # nobody listens

    def _end(self) -> None:
        self._over = True
        try:
            self._completion = self._outcome(self._call)
        except ClosedError:
            if not self._stopped:
                raise
