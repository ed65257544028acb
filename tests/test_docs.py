"""Tests that documented code runs and prints the documented output, and that the reference is complete."""

from __future__ import annotations

import inspect
import os
import re
from pathlib import Path

import pytest

import aforesaid
from aforesaid import RECIPES, Conversation, Memory, Space
from aforesaid.models.transfer import IMPORT_FORMATS
from aforesaid.settings import SETTING_DEFINITIONS
from tests.adapters.framework import frameworks
from tests.programs import run

ROOT = Path(__file__).parent.parent
PAGES = [*sorted(ROOT.glob("*.md")), *sorted((ROOT / "docs").rglob("*.md"))]
BLOCK = re.compile(r"^```(python|text)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
# The code of these pages needs a framework: `make adapters` runs it.
WITH_FRAMEWORKS = {f"{framework.name.replace('_', '-')}.md" for framework in frameworks()}


def script(page: Path) -> tuple[str, str]:
    """Returns the Python code of the page as one program, and its expected output."""
    blocks = BLOCK.findall(page.read_text("utf-8"))
    return "\n".join(code for kind, code in blocks if kind == "python"), "".join(
        t for kind, t in blocks if kind == "text"
    )


@pytest.mark.parametrize(
    "page", [p for p in PAGES if script(p)[0] and p.name not in WITH_FRAMEWORKS], ids=lambda page: page.name
)
def test_the_code_of_a_page_prints_the_documented_output(page: Path, tmp_path: Path):
    code, expected = script(page)
    clean = {name: value for name, value in os.environ.items() if not name.startswith(("AFORESAID", "RAG_", "OPENAI"))}
    done = run("-c", code, environment=clean, folder=tmp_path)
    assert done.returncode == 0, done.stderr.decode()
    assert done.stdout.decode() == expected


def test_the_readme_starts_with_a_summary_a_picture_and_two_commands():
    lines = (ROOT / "README.md").read_text("utf-8").splitlines()
    assert len(lines) <= 150
    assert all(lines[2:5])
    assert lines[5] == ""
    assert lines[6].startswith("![")
    assert [line.split("#")[0].strip() for line in lines[8:12]] == ["```console", "$ make run", "$ make test", "```"]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_between_pages_are_valid(page: Path):
    for target in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", page.read_text("utf-8")):
        assert (page.parent / target).exists(), f"{page.name} links to {target}"


def test_every_setting_is_documented_with_its_default_and_its_names():
    page = (ROOT / "docs/reference/settings.md").read_text("utf-8")
    for row in SETTING_DEFINITIONS:
        default = str(row.default).lower() if isinstance(row.default, bool) else str(row.default)
        alias = f"`{row.alias}`" if row.alias else ""
        assert f"| `{row.name}` | {default} | `{row.variable}` | {alias}" in page


@pytest.mark.parametrize("file", ["docs/reference/recipes.md", "web/src/views/context/recipes.ts"])
def test_every_recipe_is_documented_and_the_page_offers_it(file: str):
    text = (ROOT / file).read_text("utf-8")
    assert [name for name in RECIPES if f"| `{name}` |" not in text and f'name: "{name}"' not in text] == []


def test_every_import_format_is_documented():
    page = (ROOT / "docs/howto/import.md").read_text("utf-8")
    assert set(re.findall(r"^\| `([\w-]+)` \|", page, re.MULTILINE)) == set(IMPORT_FORMATS)


def test_the_files_that_the_guides_for_contributors_name_exist():
    for page in ("CONTRIBUTING.md", "SECURITY.md"):
        named = re.findall(r"`((?:src|tests|docs|web|clients|tools)/[\w./-]+)`", (ROOT / page).read_text("utf-8"))
        assert len(named) > 20
        assert [file for file in named if not (ROOT / file).exists()] == []


def test_every_public_name_is_documented():
    page = (ROOT / "docs/reference/api.md").read_text("utf-8")
    for name in aforesaid.__all__:
        assert f"`{name}" in page, name


def test_keyword_only_parameters_are_documented_after_a_star():
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
