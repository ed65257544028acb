"""Conversation memory for LLM applications: every word kept, the right ones found, on your own machine.

`__init__.pyi` lists the public names. A name's module is imported when the name is first used, so that a short command
imports only what it needs.
"""

from functools import cache
from importlib import import_module

__version__ = "0.1.0"


@cache
def _modules() -> dict[str, str]:
    """The module of each public name, read from the stub."""
    import ast
    from importlib.resources import files

    stub = ast.parse((files(__name__) / "__init__.pyi").read_text(encoding="utf-8"))
    imports = (statement for statement in stub.body if isinstance(statement, ast.ImportFrom))
    return {alias.name: str(statement.module) for statement in imports for alias in statement.names}


def __getattr__(name: str) -> object:
    if name == "__all__":
        return sorted([*_modules(), "__version__"])
    module = None if name.startswith("_") else _modules().get(name)
    if module is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = globals()[name] = getattr(import_module(module), name)
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *_modules()})
