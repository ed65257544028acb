"""Recall filters: the validated options of a caller, and the messages that they allow."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial
from typing import Literal, TypedDict

import numpy as np

from aforesaid.errors import InvalidInput
from aforesaid.ids import microseconds
from aforesaid.models.episode import EPISODE_TYPES
from aforesaid.models.fact import FACT_KINDS
from aforesaid.models.index import NOTHING_EXPIRED, Directory, ExpiredKeys
from aforesaid.models.json import Json
from aforesaid.models.pin import PIN_TYPES
from aforesaid.models.recall import RECALLED_KINDS, GroupKind, HitKind
from aforesaid.models.space import MAX_SPACES
from aforesaid.models.summary import SUMMARY_KINDS
from aforesaid.recall.bm25 import Mask, Positions
from aforesaid.recall.metadata_filter import FilterNode, matching_messages, parse_filter
from aforesaid.storage.repositories.directories import Directories, Fork
from aforesaid.storage.repositories.metadata import MetadataIndex
from aforesaid.storage.repositories.space_keys import NO_END, Line, Segment
from aforesaid.text import validate

NOTE_TYPES = (*FACT_KINDS, *EPISODE_TYPES, *PIN_TYPES, *SUMMARY_KINDS)
MOMENTS: tuple[Literal["since", "until", "as_of", "known_at"], ...] = ("since", "until", "as_of", "known_at")


class RecallOptions(TypedDict, total=False):
    """Options of a recall.

    `kinds` are message, pin, summary, fact, episode, profile. `types` are the kinds of facts and the types of episodes,
    pins and summaries; with them, no message is found. Times are datetimes, or days in UTC. `as_of` finds the facts
    that were true at that time, also superseded ones, and nothing later. `known_at` finds only records that were known
    at that time. `categories` and `tags` are those of a fact, or in the metadata of a message. `filter` has conditions
    on the metadata of messages and conversations, as metadata_filter.py describes. `group`, "session" or "turn", finds
    messages only, and at most `limit` groups of them: `hits.groups`. `min_score` is the least relevance of a hit, the
    probability that it answers the query. `boost` is a text whose rare words count too. `explain` returns the parsed
    query. `items` also finds items: of this namespace and below it, or with True of the whole space."""

    kinds: Sequence[str]
    types: Sequence[str]
    categories: Sequence[str]
    tags: Sequence[str]
    filter: Mapping[str, Json]
    group: GroupKind
    since: datetime | str
    until: datetime | str
    min_importance: float
    min_score: float
    include_episodes: bool
    as_of: datetime | str
    known_at: datetime | str
    boost: str
    explain: bool
    items: bool | str | Sequence[str]


@dataclass(frozen=True, slots=True)
class RecallFilter:
    """Validated options. `since` and `until` are inclusive. `as_of` and `known_at` exclude later messages and notes.
    With `metadata`, a note is found only if one of its source messages matches."""

    kinds: tuple[HitKind, ...] = RECALLED_KINDS
    types: tuple[str, ...] = ()
    categories: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    since: datetime | None = None
    until: datetime | None = None
    min_importance: float = 0.0
    as_of: datetime | None = None
    known_at: datetime | None = None
    metadata: FilterNode | None = None

    @classmethod
    def of(cls, options: RecallOptions) -> RecallFilter:
        """Raises InvalidInput for an unknown option, kind or type, or an invalid time."""
        unknown = [name for name in options if name not in RecallOptions.__annotations__]
        if unknown:
            raise InvalidInput(f"recall takes no {unknown[0]!r}; it takes: {', '.join(RecallOptions.__annotations__)}")
        times = [name for name in MOMENTS if options.get(name) is not None]
        moments = {name: validate.day_edge(options[name], name, begins=name == "since") for name in times}
        names = _names(options.get("kinds"), "kinds", RECALLED_KINDS)
        kinds = [validate.choice(kind, RECALLED_KINDS, "a kind") for kind in names]
        if options.get("group") is not None:
            kinds = [kind for kind in kinds if kind == "message"]
        if not options.get("include_episodes", True):
            kinds = [kind for kind in kinds if kind != "episode"]
        return cls(
            tuple(kinds),
            tuple(validate.choice(name, NOTE_TYPES, "a type") for name in _names(options.get("types"), "types")),
            _names(options.get("categories"), "categories"),
            _names(options.get("tags"), "tags"),
            min_importance=validate.share(options.get("min_importance", 0.0), "min_importance"),
            metadata=parse_filter(options.get("filter", {})),
            **moments,
        )

    @property
    def last(self) -> datetime | None:
        """The latest time that is allowed."""
        return min((at for at in (self.until, self.as_of, self.known_at) if at is not None), default=None)

    def allows(self, at: datetime, importance: float) -> bool:
        late = self.last is not None and at > self.last
        early = self.since is not None and at < self.since
        return not late and not early and importance >= self.min_importance


def _names(values: Sequence[str] | None, what: str, default: Sequence[str] = ()) -> tuple[str, ...]:
    if values is None:
        return tuple(default)
    return tuple(validate.non_blank(value, f"one of {what}") for value in validate.sequence(values, what))


def as_of_directory(directory: Directory, bounds: RecallFilter, hidden: Positions) -> Directory:
    """The directory without the chunks of hidden messages, and of those that are later than `as_of` and `known_at`."""
    moments = [microseconds(at) for at in (bounds.as_of, bounds.known_at) if at is not None]
    if not moments and not len(hidden):
        return directory
    seen = np.isin(directory.messages, hidden, invert=True)
    if moments:
        seen &= directory.moments <= min(moments)
    seen = np.append(seen, False)
    return replace(directory, places=lambda keys: np.where(seen[at := directory.places(keys)], at, -1))


def searched_spaces(spaces: Sequence[str]) -> list[str]:
    """The names of the spaces of one recall, each once."""
    names = [validate.name(space, "a space") for space in validate.sequence(spaces, "spaces")]
    if not 1 <= len(names) <= MAX_SPACES:
        raise InvalidInput(f"recall searches 1 to {MAX_SPACES} spaces, not {len(names)}")
    return list(dict.fromkeys(names))


@dataclass(frozen=True, slots=True)
class SearchScope:
    """A space, or one conversation of it. With `seen_from`, a space as this conversation sees it: without what was said
    off its line, in another branch of the same conversation."""

    space: str
    conversation: str | None = None
    seen_from: str | None = None


@dataclass(frozen=True, slots=True)
class ConversationFilter:
    """The conversations of a scope, by key: `only` this one, or all except the muted ones; and what has `expired` in
    them. `asked` are the keys of the messages that ask the question. `matching` are the keys of the messages that match
    a filter over metadata; None without a filter.

    `line` are the parts of conversations that the searching branch sees, its own last; `tree` are all conversations
    with the same first ancestor. Both are empty if that is only one."""

    space: str
    only: int | None = None
    muted: frozenset[int] = frozenset()
    expired: ExpiredKeys = NOTHING_EXPIRED
    asked: Positions | None = None
    matching: Positions | None = None
    line: Line = ()
    tree: frozenset[int] = frozenset()

    @classmethod
    def of(cls, directories: Directories, scope: SearchScope) -> ConversationFilter:
        expired, forks = directories.expired(scope.space), directories.forks(scope.space)
        searching = scope.conversation or (scope.seen_from if forks else None)
        key = None if searching is None else directories.key(scope.space, searching)
        line, tree = line_and_tree(forks, key) if forks and key is not None else ((), frozenset())
        if scope.conversation is None:
            return cls(scope.space, muted=directories.muted(scope.space), expired=expired, line=line, tree=tree)
        return cls(scope.space, -1 if key is None else key, expired=expired, line=line, tree=tree)

    @property
    def hidden(self) -> Positions:
        """The keys of the messages that no search finds or counts."""
        return self.expired.messages if self.asked is None else np.append(self.expired.messages, self.asked)

    def narrowed(self, index: MetadataIndex, directory: Directory, node: FilterNode | None) -> ConversationFilter:
        """The same, with the messages that match a filter over metadata."""
        if node is None:
            return self
        mask = matching_messages(node, directory, partial(index.matching, self.space))
        return replace(self, matching=directory.messages[mask])

    def allows(self, conversations: Positions, on_line: Callable[[], Mask]) -> Mask:
        """The messages or notes that are in scope, by their conversations. `on_line` returns those on the line."""
        if self.only is not None:
            return on_line() if self.line else np.equal(conversations, self.only)
        allowed = np.ones(len(conversations), bool)
        if self.muted:
            allowed = np.isin(conversations, list(self.muted), invert=True)
        if self.tree:
            allowed &= np.isin(conversations, list(self.tree), invert=True) | on_line()
        return allowed

    def on_line(self, directory: Directory) -> Mask:
        """The messages on the line."""
        mask = np.zeros(len(directory), bool)
        for part in self.line:
            mask |= (directory.conversations == part.conversation_key) & (directory.seqs <= part.last_seq)
        return mask


def line_and_tree(forks: Mapping[int, Fork], key: int) -> tuple[Line, frozenset[int]]:
    """The line of a conversation, and the keys of all conversations with the same first ancestor; both are empty if
    that is only the conversation itself."""
    line, last_seq, until = [Segment(key, "")], NO_END, NO_END
    while (fork := forks.get(line[-1].conversation_key)) and fork.parent < line[-1].conversation_key:
        last_seq, until = min(last_seq, fork.last_seq), min(until, fork.at)
        line.append(Segment(fork.parent, "", last_seq, until))
    tree, children = {line[-1].conversation_key}, defaultdict(list)
    for branch, fork in forks.items():
        children[fork.parent].append(branch)
    reached = list(tree)
    while reached:
        reached = [branch for parent in reached for branch in children[parent]]
        tree.update(reached)
    return (tuple(reversed(line)), frozenset(tree)) if len(tree) > 1 else ((), frozenset())


def allowed_messages(
    directories: Directories, directory: Directory, scope: ConversationFilter, bounds: RecallFilter
) -> Mask:
    inside = scope.allows(directory.conversations, partial(scope.on_line, directory))
    if len(scope.hidden):
        inside &= np.isin(directory.messages, scope.hidden, invert=True)
    if "message" not in bounds.kinds or bounds.types:
        inside[:] = False
    if bounds.since is not None:
        inside &= directory.moments >= microseconds(bounds.since)
    if bounds.last is not None:
        inside &= directory.moments <= microseconds(bounds.last)
    if bounds.min_importance > 0:
        inside &= directory.importances >= np.float32(bounds.min_importance) - 1e-6
    if bounds.categories or bounds.tags:
        keys = directories.labelled(scope.space, bounds.categories, bounds.tags)
        inside &= np.isin(directory.messages, list(keys))
    if scope.matching is not None:
        inside &= np.isin(directory.messages, scope.matching)
    return inside
