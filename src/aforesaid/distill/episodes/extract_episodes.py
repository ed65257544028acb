"""Extracts episodes from a conversation, by patterns and by a model. A removed episode is never created again."""

from __future__ import annotations

import logging
import re
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import datetime
from typing import ClassVar

from aforesaid.distill.episodes.event_mentions import (
    LONGEST_EPISODE,
    VALENCE,
    EpisodeDraft,
    event_mentions,
    group_mentions,
    significance,
)
from aforesaid.distill.episodes.evidence import ProvenEpisode, ranges_overlap, verify_episodes
from aforesaid.distill.llm.llm_call import LLMClient
from aforesaid.distill.llm.model_extraction import ExtractionBatch
from aforesaid.distill.pipeline import Pause, UtteranceBatch, no_pause, unread_batches
from aforesaid.distill.summaries.extractive import summarise
from aforesaid.distill.summaries.summary_writer import word_overlap
from aforesaid.distill.truncate import CountTokens, truncate
from aforesaid.models.episode import Episode
from aforesaid.models.message import Utterance
from aforesaid.ports import Clock
from aforesaid.settings import Settings
from aforesaid.storage.repositories.episodes import Episodes
from aforesaid.storage.store import Store
from aforesaid.text.injection import looks_like_injection
from aforesaid.text.masking import mask_secrets
from aforesaid.text.memory_blocks import memory_block_spans
from aforesaid.text.normalize import storable_text

STEP = "episodes"
LOOKBACK = 16  # messages before the unread ones that are read again, because an episode may continue
SUMMARY_TOKENS = 100
CONTEXT_TOKENS = 60
SHORTEST_TITLE, LONGEST_TITLE = 36, 72  # characters
LONGEST_OUTCOME = 400  # characters

_PAUSE = re.compile(r"[,;(–—]| - | (?:but|so|which) ")

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class PatternEpisodeExtractor:
    """The distillation step that extracts episodes by patterns. The setting `episodes` turns it off."""

    store: Store
    settings: Callable[[str], Settings]
    count: CountTokens
    clock: Clock
    make_id: Callable[[datetime], str]
    pause: Pause = no_pause

    def run(self, space: str, conversation: str) -> None:
        if self.settings(space).flag("episodes"):
            for batch in unread_batches(self.store, STEP, space, conversation, self.pause):
                self._read(space, conversation, batch)

    def _read(self, space: str, conversation: str, batch: UtteranceBatch) -> None:
        unread = batch.messages
        since = unread[0].seq - LOOKBACK
        near = self.store.episodes.reaching(space, conversation, since)
        if not near and not any(map(event_mentions, unread)):
            return
        begin = max(since - LONGEST_EPISODE, min([since, *(episode.first_seq for episode in near)]))
        before = self.store.messages.utterances(space, conversation, begin - 1, LOOKBACK + LONGEST_EPISODE)
        window = [*(message for message in before if message.seq < unread[0].seq), *unread]
        removed = self.store.episodes.removed(space, conversation)
        readable = [each for each in window if not any(first <= each.seq <= last for first, last in removed)]
        mentions = [mention for message in readable for mention in event_mentions(message)]
        for draft in group_mentions(window, mentions):
            known = [episode for episode in near if _mentioned_in(episode, draft)]
            if not any(each.method != "pattern" and each.type == draft.main.type for each in known):
                old = next((episode for episode in known if episode.method == "pattern"), None)
                episode = self._episode((space, conversation), draft, window, old)
                if episode is not None:
                    self.store.episodes.keep(episode, batch.seen)

    def _episode(
        self, place: tuple[str, str], draft: EpisodeDraft, window: Sequence[Utterance], old: Episode | None
    ) -> Episode | None:
        """The draft as a new episode, or as the continued old one; None if there is nothing to write."""
        if old is not None:
            whole = replace(draft, first=min(draft.first, old.first_seq), last=max(draft.last, old.last_seq))
            episode = to_episode(whole, window, EpisodeOrigin(old.id, *place, None, old.created_at), self.count)
            at = old.at if episode.last_seq == old.last_seq else episode.at
            changed = replace(episode, at=at, facts=old.facts)
            return None if changed == old else changed
        now = self.clock()
        return to_episode(draft, window, EpisodeOrigin(self.make_id(now), *place, None, now), self.count)


@dataclass(frozen=True, slots=True)
class EpisodeOrigin:
    """The id and the place of an episode, the model that found it, and the time of creation."""

    id: str
    space: str
    conversation: str
    model: str | None
    created_at: datetime


def to_episode(draft: EpisodeDraft, window: Sequence[Utterance], origin: EpisodeOrigin, count: CountTokens) -> Episode:
    """The episode in the conversation's own words, without credentials."""
    main, topic = draft.main, draft.topic
    messages = [message for message in window if draft.first <= message.seq <= draft.last]
    summary = mask_secrets(summarise(messages, count, SUMMARY_TOKENS))
    clause = " ".join(mask_secrets(storable_text(topic.text[topic.at :])).split()).rstrip(".!。！")
    outcome = main.text if main is topic else f"{topic.text} {main.text}"
    return Episode(
        **asdict(origin),
        type=main.type,
        title=_title(clause) or main.type,
        summary=summary,
        context=_context(messages, main.utterance.seq, count),
        participants=tuple(_speakers(messages)),
        outcome=mask_secrets(storable_text(outcome))[:LONGEST_OUTCOME],
        valence=VALENCE[main.type],
        significance=significance(draft),
        facts=(),
        first_seq=draft.first,
        last_seq=draft.last,
        method="pattern",
        tokens=count(summary),
        at=messages[-1].at,
    )


def _title(clause: str) -> str:
    """The clause, up to a pause if it is too long."""
    pauses = [pause.start() for pause in _PAUSE.finditer(clause, SHORTEST_TITLE, LONGEST_TITLE)]
    title = clause[: pauses[-1]] if pauses and len(clause) > LONGEST_TITLE else clause
    return truncate((title[:1].upper() + title[1:]).rstrip(" ,;-"), len, LONGEST_TITLE)


def _context(messages: Sequence[Utterance], seq: int, count: CountTokens) -> str:
    """A summary of the messages before the one that says the outcome."""
    before = [message for message in messages if message.seq < seq]
    return mask_secrets(summarise(before, count, CONTEXT_TOKENS)) if before else ""


def _speakers(messages: Sequence[Utterance]) -> dict[str, None]:
    return dict.fromkeys(storable_text(message.speaker) for message in messages if message.role != "tool")


def _mentioned_in(episode: Episode, draft: EpisodeDraft) -> bool:
    return any(episode.first_seq <= mention.utterance.seq <= episode.last_seq for mention in draft.mentions)


@dataclass(frozen=True, slots=True)
class ModelEpisodeExtractor:
    """Extracts episodes from a batch of messages with a model. A known episode is not created again or changed."""

    step: ClassVar[str] = "narrate"
    setting: ClassVar[str] = "episodes"

    episodes: Episodes
    count: CountTokens
    clock: Clock
    make_id: Callable[[datetime], str]

    def read(self, llm_client: LLMClient, batch: ExtractionBatch) -> None:
        from aforesaid.distill.llm.structured_output import EpisodeAnswer, episode_prompt

        answer = llm_client.ask(episode_prompt(batch.messages), EpisodeAnswer, STEP, batch.space)
        verdicts = verify_episodes(answer, batch.messages)
        stored = sum(self._store_new(llm_client.name, batch, proven) for proven in verdicts.proven)
        counts = {"kept": stored, "known": len(verdicts.proven) - stored, "dropped": dict(verdicts.dropped)}
        log.info("episodes extracted by a model", extra={"action": "narrated", **counts})

    def _store_new(self, model: str, batch: ExtractionBatch, proven: ProvenEpisode) -> bool:
        """Returns True if the episode was new and is stored."""
        removed = self.episodes.removed(batch.space, batch.conversation)
        near = self.episodes.reaching(batch.space, batch.conversation, proven.span[0])
        if any(ranges_overlap(proven.span, each) for each in removed) or any(map(proven.same_as, near)):
            return False
        now = self.clock()
        origin = EpisodeOrigin(self.make_id(now), batch.space, batch.conversation, model, now)
        return self.episodes.keep(to_model_episode(proven, origin, self.count), batch.seen)


LEAST_OVERLAP = 0.3  # share of the words of a model's title or summary that are in the messages
MOST_NAMES = 8  # people who took part without speaking
LONGEST_NAME = 60  # characters

_LETTER = re.compile(r"\w")


def to_model_episode(proven: ProvenEpisode, origin: EpisodeOrigin, count: CountTokens) -> Episode:
    """The episode, without credentials. Its outcome is the proven quote. A title or summary that does not use the words
    of the messages, or that gives orders, is replaced by text from the messages."""
    episode, messages = proven.given, proven.messages
    quote = mask_secrets(storable_text(proven.quote))
    title = _accepted(episode.title, messages) or " ".join(quote.split())
    summary = _accepted(episode.summary, messages) or mask_secrets(summarise(messages, count, SUMMARY_TOKENS))
    summary = truncate(summary, count, SUMMARY_TOKENS)
    return Episode(
        **asdict(origin),
        type=episode.type,
        title=truncate(title, len, LONGEST_TITLE) or episode.type,
        summary=summary,
        context=_context(messages, proven.proof.seq, count),
        participants=_participants(episode.participants, messages),
        outcome=quote[:LONGEST_OUTCOME],
        valence=round(min(1.0, max(-1.0, episode.valence)), 3),
        significance=round(min(1.0, max(0.0, episode.significance)), 3),
        facts=(),
        first_seq=messages[0].seq,
        last_seq=messages[-1].seq,
        method="model",
        tokens=count(summary),
        at=messages[-1].at,
    )


def _accepted(words: str, messages: Sequence[Utterance]) -> str | None:
    """A model's words on one line, without credentials; None if they are not accepted."""
    line = " ".join(mask_secrets(storable_text(words)).split())
    if _LETTER.search(line) is None or looks_like_injection(words) or memory_block_spans(words) or "```" in line:
        return None
    return line if word_overlap(line, " ".join(message.text for message in messages)) >= LEAST_OVERLAP else None


def _participants(named: Sequence[str], messages: Sequence[Utterance]) -> tuple[str, ...]:
    """The speakers, and the people whom both the model and the user name."""
    text = "\n".join(storable_text(message.text) for message in messages if message.role == "user")
    names = dict.fromkeys(name.strip() for name in named if _is_name(name.strip(), text))
    return tuple(_speakers(messages) | dict.fromkeys(list(names)[:MOST_NAMES]))


def _is_name(name: str, text: str) -> bool:
    if not 2 <= len(name) <= LONGEST_NAME or name[0].islower() or mask_secrets(name) != name:
        return False
    return re.search(rf"(?<!\w){re.escape(name)}(?!\w)", text) is not None
