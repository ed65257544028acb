"""What a benchmark found: figures against their baselines and bounds."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from pathlib import Path

from recollect import Percentiles
from recollect.bench.cores import Busy
from recollect.bench.picture import bars, groups


@dataclass(frozen=True, slots=True)
class Figure:
    """`value` against `baseline`, both in `unit`. `most` is the promise for their ratio, where there is one."""

    name: str
    unit: str
    value: float
    baseline: float
    baseline_name: str
    most: float | None = None

    @property
    def ratio(self) -> float:
        return self.value / self.baseline if self.baseline else float("inf")

    @property
    def kept(self) -> bool:
        return self.most is None or self.ratio <= self.most


@dataclass(frozen=True, slots=True)
class Stage:
    """How long a stage of a call took, in a space of `messages`, in milliseconds. The stage `call` is all of it."""

    messages: int
    call: str
    name: str
    milliseconds: Percentiles


@dataclass(frozen=True, slots=True)
class Report:
    title: str
    figures: tuple[Figure, ...]
    stages: tuple[Stage, ...] = ()
    busy: tuple[Busy, ...] = ()

    def to_json(self) -> str:
        data = {
            "title": self.title,
            "figures": [asdict(figure) | {"ratio": figure.ratio, "kept": figure.kept} for figure in self.figures],
            "stages": list(map(asdict, self.stages)),
            "busy": [
                asdict(one) | {"milliseconds": one.milliseconds, "most": one.most, "said": one.said}
                for one in self.busy
            ],
        }
        return json.dumps(data, indent=2)

    def write(self, folder: Path, name: str) -> list[Path]:
        """A JSON file and a picture, and one of what was busy."""
        folder.mkdir(parents=True, exist_ok=True)
        data, picture = folder / f"{name}.json", folder / f"{name}.svg"
        data.write_text(self.to_json() + "\n", "utf-8")
        picture.write_text(bars(self.title, [(f.name, f.ratio, f.most) for f in self.figures]), "utf-8")
        return [data, picture, *self._busy(folder / f"{name}-cores.svg")]

    def _busy(self, path: Path) -> list[Path]:
        if not self.busy:
            return []
        rows = {one.name: dict(one.by) for one in self.busy}
        path.write_text(groups(self.title, rows, note=f"cores kept busy, of {self.busy[0].cores}"), "utf-8")
        return [path]
