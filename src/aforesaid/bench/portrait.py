"""The share of questions whose answer stands in the portrait of a space, compared with as many tokens of what the user
said last."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean

from aforesaid import Space
from aforesaid.bench.dataset import DatasetQuestion, Haystack, MessageRecord
from aforesaid.providers.tokenizers import tokenizer
from aforesaid.text.analyzer import index_terms
from aforesaid.text.salience import sentences


@dataclass(frozen=True, slots=True)
class PortraitShares:
    """Shares of the questions that a message of the user answers: the answer stands in the portrait, or in the user's
    last sentences. A fact counts as the message that it is from."""

    questions: int
    portrait: float
    recent: float


def portrait_shares(space: Space, haystack: Haystack, tokens: int) -> PortraitShares:
    """Compares `space.about(tokens)` with lines of the last sentences that fit into as many tokens."""
    said = {message["id"]: message["content"] for message in haystack.messages() if message["role"] == "user"}
    asked = [question for question in haystack.questions if question.gold & said.keys()]
    shown = [portrait_texts(space, tokens), recent_texts(haystack, tokens)]
    portrait, recent = (fmean(held(each, said, texts) for each in asked) if asked else 0.0 for texts in shown)
    return PortraitShares(len(asked), portrait, recent)


def held(question: DatasetQuestion, said: Mapping[str, str], shown: Mapping[str, str]) -> bool:
    """True if what is shown of one of the question's messages answers it. Both mappings are by message."""
    return any(answers(shown[id], said[id], question) for id in question.gold & said.keys() & shown.keys())


def answers(shown: str, message: str, question: DatasetQuestion) -> bool:
    """True if a part of an evidence message has each content word that the message shares with the answer. If it shares
    none, as many words of the question as its best sentence has. If it has none of these either, only the whole message
    answers."""
    part, whole = _words(shown), _words(message)
    if shared := whole & _words(question.answer):
        return shared <= part
    asked = _words(question.text)
    best = max((len(asked & _words(sentence)) for sentence in sentences(message)), default=0)
    return len(asked & part) >= best if best else part == whole


def _words(text: str) -> frozenset[str]:
    return frozenset(index_terms(text))


def portrait_texts(space: Space, tokens: int) -> dict[str, str]:
    """What the portrait shows, by message."""
    return _joined(
        (id, item.text)
        for item in space.about(tokens).items
        if item.kind != "profile"
        for id in ([item.source] if item.kind == "message" else _evidence(space, item.source))
    )


def _evidence(space: Space, fact: str) -> list[str]:
    return [evidence.message_id for evidence in space.fact(fact).evidence]


def recent_texts(haystack: Haystack, tokens: int) -> dict[str, str]:
    """The user's last sentences that fit, by message. Each line names the speaker and the day."""
    count, shown = tokenizer().count, list[tuple[str, str]]()
    said = sorted((message for message in haystack.messages() if message["role"] == "user"), key=_at)
    for message in reversed(said):
        for sentence in reversed(sentences(message["content"])):
            cost = count(f"{message.get('name', 'user')}, {_at(message)[:10]}> {sentence.strip()}\n")
            if cost <= tokens:
                tokens -= cost
                shown.append((message["id"], sentence))
    return _joined(shown)


def _at(message: MessageRecord) -> str:
    return message.get("at", "")


def _joined(texts: Iterable[tuple[str, str]]) -> dict[str, str]:
    joined: dict[str, str] = {}
    for id, text in texts:
        joined[id] = f"{joined[id]}\n{text}" if id in joined else text
    return joined


def mean_shares(shares: Sequence[PortraitShares]) -> PortraitShares:
    """The mean over all questions of several spaces."""
    total = sum(each.questions for each in shares)
    portrait, recent = (
        sum(getattr(each, name) * each.questions for each in shares) / total if total else 0.0
        for name in ("portrait", "recent")
    )
    return PortraitShares(total, portrait, recent)
