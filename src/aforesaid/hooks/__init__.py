"""The command that coding agents call at the events of a session. It stores what was said, and returns what matters.

`entry.py` is the command, `handle.py` the work. The other modules need only the standard library, so that a hook that
finds a running server is fast."""
