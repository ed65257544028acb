"""Recalls on a signal, again and again: recaller.py PATH COUNT"""

import sys

from aforesaid import Memory

path, count = sys.argv[1], int(sys.argv[2])
print("ready", flush=True)
sys.stdin.readline()
with Memory(path) as mem:
    for _ in range(count):
        assert mem.space("default").recall("heron", 1)
