"""Forks processes that add messages until they are killed: victims.py PATH

Each line on stdin forks one, which prints its pid, opens the store with default settings, prints "open", and then
a word for each message that `add` has acknowledged. When it is dead, "gone" is printed.
"""

import itertools
import os
import sys

from aforesaid import Memory
from aforesaid.providers.embedders import embedder

path = sys.argv[1]
preloaded = embedder("wordllama:256", environment={})  # the default; reading it from disk takes longer than most lives
preloaded.embed(["warm"])
Memory(":memory:", embedder=preloaded, worker=False).conversation("c").add("user", "loads what is loaded late")


def say(line: str) -> None:
    os.write(1, f"{line}\n".encode())


def live(who: str) -> None:
    chat = Memory(path, embedder=preloaded).conversation("c")
    say("open")
    for n in itertools.count():
        word = f"victim{who}x{n}"
        chat.add("user", f"{word} said something", id=word)
        say(word)


say("ready")
for line in sys.stdin:
    child = os.fork()
    if child == 0:
        say(str(os.getpid()))
        live(line.strip())
    os.waitpid(child, 0)
    say("gone")
