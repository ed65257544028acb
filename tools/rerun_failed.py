"""Runs failed tests once more, alone, and names those that pass now: they are flaky and must be fixed."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path


def main(cache: str) -> int:
    record = Path(cache) / "v/cache/lastfailed"
    failed = sorted(json.loads(record.read_text("utf-8"))) if record.is_file() else []
    if not failed:  # the run itself broke: there is nothing to run again
        return 1
    options = ["-q", "-o", f"cache_dir={cache}", "--last-failed", "--last-failed-no-failures", "none"]
    code = subprocess.run([sys.executable, "-m", "pytest", *options], check=False).returncode
    still = set(json.loads(record.read_text("utf-8"))) if record.is_file() else set()
    flaky = [test for test in failed if test not in still]
    if flaky:
        print(f"\n{'!' * 78}\nFLAKY: {len(flaky)} tests failed and then passed alone. Fix them before anything else:")
        print("\n".join(f"  {test}" for test in flaky), f"\n{'!' * 78}", sep="")
    return code


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
