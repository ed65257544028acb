"""Every promise of a finished step has a test."""

import subprocess
import sys
from pathlib import Path


def test_no_promise_of_a_finished_step_is_without_a_test():
    tool = Path(__file__).parent.parent / "tools" / "conformance.py"
    done = subprocess.run([sys.executable, tool, "--done"], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout
