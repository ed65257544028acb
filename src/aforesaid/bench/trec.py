"""Rankings in TREC's format, so that trec_eval, pytrec_eval or ranx can compute the same metrics."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from aforesaid.bench.retrieval import RankedAnswer

QRELS = "qrels.txt"  # question, 0, message, 1


class TrecFiles:
    """The messages that answer each question, and one run (question, Q0, message, rank, score, system) per system.
    A question is its number; white space in ids and names becomes a hyphen. Without a folder, nothing is kept."""

    def __init__(self, folder: Path | None) -> None:
        self._folder = folder
        self._lines: dict[str, list[str]] = {QRELS: []}
        self._asked: Counter[str] = Counter()

    def record(self, system: str, answer: RankedAnswer) -> None:
        """Every system is asked the same questions in the same order."""
        if self._folder is None:
            return
        self._asked[system] += 1
        number, name = self._asked[system], _word(system)
        run = self._lines.setdefault(f"{name}.run", [])
        for rank, id in enumerate(answer.ranking, 1):
            run.append(f"{number} Q0 {_word(id)} {rank} {1 / rank:.8f} {name}")
        if system == next(iter(self._asked)):
            self._lines[QRELS] += [f"{number} 0 {_word(id)} 1" for id in sorted(answer.question.gold)]

    def write(self) -> list[Path]:
        if self._folder is None:
            return []
        self._folder.mkdir(parents=True, exist_ok=True)
        for name, lines in self._lines.items():
            (self._folder / name).write_text("".join(f"{line}\n" for line in lines), "utf-8")
        return [self._folder / name for name in self._lines]


def _word(text: str) -> str:
    return "-".join(text.split())
