"""Adds messages until it is killed, and prints the id of each acknowledged message: writer.py PATH WHO"""

import itertools
import sys

from aforesaid import Memory

path, who = sys.argv[1], sys.argv[2]
chat = Memory(path).space(who).conversation("c")
for n in itertools.count():
    print(chat.add("user", f"{who}x{n} said something about platform {n}", id=f"{who}x{n}").id, flush=True)
