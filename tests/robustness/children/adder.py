"""Adds messages on a signal and prints each acknowledged id: adder.py PATH WHO COUNT"""

import sys

from aforesaid import Memory

path, who, count = sys.argv[1], sys.argv[2], int(sys.argv[3])
print("ready", flush=True)
sys.stdin.readline()
with Memory(path) as mem:
    chat = mem.conversation("c")
    for n in range(count):
        print(chat.add("user", f"{who}x{n} said something", id=f"{who}x{n}").id)
