"""What `framework.toml` in a folder of this package says about an adapter and the tests of its framework."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from pathlib import Path

HERE = Path(__file__).parent


@dataclass(frozen=True)
class Upstream:
    """Tests of the framework that run on our class. `plugin` is a pytest plugin in the folder of the adapter that puts
    our class in place of theirs. A test that fails must match a pattern of `fails`, whose value is the reason; one that
    cannot apply is left out, with the reason."""

    sdist: str
    tests: list[str]
    plugin: str
    needs: list[str] = field(default_factory=list)
    options: list[str] = field(default_factory=list)
    fails: dict[str, str] = field(default_factory=dict)
    left_out: dict[str, str] = field(default_factory=dict)

    def why_it_fails(self, test: str) -> str | None:
        return next((reason for pattern, reason in self.fails.items() if fnmatchcase(test, pattern)), None)

    def why_left_out(self, test: str) -> str | None:
        return next((reason for pattern, reason in self.left_out.items() if fnmatchcase(test, pattern)), None)


@dataclass(frozen=True)
class Framework:
    """An adapter. `imports`: the framework's top module. `examples`: its files in examples. `packages`: the versions
    that it is tested with, the framework first. `classes`: our class, and the class of the framework whose interface it
    has; both as `module:Class`."""

    name: str
    title: str
    module: str
    imports: str
    examples: list[str]
    packages: list[str]
    classes: dict[str, str]
    upstream: list[Upstream]

    @property
    def folder(self) -> Path:
        return HERE / self.name

    @property
    def interface(self) -> Path:
        """The captured interfaces of the framework: `make adapters` writes and compares them."""
        return self.folder / "interface.json"


def load(name: str) -> Framework:
    table = tomllib.loads((HERE / name / "framework.toml").read_text("utf-8"))
    upstream = [Upstream(**one) for one in table.pop("upstream", [])]
    return Framework(name=name, upstream=upstream, **table)


def frameworks() -> list[Framework]:
    return [load(file.parent.name) for file in sorted(HERE.glob("*/framework.toml"))]
