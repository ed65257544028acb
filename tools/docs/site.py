"""Builds the site of the documentation: `make docs`. It works from a folder, without a network.

1. The generated parts of the reference are written anew (`tools/docs/reference.py`).
2. The pages are checked: links, anchors, and the navigation, which is the index `docs/README.md`.
3. All pages are copied beside each other, with their links adapted. zensical builds them, in an environment of its own
   and in strict mode, into `docs-out/VERSION`. Other versions in `docs-out` stay.
4. Every link and anchor of the built pages is checked, and a browser opens the site from its folder: nothing may ask
   another host, and the search must find a page.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

from aforesaid import __version__
from tools.docs import reference
from tools.docs.browser import opened_from_a_folder
from tools.docs.pages import (
    DOCS,
    INDEX,
    OF_PROJECT,
    OUTSIDE,
    ROOT,
    dead_links,
    links,
    missing_from_navigation,
    navigation,
    pages,
)

HERE = Path(__file__).parent
REQUIREMENTS = HERE / "requirements.txt"
ENVIRONMENT = Path.home() / ".cache/aforesaid-docs"
OUT = ROOT / "docs-out"
SHIM = "https://unpkg.com/iframe-worker/shim"  # what the theme asks for, and iframe-worker.js replaces
VERSION_LIST = "versions.html"


def main() -> None:
    parser = argparse.ArgumentParser(description="Builds the site of the documentation.")
    parser.add_argument("--version", default=__version__, help="the folder of the site in docs-out")
    parser.add_argument("--no-browser", action="store_true", help="do not open the site in a browser")
    given = parser.parse_args()
    for page in reference.write():
        print(f"written anew: {page}")
    stop_at([*missing_from_navigation(), *(dead for page in pages() for dead in dead_links(page))])
    site = build(given.version)
    stop_at(dead_in_site(site))
    listed = list_versions()
    if not given.no_browser:
        stop_at(opened_from_a_folder(site))
    print(f"{len(list(site.rglob('*.html')))} pages: {listed}")


def stop_at(problems: list[str]) -> None:
    if problems:
        sys.exit("\n".join(problems))


def build(version: str) -> Path:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        stage(folder / "pages")
        text = (HERE / "site.yml").read_text("utf-8").replace("$VERSION", version)
        (folder / "mkdocs.yml").write_text(f"{text}nav: {json.dumps(tree())}\n", "utf-8")
        built = subprocess.run(
            [installed() / "bin/zensical", "build", "--strict", "--config-file", "mkdocs.yml"],
            cwd=folder, capture_output=True, text=True, check=False, env=os.environ | {"NO_COLOR": "1"},
        )  # fmt: skip
        if built.returncode or not (folder / "site/index.html").exists():
            sys.exit(built.stdout + built.stderr)
        for page in (folder / "site").rglob("*.html"):
            make_self_contained(page, folder / "site")
        site = OUT / version
        shutil.rmtree(site, ignore_errors=True)
        shutil.copytree(folder / "site", site)
    return site


def installed() -> Path:
    """The environment of the site's tool, made anew when its requirements change."""
    wanted = hashlib.sha256(REQUIREMENTS.read_bytes() + sys.version.encode()).hexdigest()[:16]
    environment = ENVIRONMENT / wanted
    if not (environment / "ready").exists():
        shutil.rmtree(ENVIRONMENT, ignore_errors=True)
        found = shutil.which("uv")
        uv = [found] if found else [sys.executable, "-m", "uv"]
        place = ["--python", str(environment / "bin/python")]
        packages = ["--no-deps", "--require-hashes", "--requirement", str(REQUIREMENTS)]
        subprocess.run([*uv, "venv", "--quiet", "--python", sys.executable, str(environment)], check=True)
        subprocess.run([*uv, "pip", "install", "--quiet", *place, *packages], check=True)
        (environment / "ready").touch()
    return environment


def stage(folder: Path) -> None:
    """Copies the pages, and every file that they link to, into the folder of the site's sources."""
    shutil.copytree(DOCS, folder, ignore=shutil.ignore_patterns("*.md"))
    for page in pages():
        copy = folder / staged(page)
        copy.parent.mkdir(parents=True, exist_ok=True)
        copy.write_text(adapted(page, folder), "utf-8")
    (folder / "assets").mkdir(exist_ok=True)
    for asset in ("site.css", "site.js", "iframe-worker.js"):
        shutil.copy(HERE / asset, folder / "assets" / asset)


def staged(file: Path) -> Path:
    """The place of a page or of another file in the sources of the site."""
    if file == INDEX:
        return Path("index.md")
    if file.is_relative_to(DOCS):
        return file.relative_to(DOCS)
    name = file.relative_to(ROOT).as_posix()
    return Path("project", name.lower().replace("/", "-")) if name in OF_PROJECT else Path("files", f"{name}.txt")


def adapted(page: Path, folder: Path) -> str:
    """The text of the page, with its links as they are in the site."""
    text = page.read_text("utf-8")
    for link in reversed(list(links(text))):
        if not link.path:
            continue
        target = (page.parent / link.path).resolve()
        if target.is_dir():
            target = INDEX  # it lists what is in the folders
        place = staged(target)
        if place.parts[0] == "files":
            (folder / place).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(target, folder / place)
        written = Path(os.path.relpath(place, staged(page).parent)).as_posix()
        anchor = f"#{link.anchor}" if link.anchor else ""
        text = f"{text[: link.start]}{written}{anchor}{text[link.stop :]}"
    return text


def tree() -> list[dict[str, object]]:
    """The navigation as the site's tool takes it."""
    groups: list[dict[str, object]] = [
        {group: [{title: staged(page).as_posix()} for title, page in entries.items()]}
        for group, entries in navigation().items()
    ]
    return [{"Home": "index.md"}, *groups]


def make_self_contained(page: Path, site: Path) -> None:
    up = "../" * (len(page.relative_to(site).parts) - 1)
    text = page.read_text("utf-8").replace(SHIM, f"{up}assets/iframe-worker.js")
    page.write_text(text.replace('href="VERSIONS"', f'href="{up}../{VERSION_LIST}"'), "utf-8")


def list_versions() -> Path:
    """Writes a list of the versions in the folder, and a start page that leads to the newest."""
    versions = sorted((file.parent.name for file in OUT.glob("*/index.html")), key=order, reverse=True)
    rows = "".join(f'<li><a href="{version}/index.html">{version}</a></li>' for version in versions)
    head = (
        '<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">'
        '<meta name="color-scheme" content="light dark"><title>aforesaid</title>'
    )
    (OUT / VERSION_LIST).write_text(f"{head}<main><h1>Versions</h1><ul>{rows}</ul></main></html>\n", "utf-8")
    start = OUT / "index.html"
    first = f"{versions[0]}/index.html"
    start.write_text(
        f'{head}<meta http-equiv="refresh" content="0; url={first}">'
        f'<main><h1>aforesaid</h1><p><a href="{first}">Documentation</a></p></main></html>\n',
        "utf-8",
    )
    return start


def order(version: str) -> tuple[tuple[int, str], ...]:
    return tuple((int(part), "") if part.isdigit() else (-1, part) for part in version.split("."))


class Built(HTMLParser):
    """The addresses and the anchors of a built page."""

    def __init__(self, page: Path) -> None:
        super().__init__()
        self.addresses: list[str] = []
        self.loaded: list[str] = []
        self.anchors: set[str] = set()
        self.feed(page.read_text("utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            if name in ("id", "name") and value:
                self.anchors.add(value)
            if name in ("href", "src") and value:
                self.addresses.append(value)
                if tag not in ("a", "area") and OUTSIDE.match(value):
                    self.loaded.append(value)


def dead_in_site(site: Path) -> list[str]:
    """What the built pages link to and does not exist, and what they load from another host."""
    built = {page: Built(page) for page in site.rglob("*.html") if page.name != "404.html"}
    dead = []
    for page, found in built.items():
        name = page.relative_to(site)
        dead += [f"{name} loads {address}" for address in found.loaded if not address.startswith("data:")]
        for address in found.addresses:
            parts = urlsplit(address)
            if parts.scheme or parts.netloc:
                continue
            target = (page.parent / unquote(parts.path)).resolve() if parts.path else page
            target = target / "index.html" if target.is_dir() else target
            if not target.exists() and target.name != VERSION_LIST:
                dead.append(f"{name}: there is no {address}")
            elif parts.fragment and target in built and unquote(parts.fragment) not in built[target].anchors:
                dead.append(f"{name}: there is no anchor {address}")
    return sorted(set(dead))


if __name__ == "__main__":
    main()
