"""A generator of synthetic chat messages with Zipf-distributed words. The same seed gives the same messages."""

from __future__ import annotations

import random
from collections.abc import Iterator
from functools import cache
from itertools import accumulate

from aforesaid import Memory
from aforesaid.bench import Progress

CONVERSATION_SIZE = 500  # messages
PROGRESS_INTERVAL = 50  # batches of background work; a status costs time
WORDS = 20_000
COMMON_WORDS = """
the of and a to in is you that it he was for on are as with his they at be this have from or one had by word but not
what all were we when your can said there use an each which she do how their if will up other about out many
"""
COMMON = COMMON_WORDS.split()
QUESTIONS = (
    "what did we say about {0} {1} and {2}?",
    "When did I tell you about the {1} {0}, the one with the {2}?",
    "do you remember which {0} my sister wanted for her {1} {2}",
    "Who was going to look after the {1} while we {0} the {2}?",
    "How much was the {0} {1} in the end, with {2}?",
    "why did they change the {1}, was it the {0} or the {2}?",
)
SYLLABLES = ("ba", "ko", "ri", "mu", "sen", "tal", "vo", "lin", "der", "sha", "mo", "pel", "ka", "ru", "ni", "ves")


def vocabulary(rng: random.Random) -> list[str]:
    words = {"".join(rng.choices(SYLLABLES, k=rng.randint(2, 4))) for _ in range(WORDS * 2)}
    return [*COMMON, *sorted(words)[: WORDS - len(COMMON)]]


@cache
def ranked_words() -> tuple[list[str], list[float]]:
    """The words of every generator, the common ones first, and their cumulative weights. They take 70 ms to make."""
    words = vocabulary(random.Random(0))
    head, tail = words[: len(COMMON)], words[len(COMMON) :]
    random.Random(1).shuffle(tail)
    return head + tail, list(accumulate(1 / (rank + 2) for rank in range(len(words))))


class ChatGenerator:
    """Messages of 5 to 45 words, by Zipf's law."""

    def __init__(self, seed: int) -> None:
        self._rng = random.Random(seed)
        self._words, self._weights = ranked_words()

    def message(self) -> str:
        chosen = self._rng.choices(self._words, cum_weights=self._weights, k=self._rng.randint(5, 45))
        return " ".join(chosen).capitalize() + "."

    def messages(self, count: int) -> Iterator[dict[str, str]]:
        for at in range(count):
            yield {"role": "assistant" if at % 2 else "user", "content": self.message()}

    def question(self) -> str:
        """A question about a common word and two rare words."""
        common = self._rng.choice(self._words[len(COMMON) : 300])
        one, two = self._rng.sample(self._words[300:5000], 2)
        return self._rng.choice(QUESTIONS).format(common, one, two)


def fill_space(memory: Memory, space: str, messages: int, progress: Progress, seed: int = 1) -> None:
    """Stores synthetic messages in the conversations `c0`, `c1` and so on."""
    chat = ChatGenerator(seed)
    for number, start in enumerate(range(0, messages, CONVERSATION_SIZE)):
        count = min(CONVERSATION_SIZE, messages - start)
        memory.space(space).conversation(f"c{number}").add_many(chat.messages(count))
        progress(start + count, messages)


def embed_all(memory: Memory, progress: Progress) -> None:
    """Runs all background work."""
    batches = 0
    while memory.work():
        batches += 1
        if batches % PROGRESS_INTERVAL == 0:
            model = memory.status().models[0]
            progress(model.embedded, model.expected)
