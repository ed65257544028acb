"""Resolves aforesaid's dependencies for every supported platform with binary wheels only, and prints a table.

Run `make wheels`; it needs uv and a package index. A cell is the number of packages, or a package without a wheel.
"""

from __future__ import annotations

import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

PROJECT = Path(__file__).parent.parent / "pyproject.toml"
PYTHONS = ("3.11", "3.12", "3.13", "3.14")
PLATFORMS = {
    "Linux x86-64 (glibc 2.28)": "x86_64-manylinux_2_28",
    "Linux arm64 (glibc 2.28)": "aarch64-manylinux_2_28",
    "Linux x86-64 (musl 1.2)": "x86_64-unknown-linux-musl",
    "Linux arm64 (musl 1.2)": "aarch64-unknown-linux-musl",
    "macOS arm64": "aarch64-apple-darwin",
    "macOS x86-64": "x86_64-apple-darwin",
    "Windows x86-64": "x86_64-pc-windows-msvc",
    "Windows arm64": "aarch64-pc-windows-msvc",
}
AT_ONCE = 16  # most of the time is spent waiting for the index
OPTIONAL = {"Windows arm64"}  # reported, not promised
EXTRAS: dict[str, tuple[str, ...]] = {
    "library": (),
    "all extras": ("all",),
    "fast": ("fast",),
}


def resolve(platform: str, python: str, extras: tuple[str, ...]) -> str:
    """The number of packages; or `no` and the package that has no wheel."""
    command = [
        *("uv", "pip", "compile", "--quiet", "--only-binary", ":all:", "--no-header", "--no-annotate"),
        *("--python-platform", platform, "--python-version", python, str(PROJECT)),
        *(f"--extra={extra}" for extra in extras),
    ]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode == 0:
        return str(len(done.stdout.splitlines()))
    named = re.search(r"(?:only|versions of|that) ([a-z][\w-]+)", done.stderr)
    return f"no: {named[1] if named else done.stderr.splitlines()[-1]}"


def main() -> int:
    missing = 0
    with ThreadPoolExecutor(AT_ONCE) as pool:
        for title, extras in EXTRAS.items():
            print(f"\n| {title} | {' | '.join(PYTHONS)} |\n|---|{'---|' * len(PYTHONS)}")
            rows = {
                name: [pool.submit(resolve, platform, python, extras) for python in PYTHONS]
                for name, platform in PLATFORMS.items()
            }
            for name, futures in rows.items():
                cells = [future.result() for future in futures]
                missing += name not in OPTIONAL and not extras and any(cell.startswith("no") for cell in cells)
                print(f"| {name} | {' | '.join(cells)} |", flush=True)
    return 1 if missing else 0


if __name__ == "__main__":
    sys.exit(main())
