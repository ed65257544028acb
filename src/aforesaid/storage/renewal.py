"""Signs of life of a long task, so that other processes take over only what a dead one has left."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from aforesaid.errors import ClosedError, StoreError, log_text

log = logging.getLogger(__name__)


@contextmanager
def renewing(renew: Callable[[], object], seconds: float) -> Iterator[None]:
    """Calls `renew` every so many seconds, in a thread, until the block ends. A failure of the store is logged: the
    next call may succeed in time."""
    ended = threading.Event()
    thread = threading.Thread(target=_renew, args=(renew, seconds, ended), name="aforesaid-lease", daemon=True)
    thread.start()
    try:
        yield
    finally:
        ended.set()
        thread.join()


def _renew(renew: Callable[[], object], seconds: float, ended: threading.Event) -> None:
    while not ended.wait(seconds):
        try:
            renew()
        except (StoreError, ClosedError) as exc:
            log.warning("lease not renewed: %s", log_text(exc), extra={"action": "lease_not_renewed"})
