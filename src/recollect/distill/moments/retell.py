"""A model's episode in words that can be kept: its own where they are the conversation's, else the conversation's."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from recollect.distill.check import overlap
from recollect.distill.cut import Count, cut, safe
from recollect.distill.episodes import CONTEXT_TOKENS, LONGEST_OUTCOME, LONGEST_TITLE, SUMMARY_TOKENS
from recollect.distill.extractive import summarise
from recollect.distill.moments.proof import Proven
from recollect.models import Episode
from recollect.records import Utterance
from recollect.text.injected import injected
from recollect.text.orders import orders
from recollect.text.secrets import masked

SAID = 0.3  # the share of a model's words that were said, at least
MOST_NAMES = 8  # of people who took part without speaking
LONGEST_NAME = 60  # characters

_LETTER = re.compile(r"\w")


@dataclass(frozen=True, slots=True)
class Making:
    """What an episode is kept under, who told it, and when."""

    id: str
    space: str
    conversation: str
    model: str
    at: datetime


def retold(proven: Proven, making: Making, count: Count) -> Episode:
    """The episode. Its outcome is the quote that proves it; its title and summary are the model's where they keep to
    what was said and give no orders; nothing in it is a credential."""
    given, before = proven.given, [one for one in proven.said if one.seq < proven.proof.seq]
    quote = masked(safe(proven.quote))
    title = _kept(given.title, proven.said) or " ".join(quote.split())
    summary = _kept(given.summary, proven.said) or masked(summarise(proven.said, count, SUMMARY_TOKENS))
    summary = cut(summary, count, SUMMARY_TOKENS)
    return Episode(
        id=making.id,
        space=making.space,
        conversation=making.conversation,
        type=given.type,
        title=cut(title, len, LONGEST_TITLE) or given.type,
        summary=summary,
        context=masked(summarise(before, count, CONTEXT_TOKENS)) if before else "",
        participants=_participants(given.participants, proven.said),
        outcome=quote[:LONGEST_OUTCOME],
        valence=round(min(1.0, max(-1.0, given.valence)), 3),
        significance=round(min(1.0, max(0.0, given.significance)), 3),
        facts=(),
        first_seq=proven.said[0].seq,
        last_seq=proven.said[-1].seq,
        method="model",
        model=making.model,
        tokens=count(summary),
        created_at=making.at,
        at=proven.said[-1].at,
    )


def _kept(words: str, said: Sequence[Utterance]) -> str | None:
    """A model's words in one line, without credentials; None where they are not to be taken."""
    line = " ".join(masked(safe(words)).split())
    if _LETTER.search(line) is None or orders(words) or injected(words) or "```" in line:
        return None
    return line if overlap(line, " ".join(one.text for one in said)) >= SAID else None


def _participants(named: Sequence[str], said: Sequence[Utterance]) -> tuple[str, ...]:
    """Who spoke, and the people whom the model names and the user does too."""
    speakers = dict.fromkeys(safe(one.speaker) for one in said if one.role != "tool")
    text = "\n".join(safe(one.text) for one in said if one.role == "user")
    names = dict.fromkeys(name.strip() for name in named if _is_name(name.strip(), text))
    return tuple(speakers | dict.fromkeys(list(names)[:MOST_NAMES]))


def _is_name(name: str, text: str) -> bool:
    if not 2 <= len(name) <= LONGEST_NAME or name[0].islower() or masked(name) != name:
        return False
    return re.search(rf"(?<!\w){re.escape(name)}(?!\w)", text) is not None
