"""`aforesaid bench distill`: what distillation earns, on the corpus of the package or the user's copies of benchmarks.

Each dialogue is stored twice, with distillation and without, and its conversations are ended. Its questions are asked
of both, in contexts of a new conversation by the default recipe."""

from __future__ import annotations

import json
import os
import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from itertools import count
from pathlib import Path
from statistics import fmean

from aforesaid import Context, Memory, Space
from aforesaid.bench import Progress
from aforesaid.bench.charts import Caption, grouped_bar_chart
from aforesaid.bench.dataset import DatasetQuestion, FixedClock, Haystack, load_haystack
from aforesaid.bench.portrait import PortraitShares, mean_shares, portrait_shares
from aforesaid.bench.suite import read_benchmark
from aforesaid.bench.systems import NEW_CONVERSATION
from aforesaid.bench.temp_store import IN_MEMORY
from aforesaid.errors import InvalidInput
from aforesaid.ports import LanguageModel
from aforesaid.providers.tokenizers import tokenizer
from aforesaid.text.analyzer import index_terms

BUDGETS = (1000, 4000)  # tokens of a context
PORTRAITS = (300, 600, 1200)  # tokens of a portrait
KINDS = ("fact", "episode", "pin", "summary", "portrait")  # as receipts name them
MOST_WORDS = 0.6  # the share of an answer's content words that a record has that states most of it
MANY = 1_000_000  # records: all of them
WITHOUT = {f"AFORESAID_{name}": "off" for name in ("FACTS", "EPISODES", "AUTO_PINS", "SUMMARIES")}
NAME = re.compile(r"(?<=[^.!?\s] )[\"'(]*([^\W\d_]\w*)")  # a word that does not begin a sentence


@dataclass(frozen=True, slots=True)
class DistilledRecord:
    """A record of a kind, and the messages that it was made from."""

    kind: str
    text: str
    sources: frozenset[str]


@dataclass(frozen=True, slots=True)
class AnswerTerms:
    """The content words of an answer that are not in its question, stemmed. `exact` are its numbers and names."""

    terms: frozenset[str]
    exact: frozenset[str]

    def share(self, text: str) -> float:
        """The share of the terms in a text; 0 if a number or a name is missing."""
        present = self.terms & _stems(text)
        return len(present) / len(self.terms) if self.exact <= present else 0.0


def answer_terms(question: DatasetQuestion) -> AnswerTerms:
    terms = _stems(question.answer) - _stems(question.text)
    names = [word for word in NAME.findall(question.answer) if word[0].isupper()]
    numbers = {term for term in terms if any(char.isdigit() for char in term)}
    return AnswerTerms(terms, terms & (numbers | _stems(" ".join(names))))


def _stems(text: str) -> frozenset[str]:
    return frozenset(term for term in index_terms(text) if term.startswith("w"))


@dataclass(frozen=True, slots=True)
class DistillRow:
    """One kind of record in one data set. All but `records` and `per_100`, which is of 100 user messages, are shares.

    `most` and `all` are of the questions with content words in their answer: one record has most or all of them.
    `sourced`: the question's evidence is a source of a record. `contexts`: a record stands in the context of these
    tokens, where it takes `tokens`, a mean over all contexts.
    """

    data: str
    kind: str
    records: int
    per_100: float
    most: float
    all: float
    sourced: float
    contexts: Mapping[int, float]
    tokens: Mapping[int, float]


@dataclass(frozen=True, slots=True)
class DistillEffect:
    """Distillation as a whole in one data set: pairs are with it and without it.

    `evidence` is the share of the evidence in contexts of these tokens. `tokens` are of the contexts that have the same
    evidence in both. `portraits` are of these tokens. `summary_tokens` are of all summaries, and of the messages in
    their ranges. `model_tokens` are what the model used for 100 messages, by operation.
    """

    data: str
    questions: int
    answers: int
    evidence: Mapping[int, tuple[float, float]]
    tokens: Mapping[int, tuple[float, float]]
    portraits: Mapping[int, PortraitShares]
    summary_tokens: tuple[int, int]
    model_tokens: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class DistillReport:
    rows: Sequence[DistillRow]
    effects: Sequence[DistillEffect]

    def to_json(self) -> str:
        return json.dumps(asdict(self), indent=2)

    def pictures(self, source: str) -> dict[str, str]:
        shares = {
            f"{effect.data}, {effect.questions:,} questions: {measure}": {
                row.kind: getattr(row, name) for row in self.rows if row.data == effect.data
            }
            for effect in self.effects
            for measure, name in (("most of the answer in one record", "most"), ("evidence a source", "sourced"))
        }
        return {"": grouped_bar_chart(Caption("What distillation holds", "share of the questions", source), shares)}


@dataclass(slots=True)
class DistillTally:
    """The counts of one data set. `shares` are by kind and measure; `evidence` and `tokens` by budget, in pairs."""

    users: int = 0
    messages: int = 0
    questions: int = 0
    answers: int = 0
    records: Counter[str] = field(default_factory=Counter)
    shares: Counter[tuple[str, str]] = field(default_factory=Counter)
    contexts: Counter[tuple[str, int]] = field(default_factory=Counter)
    taken: Counter[tuple[str, int]] = field(default_factory=Counter)
    evidence: dict[int, list[tuple[float, float]]] = field(default_factory=lambda: {each: [] for each in BUDGETS})
    tokens: dict[int, list[tuple[float, float]]] = field(default_factory=lambda: {each: [] for each in BUDGETS})
    portraits: dict[int, list[PortraitShares]] = field(default_factory=lambda: {each: [] for each in PORTRAITS})
    summary_tokens: int = 0
    range_tokens: int = 0
    model_tokens: Counter[str] = field(default_factory=Counter)

    def row(self, data: str, kind: str) -> DistillRow:
        return DistillRow(
            data=data,
            kind=kind,
            records=self.records[kind],
            per_100=100 * self.records[kind] / self.users if self.users else 0.0,
            most=self.shares[kind, "most"] / self.answers if self.answers else 0.0,
            all=self.shares[kind, "all"] / self.answers if self.answers else 0.0,
            sourced=self.shares[kind, "sourced"] / self.questions,
            contexts={each: self.contexts[kind, each] / self.questions for each in BUDGETS},
            tokens={each: self.taken[kind, each] / self.questions for each in BUDGETS},
        )

    def effect(self, data: str) -> DistillEffect:
        return DistillEffect(
            data=data,
            questions=self.questions,
            answers=self.answers,
            evidence={each: _mean_pair(self.evidence[each]) for each in BUDGETS},
            tokens={each: _mean_pair(self.tokens[each]) for each in BUDGETS},
            portraits={each: mean_shares(self.portraits[each]) for each in PORTRAITS},
            summary_tokens=(self.summary_tokens, self.range_tokens),
            model_tokens={name: 100 * tokens / self.messages for name, tokens in self.model_tokens.items()},
        )


def _mean_pair(pairs: Sequence[tuple[float, float]]) -> tuple[float, float]:
    return (fmean(pair[0] for pair in pairs), fmean(pair[1] for pair in pairs)) if pairs else (0.0, 0.0)


def run(
    paths: Sequence[Path], limit: int | None, model: str | LanguageModel | None, progress: Progress
) -> DistillReport:
    """Measures the first `limit` dialogues of each file, or of the corpus in the package if there is no file."""
    sets = {path.name.partition(".")[0] if path else "own": read_benchmark(path, limit) for path in paths or (None,)}
    total, ticks = sum(data.total for data in sets.values()), count(1)
    rows: list[DistillRow] = []
    effects: list[DistillEffect] = []
    for name, data in sets.items():
        tally = DistillTally()
        for haystack in data.haystacks:
            measure(haystack, model, tally)
            progress(next(ticks), total)
        if not tally.questions:
            raise InvalidInput(f"{name}: no question names the messages that answer it; use a file with evidence")
        rows += [tally.row(name, kind) for kind in KINDS]
        effects.append(tally.effect(name))
    return DistillReport(rows, effects)


def measure(haystack: Haystack, model: str | LanguageModel | None, tally: DistillTally) -> None:
    """Stores a dialogue with distillation and without, and asks its questions of both."""
    clock = FixedClock(haystack.now)
    distilled = Memory(IN_MEMORY, model=model, worker=False, clock=clock)
    plain = Memory(IN_MEMORY, worker=False, clock=clock, environment={**os.environ, **WITHOUT})
    with distilled, plain:
        for memory in (distilled, plain):
            load_haystack(memory, haystack)
            for session in haystack.sessions:
                memory.space(haystack.space).conversation(session.id).end()
            memory.flush(timeout=600)
        messages = list(haystack.messages())
        tally.messages += len(messages)
        tally.users += sum(message["role"] == "user" for message in messages)
        for total in distilled.costs():
            tally.model_tokens[total.operation] += total.tokens
        records = list(_records(distilled.space(haystack.space), haystack, tally))
        tally.records.update(record.kind for record in records)
        for size in PORTRAITS:
            tally.portraits[size].append(portrait_shares(distilled.space(haystack.space), haystack, size))
        for question in haystack.questions:
            if question.gold:
                tally.questions += 1
                _compare_records(question, records, tally)
                _compare_contexts(question, (distilled.space(haystack.space), plain.space(haystack.space)), tally)


def _records(space: Space, haystack: Haystack, tally: DistillTally) -> Iterator[DistilledRecord]:
    """What a store has derived from a dialogue, and the lines of its portrait."""
    for fact in space.facts(MANY):
        yield DistilledRecord("fact", fact.text, frozenset(each.message_id for each in fact.evidence))
    tokens = tokenizer().count
    for session in haystack.sessions:
        chat = space.conversation(session.id)
        ids = {message.seq: message.id for message in chat.messages(MANY)}
        texts = {message["id"]: message["content"] for message in session.messages}
        for episode in chat.episodes(limit=MANY):
            text = "\n".join((episode.title, episode.summary, episode.outcome or ""))
            yield DistilledRecord("episode", text, _range(ids, episode.first_seq, episode.last_seq))
        for pin in chat.pins():
            yield DistilledRecord("pin", pin.content, frozenset({pin.source_message_id or ""}))
        for summary in chat.summaries(limit=MANY):
            sources = _range(ids, summary.first_seq, summary.last_seq)
            tally.summary_tokens += summary.tokens
            tally.range_tokens += sum(tokens(texts[id]) for id in sources)
            yield DistilledRecord("summary", summary.text, sources)
    for item in space.about().items:
        yield DistilledRecord("portrait", item.text, frozenset({item.source}))


def _range(ids: Mapping[int, str], first: int, last: int) -> frozenset[str]:
    return frozenset(id for seq, id in ids.items() if first <= seq <= last)


def _compare_records(question: DatasetQuestion, records: Collection[DistilledRecord], tally: DistillTally) -> None:
    """Counts the kinds that have the answer in one record, and those made from the evidence."""
    answer = answer_terms(question)
    tally.answers += bool(answer.terms)
    for kind in KINDS:
        of_kind = [record for record in records if record.kind == kind]
        tally.shares[kind, "sourced"] += any(record.sources & question.gold for record in of_kind)
        if answer.terms:
            best = max((answer.share(record.text) for record in of_kind), default=0.0)
            tally.shares[kind, "most"] += best >= MOST_WORDS
            tally.shares[kind, "all"] += best == 1


def _compare_contexts(question: DatasetQuestion, spaces: tuple[Space, Space], tally: DistillTally) -> None:
    """Builds the contexts with distillation and without; counts what stands in them, their evidence and tokens."""
    for budget in BUDGETS:
        contexts = [space.conversation(NEW_CONVERSATION).context(question.text, max_tokens=budget) for space in spaces]
        _count_items(contexts[0], budget, tally)
        shares = [len(question.gold & _messages(each)) / len(question.gold) for each in contexts]
        tally.evidence[budget].append((shares[0], shares[1]))
        if shares[0] == shares[1]:
            tally.tokens[budget].append((contexts[0].tokens, contexts[1].tokens))


def _messages(context: Context) -> set[str]:
    """The messages that a context shows itself, not those that its facts were made from."""
    return {item.id for item in context.receipt.items if item.included and item.kind == "message"}


def _count_items(context: Context, budget: int, tally: DistillTally) -> None:
    items = [item for item in context.receipt.items if item.included and item.kind in KINDS]
    tally.contexts.update((kind, budget) for kind in {item.kind for item in items})
    for item in items:
        tally.taken[item.kind, budget] += item.tokens
