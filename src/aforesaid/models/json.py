"""The type of JSON values."""

from __future__ import annotations

from typing import Any

Json = Any  # a value that json.loads returns
