"""The interface of a class: the parameters of its methods, captured from the framework or read from our source.

`python -m tests.adapters.interface FRAMEWORK` prints the interfaces of a framework, in its environment.
"""

from __future__ import annotations

import ast
import importlib
import inspect
import json
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tests.adapters.framework import load

# A method: if it is a coroutine or must be overridden, and its parameters: name, kind, and if it has a default.
Method = dict[str, Any]
Interface = Mapping[str, Method]
SPECIAL = ("__init__", "__call__", "__iter__", "__aiter__", "__enter__", "__aenter__")


def capture(spec: str) -> dict[str, Method]:
    """The methods of a class of an installed framework."""
    module, _, name = spec.partition(":")
    cls: Any = importlib.import_module(module)
    for part in name.split("."):
        cls = getattr(cls, part)
    abstract = getattr(cls, "__abstractmethods__", frozenset())
    found: dict[str, Method] = {}
    for member, value in inspect.getmembers(cls, inspect.isroutine):
        if member.startswith("_") and member not in SPECIAL:
            continue
        plain = inspect.unwrap(value)
        if not inspect.isfunction(plain) or getattr(plain, "__module__", "").split(".")[0] != module.split(".")[0]:
            continue
        found[member] = {
            "async": inspect.iscoroutinefunction(plain),
            "abstract": member in abstract or getattr(plain, "__isabstractmethod__", False),
            "parameters": [
                [one.name, one.kind.name, one.default is not one.empty]
                for one in list(inspect.signature(plain).parameters.values())[1:]
            ],
        }
    return found


def written(file: Path, name: str) -> dict[str, Method]:
    """The methods of a class in a source file, which is not imported, and of its bases in the same file."""
    classes = {
        node.name: node for node in ast.walk(ast.parse(file.read_text("utf-8"))) if isinstance(node, ast.ClassDef)
    }
    found: dict[str, Method] = {}
    for base in classes[name].bases:
        named = base.value if isinstance(base, ast.Subscript) else base
        if isinstance(named, ast.Name) and named.id in classes:
            found |= written(file, named.id)
    for node in classes[name].body:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            found[node.name] = {
                "async": isinstance(node, ast.AsyncFunctionDef), "abstract": False, "parameters": parameters(node.args)
            }  # fmt: skip
    return found


def parameters(arguments: ast.arguments) -> list[list[Any]]:
    plain = [*arguments.posonlyargs, *arguments.args]
    required = len(plain) - len(arguments.defaults)
    kinds = ["POSITIONAL_ONLY"] * len(arguments.posonlyargs) + ["POSITIONAL_OR_KEYWORD"] * len(arguments.args)
    found: list[list[Any]] = [[one.arg, kinds[n], n >= required] for n, one in enumerate(plain)][1:]
    if arguments.vararg:
        found.append([arguments.vararg.arg, "VAR_POSITIONAL", False])
    for one, default in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True):
        found.append([one.arg, "KEYWORD_ONLY", default is not None])
    if arguments.kwarg:
        found.append([arguments.kwarg.arg, "VAR_KEYWORD", False])
    return found


def differences(ours: Interface, theirs: Interface) -> list[str]:
    """Why the framework could not call our methods as it calls its own."""
    found = [f"{name} is missing" for name, method in theirs.items() if method["abstract"] and name not in ours]
    for name, method in theirs.items():
        if name in ours and name != "__init__":
            found += [f"{name}: {one}" for one in not_accepted(ours[name], method)]
    return found


def not_accepted(ours: Method, theirs: Method) -> list[str]:
    if ours["async"] != theirs["async"]:
        return ["one is a coroutine, the other is not"]
    known = {name: kind for name, kind, _ in ours["parameters"]}
    kinds = set(known.values())
    found = []
    for name, kind, _ in theirs["parameters"]:
        if kind == "VAR_KEYWORD" and kind not in kinds:
            found.append("takes no other keywords")
        elif kind in ("POSITIONAL_OR_KEYWORD", "KEYWORD_ONLY") and name not in known and "VAR_KEYWORD" not in kinds:
            found.append(f"has no parameter {name!r}")
    given = {name for name, _, _ in theirs["parameters"]}
    more = [
        name for name, kind, default in ours["parameters"] if not default and "VAR" not in kind and name not in given
    ]
    optional = {name for name, _, default in theirs["parameters"] if default}
    needed = [name for name, _, default in ours["parameters"] if not default and name in optional]
    return found + [f"needs a parameter {name!r} that is not passed" for name in more + needed]


if __name__ == "__main__":
    framework = load(sys.argv[1])
    json.dump({theirs: capture(theirs) for theirs in sorted(set(framework.classes.values()))}, sys.stdout, indent=1)
