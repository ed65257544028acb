"""Tests of encrypted stores. `make encrypted`, which is part of `make test`, runs them with apsw-sqlite3mc."""

from __future__ import annotations

import apsw

collect_ignore_glob = [] if hasattr(apsw, "mc_version") else ["test_*.py"]
