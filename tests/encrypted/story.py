"""Everything that a store does with its files. Prints each step, and waits for a line before the next."""

from __future__ import annotations

import sys
from pathlib import Path
from threading import Thread

from aforesaid import Memory

path, key = Path(sys.argv[1]), sys.argv[2] or None
TEXT = "Zqzephyrine keeps the tickets in the zqmarmalade drawer. " * 10


def done(step: str) -> None:
    print(step, flush=True)
    sys.stdin.readline()


def write(number: int) -> None:
    for turn in range(8):
        memory.conversation(f"c{number}").add("user", f"{TEXT} {number} {turn}")


memory = Memory(path, key=key, worker=False, environment={})
threads = [Thread(target=write, args=(number,)) for number in range(4)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
done("added by threads")
memory.conversation("many").add_many([{"role": "user", "content": f"{TEXT} {turn}"} for turn in range(120)])
done("added together")
memory.flush(120)
done("indexed")
memory.space("default").recall("zqmarmalade", 5)
memory.conversation("many").context("Where does Zqzephyrine keep it?", max_tokens=2000)
memory.engine.store.database.write(lambda session: session.raw("SELECT text FROM messages ORDER BY text || text DESC"))
done("recalled and sorted")
memory.backup(path.with_name("backup.db"))
done("backed up")
memory.doctor(repair=True)
done("checked")
memory.space("default").forget(conversation="c1")
memory.flush(120)
done("forgotten")
memory.close()
Memory.restore(path.with_name("backup.db"), path, force=True, key=key)
done("restored")
if key is not None:
    Memory.rekey(path, key=key, new_key="another")
    key = "another"
done("rekeyed")
memory = Memory(path, key=key, worker=False, environment={})
other = Memory(path.with_name("other.db"), key=key and "a third", worker=False, environment={})
memory.copy_to(other, settle=lambda: other.flush(120))
done("copied")
done("last")
while True:
    memory.conversation("more").add_many([{"role": "user", "content": f"{TEXT} more"} for turn in range(50)])
    memory.backup(path.with_name("backup.db"), force=True)
