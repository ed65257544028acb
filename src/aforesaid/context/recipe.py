"""Recipes: the parameters of a context. Make a variant with `dataclasses.replace`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar, Literal

from aforesaid.errors import InvalidInput
from aforesaid.models.value import Value

FillStrategy = Literal["balanced", "window", "project", "rolling", "retrieval"]
FILLS: tuple[FillStrategy, ...] = ("balanced", "window", "project", "rolling", "retrieval")


@dataclass(frozen=True, slots=True)
class Recipe(Value):
    """`fill` names the strategy, the other fields are its parameters. Shares are of `max_tokens`. A strategy ignores
    the fields that docs/reference/recipes.md does not list for it."""

    __pydantic_config__: ClassVar[Mapping[str, str]] = {"extra": "forbid"}  # one schema for requests and responses

    name: str
    fill: FillStrategy
    max_tokens: int = 4000
    always: int = 3  # last messages that are never removed

    # History
    recent: int | None = None  # most messages; None: as many as fit
    high_water: float = 1.0  # the history is cut when it exceeds this share of its room …
    low_water: float = 0.5  # … to this share
    newest_share: float = 0.1  # reserved for the message to answer

    # Pins and summaries
    pins: int = 5
    pins_share: float = 0.15
    summaries: int = 3
    summaries_share: float = 0.1

    # The profile, with consent
    profile_share: float = 0.1  # 0: no profile

    # Recall
    recalled: int = 200  # most hits; 0: nothing is searched
    recalled_share: float = 0.3  # reserved for the recalled block, which may use all free tokens too
    recalled_tokens: int | None = None  # limit of the recalled block; None: only that of the context
    threshold: float = 0.0
    conversation_first: bool = False  # search the conversation, then the space if that gives few hits
    weights: tuple[float, ...] | None = None  # semantic, keyword, recency, importance, access
    code_first: bool = False

    # Reserves in tokens; a smaller `max_tokens` than the recipe's reserves in proportion
    system_reserve: int = 0
    working_reserve: int = 0
    recent_share: float = 0.6  # of the tokens after the reserves
    recent_priority: float = 0.9
    summary_priority: float = 0.5

    # Parameters of the steps that make summaries and episodes; see docs/reference/recipes.md
    chunk_size: int = 10
    short_term_turns: int = 50
    consolidation_days: int = 30
    max_episodes: int = 100
    recency_weight: float = 0.3
    importance_weight: float = 0.4
    rolling_window: int = 14
    rolling_after: int = 5

    def kept_for_recalled(self, most: int) -> int:
        """The tokens of `most` that are reserved for the recalled block."""
        share = round(most * self.recalled_share) if self.recalled else 0
        return share if self.recalled_tokens is None else min(share, self.recalled_tokens)


RECIPES: Mapping[str, Recipe] = {
    recipe.name: recipe
    for recipe in (
        Recipe("balanced", "balanced"),
        Recipe("window", "window", max_tokens=3000, recent=8, recalled=0),
        Recipe(
            "project",
            "project",
            max_tokens=128_000,
            recent=20,
            summaries=100,
            recalled=10,
            recalled_share=0.4,
            threshold=0.3,
            weights=(0.4, 0.3, 0.2, 0.1, 0.0),
            system_reserve=2_000,
            working_reserve=8_000,
        ),
        Recipe("rolling", "rolling", max_tokens=8000, recalled=0, pins=0),
        Recipe("retrieval", "retrieval", recent=8, conversation_first=True, code_first=True, summaries=0),
    )
}


def find_recipe(recipe: str | Recipe) -> Recipe:
    """A recipe by name, or a validated Recipe."""
    if isinstance(recipe, Recipe):
        return _validate(recipe)
    if not isinstance(recipe, str) or recipe not in RECIPES:
        raise InvalidInput(f"there is no recipe {recipe!r}; use {', '.join(RECIPES)}, or a Recipe")
    return RECIPES[recipe]


def _validate(recipe: Recipe) -> Recipe:
    if recipe.fill not in FILLS:
        raise InvalidInput(f"a recipe's fill must be one of {', '.join(FILLS)}, not {recipe.fill!r}")
    shares = ("newest_share", "pins_share", "summaries_share", "profile_share", "recalled_share")
    for name in ("high_water", "low_water", *shares):
        if not 0 <= getattr(recipe, name) <= 1:
            raise InvalidInput(f"a recipe's {name} must be a share from 0 to 1, not {getattr(recipe, name)!r}")
    if recipe.low_water >= recipe.high_water:
        raise InvalidInput("a recipe's low_water must be less than its high_water")
    for name in ("max_tokens", "always", "pins", "summaries", "recalled"):
        if getattr(recipe, name) < 0:
            raise InvalidInput(f"a recipe's {name} must not be negative")
    return recipe
