"""The pages of the documentation: their links and anchors, and the navigation, which `docs/README.md` lists."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from urllib.parse import unquote

ROOT = Path(__file__).parent.parent.parent
DOCS = ROOT / "docs"
INDEX = DOCS / "README.md"
# Pages outside of `docs`.
OF_PROJECT = ("README.md", "ARCHITECTURE.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md", "examples/README.md")

FENCE = re.compile(r"^( *)(```+|~~~+).*?^\1\2 *$", re.MULTILINE | re.DOTALL)
CODE = re.compile(r"(`+)(?!`)(.+?)(?<!`)\1(?!`)", re.DOTALL)
LINK = re.compile(r"(?P<before>!?\[[^\[\]]*(?:!\[[^\[\]]*\]\([^()]*\)[^\[\]]*)?\]\()(?P<target>[^()\s]+)(?P<after>\))")
HEADING = re.compile(r"^(#{1,6}) +(.+?) *#* *$", re.MULTILINE)
ENTRY = re.compile(r"^- \[(?P<title>[^\]]+)\]\((?P<target>[^)#]+)\)", re.MULTILINE)
IDENTIFIER = re.compile(r"""<\w+[^>]*\b(?:id|name)=["']([^"']+)["']""")
OUTSIDE = re.compile(r"^[a-z][a-z0-9+.-]*:", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Link:
    """A link of a page; `start` and `stop` are the place of its target in the text."""

    target: str
    start: int
    stop: int

    @property
    def path(self) -> str:
        return unquote(self.target.partition("#")[0])

    @property
    def anchor(self) -> str:
        return unquote(self.target.partition("#")[2])


@cache
def pages() -> tuple[Path, ...]:
    """Every page: those in `docs`, and those outside of it that exist."""
    return (*sorted(DOCS.rglob("*.md")), *(ROOT / name for name in OF_PROJECT if (ROOT / name).exists()))


def without_code(text: str) -> str:
    """The text with blanks in place of code, so that every other character keeps its place."""
    text = FENCE.sub(lambda found: re.sub(r"[^\n]", " ", found[0]), text)
    return CODE.sub(lambda found: re.sub(r"[^\n]", " ", found[0]), text)


def links(text: str) -> Iterator[Link]:
    """The links and pictures of a page that lead to a file or an anchor of the project."""
    for found in LINK.finditer(without_code(text)):
        if not OUTSIDE.match(found["target"]):
            yield Link(found["target"], found.start("target"), found.end("target"))


@cache
def anchors(page: Path) -> frozenset[str]:
    """The anchors that GitHub makes of the headings of a page, and those that it names itself."""
    text = FENCE.sub("", page.read_text("utf-8"))
    found: set[str] = set(IDENTIFIER.findall(text))
    for _, title in HEADING.findall(text):
        slug = anchor = slug_of(title)
        repeats = 0
        while anchor in found:
            repeats += 1
            anchor = f"{slug}-{repeats}"
        found.add(anchor)
    return frozenset(found)


def slug_of(title: str) -> str:
    title = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", title).replace("`", "").strip().lower()
    return re.sub(r"[^\w\- ]", "", title).replace(" ", "-")


def navigation() -> Mapping[str, Mapping[str, Path]]:
    """The groups of the index, each with the titles and the files of its pages."""
    _, *groups = re.split(r"^## +", INDEX.read_text("utf-8"), flags=re.MULTILINE)
    named = {group.partition("\n")[0].strip(): ENTRY.finditer(group) for group in groups}
    tree = {
        name: {entry["title"]: (DOCS / entry["target"]).resolve() for entry in entries}
        for name, entries in named.items()
    }
    return {name: entries for name, entries in tree.items() if entries}


def missing_from_navigation() -> list[str]:
    """The pages that the index does not list, or lists twice."""
    listed = [page for entries in navigation().values() for page in entries.values()]
    expected = {page for page in pages() if page != INDEX}
    return sorted(
        [f"docs/README.md does not list {name_of(page)}" for page in expected - set(listed)]
        + [f"docs/README.md lists {name_of(page)} more than once" for page in set(listed) if listed.count(page) > 1]
    )


def dead_links(page: Path) -> list[str]:
    """The links of a page whose file or anchor does not exist."""
    dead = []
    for link in links(page.read_text("utf-8")):
        target = (page.parent / link.path).resolve() if link.path else page
        if not target.exists():
            dead.append(f"{name_of(page)}: there is no file for {link.target}")
        elif link.anchor and (target.suffix != ".md" or link.anchor not in anchors(target)):
            dead.append(f"{name_of(page)}: there is no anchor for {link.target}")
    return dead


def name_of(page: Path) -> str:
    return page.relative_to(ROOT).as_posix() if page.is_relative_to(ROOT) else page.name
