"""Forks processes that add messages until they are killed: victims.py PATH

Each line on stdin forks one process. It prints its pid, opens the store with default settings, prints "open", and then
prints a word for each message that `add` has acknowledged. When the process is dead, the parent prints "gone".
"""

import itertools
import os
import sys

from forking import exit_code, fork, preload, say

from aforesaid import Memory

path = sys.argv[1]
embedder = preload()  # loading it takes longer than the lifetime of most of the processes


def live(who: str) -> None:
    say(os.getpid())
    chat = Memory(path, embedder=embedder).conversation("c")
    say("open")
    for n in itertools.count():
        word = f"victim{who}x{n}"
        chat.add("user", f"{word} said something", id=word)
        say(word)


say("ready")
for line in sys.stdin:
    exit_code(fork(live, line.strip()))
    say("gone")
