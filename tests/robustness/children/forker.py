"""Forks while a Memory is open, and prints the results of the child: forker.py PATH TASK

use     the child uses the parent's Memory
busy    the child uses it while threads of the parent write, then closes it and exits
noted   the child inherits the parent's unwritten records, then exits
anew    the child opens the file again, as the error suggests; the parent closes its Memory in the meantime
"""

import os
import sys
import threading

from aforesaid import ClosedError, Memory

path, what = sys.argv[1:]
FORKS = 8


def use(mem: Memory) -> str:
    chat, space = mem.conversation("c"), mem.space("default")
    verbs = [
        lambda: chat.add("user", "words"), chat.recent, chat.messages, chat.info, chat.pins, chat.delete,
        lambda: chat.pin("words"), lambda: space.recall("words"), space.settings, space.info, mem.status, mem.flush,
        mem.retrievals, lambda: chat.accesses("m"), mem.work, mem.doctor, mem.spaces, space.changes,
        lambda: mem.on_change(print),
    ]  # fmt: skip
    for verb in verbs:
        try:
            verb()
        except ClosedError as exc:
            if "fork" not in str(exc):
                return f"unclear: {exc}"
        else:
            return f"{verb} worked"
    return "refused"


def forked(work) -> None:  # type: ignore[no-untyped-def]
    """Runs `work` in a child process, which prints the result and exits like any interpreter."""
    child = os.fork()
    if child == 0:
        print(work(), flush=True)
        sys.exit()
    os.waitpid(child, 0)


def anew(mem: Memory) -> None:
    told, tell = os.pipe()
    child = os.fork()
    if child == 0:
        with Memory(path, worker=False) as own:
            print(own.conversation("c").add("user", "by the child").seq, flush=True)
            os.read(told, 1)
            for n in range(5):
                print(own.conversation("c").add("user", f"after the parent {n}").seq, flush=True)
        os._exit(0)
    sys.stdin.readline()
    mem.close()
    os.write(tell, b"x")
    os.waitpid(child, 0)


mem = Memory(path, worker=what != "noted")
mem.conversation("c").add("user", "by the parent")
if what == "use":
    forked(lambda: use(mem))
    print(mem.conversation("c").add("user", "by the parent again").seq)
elif what == "noted":
    mem.conversation("c").recall("parent")
    forked(lambda: use(mem))
    mem.close()
elif what == "busy":
    stop = threading.Event()

    def write() -> None:
        while not stop.is_set():
            mem.conversation("c").add("user", "by a thread of the parent")
            stop.wait(0.01)  # with three such threads, one of them is writing most of the time

    threads = [threading.Thread(target=write) for _ in range(3)]
    for thread in threads:
        thread.start()
    for _ in range(FORKS):
        forked(lambda: use(mem))
    stop.set()
    for thread in threads:
        thread.join()
else:
    anew(mem)
