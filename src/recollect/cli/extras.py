"""What a plain install does not have: a command that needs it says what to install, before it does anything."""

from __future__ import annotations

from importlib.util import find_spec

from recollect.errors import InvalidInput

PACKAGES = {
    "server": ("fastapi", "limits", "prometheus_client", "uvicorn"),
    "mcp": ("mcp",),
}
NAMES = {"server": "the server", "mcp": "MCP"}


def need(extra: str) -> None:
    if any(find_spec(package) is None for package in PACKAGES[extra]):
        raise InvalidInput(f'{NAMES[extra]} needs a package that is not installed: pip install "recollect[{extra}]"')
