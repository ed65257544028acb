"""Tests that documented code runs and prints the documented output, and that the reference is complete."""

from __future__ import annotations

import dataclasses
import inspect
import os
import re
from pathlib import Path

import pytest
from tools.docs import reference
from tools.docs.pages import Link, anchors, dead_links, links, missing_from_navigation, navigation, pages
from tools.docs.site import dead_in_site

import aforesaid
from aforesaid import RECIPES
from aforesaid.models.transfer import IMPORT_FORMATS
from aforesaid.settings import SETTING_DEFINITIONS
from tests.adapters.framework import frameworks
from tests.programs import run

ROOT = Path(__file__).parent.parent
PAGES = pages()
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


@pytest.mark.req("X32")
@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_to_a_file_and_an_anchor_that_exist(page: Path):
    assert dead_links(page) == []


@pytest.mark.req("X32")
def test_every_page_is_in_the_navigation_once():
    assert missing_from_navigation() == []
    assert len(navigation()) >= 10


def test_links_are_read_outside_of_code_and_across_lines():
    text = "`[a](b.md)`\n```text\n[c](d.md)\n```\n[two\nlines](e.md#f) ![g](h.png) [i](https://example.org) [`k`](#l)"
    assert [link.target for link in links(text)] == ["e.md#f", "h.png", "#l"]
    assert [(link.path, link.anchor) for link in (Link("e.md#f", 0, 6), Link("#l", 0, 2))] == [("e.md", "f"), ("", "l")]


def test_anchors_are_those_of_github(tmp_path: Path):
    page = tmp_path / "page.md"
    page.write_text('# `mem.recall`: what "it" does\n\n## Twice\n\n## Twice\n\n```text\n# no heading\n```\n', "utf-8")
    assert anchors(page) == {"memrecall-what-it-does", "twice", "twice-1"}


@pytest.mark.req("X32")
def test_a_link_without_a_file_or_an_anchor_is_named(tmp_path: Path):
    page = tmp_path / "page.md"
    page.write_text("# One\n\n[a](gone.md) [b](#one) [c](#two) [d](other.md#three) [e](other.md)", "utf-8")
    (tmp_path / "other.md").write_text("# Other", "utf-8")
    assert dead_links(page) == [
        "page.md: there is no file for gone.md",
        "page.md: there is no anchor for #two",
        "page.md: there is no anchor for other.md#three",
    ]


@pytest.mark.req("X32")
def test_what_a_built_page_lacks_or_loads_from_another_host_is_named(tmp_path: Path):
    (tmp_path / "a.html").write_text(
        '<h1 id="one">A</h1><a href="b.html#two">b</a><a href="b.html#three">b</a><img src="gone.png">'
        '<a href="https://example.org/">elsewhere</a><script src="https://example.org/x.js"></script>',
        "utf-8",
    )
    (tmp_path / "b.html").write_text('<h1 id="two">B</h1><a href="a.html#one">a</a>', "utf-8")
    assert dead_in_site(tmp_path) == [
        "a.html loads https://example.org/x.js",
        "a.html: there is no anchor b.html#three",
        "a.html: there is no gone.png",
    ]


@pytest.mark.req("X32")
def test_the_generated_parts_of_the_reference_are_those_of_the_code():
    assert list(reference.changed()) == [], "run `make reference`"


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


# Fields for the parts of aforesaid, and fields that another value or page describes.
INTERNAL_FIELDS = {
    "Context": {"turns", "prefix", "make_receipt", "ask_why"},
    "Quote": {"order"},
    "RestoreReport": {field.name for field in dataclasses.fields(aforesaid.Backup)},
}
VALUES = [
    kind
    for kind in (getattr(aforesaid, name) for name in aforesaid.__all__)
    if inspect.isclass(kind) and dataclasses.is_dataclass(kind) and kind is not aforesaid.Recipe
]


@pytest.mark.parametrize("kind", VALUES, ids=lambda kind: kind.__name__)
def test_every_field_of_a_value_is_documented(kind: type):
    page = (ROOT / "docs/reference/api.md").read_text("utf-8")
    fields = {field.name for field in dataclasses.fields(kind) if not field.name.startswith("_")}
    named = [text for text in re.split(r"\n(?=- |\n)", page) if re.search(rf"`{kind.__name__}\b", text)]
    described = set(re.findall(r"\w+", " ".join(named)))
    assert fields - INTERNAL_FIELDS.get(kind.__name__, set()) - described == set()
