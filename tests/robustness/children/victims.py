"""Forks processes that add messages until they are killed: victims.py PATH

Each line on stdin forks one, which prints its pid, opens the store with default settings, prints "open", and then
a word for each message that `add` has acknowledged. When it is dead, "gone" is printed.
"""

import itertools
import os
import sys

from forking import exit_code, fork, preload, say

from aforesaid import Memory

path = sys.argv[1]
embedder = preload()  # loading it takes longer than most of them live


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
