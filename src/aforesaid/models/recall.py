"""Hits with their scores, and the explanation of a query."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal, get_args, overload

from aforesaid.errors import InvalidInput
from aforesaid.models.fact import Fact
from aforesaid.models.feedback import Feedback
from aforesaid.models.item import Item
from aforesaid.models.message import Chunk, Message
from aforesaid.models.value import Value

HitKind = Literal["message", "pin", "summary", "fact", "episode", "profile", "item"]
GroupKind = Literal["session", "turn"]

HIT_KINDS: tuple[HitKind, ...] = get_args(HitKind)
RECALLED_KINDS: tuple[HitKind, ...] = tuple(kind for kind in HIT_KINDS if kind != "item")  # items only if asked for
GROUP_KINDS: tuple[GroupKind, ...] = get_args(GroupKind)


@dataclass(frozen=True, slots=True)
class Score(Value):
    """The score of a hit and its parts. `total` is the weighted sum of the parts, each of which is between 0 and 1.
    `speaker`, `time` and `statement` compare a message with the form of the question. Their weights are small.
    `feedback` is the correction from feedback, from −1 to 1; the setting `weight_feedback` is its weight. `relevance`
    is the estimated probability that the hit answers the query. It determines the order of the hits."""

    total: float
    dense: float = 0.0
    lexical: float = 0.0
    identifier: float = 0.0
    recency: float = 0.0
    importance: float = 0.0
    access: float = 0.0
    speaker: float = 0.0
    time: float = 0.0
    statement: float = 0.0
    relevance: float = 0.0
    feedback: float = 0.0


class Rateable:
    """A hit that knows the question it was found for. That is no part of its value: hits are compared, shown, copied
    and stored without it."""

    __slots__ = ("_rate",)
    _rate: Callable[[bool], list[Feedback]]

    def useful(self) -> list[Feedback]:
        """Says that this hit was useful for the question of its recall. `space.feedback` describes the effect."""
        return self._feedback(useful=True)

    def useless(self) -> list[Feedback]:
        """Says that this hit was not useful for the question of its recall."""
        return self._feedback(useful=False)

    def rate_with(self, rate: Callable[[bool], list[Feedback]]) -> None:
        """Sets what stores a verdict. A recall calls it for each of its hits."""
        object.__setattr__(self, "_rate", rate)

    def _feedback(self, *, useful: bool) -> list[Feedback]:
        try:
            rate = self._rate
        except AttributeError:
            other = "" if useful else ", useful=False"
            raise InvalidInput(
                "this hit is a copy, or was not made by a recall, so its question is unknown;"
                f" call space.feedback(query, hit{other}) instead"
            ) from None
        return rate(useful)


@dataclass(frozen=True, slots=True)
class Hit(Rateable, Value):
    """One result of a recall: a message with its best chunk, or a pin, summary, fact, episode, profile field or item.

    `messages` are the ids of the source messages of a fact, an episode or a pin. `notes` are the ids of facts, episodes
    and pins that match too and come from this message; they are not hits of their own. `space` is the space that it
    was found in; `at` is the time of a pin, fact, episode or summary. `useful()` and `useless()` give feedback on it.
    """

    kind: HitKind
    id: str
    text: str
    score: Score
    sources: tuple[str, ...]
    conversation: str
    message: Message | None = None
    chunk: Chunk | None = None
    messages: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    fact: Fact | None = None
    space: str = ""
    at: datetime | None = None
    item: Item | None = None


@dataclass(frozen=True, slots=True)
class Explanation(Value):
    """The analysis of a query, and the numbers of messages, candidates and duplicates."""

    terms: tuple[str, ...]
    identifiers: tuple[str, ...]
    when: tuple[datetime, datetime] | None
    messages: int
    candidates: int
    duplicates: int


@dataclass(frozen=True, slots=True)
class HitGroup(Value):
    """A session, or a turn with the message before it and the one after it: all of its messages in order, and the hits
    among them, best first. `score` is made of the totals of the hits."""

    kind: GroupKind
    space: str
    conversation: str
    messages: tuple[Message, ...]
    hits: tuple[Hit, ...]
    score: float


@dataclass(frozen=True, slots=True)
class Hits(Value, Sequence[Hit]):
    """Ranked hits, the best first. `degraded` names the searches that failed, `warnings` say why. Of a recall with
    `group`, the `groups`, the best first, and the hits in them, in the order of the groups."""

    hits: tuple[Hit, ...] = ()
    degraded: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
    explanation: Explanation | None = None
    milliseconds: Mapping[str, float] = field(default_factory=dict, compare=False)
    groups: tuple[HitGroup, ...] = ()

    @overload
    def __getitem__(self, index: int) -> Hit: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[Hit, ...]: ...
    def __getitem__(self, index: int | slice) -> Hit | tuple[Hit, ...]:
        return self.hits[index]

    def __len__(self) -> int:
        return len(self.hits)
