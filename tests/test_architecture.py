"""Tests the direction of imports: each part imports only the parts below it. Imports inside functions count too."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections import Counter
from collections.abc import Collection, Iterator
from pathlib import Path

import pytest

import aforesaid

TESTS = Path(__file__).parent
SOURCE = TESTS.parent / "src" / "aforesaid"
OWN = ("self", "cls", "os")  # `os._exit` has no public equivalent

# The parts of aforesaid that each part may import, besides itself.
BELOW: dict[str, set[str]] = {
    "errors": set(),
    "models": {"errors"},
    "ids": set(),
    "verbs": set(),
    "plugins": {"errors"},
    "temporary_files": set(),
    "replies": {"models"},
    "text": {"errors", "models"},
    "ports": {"models"},
    "settings": {"errors", "models"},
    "ingest": {"errors", "models", "ids", "storage", "text", "ports"},
    "distill": {"errors", "models", "ids", "storage", "text", "ports", "providers", "settings"},
    "recall": {"errors", "models", "ids", "storage", "text", "ports"},
    "storage": {"errors", "models", "ids", "text", "ports", "temporary_files"},
    "providers": {"errors", "models", "plugins", "ports", "replies"},
    "jobs": {"errors", "models", "ports", "storage"},
    "forget": {"errors", "ids", "models", "ports", "storage", "text"},
    "keys": {"errors", "ids", "models", "ports", "storage", "text"},
    "ledger": {"errors", "models", "ports", "storage"},
    "context": {"errors", "models", "storage", "text", "ports"},
    "interop": {"errors", "models", "plugins", "storage", "text", "ports", "ingest", "settings", "temporary_files"},
    "answering": {"context", "distill", "errors", "models", "ports", "storage", "text"},
    "remote": {
        "answering", "context", "distill", "errors", "ids", "jobs", "models", "ports", "providers", "recall", "text",
        "verbs",
    },
    "explain": {"context", "models", "recall", "storage", "text"},
    "engine": {
        "answering", "context", "distill", "errors", "explain", "forget", "ids", "ingest", "jobs", "ledger", "models",
        "ports", "recall", "replies", "settings", "storage", "text",
    },
    "conversation": {
        "answering", "context", "distill", "engine", "errors", "ingest", "models", "recall", "remote", "text",
    },
    "items": {"engine", "errors", "models", "remote", "text"},
    "space": {
        "context", "conversation", "distill", "engine", "errors", "forget", "ingest", "interop", "items", "models",
        "ports", "recall", "remote", "settings", "text",
    },
    "memory": {
        "context", "conversation", "distill", "engine", "errors", "forget", "ids", "ingest", "interop", "jobs", "keys",
        "ledger", "models", "plugins", "ports", "providers", "recall", "remote", "settings", "space", "storage", "text",
    },
    "aio": {"answering", "conversation", "engine", "items", "memory", "models", "ports", "space", "verbs"},
    "": {
        "aio", "answering", "context", "conversation", "errors", "ingest", "items", "jobs", "memory", "models", "ports",
        "recall", "space", "text",
    },
    # The interfaces import Memory, its values and its settings, and nothing below.
    "access": {"errors", "memory", "models"},
    "ui": set(),
    # Hooks show recalled text as contexts do, and look for statements and typed words as distilling does.
    "hooks": {"", "context", "distill", "errors", "memory", "models", "space", "text"},
    "install": {"errors", "hooks"},
    "server": {"", "access", "errors", "hooks", "mcp_server", "memory", "models", "proxy", "remote", "settings",
               "space", "temporary_files", "ui"},
    "proxy": {"", "access", "errors", "memory", "models", "replies", "settings", "space", "text"},
    "mcp_server": {"", "access", "errors", "memory", "models", "settings", "space"},
    "cli": {"", "access", "bench", "errors", "hooks", "install", "mcp_server", "memory", "models", "proxy", "server",
            "settings"},
    # The baselines count tokens, embed and drop stop words as aforesaid does, and extract the same claims; `tune` fits
    # the trees of recall; `foreign` judges hits as hooks do.
    "bench": {"", "distill", "errors", "hooks", "memory", "models", "ports", "providers", "recall", "settings",
              "temporary_files", "text"},
    # Adapters use what any program can use.
    "integrations": {
        "", "access", "aio", "conversation", "errors", "items", "memory", "models", "server", "space", "text",
    },
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
            if module == "aforesaid":
                names = [alias.name for alias in node.names]
                yield from (f"aforesaid.{name}" if is_module(name) else "aforesaid" for name in names)
            else:
                yield module


def is_module(name: str) -> bool:
    return (SOURCE / name).is_dir() or (SOURCE / f"{name}.py").is_file()


def test_a_part_imports_only_the_parts_below_it():
    wrong = []
    for file in files():
        part = part_of_file(file)
        assert part in BELOW, f"{part!r} is new: say in BELOW what it may import"
        ours = [module for module in imported(file) if module.split(".")[0] == "aforesaid"]
        wrong += [f"{file} imports {module}" for module in ours if part_of(module) not in BELOW[part] | {part}]
    assert wrong == []


def test_the_imports_of_parts_have_no_cycle():
    done: set[str] = set()
    parts = dict(BELOW)
    while parts:
        free = [part for part, below in parts.items() if below <= done]
        assert free, f"cycle among {sorted(parts)}"
        done.update(free)
        for part in free:
            del parts[part]


def test_the_imports_of_modules_have_no_cycle():
    """Counts every import: at the top, inside functions, and under TYPE_CHECKING. An import of a module counts for
    that module only, not for the packages that contain it."""
    sources = {name_of(file): file for file in files()}
    imports = {name: {one for one in modules_imported(file, sources) if one != name} for name, file in sources.items()}
    while free := [name for name, others in imports.items() if not others & imports.keys()]:
        for name in free:
            del imports[name]
    assert not imports, f"in a cycle, or above one: {sorted(imports)}"


def name_of(file: Path) -> str:
    return ".".join(file.relative_to(SOURCE.parent).with_suffix("").parts).removesuffix(".__init__")


def modules_imported(file: Path, known: Collection[str]) -> Iterator[str]:
    for node in ast.walk(ast.parse(file.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            names = [f"{node.module}.{alias.name}" for alias in node.names]
            yield from (name if name in known else str(node.module) for name in names)


def test_class_names_are_unique():
    names = Counter(
        node.name
        for file in files()
        for node in ast.walk(ast.parse(file.read_text("utf-8")))
        if isinstance(node, ast.ClassDef)
    )
    assert [name for name, count in names.items() if count > 1] == []


def test_tests_use_public_names_only():
    """An attribute or import with a leading underscore is private, unless it belongs to the test (`self`, `cls`)."""
    assert [found for file in sorted(TESTS.rglob("*.py")) for found in private_names(file)] == []


def private_names(file: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(file.read_text("utf-8"))):
        names: list[str] = []
        if isinstance(node, ast.Attribute) and not (isinstance(node.value, ast.Name) and node.value.id in OWN):
            names = [node.attr]
        elif isinstance(node, ast.ImportFrom):
            names = [alias.name for alias in node.names]
        for name in names:
            if name.startswith("_") and not name.startswith("__"):
                yield f"{file.relative_to(TESTS)}:{node.lineno} {name}"


LAZY = {"__init__.py", "cli/app.py"}  # tables of names and their modules


def test_dynamic_imports_are_not_used_except_by_the_two_lazy_tables():
    for file in files():
        text = file.read_text("utf-8")
        assert "import_module" not in text or file.relative_to(SOURCE).as_posix() in LAZY, file
        assert "__import__" not in text, file


def test_import_reads_no_environment_opens_no_socket_and_sets_up_no_logging():
    script = """
import os, socket, logging, sys
os.environ.__class__.__getitem__ = (lambda old: lambda self, key: (
    (_ for _ in ()).throw(AssertionError(key)) if key.startswith(("AFORESAID", "RAG_", "OPENAI", "OLLAMA"))
    else old(self, key)))(os.environ.__class__.__getitem__)
socket.socket.connect = lambda *a: (_ for _ in ()).throw(AssertionError("network"))
before = list(logging.getLogger().handlers)
import aforesaid, aforesaid.cli.app
for name in aforesaid.__all__:
    getattr(aforesaid, name)
assert logging.getLogger().handlers == before
assert "torch" not in sys.modules
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


@pytest.mark.req("X22")
@pytest.mark.parametrize(
    ("code", "absent"),
    [
        ("import aforesaid", ("numpy", "regex", "apsw", "asyncio", "typer", "rich", "aforesaid.memory")),
        ("import sys; from aforesaid.cli import main; sys.argv[1:] = ['--version']; main()", ("typer", "numpy")),
        ("from aforesaid import Memory", ("typer", "rich", "asyncio", "httpx2", "pydantic", "aforesaid.interop")),
        ("from aforesaid import Memory; Memory(worker=False, environment={}).conversation('a').add('user', 'Hi.')",
         ("toktok", "asyncio", "httpx2")),
        ("from aforesaid.cli.app import app", ("numpy", "aforesaid.memory", "aforesaid.cli.chat")),
        ("import aforesaid.cli.mcp, aforesaid.mcp_server.stdio",
         ("numpy", "apsw", "asyncio", "mcp", "starlette", "aforesaid.memory", "aforesaid.space")),
        ("from aforesaid.cli.app import COMMANDS, app; from typer.main import get_command as get;"
         " [get(app).commands[name] for name in COMMANDS]", ("fastapi", "mcp", "psycopg")),
    ],
)  # fmt: skip
def test_only_what_is_needed_is_imported(code, absent):
    script = f"{code}\nimport sys\nprint([name for name in {absent!r} if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "[]"


def test_the_public_names_are_those_of_the_stub():
    stub = ast.parse((SOURCE / "__init__.pyi").read_text("utf-8"))
    listed = next(ast.literal_eval(node.value) for node in stub.body if isinstance(node, ast.Assign))
    assert sorted(listed) == sorted(aforesaid.__all__)
    assert set(listed) <= set(dir(aforesaid))
    with pytest.raises(AttributeError, match="has no attribute 'Memroy'"):
        aforesaid.Memroy  # noqa: B018
