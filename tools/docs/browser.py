"""Opens the built site in a browser, from its folder."""

from __future__ import annotations

import shutil
from pathlib import Path

from playwright.sync_api import Page, sync_playwright

QUESTION, ANSWER = "verify_erasure", "howto/forget.html"
OF_THE_FOLDER = ("file:", "data:", "blob:")
PATIENCE = 20_000  # milliseconds


def opened_from_a_folder(site: Path) -> list[str]:
    """What goes wrong when the site is read and searched from its folder, on a phone and on a large screen."""
    chromium = shutil.which("chromium-headless-shell") or shutil.which("chromium")
    if chromium is None:
        return ["the site is opened in chromium: `make chromium` installs it"]
    wrong: list[str] = []
    asked: list[str] = []
    errors: list[str] = []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium)
        for width, read in ((1280, search), (390, look_at_every_page)):
            page = browser.new_page(viewport={"width": width, "height": 844})
            page.set_default_timeout(PATIENCE)
            page.on("request", lambda request: asked.append(request.url))
            page.on("pageerror", lambda error: errors.append(f"error: {error}"))
            wrong += read(page, site)
        browser.close()
    elsewhere = [f"the browser asked for {address}" for address in asked if not address.startswith(OF_THE_FOLDER)]
    return sorted({*wrong, *errors, *elsewhere})


def search(page: Page, site: Path) -> list[str]:
    page.goto((site / "index.html").as_uri())
    page.get_by_role("button", name="Search").first.click()
    page.get_by_role("combobox", name="Search").fill(QUESTION)
    page.locator(f'a[role=option][href*="{ANSWER}"]').first.click()
    page.wait_for_url(f"**/{ANSWER}*")
    return []


def look_at_every_page(page: Page, site: Path) -> list[str]:
    """The pages that scroll sideways."""
    found = []
    for file in sorted(site.rglob("*.html")):
        page.goto(file.as_uri(), wait_until="domcontentloaded")
        if page.evaluate("document.documentElement.scrollWidth > document.documentElement.clientWidth"):
            found.append(f"{file.relative_to(site)} is wider than a phone")
    return found
