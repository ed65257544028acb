"""Recipes: what a context is made of. Each is a value with every number in it; `dataclasses.replace` makes another."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from typing import Literal

from recollect.errors import InvalidInput
from recollect.models import Json

Fill = Literal["balanced", "window", "project", "rolling", "retrieval"]
FILLS: tuple[Fill, ...] = ("balanced", "window", "project", "rolling", "retrieval")


@dataclass(frozen=True, slots=True)
class Recipe:
    """How a context is filled. `fill` names the way; the rest are its numbers. Shares are of `max_tokens`.

    A field that a way of filling does not use has no effect in it: docs/reference/recipes.md says which it uses.
    """

    name: str
    fill: Fill
    max_tokens: int = 4000
    always: int = 3  # the last messages, which stay whatever happens

    # History
    recent: int | None = None  # messages at most; None: as many as fit
    high_water: float = 1.0  # history is cut when it would exceed this share of its room …
    low_water: float = 0.5  # … and goes on from this one
    newest_share: float = 0.1  # kept free for the message being answered

    # Pins and summaries
    pins: int = 5
    pins_share: float = 0.15
    summaries: int = 3
    summaries_share: float = 0.1

    # The profile, with consent
    profile_share: float = 0.1  # at most; 0: none

    # Retrieval
    retrieved: int = 200  # hits at most; 0: nothing is searched
    retrieved_share: float = 0.3  # kept free for what is recalled; it may use all that is left beside
    retrieved_tokens: int | None = None  # the recalled block's own limit; None: none but the context's
    threshold: float = 0.0
    conversation_first: bool = False  # search the conversation, and the space where that gives little
    weights: tuple[float, ...] | None = None  # semantic, keyword, recency, importance, access
    code_first: bool = False

    # Reserves, in tokens of the recipe's own `max_tokens`; a smaller budget reserves in proportion
    system_reserve: int = 0
    working_reserve: int = 0
    recent_share: float = 0.6  # of what the reserves leave
    recent_priority: float = 0.9
    summary_priority: float = 0.5

    # The numbers of those who make what a context shows: carried here (docs/reference/recipes.md says who has them)
    chunk_size: int = 10
    short_term_turns: int = 50
    consolidation_days: int = 30
    max_episodes: int = 100
    recency_weight: float = 0.3
    importance_weight: float = 0.4
    rolling_window: int = 14
    rolling_after: int = 5

    def kept_for_recalled(self, most: int) -> int:
        """Tokens of `most` that history never takes from what is recalled."""
        share = round(most * self.retrieved_share) if self.retrieved else 0
        return share if self.retrieved_tokens is None else min(share, self.retrieved_tokens)

    def to_dict(self) -> dict[str, Json]:
        return asdict(self)

    @classmethod
    def from_dict(cls, record: Mapping[str, Json]) -> Recipe:
        """A recipe from what `to_dict` gave. Fields of another version are left out."""
        known = {field.name for field in fields(cls)}
        values = {name: value for name, value in record.items() if name in known}
        if values.get("weights") is not None:
            values["weights"] = tuple(values["weights"])
        return cls(**values)


RECIPES: Mapping[str, Recipe] = {
    recipe.name: recipe
    for recipe in (
        Recipe("balanced", "balanced"),
        Recipe("window", "window", max_tokens=3000, recent=8, retrieved=0),
        Recipe(
            "project",
            "project",
            max_tokens=128_000,
            recent=20,
            summaries=100,
            retrieved=10,
            retrieved_share=0.4,
            threshold=0.3,
            weights=(0.4, 0.3, 0.2, 0.1, 0.0),
            system_reserve=2_000,
            working_reserve=8_000,
        ),
        Recipe("rolling", "rolling", max_tokens=8000, retrieved=0, pins=0),
        Recipe("retrieval", "retrieval", recent=8, conversation_first=True, code_first=True, summaries=0),
    )
}


def named(recipe: str | Recipe) -> Recipe:
    """The recipe of that name, or the one that was given."""
    if isinstance(recipe, Recipe):
        return _checked(recipe)
    if not isinstance(recipe, str) or recipe not in RECIPES:
        raise InvalidInput(f"no recipe is called {recipe!r}; there are {', '.join(RECIPES)}, or give a Recipe")
    return RECIPES[recipe]


def _checked(recipe: Recipe) -> Recipe:
    if recipe.fill not in FILLS:
        raise InvalidInput(f"a recipe's fill must be one of {', '.join(FILLS)}, not {recipe.fill!r}")
    for name in (
        "high_water",
        "low_water",
        "newest_share",
        "pins_share",
        "summaries_share",
        "profile_share",
        "retrieved_share",
    ):
        if not 0 <= getattr(recipe, name) <= 1:
            raise InvalidInput(f"a recipe's {name} must be a share from 0 to 1, not {getattr(recipe, name)!r}")
    if recipe.low_water >= recipe.high_water:
        raise InvalidInput("a recipe's low_water must be less than its high_water")
    for name in ("max_tokens", "always", "pins", "summaries", "retrieved"):
        if getattr(recipe, name) < 0:
            raise InvalidInput(f"a recipe's {name} must not be negative")
    return recipe
