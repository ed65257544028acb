"""Copies a store in processes that kill themselves on the way: copier.py backup|restore SOURCE TARGET

Forks a process for each line on stdin, a number of progress reports after which it kills itself, and prints its exit
code.
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
