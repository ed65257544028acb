"""Conversation memory for LLM applications: every word kept, the right ones found, on your own machine."""

from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from aforesaid.api import *  # noqa: F403

__version__ = "0.1.0"


def __getattr__(name: str) -> object:
    """Imports a public name or a module when it is first used: `import aforesaid` alone costs nothing."""
    if name[0].isupper() or name in ("__all__", "mask_secrets", "strip_memory_blocks"):
        value: object = getattr(import_module("aforesaid.api"), name)
        globals()[name] = value
        return value
    if not name.startswith("_") and find_spec(f"aforesaid.{name}") is not None:
        return import_module(f"aforesaid.{name}")
    raise AttributeError(f"module 'aforesaid' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *import_module("aforesaid.api").__all__})
