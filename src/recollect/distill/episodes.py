"""What happened in a conversation: found in what was said, kept up to date while it goes on."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import datetime

from recollect.distill.cut import Count, cut, safe
from recollect.distill.extractive import summarise
from recollect.distill.moments.find import Moment, moments
from recollect.distill.moments.group import LONGEST, Story, stories
from recollect.distill.moments.weigh import LEAST, key, significance, valence
from recollect.distill.reading import Reading, Stretch
from recollect.models import Episode
from recollect.ports import Clock, Episodes, Messages
from recollect.records import Utterance
from recollect.settings import Settings
from recollect.text.secrets import masked

STEP = "episodes"
LOOKBACK = 16  # messages before the unread ones that are looked at again: a story may go on
SUMMARY_TOKENS = 100
CONTEXT_TOKENS = 60
LONGEST_TITLE = 72  # characters
LONGEST_OUTCOME = 400  # characters


class EpisodeSearch:
    """The step that looks for episodes. An episode that goes on is extended; one that was removed never comes back."""

    def __init__(
        self,
        sources: tuple[Messages, Episodes, Reading],
        settings: Callable[[str], Settings],
        count: Count,
        clock: Clock,
        ids: Callable[[datetime], str],
    ) -> None:
        self._messages, self._episodes, self._reading = sources
        self._settings = settings
        self._count = count
        self._clock = clock
        self._ids = ids

    def look(self, space: str, conversation: str) -> None:
        if not self._settings(space).flag("episodes"):
            return
        for unread in self._reading.unread(space, conversation):
            self._read(space, conversation, unread)

    def _read(self, space: str, conversation: str, stretch: Stretch) -> None:
        unread = stretch.said
        since = unread[0].seq - LOOKBACK
        near = self._episodes.reaching(space, conversation, since)
        if not near and not any(map(moments, unread)):
            return
        begin = max(since - LONGEST, min([since, *(one.first_seq for one in near)]))
        before = self._messages.utterances(space, conversation, begin - 1, LOOKBACK + LONGEST)
        window = [*(one for one in before if one.seq < unread[0].seq), *unread]
        removed = self._episodes.removed(space, conversation)
        said = [moment for one in window if not _inside(one.seq, removed) for moment in moments(one)]
        for story in stories(window, said):
            known = [one for one in near if _touches(one, story)]
            if not any(one.method != "pattern" and one.type == key(story).type for one in known):
                old = next((one for one in known if one.method == "pattern"), None)
                made = self._made((space, conversation), story, window, old)
                if made is not None:
                    self._episodes.keep(made, stretch.seen)

    def _made(
        self, place: tuple[str, str], story: Story, window: Sequence[Utterance], old: Episode | None
    ) -> Episode | None:
        """The story as an episode, new or going on; None where nothing is to be written."""
        if old is not None:
            whole = replace(story, first=min(story.first, old.first_seq), last=max(story.last, old.last_seq))
            made = told(whole, window, self._count)
            changed = replace(
                made,
                id=old.id,
                space=place[0],
                conversation=place[1],
                created_at=old.created_at,
                at=old.at if made.last_seq == old.last_seq else made.at,
                facts=old.facts,
            )
            return None if changed == old else changed
        if significance(story) < LEAST:
            return None
        now = self._clock()
        made = told(story, window, self._count)
        return replace(made, id=self._ids(now), space=place[0], conversation=place[1], created_at=now)


def told(story: Story, window: Sequence[Utterance], count: Count) -> Episode:
    """The story as an episode, in the conversation's own words, without credentials; its id, place and time of making
    are still to be given."""
    best = key(story)
    within = [one for one in window if story.first <= one.seq <= story.last]
    before = [one for one in within if one.seq < best.utterance.seq]
    summary = masked(summarise(within, count, SUMMARY_TOKENS))
    return Episode(
        id="",
        space="",
        conversation="",
        type=best.type,
        title=_title(best),
        summary=summary,
        context=masked(summarise(before, count, CONTEXT_TOKENS)) if before else "",
        participants=tuple(dict.fromkeys(safe(one.speaker) for one in within if one.role != "tool")),
        outcome=masked(safe(best.sentence))[:LONGEST_OUTCOME],
        valence=valence(story, within),
        significance=significance(story),
        facts=(),
        first_seq=story.first,
        last_seq=story.last,
        method="pattern",
        model=None,
        tokens=count(summary),
        created_at=best.utterance.at,
        at=within[-1].at,
    )


def _title(moment: Moment) -> str:
    """The words that say it, in one line."""
    words = " ".join(masked(safe(moment.sentence[moment.at :])).split()).rstrip(".!。！")
    return cut(words[:1].upper() + words[1:], len, LONGEST_TITLE) or moment.type


def _touches(episode: Episode, story: Story) -> bool:
    return any(episode.first_seq <= moment.utterance.seq <= episode.last_seq for moment in story.moments)


def _inside(seq: int, ranges: Sequence[tuple[int, int]]) -> bool:
    return any(first <= seq <= last for first, last in ranges)
