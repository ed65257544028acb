"""Extractive summaries: selects sentences of the conversation. Deterministic, and without a model."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import regex

from aforesaid.distill.summaries.topics import CHAT_STOPWORD_TERMS, topics
from aforesaid.distill.truncate import CountTokens, truncate
from aforesaid.models.message import Utterance
from aforesaid.text.salience import message_salience
from aforesaid.text.sentences import SpeakerSentence, speaker_sentences

MOST_TOKENS = 200
LONGEST_SENTENCE = 50  # tokens; a longer one is truncated
MOST_SENTENCES = 400  # sentences that are considered, by weight
SHORTNESS = 0.5  # preference for short sentences, from 0 to 1; measured (docs/how-it-works.md)
SALIENCE = 0.5  # weight of a sentence's salience, as an exponent; measured
STOPWORD_WEIGHT = 0.1  # of a word that is in every conversation, such as "thanks"
GREETING_TERMS = 3  # a sentence with fewer terms is a greeting
_LIST = regex.compile(r"(?m)^[ \t]*+(?:[-*+•>#|]++|\d{1,3}[.)])[ \t].*+$")
_CODE = regex.compile(
    r"(?m)^[ \t]*+(?:def|class|function|const|let|var|import|from)[ \t]+\w+.*[=({;:].*+$|^.*(?:[;{}]|=>)[ \t]*+$"
)
EMPTY_SUMMARY = "Nothing was said by user or assistant."


def summarise(utterances: Sequence[Utterance], count: CountTokens, most: int = MOST_TOKENS) -> str:
    """A summary of at most `most` tokens, never empty: the most informative sentences in order, with their speakers,
    under their topics."""
    told = speaker_sentences([replace(utterance, text=_told(utterance)) for utterance in utterances])
    sentences = [each for each in told if each.role == "user" or not each.text.endswith(":")]  # no leads of lists
    sentences = sentences or speaker_sentences(utterances)
    if not sentences:
        return truncate(EMPTY_SUMMARY, count, most)
    subjects = topics(utterances)
    head = f"Topics: {', '.join(subjects)}" if subjects else ""
    selection = _Selection(sentences, count, most - count(head) - 1)
    users = [index for index, sentence in enumerate(sentences) if sentence.role == "user"]
    subject = [index for index in users if len(sentences[index].terms) >= GREETING_TERMS]
    for index in dict.fromkeys([*(subject or users)[:1], *subject[-1:]]):
        selection.take(index)
    selection.fill()
    text = "\n".join(line for line in (head, *selection.lines()) if line)
    return truncate(text, count, most) or truncate(sentences[0].text, count, most)


def _told(utterance: Utterance) -> str:
    """The text without lines of code, and without an assistant's lists, whose items mean little by themselves."""
    text = str(_CODE.sub("", utterance.text))
    return str(_LIST.sub("", text)) if utterance.role == "assistant" else text


@dataclass(slots=True)
class _Selection:
    """The selected sentences, by index, and the tokens that are left."""

    sentences: Sequence[SpeakerSentence]
    count: CountTokens
    room: int
    texts: dict[int, str] = field(default_factory=dict)
    terms: set[str] = field(default_factory=set)
    weights: dict[str, float] = field(init=False)
    salience: list[float] = field(init=False)

    def __post_init__(self) -> None:
        counts = Counter(term for sentence in self.sentences for term in sentence.terms)
        self.weights = {
            term: often**0.5 * (STOPWORD_WEIGHT if term in CHAT_STOPWORD_TERMS else 1.0)
            for term, often in counts.items()
        }
        self.salience = [
            message_salience(sentence.text, person=sentence.role == "user") ** SALIENCE for sentence in self.sentences
        ]

    def take(self, index: int) -> None:
        text = truncate(self.sentences[index].text, self.count, LONGEST_SENTENCE)
        cost = self.count(text) + self._speaker_cost(index)
        if text and cost <= self.room:
            self.texts[index] = text
            self.terms.update(self.sentences[index].terms)
            self.room -= cost

    def fill(self) -> None:
        """Selects the sentence with the most gain per token, until no more fits or adds anything."""
        rest = sorted(range(len(self.sentences)), key=lambda index: (-self._gain(index), index))[:MOST_SENTENCES]
        lengths = {index: min(self.count(self.sentences[index].text), LONGEST_SENTENCE) for index in rest}
        rest = [index for index in rest if index not in self.texts]
        while rest:
            costs = {index: lengths[index] + self._speaker_cost(index) for index in rest}
            rest = [index for index in rest if costs[index] <= self.room]
            gains = {index: self._gain(index) / costs[index] ** SHORTNESS for index in rest}
            best = max(rest, key=lambda index: (gains[index], -index), default=None)
            if best is None or not gains[best]:
                return
            rest.remove(best)
            self.take(best)

    def lines(self) -> list[str]:
        """One line per turn of a speaker, in brackets: "assistant:" would look like a forged message."""
        lines: list[str] = []
        speaker: str | None = None
        for index in sorted(self.texts):
            sentence = self.sentences[index]
            if sentence.speaker == speaker:
                lines[-1] += f" {self.texts[index]}"
            else:
                lines.append(f"[{sentence.speaker}] {self.texts[index]}")
            speaker = sentence.speaker
        return lines

    def _speaker_cost(self, index: int) -> int:
        """The tokens of the speaker's name; 0 if the sentence joins another one of the same speaker."""
        speaker = self.sentences[index].speaker
        before = max((other for other in self.texts if other < index), default=None)
        after = min((other for other in self.texts if other > index), default=None)
        near = [self.sentences[other].speaker for other in (before, after) if other is not None]
        return 0 if speaker in near else self.count(f"[{speaker}]") + 1

    def _gain(self, index: int) -> float:
        weight = sum(self.weights[term] for term in self.sentences[index].terms if term not in self.terms)
        return weight * self.salience[index]
