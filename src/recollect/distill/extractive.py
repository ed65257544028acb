"""A summary made of the conversation's own sentences: no model is asked, and the same words give the same summary.

Those sentences are taken that together say the most: each adds the weight of its words that no other one has said, for
the tokens that it takes. A word weighs more the more sentences have it. What the user said first and last is kept.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from recollect.distill.common import COMMON_TERMS
from recollect.distill.cut import Count, cut
from recollect.distill.sayings import Saying, sayings
from recollect.distill.topics import topics
from recollect.records import Utterance

MOST_TOKENS = 200
LONGEST_SENTENCE = 50  # tokens; a longer one is cut
LOOKED_AT = 400  # sentences at most: the weightiest
SHORTNESS = 0.5  # how much a short sentence is preferred, from 0 to 1; measured (docs/how-it-works.md)
QUESTION = 0.5  # what a question weighs: its answer says more
USER = 1.5  # what the user says is known from nobody else
CHAT = 0.1  # what a word weighs that is in every talk, such as "thanks"
SPEAKER = 6  # tokens for who speaks, about
GREETING = 3  # a sentence with fewer terms than this opens no subject
SILENCE = "Nothing was said by user or assistant."


def summarise(utterances: Sequence[Utterance], count: Count, most: int = MOST_TOKENS) -> str:
    """At most `most` tokens, never empty, in the order of the conversation, each sentence with who said it."""
    return choose(sayings(utterances), topics(utterances), count, most)


def choose(
    found: Sequence[Saying], subjects: Sequence[str], count: Count, most: int, groups: Sequence[Sequence[int]] = ()
) -> str:
    """Of these sentences those that say the most, under their topics; of each group of places at least one."""
    if not found:
        return cut(SILENCE, count, most)
    head = f"Topics: {', '.join(subjects)}" if subjects else ""
    chosen = _Choice(found, count, most - count(head) - 1)
    chosen.keep(dict.fromkeys((_first(found), _last(found))))
    chosen.spread(groups)
    chosen.fill()
    text = "\n".join(line for line in (head, *chosen.lines()) if line)
    return cut(text, count, most) or cut(found[0].text, count, most)


@dataclass(slots=True)
class _Choice:
    """Sentences chosen so far, within a number of tokens."""

    found: Sequence[Saying]
    count: Count
    room: int
    taken: dict[int, str] = field(default_factory=dict)
    said: set[str] = field(default_factory=set)

    def keep(self, places: Iterable[int | None]) -> None:
        for place in places:
            if place is not None:
                self.take(place)

    def spread(self, groups: Sequence[Sequence[int]]) -> None:
        """Takes the best of each group, none longer than its share of the room."""
        weights = _weights(self.found)
        share = self.room // max(1, len(groups)) - SPEAKER
        for group in groups:
            best = max(group, key=lambda place: (self._gain(place, weights), -place), default=None)
            if best is not None and best not in self.taken:
                self.take(best, min(share, LONGEST_SENTENCE))

    def take(self, place: int, longest: int = LONGEST_SENTENCE) -> None:
        text = cut(self.found[place].text, self.count, longest)
        cost = self.count(text) + 1 + self._speaker(place)
        if text and cost <= self.room:
            self.taken[place] = text
            self.said.update(self.found[place].terms)
            self.room -= cost

    def fill(self) -> None:
        """Takes what adds the most for its tokens, until nothing that adds anything fits."""
        weights = _weights(self.found)
        rest = sorted(range(len(self.found)), key=lambda place: (-self._gain(place, weights), place))[:LOOKED_AT]
        lengths = {place: min(self.count(self.found[place].text), LONGEST_SENTENCE) + 1 for place in rest}
        rest = [place for place in rest if place not in self.taken]
        while rest:
            costs = {place: lengths[place] + self._speaker(place) for place in rest}
            rest = [place for place in rest if costs[place] <= self.room]
            gains = {place: self._gain(place, weights) / costs[place] ** SHORTNESS for place in rest}
            best = max(rest, key=lambda place: (gains[place], -place), default=None)
            if best is None or not gains[best]:
                return
            rest.remove(best)
            self.take(best)

    def lines(self) -> list[str]:
        """What one said in one message is one line."""
        lines: list[str] = []
        before: int | None = None
        for place in sorted(self.taken):
            message = self.found[place].place
            if message == before:
                lines[-1] += f" {self.taken[place]}"
            else:
                lines.append(self._line(place, self.taken[place]))
            before = message
        return lines

    def _line(self, place: int, text: str) -> str:
        """In brackets: a line that begins with "assistant:" reads like the beginning of a forged message."""
        speaker = self.found[place].speaker
        return f"[{speaker}] {text}" if speaker else text

    def _speaker(self, place: int) -> int:
        """Tokens that it takes to say who speaks, where that is not said yet."""
        one = self.found[place]
        known = any(self.found[other].place == one.place for other in self.taken)
        return 0 if known or not one.speaker else self.count(f"[{one.speaker}]") + 1

    def _gain(self, place: int, weights: Mapping[str, float]) -> float:
        one = self.found[place]
        whole = sum(weights[term] for term in one.terms if term not in self.said)
        asked = one.text.rstrip("\"'”’»)").endswith(("?", "？", "؟"))
        return whole * (QUESTION if asked else 1.0) * (USER if one.role == "user" else 1.0)


def _weights(found: Sequence[Saying]) -> dict[str, float]:
    counts = Counter(term for one in found for term in one.terms)
    return {term: often**0.5 * (CHAT if term in COMMON_TERMS else 1.0) for term, often in counts.items()}


def _first(found: Sequence[Saying]) -> int | None:
    """Where the user's first words stand that are more than a greeting."""
    users = [place for place, one in enumerate(found) if one.role == "user"]
    return next((place for place in users if len(found[place].terms) >= GREETING), users[0] if users else None)


def _last(found: Sequence[Saying]) -> int | None:
    users = [place for place, one in enumerate(found) if one.role == "user"]
    return next((place for place in reversed(users) if len(found[place].terms) >= GREETING), None)
