"""Tests that every requirement of a finished step has a test."""

import subprocess
import sys
from pathlib import Path


def test_every_requirement_of_a_finished_step_has_a_test():
    tool = Path(__file__).parent.parent / "tools" / "conformance.py"
    done = subprocess.run([sys.executable, tool, "--done"], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout
