"""Conversation memory for LLM applications: every word kept, the right ones found, on your own machine.

`__init__.pyi` lists the public names. A name's module is imported when the name is first used, so that a short command
imports only what it needs.
"""

from functools import cache
from importlib import import_module
from importlib.util import find_spec

__version__ = "0.1.0"


@cache
def _modules() -> dict[str, str]:
    """The module of each public name, read from the stub."""
    import ast
    from pkgutil import get_data  # `importlib.resources` takes five times as long to import

    stub = ast.parse(get_data(__name__, "__init__.pyi") or b"")
    imports = (statement for statement in stub.body if isinstance(statement, ast.ImportFrom))
    return {alias.name: str(statement.module) for statement in imports for alias in statement.names}


def __getattr__(name: str) -> object:
    if name == "__all__":
        return sorted([*_modules(), "__version__"])
    if name in _modules():
        value = globals()[name] = getattr(import_module(_modules()[name]), name)
        return value
    if not name.startswith("_") and find_spec(f"{__name__}.{name}") is not None:  # such as aforesaid.errors
        return import_module(f"{__name__}.{name}")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *_modules()})
