"""The arguments of a `context` call, and the validated request."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from aforesaid.context.recipe import Recipe, find_recipe
from aforesaid.errors import InvalidInput
from aforesaid.models.json import Json
from aforesaid.models.space import MAX_SPACES
from aforesaid.models.value import Value
from aforesaid.text import validate
from aforesaid.text.masking import mask_json

Overflow = Literal["raise", "truncate"]
OVERFLOWS: tuple[Overflow, ...] = ("raise", "truncate")
KEEPS_TEXT = "with sent, the receipt keeps the text of the context, which must not leave the other spaces"


@dataclass(frozen=True, slots=True)
class ContextRequest(Value):
    """A validated call of `context`. `include_newest`: None shows the message to answer after the history, True also
    counts it among the recent messages, False leaves it to the caller. `since`: the caller sends the messages of the
    conversation from this seq on. `sent`: of these, only the ones with these ids; the last one is the one to answer.
    Other ids are of records that the caller's prompt already quotes. `filter`: only what matches it is recalled.
    `spaces`: other spaces that are searched too."""

    query: str | None
    recipe: Recipe
    max_tokens: int
    system: str | None = None
    domain: str | None = None
    include_newest: bool | None = None
    overflow: Overflow = "raise"
    since: int | None = None
    sent: tuple[str, ...] | None = None
    filter: dict[str, Json] | None = None
    spaces: tuple[str, ...] | None = None

    def masked(self, mask: Callable[[str], str]) -> ContextRequest:
        query, system, domain = (text and mask(text) for text in (self.query, self.system, self.domain))
        return replace(self, query=query, system=system, domain=domain, filter=mask_json(self.filter))


@dataclass(frozen=True, slots=True)
class ContextArguments:
    """The arguments of a `context` call, not validated."""

    query: str | None = None
    recipe: str | Recipe = "balanced"
    max_tokens: int | None = None
    system: str | None = None
    domain: str | None = None
    include_newest: bool | None = None
    overflow: str = "raise"
    since: int | None = None
    sent: Sequence[str] | None = None
    filter: Mapping[str, Json] | None = None
    spaces: Sequence[str] | None = None

    def validated(self) -> ContextRequest:
        recipe = find_recipe(self.recipe)
        return ContextRequest(
            None if self.query is None else validate.non_blank(self.query, "query"),
            recipe,
            validate.count(recipe.max_tokens if self.max_tokens is None else self.max_tokens, "max_tokens"),
            _text(self.system, "system"),
            _text(self.domain, "domain"),
            self.include_newest if self._since() is None else False,
            validate.choice(self.overflow, OVERFLOWS, "overflow"),
            self._since(),
            None if self.sent is None else tuple(validate.name(id, "an id of sent") for id in self.sent),
            None if self.filter is None else validate.record(self.filter, "filter"),
            self._spaces(),
        )

    def _spaces(self) -> tuple[str, ...] | None:
        names = quoted_spaces(self.spaces)
        if names and self.sent is not None:
            raise InvalidInput(f"{KEEPS_TEXT}; leave out sent or spaces")
        return names

    def _since(self) -> int | None:
        if self.since is None:
            return None if self.sent is None else 0
        return validate.count(self.since, "since", 0)


def quoted_spaces(spaces: Sequence[str] | None) -> tuple[str, ...] | None:
    """The names of the other spaces of a context, each once; None if there are none."""
    if spaces is None:
        return None
    names = dict.fromkeys(validate.name(name, "a space") for name in validate.sequence(spaces, "spaces"))
    if len(names) > MAX_SPACES:
        raise InvalidInput(f"a context draws on at most {MAX_SPACES} spaces, not {len(names)}")
    return tuple(names) or None


def _text(value: str | None, what: str) -> str | None:
    return validate.text(value, what).strip() or None if value is not None else None
