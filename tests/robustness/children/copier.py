"""Copies a store in child processes that kill themselves: copier.py backup|restore SOURCE TARGET

Each line on stdin is a number of progress reports. For each line, forks a process that kills itself after that many
reports, and prints its exit code.
"""

import itertools
import os
import signal
import sys

from forking import exit_code, fork, say

from aforesaid import Memory

verb, source, target = sys.argv[1:]


def copy(last: int) -> None:
    reports = itertools.count(1)

    def progress(done: int, total: int) -> None:
        if next(reports) == last:
            os.kill(os.getpid(), signal.SIGKILL)

    if verb == "backup":
        with Memory(source, worker=False) as memory:
            memory.backup(target, force=True, progress=progress)
    else:
        Memory.restore(source, target, force=True, progress=progress)


for line in sys.stdin:
    say(exit_code(fork(copy, int(line))))
