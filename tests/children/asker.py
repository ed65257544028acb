"""Asks a model on a store, prints the first piece of its answer, and waits until it is killed."""

from __future__ import annotations

import sys

from aforesaid import Memory

address, model = sys.argv[1:]
with Memory(address, model=model, worker=False, embedder="none", environment={}) as memory:
    answer = memory.conversation("trip").reply("Where do we go?", id="q1")
    print(next(answer), flush=True)
    sys.stdin.readline()
