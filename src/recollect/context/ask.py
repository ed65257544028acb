"""What is asked for: one value, checked at the door."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from typing import Literal

from recollect.context.recipe import Recipe, named
from recollect.models import Json
from recollect.text import accept

Overflow = Literal["raise", "truncate"]
OVERFLOWS: tuple[Overflow, ...] = ("raise", "truncate")


@dataclass(frozen=True, slots=True)
class Ask:
    """A call of `context`. `include_newest`: None shows the message being answered after the history, True counts
    it among the recent ones too, False leaves it to the caller to send. `since`: the caller sends the conversation's
    messages from this seq on, the newest one too."""

    query: str | None
    recipe: Recipe
    max_tokens: int
    system: str | None = None
    domain: str | None = None
    include_newest: bool | None = None
    overflow: Overflow = "raise"
    since: int | None = None

    def masked(self, mask: Callable[[str], str]) -> Ask:
        """The call with what `mask` makes of its texts."""
        query, system, domain = (text and mask(text) for text in (self.query, self.system, self.domain))
        return replace(self, query=query, system=system, domain=domain)

    def to_dict(self) -> dict[str, Json]:
        return asdict(self)

    @classmethod
    def from_dict(cls, record: dict[str, Json]) -> Ask:
        return cls(**record | {"recipe": Recipe.from_dict(record["recipe"])})


@dataclass(frozen=True, slots=True)
class Wish:
    """The arguments of `context` as the caller gave them."""

    query: str | None = None
    recipe: str | Recipe = "balanced"
    max_tokens: int | None = None
    system: str | None = None
    domain: str | None = None
    include_newest: bool | None = None
    overflow: str = "raise"
    since: int | None = None

    def checked(self) -> Ask:
        recipe = named(self.recipe)
        return Ask(
            None if self.query is None else accept.words(self.query, "query"),
            recipe,
            accept.count(recipe.max_tokens if self.max_tokens is None else self.max_tokens, "max_tokens"),
            _text(self.system, "system"),
            _text(self.domain, "domain"),
            self.include_newest if self.since is None else False,
            accept.choice(self.overflow, OVERFLOWS, "overflow"),
            None if self.since is None else accept.count(self.since, "since", 0),
        )


def _text(value: str | None, what: str) -> str | None:
    return accept.text(value, what).strip() or None if value is not None else None
