"""Fixtures: a browser and a server; every error in the page fails the test."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path

import httpx2
import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright
from tests.page.screen import Screen, Watched
from tests.serving import served

from aforesaid.ui.assets import DIST

FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
NUMBERS = count(1)
WAIT = 30_000  # milliseconds; long, because the machine may be busy


@pytest.fixture(scope="module")  # Playwright's event loop would disturb other tests of the session
def browser() -> Iterator[Browser]:
    chromium = shutil.which("chromium-headless-shell") or shutil.which("chromium")
    if chromium is None or not (DIST / "index.html").exists():
        pytest.fail("the page's tests need Debian's chromium and the page: `make page chromium`")
    expect.set_options(timeout=WAIT)
    with sync_playwright() as playwright:
        launched = playwright.chromium.launch(executable_path=chromium, args=list(FLAGS))
        yield launched
        launched.close()


@pytest.fixture(scope="session")
def store(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The store of the shared server."""
    return str(tmp_path_factory.mktemp("page") / "page.db")


@pytest.fixture(scope="session")
def server(store: str) -> Iterator[str]:
    """The URL of `aforesaid serve`."""
    with served(store) as made:
        yield made.url


@pytest.fixture
def space() -> str:
    """The test's own space."""
    return f"mara-{next(NUMBERS)}"


@pytest.fixture
def api(server: str, space: str) -> Iterator[httpx2.Client]:
    """A client of the REST API in the test's space; its paths are relative to /api/memory."""
    base = f"{server}/api/memory/"
    with httpx2.Client(base_url=base, timeout=60, headers={"X-Aforesaid-Space": space}) as client:
        yield client


@pytest.fixture
def open_page(browser: Browser, server: str, space: str) -> Iterator[Callable[..., Page]]:
    """Opens the page at a view. The test fails on a console error, a script error or a request to another host."""
    opened: list[Watched] = []

    def start(view: str = "chat", *, screen: Screen | None = None, at: str = server, **rest) -> Page:
        seen = Watched(browser, at, screen or Screen(), **rest)
        opened.append(seen)
        seen.page.set_default_timeout(WAIT)
        seen.page.goto(f"{at}/#/{space}/{view}")
        return seen.page

    yield start
    for seen in opened:
        seen.close()


@pytest.fixture(
    params=[Screen(390, "dark"), Screen(1440, "light")],
    ids=lambda screen: f"{screen.width}-{screen.theme}",
)
def screen(request: pytest.FixtureRequest) -> Screen:
    """Screens that cover each width and each theme once."""
    return request.param


@pytest.fixture
def shot(screen: Screen) -> Callable[[Page, str], None]:
    """Writes a screenshot of the page to page-out/."""

    def take(page: Page, name: str) -> None:
        folder = Path(__file__).parent.parent.parent / "page-out"
        folder.mkdir(exist_ok=True)
        page.screenshot(path=folder / f"{name}-{screen.width}-{screen.theme}.png")

    return take
