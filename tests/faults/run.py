"""Runs the fault tests in full: `make faults SEEDS=1000`, or `make faults SEED=17` to replay one simulation.

python -m tests.faults.run --seeds 1000         all parts
python -m tests.faults.run simulation --seed 17  one part, with its own arguments
"""

from __future__ import annotations

import argparse
import sys

from tests.faults.faulty_disk import run_on_faulty_disk

PARTS = ("io_faults", "power_cut", "simulation")


def run(part: str, *arguments: object) -> int:
    print(f"\n{part} {' '.join(map(str, arguments))}", flush=True)
    return run_on_faulty_disk(part, arguments).returncode


def main() -> int:
    if sys.argv[1:2] and sys.argv[1] in PARTS:
        return run(*sys.argv[1:])
    parser = argparse.ArgumentParser(description="Runs the fault tests in full.")
    parser.add_argument("--seeds", type=int, default=1_000, help="how many simulations; power cuts get a fifth")
    parser.add_argument("--seed", type=int, help="the only simulation")
    parser.add_argument("--steps", type=int, default=60, help="of each simulation")
    options = parser.parse_args()
    steps = ("--steps", options.steps)
    if options.seed is not None:
        return run("simulation", "--seed", options.seed, "--verbose", *steps)
    failed = run("simulation", "--seeds", options.seeds, *steps)
    failed |= run("power_cut", "--seeds", options.seeds // 5)
    return failed | run("io_faults")


if __name__ == "__main__":
    sys.exit(main())
