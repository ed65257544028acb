"""Asks a model that never answers for a summary: summariser.py PATH"""

import sys
import threading

from aforesaid import Memory


class Silent:
    name, local = "silent", True

    def complete(self, _: object) -> None:
        print("asked", flush=True)
        threading.Event().wait()


mem = Memory(sys.argv[1], worker=False, model=Silent())
mem.space("default").set("summaries", "rolling")
roles = "user", "assistant"
mem.conversation("c").add_many(
    {"role": roles[n % 2], "content": f"Ferry number {n} to Lisbon leaves at nine from the harbour."} for n in range(6)
)
mem.flush(600)
