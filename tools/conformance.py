"""Prints every promise with the tests that prove it. Exit 1 while one has none; with `--done`, one of a done step."""

from __future__ import annotations

import ast
import sys
import tomllib
from collections import defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path

ROOT = Path(__file__).parent.parent


def promises() -> dict[str, tuple[str, int]]:
    table = tomllib.loads((ROOT / "tools" / "requirements.toml").read_text("utf-8"))
    return {f"{letter}{n}": tuple(row) for letter in "ABCDX" for n, row in table[letter].items()}


def done_steps() -> set[int]:
    return set(tomllib.loads((ROOT / "tools" / "requirements.toml").read_text("utf-8"))["done"])


def proofs() -> dict[str, list[str]]:
    """Promise ids and the tests that carry them."""
    found: dict[str, list[str]] = defaultdict(list)
    for file in sorted((ROOT / "tests").rglob("test_*.py")):
        tree = ast.parse(file.read_text("utf-8"))
        everywhere = list(ids(of_file(tree)))
        for node in ast.walk(tree):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name.startswith("test_"):
                for id in dict.fromkeys([*everywhere, *ids(node.decorator_list)]):
                    found[id].append(f"{file.relative_to(ROOT)}::{node.name}")
    return found


def of_file(tree: ast.Module) -> list[ast.expr]:
    """The marks that every test of a file carries: its `pytestmark`, one or a list."""
    for node in tree.body:
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "pytestmark":
            return node.value.elts if isinstance(node.value, ast.List | ast.Tuple) else [node.value]
    return []


def ids(marks: Iterable[ast.expr]) -> Iterator[str]:
    for mark in marks:
        if isinstance(mark, ast.Call) and ast.unparse(mark.func) == "pytest.mark.req":
            yield from (ast.literal_eval(argument) for argument in mark.args)


def main() -> int:
    known, proved = promises(), proofs()
    missing = [id for id in known if id not in proved]
    for id, (title, step) in known.items():
        tests = proved.get(id, [])
        print(f"{id:4} step {step}  {'ok ' if tests else '-- '} {title}")
        for test in tests:
            print(f"{'':17}{test}")
    unknown = sorted(set(proved) - set(known))
    print(f"\n{len(known) - len(missing)} of {len(known)} promises have a test")
    if unknown:
        print(f"marked but unknown: {', '.join(unknown)}")
    due = [id for id in missing if "--done" not in sys.argv or known[id][1] in done_steps()]
    return 1 if due or unknown else 0


if __name__ == "__main__":
    sys.exit(main())
