"""What memory adds is masked as everything is that recollect sends to a model; what the client sends is its own."""

from __future__ import annotations

from collections.abc import Callable

from recollect import Space, masked

Veil = Callable[[str], str]


def veil_of(space: Space) -> Veil:
    """Puts `[masked: kind]` in the place of secrets, unless the space's `mask_sent` is off."""
    wanted = any(setting.value for setting in space.settings() if setting.name == "mask_sent")
    return masked if wanted else str
