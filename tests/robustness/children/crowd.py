"""Runs one task in several processes at the same time: crowd.py TASK PROCESSES PATH COUNT

Prints "ready", and forks after a line on stdin.

add       adds COUNT messages and prints the id of each acknowledged message
recall    recalls COUNT times
"""

import sys

from forking import exit_code, fork, preload, say

from aforesaid import Memory

task, processes, path, count = sys.argv[1], int(sys.argv[2]), sys.argv[3], int(sys.argv[4])
embedder = preload()


def add(who: int) -> None:
    with Memory(path, embedder=embedder) as mem:
        chat = mem.conversation("c")
        for n in range(count):
            say(chat.add("user", f"process{who}x{n} said something", id=f"process{who}x{n}").id)


def recall(_: int) -> None:
    with Memory(path, embedder=embedder) as mem:
        for _ in range(count):
            assert mem.space("default").recall("heron", 1)


say("ready")
sys.stdin.readline()
tasks = {"add": add, "recall": recall}
children = [fork(tasks[task], who) for who in range(processes)]
codes = [exit_code(child) for child in children]
sys.exit(any(codes))
