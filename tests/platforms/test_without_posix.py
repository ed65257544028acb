"""Runs aforesaid without what Windows does not have. On a real Windows, run `children/tour.py` itself."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from tests import programs

CHILDREN = Path(__file__).parent / "children"
PARTS = [
    "add, recall, context",
    "forget",
    "doctor",
    "backup",
    "export, import",
    "copy",
    "an open store is not replaced",
    "restore",
    "command line",
    "server",
    "several processes are refused",
]


@pytest.mark.slow
@pytest.mark.req("X22")
def test_every_part_works_without_the_functions_that_only_posix_has(tmp_path):
    environment = os.environ | {"PYTHONPATH": str(CHILDREN / "without_posix"), "PYTHONIOENCODING": "cp1252"}
    done = programs.run(str(CHILDREN / "tour.py"), str(tmp_path), environment=environment)
    assert done.stdout.decode().splitlines() == PARTS, done.stderr.decode()
