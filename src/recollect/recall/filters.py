"""Which messages may answer at all."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Literal, TypedDict

import numpy as np
from numpy.typing import NDArray

from recollect.errors import InvalidInput
from recollect.ids import microseconds
from recollect.models import EPISODE_TYPES, FACT_KINDS, HIT_KINDS, PIN_TYPES, SUMMARY_KINDS, HitKind
from recollect.ports import Directories
from recollect.records import Directory
from recollect.text import accept
from recollect.text.given import several

NOTE_TYPES = (*FACT_KINDS, *EPISODE_TYPES, *PIN_TYPES, *SUMMARY_KINDS)


class Bounds(TypedDict, total=False):
    """What may be said about an answer. `kinds` are message, pin, summary, fact, episode, profile; `types` are the
    kinds of facts and the types of episodes, pins and summaries, and let no message through. `since`, `until`,
    `as_of` and `known_at` are moments, or days in UTC. As of a time, facts are found that were true then, superseded
    ones too, and of all else nothing that is later; nothing that was not known then. `categories` and `tags` are those
    of a fact or of a message's metadata. `boost` is a text whose rare words count too. `explain` says how the query
    was read. `include_episodes=False` leaves episodes out."""

    kinds: Sequence[str]
    types: Sequence[str]
    categories: Sequence[str]
    tags: Sequence[str]
    since: datetime | str
    until: datetime | str
    min_importance: float
    include_episodes: bool
    as_of: datetime | str
    known_at: datetime | str
    boost: str
    explain: bool


@dataclass(frozen=True, slots=True)
class Filter:
    """Bounds on what is recalled. `since` and `until` are said times, both included; `as_of` and `known_at` let
    nothing through that is later than the moment, but facts that were true, or known, then. Categories and tags are
    those of a fact or of a message's metadata."""

    kinds: tuple[HitKind, ...] = HIT_KINDS
    types: tuple[str, ...] = ()
    categories: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    since: datetime | None = None
    until: datetime | None = None
    min_importance: float = 0.0
    as_of: datetime | None = None
    known_at: datetime | None = None

    @classmethod
    def of(cls, bounds: Bounds) -> Filter:
        """The bounds, checked. An unknown name, kind or moment is refused."""
        unknown = [name for name in bounds if name not in Bounds.__annotations__]
        if unknown:
            raise InvalidInput(f"recall takes no {unknown[0]!r}; it takes: {', '.join(Bounds.__annotations__)}")
        moments = {
            name: accept.edge(bounds[name], name, begins=name == "since")
            for name in MOMENTS
            if bounds.get(name) is not None
        }
        kinds = [accept.choice(kind, HIT_KINDS, "a kind") for kind in _listed(bounds.get("kinds"), "kinds", HIT_KINDS)]
        if not bounds.get("include_episodes", True):
            kinds = [kind for kind in kinds if kind != "episode"]
        return cls(
            tuple(kinds),
            tuple(accept.choice(one, NOTE_TYPES, "a type") for one in _listed(bounds.get("types"), "types")),
            _listed(bounds.get("categories"), "categories"),
            _listed(bounds.get("tags"), "tags"),
            min_importance=accept.share(bounds.get("min_importance", 0.0), "min_importance"),
            **moments,
        )

    @property
    def last(self) -> datetime | None:
        """The latest moment that is let through."""
        return min((at for at in (self.until, self.as_of, self.known_at) if at is not None), default=None)

    def allows(self, at: datetime, importance: float) -> bool:
        late = self.last is not None and at > self.last
        early = self.since is not None and at < self.since
        return not late and not early and importance >= self.min_importance


MOMENTS: tuple[Literal["since", "until", "as_of", "known_at"], ...] = ("since", "until", "as_of", "known_at")


def _listed(given: Sequence[str] | None, what: str, otherwise: Sequence[str] = ()) -> tuple[str, ...]:
    if given is None:
        return tuple(otherwise)
    return tuple(accept.words(one, f"one of {what}") for one in several(given, what))


def as_known(directory: Directory, bounds: Filter) -> Directory:
    """The directory without the words and the meaning of what was said later than `as_of` and `known_at`."""
    moments = [microseconds(at) for at in (bounds.as_of, bounds.known_at) if at is not None]
    if not moments:
        return directory
    early = np.append(directory.moments <= min(moments), False)
    return replace(directory, places=lambda keys: np.where(early[at := directory.places(keys)], at, -1))


@dataclass(frozen=True, slots=True)
class Scope:
    """Where to look: a space, or one conversation of it."""

    space: str
    conversation: str | None = None


def allowed(directories: Directories, directory: Directory, scope: Scope, bounds: Filter) -> NDArray[np.bool_]:
    """The messages of a directory that are inside the scope and the bounds."""
    inside = np.ones(len(directory), bool)
    if "message" not in bounds.kinds or bounds.types:
        inside[:] = False
    if scope.conversation is not None:
        key = directories.key(scope.space, scope.conversation)
        inside &= directory.conversations == (-1 if key is None else key)
    elif muted := directories.muted(scope.space):
        inside &= ~np.isin(directory.conversations, list(muted))
    if bounds.since is not None:
        inside &= directory.moments >= microseconds(bounds.since)
    if bounds.last is not None:
        inside &= directory.moments <= microseconds(bounds.last)
    if bounds.min_importance > 0:
        inside &= directory.importances >= np.float32(bounds.min_importance) - 1e-6
    if bounds.categories or bounds.tags:
        keys = directories.labelled(scope.space, bounds.categories, bounds.tags)
        inside &= np.isin(directory.messages, list(keys))
    return inside
