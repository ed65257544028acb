"""The documents are true: their code runs and prints what they say, and nothing public is left out."""

from __future__ import annotations

import inspect
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import recollect
from recollect import Conversation, Memory, Space
from recollect.server.app import make_app
from recollect.settings import TABLE

ROOT = Path(__file__).parent.parent
PAGES = [ROOT / "README.md", ROOT / "ARCHITECTURE.md", ROOT / "CHANGELOG.md", *sorted((ROOT / "docs").rglob("*.md"))]
BLOCK = re.compile(r"^```(python|text)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def script(page: Path) -> tuple[str, str]:
    """The page's Python, one program, and what it must print."""
    blocks = BLOCK.findall(page.read_text("utf-8"))
    return "\n".join(code for kind, code in blocks if kind == "python"), "".join(
        t for kind, t in blocks if kind == "text"
    )


@pytest.mark.parametrize("page", [p for p in PAGES if script(p)[0]], ids=lambda page: page.name)
def test_the_code_of_a_page_prints_what_the_page_says(page: Path, tmp_path: Path):
    code, expected = script(page)
    clean = {name: value for name, value in os.environ.items() if not name.startswith(("RECOLLECT", "RAG_", "OPENAI"))}
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, env=clean, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout == expected


def test_the_readme_is_short_and_begins_with_the_two_commands():
    lines = (ROOT / "README.md").read_text("utf-8").splitlines()
    assert len(lines) <= 150
    assert "make run" in "".join(lines[:6])
    assert "make test" in "".join(lines[:6])


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_between_the_pages_lead_somewhere(page: Path):
    for target in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", page.read_text("utf-8")):
        assert (page.parent / target).exists(), f"{page.name} links to {target}"


def test_every_setting_is_documented_with_its_default_and_its_names():
    page = (ROOT / "docs/reference/settings.md").read_text("utf-8")
    for row in TABLE:
        default = str(row.default).lower() if isinstance(row.default, bool) else str(row.default)
        alias = f"`{row.alias}`" if row.alias else ""
        assert f"| `{row.name}` | {default} | `{row.variable}` | {alias}" in page


def test_every_public_name_and_verb_is_documented():
    page = (ROOT / "docs/reference/api.md").read_text("utf-8")
    for name in recollect.__all__:
        assert f"`{name}" in page, name
    for noun in (Memory, Space, Conversation):
        for verb, _ in inspect.getmembers(noun, inspect.isfunction):
            if not verb.startswith("_"):
                assert f".{verb}(" in page, f"{noun.__name__}.{verb}"


def test_what_is_taken_by_name_only_stands_behind_a_star():
    page = (ROOT / "docs/reference/api.md").read_text("utf-8")
    nouns = {"mem": Memory, "Memory": Memory, "space": Space, "chat": Conversation}
    rows = [line.split(" | ")[0] for line in page.splitlines() if line.startswith("| `")]
    calls = re.findall(r"`(mem|Memory|space|chat)\.(\w+)\(([^`]+)\)`", "\n".join(rows))
    assert len(calls) > 50
    for noun, verb, said in calls:
        taken = inspect.signature(getattr(nouns[noun], verb)).parameters
        before = re.split(r"(?:^|, )\*(?=,|\w)", said)[0]
        for name in re.findall(r"(?:^|, )(\w+)", before):
            assert taken[name].kind is not inspect.Parameter.KEYWORD_ONLY, f"{noun}.{verb}: {name}"


def test_every_endpoint_is_documented():
    page = (ROOT / "docs/reference/rest.md").read_text("utf-8")
    with Memory(worker=False, environment={}) as memory:
        paths = make_app(memory).openapi()["paths"]
    for path, methods in paths.items():
        for method in methods:
            rows = [f"| {method.upper()} | `{written}` |" for written in (path, path.removeprefix("/api/memory"))]
            assert any(row in page for row in rows), f"{method.upper()} {path}"
