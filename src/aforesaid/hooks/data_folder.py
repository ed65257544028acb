"""The folder of the user's data, and the store that the hooks use unless `--store` names another."""

from __future__ import annotations

import hashlib
import os
import sys
from collections.abc import Mapping

STORE_NAME = "memory.db"


def data_folder(environment: Mapping[str, str] = os.environ, platform: str = sys.platform) -> str:
    """`%LOCALAPPDATA%\\aforesaid`, `~/Library/Application Support/aforesaid`, or `~/.local/share/aforesaid`."""
    home = environment.get("USERPROFILE" if platform == "win32" else "HOME") or os.path.expanduser("~")
    if platform == "win32":
        return os.path.join(environment.get("LOCALAPPDATA") or os.path.join(home, "AppData", "Local"), "aforesaid")
    if platform == "darwin":
        return os.path.join(home, "Library", "Application Support", "aforesaid")
    base = environment.get("XDG_DATA_HOME", "")
    return os.path.join(base if os.path.isabs(base) else os.path.join(home, ".local", "share"), "aforesaid")


def default_store(environment: Mapping[str, str] = os.environ, platform: str = sys.platform) -> str:
    """`AFORESAID_STORE`, else a file in the data folder."""
    return environment.get("AFORESAID_STORE") or os.path.join(data_folder(environment, platform), STORE_NAME)


def beside_store(store: str, name: str) -> str:
    """A file of the hooks beside the store; in the data folder for a store that is no file."""
    if "://" not in store:
        return f"{store}-{name}"
    return os.path.join(data_folder(), f"{hashlib.sha256(store.encode()).hexdigest()[:8]}-{name}")
