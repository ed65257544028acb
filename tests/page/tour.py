"""Opens every view and dialog of the page at two widths and two themes: `make screens`.

Each screen is written to page-out/. The run fails with the findings: what axe says of a screen in either theme, a page
that scrolls sideways at 320 pixels, an error in the console. `--only PATTERN` takes the screens whose names match;
`--docs` renews docs/pictures."""

from __future__ import annotations

import argparse
import re
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace

import httpx2
from playwright.sync_api import Browser, Page, sync_playwright
from playwright.sync_api import Error as PlaywrightError
from tests.chat import ChatServer
from tests.page.conversations import BUG, LISBON, TRIP, add_bologna_trip, add_conversation, flush
from tests.page.screen import RULES, Screen, Watched, accessibility_issues
from tests.serving import served

from aforesaid.bench import own

ROOT = Path(__file__).parent.parent.parent
OUT, PICTURES = ROOT / "page-out", ROOT / "docs" / "pictures"
IN_DOCS = {"chat-answer": "chat", "context": "context", "bench": "bench"}
SCREENS = (Screen(390), Screen(1280))
NARROWEST = 320
COLOURS = {"runOnly": {"type": "rule", "values": ["color-contrast"]}}  # what the second theme may change
WAIT = 30_000  # milliseconds
EXPECTED = ("ERR_FAILED", "ERR_ABORTED", "404")
QUESTION = "What did the doctor say about Dad and the gas?"
ANSWER = "The flat costs **95 € a night**, 570 € for six nights. That leaves 830 € of your 1400 €."
LONG_WORD = "Donaudampfschifffahrtsgesellschaftskapitänskajütentürschlüsselloch" * 3
WORDS = (
    f"One word: {LONG_WORD} and an address: https://example.org/{'a-very-long-path/' * 12}",
    "مرحبا! أريد أن أذهب إلى لشبونة في شهر مايو، نحن الاثنان، ومعنا ٣ حقائب.",
    "שלום, הטיסה יוצאת ב-9:39 מפורטו.",
    "| a | b | c |\n|---|---|---|\n| "
    + " | ".join(["x" * 60] * 3)
    + " |\n\n```python\n"
    + "value = 1 + " * 30
    + "0\n```",
    "👩‍👩‍👧‍👦 漢字かな交じり文は、空白のない長い行になりますので、折り返しが必要です。" * 3,
)


@dataclass(frozen=True, slots=True)
class Stop:
    """A screen: its name, its address, and what is done there."""

    name: str
    address: str
    act: Callable[[Page], object] | None = None


def click(name: str, role: str = "button", *, exact: bool = False) -> Callable[[Page], object]:
    return lambda page: page.get_by_role(role, name=name, exact=exact).first.click()  # type: ignore[arg-type]


def press(*keys: str) -> Callable[[Page], object]:
    def act(page: Page) -> None:
        page.locator("h1, h2").first.wait_for()
        for key in keys:
            page.keyboard.press(key)

    return act


def chip(name: str) -> Callable[[Page], object]:
    return lambda page: page.locator("label", has_text=name).first.click()


def then(*acts: Callable[[Page], object]) -> Callable[[Page], object]:
    return lambda page: [act(page) for act in acts]


def typed(label: str, text: str) -> Callable[[Page], object]:
    return lambda page: page.get_by_label(label).first.fill(text)


def cut_off(page: Page) -> None:
    """Opens the view anew without the server."""
    page.route("**/api/memory/**", lambda route: route.abort())
    page.reload()
    page.get_by_role("alert").first.wait_for()


def held(page: Page) -> None:
    """Opens the view anew while the server does not answer."""
    page.route("**/api/memory/**", lambda _: None)
    page.reload()
    page.locator(".loading").first.wait_for()


def client(url: str, space: str) -> httpx2.Client:
    return httpx2.Client(base_url=f"{url}/api/memory/", timeout=120, headers={"X-Aforesaid-Space": space})


def seed(url: str) -> SimpleNamespace:
    """Fills the store, and returns the ids that addresses need."""
    with client(url, "trip") as api:
        add_bologna_trip(api)
        api.post(f"conversations/{TRIP}/summaries", json={"first": 0, "last": 9}).raise_for_status()
        found = {"title": "The flat is found", "type": "breakthrough", "first": 10, "last": 13}
        found |= {"significance": 0.9, "valence": 0.8, "outcome": "A flat near the market."}
        episode = api.post(f"conversations/{TRIP}/episodes", json=found).raise_for_status().json()["id"]
        fact = api.get("facts").json()["items"][0]["id"]
        add_conversation(api, "lisbon", *LISBON[:8], title="A week in Lisbon")
        add_conversation(api, "bug", *BUG, title="ERR_BAD_OFFSET in parse_rows()")
        api.post("conversations/lisbon/pins", json={"content": "The budget is 1400 €."}).raise_for_status()
        flush(api)
        asked = {"content": "What did the flat cost again?"}
        api.post("conversations/lisbon/reply", json=asked).raise_for_status().read()
        api.put("consent", json={"granted": True}).raise_for_status()
        api.put("profile", json={"fields": {"city": "Porto", "diet": "vegetarian"}}).raise_for_status()
        flush(api)
    with client(url, "family") as api:
        dialogue = next(one for one in own.load() if one.space == "dialogue_siblings")
        for number, session in enumerate(dialogue.sessions, 1):
            api.put(f"conversations/call-{number}", json={"title": f"Call {number}"}).raise_for_status()
            body = {"messages": list(session.messages)}
            api.post(f"conversations/call-{number}/messages", json=body).raise_for_status()
        api.post("conversations/call-11/pins", json={"content": "Dad's gas is read on the 3rd."}).raise_for_status()
        flush(api)
        sizes = {"query": QUESTION, "recipe": "balanced"}
        other, small, whole = (
            api.post("conversations/call-11/context", json=sizes | more).raise_for_status().json()["receipt"]
            for more in ({"query": "When does Hester call?"}, {"max_tokens": 900}, {})
        )
    with client(url, "archive") as api:
        api.put("conversations/long", json={"title": "Ten thousand messages"}).raise_for_status()
        api.patch("conversations/long", json={"muted": True}).raise_for_status()
        for start in range(0, 10_000, 2_500):
            said = [
                {"role": ("user", "assistant")[n % 2], "content": f"Message {n}. {'More words. ' * (n % 23)}"}
                for n in range(start, start + 2_500)
            ]
            api.post("conversations/long/messages", json={"messages": said}).raise_for_status()
        wide = {"query": "Message 17", "max_tokens": 60_000}
        huge = api.post("conversations/long/context", json=wide).raise_for_status().json()["receipt"]
    with client(url, "words") as api:
        add_conversation(api, "words", *WORDS, title=f"{LONG_WORD} مرحبا")
        api.post("facts", json={"text": f"user likes {LONG_WORD}", "kind": "preference"}).raise_for_status()
        flush(api)
        odd = api.post("conversations/words/context", json={"query": WORDS[1]}).raise_for_status().json()["receipt"]
    return SimpleNamespace(**locals())


def stops(ids: SimpleNamespace) -> Iterator[Stop]:
    lisbon, trip, context = "trip/chat/lisbon", f"trip/chat/{TRIP}", f"family/context/call-11/{ids.whole}"
    small = f"family/context/call-11/{ids.small}"
    yield Stop("chat-empty", "empty/chat")
    yield Stop("chat-answer", lisbon)
    yield Stop("chat-facts", f"{trip}/2")
    yield Stop("chat-list", "trip/chat")
    yield Stop("chat-menu", lisbon, click("Conversation actions"))
    yield Stop("chat-models", lisbon, click("Model: "))
    yield Stop("chat-new", lisbon, then(press("n")))
    yield Stop("chat-search", "trip/chat", typed("Search conversations and messages", "flat"))
    yield Stop("chat-edit", lisbon, click("Edit message 1 and"))
    yield Stop("chat-forget", lisbon, click("Forget message 1…"))
    yield Stop("chat-long", "archive/chat/long")
    yield Stop("chat-words", "words/chat/words")
    yield Stop("palette", lisbon, then(press("Control+k"), lambda page: page.keyboard.type("flat")))
    yield Stop("shortcuts", lisbon, press("?"))
    yield Stop("space", lisbon, lambda page: page.get_by_label("Space").select_option(label="Open another space…"))
    yield Stop("context-none", "empty/context")
    yield Stop("context-first", "trip/context/bug")
    yield Stop("context", context)
    yield Stop("context-read", context, lambda page: page.get_by_label("Sort by").select_option("read"))
    yield Stop("context-all", small, chip("All"))
    yield Stop("context-left-out", small, chip("Left out"))
    yield Stop("context-filter", small, typed("Filter by words", "gas Hester"))
    yield Stop("context-why", small, then(chip("Left out"), click("Why not?")))
    yield Stop("context-why-search", small, then(click("Why not this one?"), typed("Words, id or link", "gas")))
    yield Stop("context-compare", f"{context}/compare/{ids.other}")
    yield Stop("context-replay", f"{context}/replay")
    yield Stop("context-huge", f"archive/context/long/{ids.huge}")
    yield Stop("context-words", f"words/context/words/{ids.odd}")
    yield Stop("context-unknown", "family/context/call-11/nobody")
    yield Stop("bench", f"family/context/call-11/bench/{QUESTION}")
    yield Stop("bench-none", "words/context/words/bench")
    yield Stop("memory", "trip/memory")
    yield Stop("memory-empty", "empty/memory")
    yield Stop("memory-fact", f"trip/memory/facts/{ids.fact}")
    yield Stop(
        "memory-edit",
        f"trip/memory/facts/{ids.fact}",
        lambda page: page.get_by_role("dialog").get_by_role("button", name="Edit").click(),
    )
    yield Stop("memory-add", "trip/memory", click("Add fact"))
    yield Stop("memory-review", "trip/memory", click("Review", "tab"))
    yield Stop("memory-graph", "trip/memory", click("Graph", "tab"))
    yield Stop("memory-about", "trip/memory", click("About me", "tab"))
    yield Stop("memory-words", "words/memory")
    yield Stop("timeline", f"trip/timeline/{TRIP}")
    yield Stop(
        "timeline-episode", f"trip/timeline/{TRIP}", lambda page: page.locator(".moment:has(.ring) .sign").click()
    )
    yield Stop("timeline-empty", "empty/timeline")
    yield Stop("timeline-words", "words/timeline")
    yield Stop("privacy", "trip/privacy")
    yield Stop("privacy-none", "empty/privacy")
    for tab in ("Audit log", "Forget", "Export and import"):
        yield Stop(f"privacy-{tab.split()[0].lower()}", "trip/privacy", click(tab, "tab"))
    yield Stop("analytics", "trip/analytics")
    yield Stop("analytics-empty", "empty/analytics")
    yield Stop("analytics-prices", "trip/analytics", lambda page: page.get_by_text("Prices of models").click())
    yield Stop("settings", "trip/settings")
    for view in ("chat", "context", "memory", "timeline", "privacy", "analytics", "settings"):
        yield Stop(f"error-{view}", f"trip/{view}", cut_off)
    for view in ("chat", "context", "memory", "analytics"):
        yield Stop(f"loading-{view}", f"trip/{view}", held)


def settled(page: Page, stop: Stop) -> None:
    """Waits until nothing loads and nothing is drawn any more."""
    page.locator("#content > *").first.wait_for()
    if not stop.name.startswith("loading"):
        page.wait_for_function("() => document.querySelector('.loading, .turning, [aria-busy=true]') === null")
    page.evaluate("() => document.fonts.ready.then(() => new Promise(done => setTimeout(done, 250)))")


def sideways(page: Page) -> bool:
    """True if the page or its view is wider than the screen."""
    return page.evaluate(
        "() => [document.documentElement, document.getElementById('content')]"
        ".some(one => one.scrollWidth > one.clientWidth)"
    )


def look(page: Page, stop: Stop, screen: Screen) -> Iterator[str]:
    """Writes the pictures of a screen, and yields the findings."""
    for theme in ("light", "dark"):
        page.emulate_media(color_scheme=theme, reduced_motion="reduce")
        settled(page, stop)
        page.screenshot(path=OUT / f"{stop.name}-{screen.width}-{theme}.png")
        yield from (f"{theme}: {issue}" for issue in accessibility_issues(page, RULES if theme == "light" else COLOURS))
    if screen.width < 720:
        page.set_viewport_size({"width": NARROWEST, "height": 640})
        settled(page, stop)
        if sideways(page):
            yield f"scrolls sideways at {NARROWEST} pixels"


def visit(browser: Browser, url: str, screen: Screen, stop: Stop) -> list[str]:
    watched = Watched(browser, url, screen, expected=EXPECTED)
    page = watched.page
    page.set_default_timeout(WAIT)
    page.goto(f"{url}/#/{stop.address}")
    findings: list[str] = []
    try:
        settled(page, stop)
        if stop.act is not None:
            stop.act(page)
        findings += look(page, stop, screen)
    except PlaywrightError as failed:
        findings.append(f"not reached: {failed.message.splitlines()[0]}")
    page.unroute_all(behavior="ignoreErrors")
    try:
        watched.close()
    except AssertionError as wrong:
        findings.append(str(wrong))
    return [f"{stop.name} {screen.width}: {finding}" for finding in findings]


def run(only: str, docs: bool, at: Sequence[Screen] = SCREENS) -> int:
    OUT.mkdir(exist_ok=True)
    findings: list[str] = []
    with ExitStack() as stack:
        folder = stack.enter_context(tempfile.TemporaryDirectory())
        model = stack.enter_context(ChatServer(ANSWER))
        url = stack.enter_context(served(f"{folder}/tour.db", "--model", f"{model.url}/v1#tiny")).url
        ids = seed(url)
        chromium = shutil.which("chromium-headless-shell") or shutil.which("chromium")
        playwright = stack.enter_context(sync_playwright())
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox", "--disable-gpu"])
        for stop in stops(ids):
            if re.search(only, stop.name):
                found = [finding for screen in at for finding in visit(browser, url, screen, stop)]
                print(f"{stop.name}: {'; '.join(found) or 'no findings'}", flush=True)
                findings += found
        browser.close()
    for stop, picture in IN_DOCS.items():
        if docs and re.search(only, stop):
            shutil.copy(OUT / f"{stop}-1280-light.png", PICTURES / f"{picture}.png")
    print(f"{len(findings)} findings; the pictures are in {OUT}")
    return 1 if findings else 0


if __name__ == "__main__":
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--only", default="", help="screens whose names match this pattern")
    arguments.add_argument("--docs", action="store_true", help="renew the pictures in docs/pictures")
    given = arguments.parse_args()
    sys.exit(run(given.only, given.docs))
