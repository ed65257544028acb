"""The evidence gate for a model's episodes: the quote must be in one of the episode's messages, word for word."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from aforesaid.distill.facts.assertion import TextSpan, is_own_words
from aforesaid.distill.facts.grounding import Verdicts, find_quote, has_letters
from aforesaid.models.episode import Episode, EpisodeType
from aforesaid.models.message import Utterance
from aforesaid.text.injection import looks_like_injection

if TYPE_CHECKING:
    from aforesaid.distill.llm.structured_output import EpisodeAnswer, ModelEpisode

BY_ASSISTANT: tuple[EpisodeType, ...] = ("issue_identified",)  # an assistant can prove nothing else
LEAST_SIGNIFICANCE = 0.4

EpisodeRejection = Literal[
    "no such messages", "not the user's", "empty", "not in the message", "not own words", "orders", "slight"
]


@dataclass(frozen=True, slots=True)
class ProvenEpisode:
    """An episode as the model gave it, its messages, and the quote of the message `proof` that says its outcome."""

    given: ModelEpisode
    messages: Sequence[Utterance]
    proof: Utterance
    quote: str

    @property
    def span(self) -> tuple[int, int]:
        """The seqs of the first and the last message."""
        return self.messages[0].seq, self.messages[-1].seq

    def same_as(self, episode: Episode) -> bool:
        """Returns True if both have messages in common, and the same type or the same quote."""
        if not ranges_overlap(self.span, (episode.first_seq, episode.last_seq)):
            return False
        quote, known = _normalize_quote(self.quote), _normalize_quote(episode.outcome or "")
        return episode.type == self.given.type or bool(known and (quote in known or known in quote))


def verify_episodes(answer: EpisodeAnswer, utterances: Sequence[Utterance]) -> Verdicts[ProvenEpisode]:
    """The episodes of an answer to `episode_prompt(utterances)` that pass the gate. The proven quote is the message's
    own text, which may differ from the model's quote in white space."""
    results = [_verify(episode, utterances) for episode in answer.episodes]
    proven = tuple(result for result in results if isinstance(result, ProvenEpisode))
    return Verdicts(proven, dict(Counter(result for result in results if not isinstance(result, ProvenEpisode))))


def _verify(episode: ModelEpisode, utterances: Sequence[Utterance]) -> ProvenEpisode | EpisodeRejection:
    if not 1 <= episode.first <= episode.message <= episode.last <= len(utterances):
        return "no such messages"
    proof = utterances[episode.message - 1]
    if proof.role != "user" and not (proof.role == "assistant" and episode.type in BY_ASSISTANT):
        return "not the user's"
    if not has_letters(episode.quote):
        return "empty"
    place = find_quote(proof.text, episode.quote.strip())
    if place is None:
        return "not in the message"
    messages, quote = utterances[episode.first - 1 : episode.last], proof.text[slice(*place)]
    return _rejection(episode, proof.text, place) or ProvenEpisode(episode, messages, proof, quote)


def _rejection(episode: ModelEpisode, text: str, place: TextSpan) -> EpisodeRejection | None:
    """Why an episode is rejected although its quote is in the message."""
    if not is_own_words(text, place):
        return "not own words"
    if looks_like_injection(text[slice(*place)]):
        return "orders"
    return "slight" if episode.significance < LEAST_SIGNIFICANCE else None


def ranges_overlap(span: tuple[int, int], other: tuple[int, int]) -> bool:
    return span[0] <= other[1] and other[0] <= span[1]


def _normalize_quote(text: str) -> str:
    return " ".join(text.casefold().split()).strip(".!。！")
