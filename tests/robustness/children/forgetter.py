"""Forgets a message and prints the pending steps of the erasure: forgetter.py PATH SPACE MESSAGE"""

import sys

from aforesaid import Memory

path, space, message = sys.argv[1:]
with Memory(path, worker=False) as mem:
    print("ready", flush=True)
    sys.stdin.readline()
    print(",".join(mem.space(space).forget(message=message).pending), flush=True)
