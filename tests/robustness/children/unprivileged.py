"""Opens a store as an unprivileged user and prints the result: unprivileged.py PATH"""

import json
import os
import sys

from aforesaid import AforesaidError, Memory

Memory(":memory:", worker=False).close()  # loads modules that an unprivileged user cannot read
if os.geteuid() == 0:
    os.setgroups([])
    os.setgid(65534)
    os.setuid(65534)
try:
    with Memory(sys.argv[1], worker=False) as mem:
        mem.conversation("c").add("user", "words")
except AforesaidError as exc:
    print(json.dumps([type(exc).__name__, str(exc)]))
else:
    print(json.dumps(["nothing", "no error was raised"]))
