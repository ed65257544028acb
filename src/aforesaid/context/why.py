"""Why a message is in a context, or what kept it out: a word, a sentence, and the numbers."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from datetime import datetime
from typing import Literal

from aforesaid.context.receipt import ReceiptItem
from aforesaid.models.job import JobState
from aforesaid.models.message import Message
from aforesaid.models.recall import Score
from aforesaid.models.value import Value

Cause = Literal[
    "included", "cut", "no_room", "ranked_low", "not_read", "weak", "unanswered", "not_found", "duplicate", "stated",
    "filtered", "muted", "branch", "elsewhere", "other_space", "expired", "unknown", "later", "not_indexed",
    "not_searchable", "not_searched", "no_question", "search_failed", "sent", "left_out",
]  # fmt: skip

CHANGED = "the store has changed since"


@dataclass(frozen=True, slots=True)
class Why(Value):
    """Why a message is in a context, or what kept it out. `sentence` says it.

    `message` is the stored message; None if there is none. A pasted text fits `matches` messages. `items` are the lines
    of the receipt that are about the message. `section` is where it is, or what left it out.

    `rank` is its place among the `found` messages that share a word or meaning with the question. Its place before any
    text is read is `first_rank`, and the search read the texts of the best `read` only. It returned at most `wanted` of
    them, with a relevance of at least `least`. `score` has its parts, and `last` is the recalled
    item that got in last, with the same parts. It takes `tokens`, of which `missing` were missing in its section. The
    same call includes it with `max_tokens=enough`; None if more tokens do not help. `similarity` is that of its vector
    and the question's, and `shared` are the words that both have. `other` is the item that says the same, `job` the
    state of the job that is to make its vector.

    With `changed`, the same call gives another context now, which has the message if `included_now`. The numbers that a
    receipt does not keep are those of now.
    """

    receipt: str
    included: bool
    cause: Cause
    sentence: str
    message: Message | None = None
    matches: int = 0
    section: str | None = None
    items: tuple[ReceiptItem, ...] = ()
    rank: int | None = None
    first_rank: int | None = None
    found: int = 0
    read: int = 0
    wanted: int = 0
    least: float = 0.0
    score: Score | None = None
    last: ReceiptItem | None = None
    tokens: int = 0
    missing: int = 0
    enough: int | None = None
    similarity: float | None = None
    shared: tuple[str, ...] = ()
    other: ReceiptItem | None = None
    job: JobState | None = None
    changed: bool = False
    included_now: bool = False


@dataclass(frozen=True, slots=True)
class ReceiptEntry(Value):
    """An item of a receipt with its words, masked as the model sees them, and its source. The text is empty if the
    record is no longer stored."""

    item: ReceiptItem
    text: str = ""
    speaker: str = ""
    at: datetime | None = None
    conversation: str | None = None
    seq: int | None = None


AskWhy = Callable[[Message | str, str | None], Why]


def sentence(why: Why) -> str:
    """The cause in words, with its numbers."""
    said = SENTENCES[why.cause](why)
    if why.enough is not None:
        said += f"; with max_tokens={why.enough} it is in the context"
    if why.changed:
        said += f"; {CHANGED}" + (", and the same call includes it now" if why.included_now > why.included else "")
    return said[0].upper() + said[1:] + "."


def _included(why: Why) -> str:
    return f"it is in the context: {_place(why)}"


def _cut(why: Why) -> str:
    return f"the message is in the context, but not with these words: {_place(why)}"


def _place(why: Why) -> str:
    reason = next((item.reason for item in why.items if item.included), "")
    return f"section {why.section}, {reason}, {why.tokens} tokens"


def _no_room(why: Why) -> str:
    left = f", and {why.missing} of them were missing" if why.missing else ", after an item that did not fit"
    limited = "" if why.enough or why.included_now else "; more tokens do not help, as recalled text has its own limit"
    return f"it does not fit: it takes {why.tokens} tokens{left}{_ranked(why)}{limited}"


def _ranked_low(why: Why) -> str:
    return (
        f"other messages answer the question better{_ranked(why)}, and the search returns {why.wanted}{_compared(why)}"
    )


def _not_read(why: Why) -> str:
    place = f"its place by words and meaning is {why.first_rank} of {why.found}"
    return f"{place}, and the search reads the texts of the best {why.read} only; with its text, its rank is {why.rank}"


def _weak(why: Why) -> str:
    score = why.score or Score(0.0)
    if score.relevance < why.least:
        return (
            f"it hardly answers the question: the floor of relevance is {why.least:.3f}{_ranked(why)}{_compared(why)}"
        )
    return f"its score of {score.total:.2f} is below the recipe's threshold{_ranked(why)}{_compared(why)}"


def _not_found(why: Why) -> str:
    similar = "no similarity" if why.similarity is None else f"similarity {why.similarity:.2f}"
    return f"it was never found: no shared words, {similar}"


def _duplicate(why: Why) -> str:
    return f"the message {_name(why.other)} says nearly the same, and its rank is higher{_ranked(why)}"


def _stated(why: Why) -> str:
    kind = "item" if why.other is None else why.other.kind
    return f"the context has the {kind} {_name(why.other)}, which comes from this message, instead of its words"


def _not_indexed(why: Why) -> str:
    state = "there is no job that makes it" if why.job is None else f"the job that makes it is {why.job}"
    return f"it was never found: no shared words, and it has no vector yet; {state}"


def _left_out(why: Why) -> str:
    reasons = dict.fromkeys(item.reason for item in why.items if not item.included)
    return "it was left out: " + (", ".join(reasons) or "it is not among the items of the receipt")


def _ranked(why: Why) -> str:
    return "" if why.rank is None else f"; its rank is {why.rank} of {why.found}"


def _compared(why: Why) -> str:
    """The relevance, and the part that is lower than that of the last item that got in by the most."""
    if why.score is None or why.last is None or why.last.score is None:
        return "" if why.score is None else f"; its relevance is {why.score.relevance:.3f}"
    own, other = why.score, why.last.score
    names = [field.name for field in fields(Score) if field.name not in ("total", "relevance", "feedback")]
    worst = max(names, key=lambda name: float(getattr(other, name) - getattr(own, name)))
    said = f"; its relevance is {own.relevance:.3f}, that of the last item that got in {other.relevance:.3f}"
    if getattr(other, worst) <= getattr(own, worst):
        return said
    return f"{said} ({worst} {getattr(own, worst):.2f} against {getattr(other, worst):.2f})"


def _name(item: ReceiptItem | None) -> str:
    return "" if item is None else repr(item.id)


def _always(text: str) -> Callable[[Why], str]:
    return lambda _: text


SENTENCES: Mapping[Cause, Callable[[Why], str]] = {
    "included": _included,
    "cut": _cut,
    "no_room": _no_room,
    "ranked_low": _ranked_low,
    "not_read": _not_read,
    "weak": _weak,
    "unanswered": lambda why: f"no message seems to answer the question, so none is recalled{_ranked(why)}",
    "not_found": _not_found,
    "duplicate": _duplicate,
    "stated": _stated,
    "filtered": _always("the filter of the call leaves it out"),
    "muted": _always("its conversation or that of the context is muted, so it is not recalled there"),
    "branch": _always("it is in another branch of the same conversation"),
    "elsewhere": _always("it is in another conversation, and the search found enough in this one"),
    "other_space": _always("it is in another space, which the call does not name"),
    "expired": _always("it has expired"),
    "unknown": _always("no message has this id or these words: it was not stored, was forgotten, or has expired"),
    "later": _always("it was stored after the context was made"),
    "not_indexed": _not_indexed,
    "not_searchable": _always("messages of its kind are not searched, and it is not in the history"),
    "not_searched": _always("it is not in the history, and the recipe recalls nothing"),
    "no_question": _always("it is not in the history, and without a question nothing is recalled"),
    "search_failed": _always("it is not in the history, and the search failed"),
    "sent": _always("the caller of the context sends it itself"),
    "left_out": _left_out,
}
