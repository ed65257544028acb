"""`aforesaid bench foreign`: questions to the wrong space. How often contexts and hooks add nothing to them, and what
that costs a space's own questions."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import count
from pathlib import Path
from statistics import fmean

from aforesaid import Memory, Space
from aforesaid.bench import Progress
from aforesaid.bench.charts import Caption, grouped_bar_chart
from aforesaid.bench.dataset import DatasetQuestion, FixedClock, Haystack, load_haystack
from aforesaid.bench.suite import read_benchmark
from aforesaid.bench.systems import NEW_CONVERSATION, found_messages, messages_in_context
from aforesaid.bench.temp_store import IN_MEMORY
from aforesaid.hooks.relevance import relevant_hits

FEWEST = 5  # foreign questions to a space, if it has fewer of its own
HITS = 10
TOKENS = 1000  # of a context
KINDS = ("message", "fact")  # that a hook searches
NOTE = "share of the questions; kept: own ones that keep their evidence; silent: foreign ones that get nothing"


@dataclass(frozen=True, slots=True)
class ForeignRow:
    """One data set. Of the own questions with evidence among the first ten hits, `kept` ones get a message in the
    context, or some of that evidence from the hook. Of the foreign questions, `silent` ones get nothing. `items` is the
    mean number of hits that a hook adds to a foreign question."""

    data: str
    own: int
    foreign: int
    context_kept: float
    context_silent: float
    hook_kept: float
    hook_silent: float
    items: float


@dataclass(frozen=True, slots=True)
class ForeignReport:
    rows: Sequence[ForeignRow]

    def to_json(self) -> str:
        return json.dumps(asdict(self), indent=2)

    def pictures(self, source: str) -> Mapping[str, str]:
        groups = {
            f"{row.data}: {name}": {
                f"own questions, {row.own:,}: kept": kept,
                f"foreign questions, {row.foreign:,}: silent": silent,
            }
            for row in self.rows
            for name, kept, silent in (
                ("contexts", row.context_kept, row.context_silent),
                ("hooks", row.hook_kept, row.hook_silent),
            )
        }
        return {"": grouped_bar_chart(Caption("Questions to the wrong space", NOTE, source), groups)}


@dataclass(frozen=True, slots=True)
class ReceivedAnswer:
    """What a question gets. `found`: recall has its evidence among the first ten; `kept`: the hook adds some of it."""

    foreign: bool
    found: bool
    recalled: int
    kept: bool
    items: int


def run(paths: Sequence[Path], limit: int | None, progress: Progress) -> ForeignReport:
    """Asks each space of each file, or of the corpus in the package, its own questions, and as many of other spaces."""
    sets = [read_benchmark(path, limit) for path in paths or (None,)]
    total, ticks, rows = sum(data.total for data in sets), count(1), []
    for data in sets:
        haystacks, answers = list(data.haystacks), list[ReceivedAnswer]()
        for haystack in haystacks:
            answers += _answers(haystack, foreign_questions(haystack, haystacks))
            progress(next(ticks), total)
        rows.append(_row(data.benchmark.title, answers))
    return ForeignReport(rows)


def foreign_questions(haystack: Haystack, others: Sequence[Haystack]) -> list[DatasetQuestion]:
    """As many questions of other spaces as the space has itself. The same spaces always give the same questions."""
    asked = [question for other in others if other is not haystack for question in other.questions if question.gold]
    wanted = max(FEWEST, sum(bool(question.gold) for question in haystack.questions))
    return random.Random(haystack.space).sample(asked, min(wanted, len(asked)))


def _answers(haystack: Haystack, foreign: Sequence[DatasetQuestion]) -> Iterator[ReceivedAnswer]:
    with Memory(IN_MEMORY, worker=False, clock=FixedClock(haystack.now)) as memory:
        load_haystack(memory, haystack)
        space = memory.space(haystack.space)
        for question in haystack.questions:
            if question.gold:
                yield _ask(space, question, question.gold)
        for question in foreign:
            yield _ask(space, question, None)


def _ask(space: Space, question: DatasetQuestion, gold: frozenset[str] | None) -> ReceivedAnswer:
    """`gold` is None for a foreign question; ids of messages repeat in other spaces."""
    hits = space.recall(question.text, HITS, kinds=KINDS)
    relevant = relevant_hits(question.text, hits)
    context = space.conversation(NEW_CONVERSATION).context(question.text, max_tokens=TOKENS)
    return ReceivedAnswer(
        foreign=gold is None,
        found=bool(gold and gold & set(found_messages(hits))),
        recalled=len(messages_in_context(context)),
        kept=bool(gold and gold & {id for hit in relevant for id in ((hit.id,) if hit.message else hit.messages)}),
        items=len(relevant),
    )


def _row(data: str, answers: Sequence[ReceivedAnswer]) -> ForeignRow:
    own = [answer for answer in answers if not answer.foreign]
    found, foreign = [one for one in own if one.found], [answer for answer in answers if answer.foreign]
    return ForeignRow(
        data=data,
        own=len(own),
        foreign=len(foreign),
        context_kept=_mean([one.recalled > 0 for one in found]),
        context_silent=_mean([one.recalled == 0 for one in foreign]),
        hook_kept=_mean([one.kept for one in found]),
        hook_silent=_mean([one.items == 0 for one in foreign]),
        items=_mean([one.items for one in foreign]),
    )


def _mean(values: Sequence[float]) -> float:
    return fmean(values) if values else 0.0
