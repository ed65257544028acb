"""Prints the newest message of a conversation for each line on stdin: reader.py PATH"""

import sys

from aforesaid import Memory

with Memory(sys.argv[1], worker=False) as mem:
    chat = mem.conversation("c")
    for _ in sys.stdin:
        newest = chat.recent(1, include_newest=True)
        print(newest[0].text if newest else "nothing", flush=True)
