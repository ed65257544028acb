"""What a model is shown of a space is masked, unless the space says otherwise: none of it is the client's own words."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from recollect import Space, masked
from recollect.mcp_server.passage import Passage


@dataclass(frozen=True, slots=True)
class Veil:
    """Puts `[masked: kind]` in the place of secrets. Names, ids and times stay."""

    text: Callable[[str], str]

    def passage(self, shown: Passage) -> Passage:
        return replace(shown, text=self.text(shown.text))


def veil_of(space: Space) -> Veil:
    wanted = any(setting.value for setting in space.settings() if setting.name == "mask_sent")
    return Veil(masked if wanted else str)
