"""What a model is shown of a space is masked, unless the space says otherwise: none of it is the client's own words."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from recollect import Space
from recollect.mcp_server.passage import Passage
from recollect.space import mask_of


@dataclass(frozen=True, slots=True)
class Veil:
    """Puts `[masked: kind]` in the place of secrets. Names, ids and times stay."""

    text: Callable[[str], str]

    def passage(self, shown: Passage) -> Passage:
        return replace(shown, text=self.text(shown.text))


def veil_of(space: Space) -> Veil:
    return Veil(mask_of(space))
