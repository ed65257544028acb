"""Episodes by a model, with their proof. Patterns have read the same messages before, and theirs stay as they are."""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, ClassVar

from recollect.distill.cut import Count
from recollect.distill.study import Heard
from recollect.distill.think import Thinker
from recollect.models import Episode
from recollect.ports import Clock, Episodes

if TYPE_CHECKING:
    from recollect.distill.moments.proof import Proven

OPERATION = "episodes"

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Narrating:
    """Reads a stretch for episodes. None is made twice, none where one was removed, and none from words that have left
    or were changed while the model was thinking."""

    step: ClassVar[str] = "narrate"
    setting: ClassVar[str] = "episodes"

    episodes: Episodes
    count: Count
    clock: Clock
    ids: Callable[[datetime], str]

    def read(self, thinker: Thinker, heard: Heard) -> None:
        from recollect.distill.moments.model import Answer, prompt
        from recollect.distill.moments.proof import judged

        answer = judged(thinker.ask(prompt(heard.said), Answer, OPERATION, heard.space), heard.said)
        kept = sum(self._keep(thinker.name, heard, proven) for proven in answer.proven)
        found = {"kept": kept, "known": len(answer.proven) - kept, "dropped": dict(answer.dropped)}
        log.info("narrated", extra={"action": "narrated", **found})

    def _keep(self, model: str, heard: Heard, proven: Proven) -> bool:
        """Whether it was new, and was written."""
        from recollect.distill.moments.retell import Making, retold

        span = proven.said[0].seq, proven.said[-1].seq
        removed = self.episodes.removed(heard.space, heard.conversation)
        near = self.episodes.reaching(heard.space, heard.conversation, span[0])
        if any(overlap(span, one) for one in removed) or any(same(proven, one) for one in near):
            return False
        now = self.clock()
        making = Making(self.ids(now), heard.space, heard.conversation, model, now)
        return self.episodes.keep(retold(proven, making, self.count), heard.seen)


def overlap(one: tuple[int, int], other: tuple[int, int]) -> bool:
    return one[0] <= other[1] and other[0] <= one[1]


def same(proven: Proven, episode: Episode) -> bool:
    """Whether an episode tells of the same: of messages in common, with the same type or by the same words."""
    if not overlap((proven.said[0].seq, proven.said[-1].seq), (episode.first_seq, episode.last_seq)):
        return False
    words, known = plain(proven.quote), plain(episode.outcome or "")
    return episode.type == proven.given.type or bool(known and (words in known or known in words))


def plain(text: str) -> str:
    return " ".join(text.casefold().split()).strip(".!。！")
