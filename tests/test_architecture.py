"""The direction of imports: each part knows only what lies below it. Imports inside functions count too."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

SOURCE = Path(__file__).parent.parent / "src" / "recollect"

# What each part may import of recollect, besides itself.
BELOW: dict[str, set[str]] = {
    "errors": set(),
    "models": set(),
    "records": {"models"},
    "ids": set(),
    "replies": {"models"},
    "text": {"errors", "models"},
    "ports": {"models", "records"},
    "settings": {"errors", "models"},
    "ingest": {"errors", "models", "records", "ids", "text", "ports"},
    "distill": {"errors", "models", "records", "ids", "text", "ports", "settings"},
    "recall": {"errors", "models", "records", "ids", "text", "ports"},
    "stores": {"errors", "models", "records", "ids", "text", "ports"},
    "providers": {"errors", "models", "ports", "replies"},
    "jobs": {"errors", "models", "ports"},
    "lanes": {"jobs"},
    "watching": {"errors", "models", "ports", "records"},
    "forget": {"errors", "ids", "models", "ports", "records", "text"},
    "keys": {"errors", "ids", "models", "ports", "text"},
    "ledger": {"errors", "models", "records", "ports"},
    "context": {"errors", "models", "records", "text", "ports"},
    "portable": {"errors", "models", "records", "text", "ports", "ingest", "settings"},
    "imports": {"errors", "models", "records", "text", "ports", "ingest"},
    "answering": {"context", "distill", "errors", "models", "ports"},
    "engine": {
        "answering", "context", "distill", "errors", "forget", "ids", "ingest", "lanes", "ledger", "models", "ports",
        "recall", "records", "replies", "settings", "text", "watching",
    },
    "conversation": {
        "answering", "context", "distill", "engine", "errors", "ingest", "models", "records", "recall", "text",
    },
    "space": {
        "context", "conversation", "distill", "engine", "errors", "forget", "imports", "ingest", "models", "portable",
        "ports", "recall", "records", "settings", "text",
    },
    "memory": {
        "context", "conversation", "distill", "engine", "errors", "forget", "ids", "ingest", "jobs", "keys", "lanes",
        "ledger", "models", "portable", "ports", "providers", "recall", "settings", "space", "stores", "text",
        "watching",
    },
    "aio": {"answering", "conversation", "memory", "models", "ports", "space"},
    "": {
        "aio", "answering", "context", "conversation", "errors", "ingest", "memory", "models", "ports", "recall",
        "space", "text", "watching",
    },
    # The doors know Memory, its values and its settings, and nothing below.
    "access": {"errors", "memory", "models"},
    "ui": set(),
    "server": {"", "access", "errors", "mcp_server", "memory", "models", "proxy", "settings", "space", "ui"},
    "proxy": {"", "access", "errors", "memory", "models", "replies", "settings", "space"},
    "mcp_server": {"", "access", "errors", "memory", "models", "settings", "space"},
    "cli": {"", "access", "bench", "errors", "mcp_server", "memory", "models", "proxy", "server", "settings"},
    # The baselines count, embed and leave out the same words as recollect does, and find the same claims.
    "bench": {"", "distill", "errors", "memory", "models", "providers", "records", "text"},
    "__main__": {"cli"},
}  # fmt: skip


def files() -> list[Path]:
    return sorted(SOURCE.rglob("*.py"))


def part_of(module: str) -> str:
    pieces = module.split(".")
    return pieces[1] if len(pieces) > 1 else ""


def part_of_file(file: Path) -> str:
    first = file.relative_to(SOURCE).parts[0].removesuffix(".py")
    return "" if first == "__init__" else first


def imported(file: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(file.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{file}: relative imports hide the direction"
            module = node.module or ""
            if module == "recollect":
                names = [alias.name for alias in node.names]
                yield from (f"recollect.{name}" if (SOURCE / name).is_dir() else "recollect" for name in names)
            else:
                yield module


@pytest.mark.parametrize("file", files(), ids=lambda file: str(file.relative_to(SOURCE)))
def test_a_part_imports_only_what_lies_below_it(file: Path):
    part = part_of_file(file)
    assert part in BELOW, f"{part!r} is new: say in BELOW what it may know"
    for module in imported(file):
        if module.split(".")[0] == "recollect":
            assert part_of(module) in BELOW[part] | {part}, f"{file} imports {module}"


def test_the_parts_have_no_cycle():
    done: set[str] = set()
    parts = dict(BELOW)
    while parts:
        free = [part for part, below in parts.items() if below <= done]
        assert free, f"cycle among {sorted(parts)}"
        done.update(free)
        for part in free:
            del parts[part]


def test_dynamic_imports_are_not_used():
    for file in files():
        text = file.read_text("utf-8")
        assert "importlib.import_module" not in text, file
        assert "__import__" not in text, file


def test_import_reads_no_environment_opens_no_socket_and_sets_up_no_logging():
    script = """
import os, socket, logging, sys
os.environ.__class__.__getitem__ = (lambda old: lambda self, key: (
    (_ for _ in ()).throw(AssertionError(key)) if key.startswith(("RECOLLECT", "RAG_", "OPENAI", "OLLAMA"))
    else old(self, key)))(os.environ.__class__.__getitem__)
socket.socket.connect = lambda *a: (_ for _ in ()).throw(AssertionError("network"))
before = list(logging.getLogger().handlers)
import recollect, recollect.cli
assert logging.getLogger().handlers == before
assert "torch" not in sys.modules
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
