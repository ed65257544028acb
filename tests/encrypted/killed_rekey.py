"""For each number n that it reads, forks a process that calls `rekey` and kills itself at the n-th call to the
operating system that Python reports. Prints the exit code of each."""

from __future__ import annotations

import os
import signal
import sys

from aforesaid import Memory
from aforesaid.storage.sqlite import rekey  # noqa: F401 (an import is no call to count)

path, key, new_key = sys.argv[1:]


def rekey_until(calls: int) -> None:
    def count(event: str, _arguments: object) -> None:
        nonlocal calls
        if event.startswith(("os.", "open", "shutil.", "tempfile.")):
            calls -= 1
            if calls == 0:
                os.kill(os.getpid(), signal.SIGKILL)

    sys.addaudithook(count)
    Memory.rekey(path, key=key or None, new_key=new_key or None)


for line in sys.stdin:
    child = os.fork()
    if child == 0:
        rekey_until(int(line))
        os._exit(0)
    print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)
