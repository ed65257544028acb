"""Begins something that makes temporary files, prints `half`, and waits to be killed: interrupted.py VERB PATH OTHER"""

import sys
import threading

from aforesaid import Memory

verb, path, other = sys.argv[1:]


def wait(done: int, total: int) -> None:
    if done * 2 >= total:
        print("half", flush=True)
        threading.Event().wait()


if verb == "restore":
    Memory.restore(other, path, force=True, progress=wait)
mem = Memory(path, worker=False)
if verb == "backup":
    mem.backup(other, progress=wait)
elif verb == "export":
    mem.space("default").export(other, progress=wait)
elif verb == "copy":
    mem.copy_to(Memory(other, worker=False), progress=wait)
