"""Tests that pages of other origins, in a real browser, neither change the store nor learn anything about it."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import httpx2
import pytest
from playwright.sync_api import Browser, Page, expect
from tests.serving import served

pytestmark = pytest.mark.req("X17")

WAIT = 60_000  # milliseconds
REQUESTS = 14 * (6 * 2 + 4 + 3)  # fetches, preflights and forms to 14 routes; a browser may drop beacons

# Sends every kind of request that a page can send without the server's consent, and some that it cannot.
ATTACK = """async (server) => {
  const message = JSON.stringify({role: 'user', content: 'planted'});
  const routes = ['import-chats', 'import', 'rechunk', 'doctor', 'backup', 'flush', 'keys', 'forget', 'recall',
    'conversations/c/messages', 'conversations/c/score-messages'].map(route => `${server}/api/memory/${route}`);
  routes.push(`${server}/mcp`, `${server}/v1/chat/completions`, `${server}/nowhere`);
  const form = new FormData();
  form.set('file', new Blob([message], {type: 'application/json'}), 'chat.json');
  const bodies = [undefined, message, new Blob([message]), new Blob([message], {type: 'text/plain'}), form,
    new URLSearchParams({a: message})];
  const quiet = promise => promise.then(answer => answer.type, () => 'failed');
  const results = new Set();
  for (const route of routes) {
    for (const body of bodies) {
      results.add(await quiet(fetch(route, {method: 'POST', mode: 'no-cors', body})));
      results.add(await quiet(fetch(route, {method: 'POST', mode: 'no-cors', body, credentials: 'include',
        referrerPolicy: 'no-referrer'})));
      navigator.sendBeacon(route, body);
    }
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
      const headers = {'Content-Type': 'application/json'};
      results.add(await quiet(fetch(route, {method, body: message, headers})));
    }
    for (const enctype of ['text/plain', 'multipart/form-data', 'application/x-www-form-urlencoded']) {
      const frame = document.body.appendChild(document.createElement('iframe'));
      frame.name = `frame${Math.random()}`;
      const html = document.body.appendChild(document.createElement('form'));
      Object.assign(html, {action: route, method: 'POST', enctype, target: frame.name});
      const input = html.appendChild(document.createElement('input'));
      input.name = '{"role": "user", "content": "planted", "a": "';
      input.value = '"}';
      html.submit();
    }
  }
  return [...results].sort();
}"""

# Reads a path with every element and interface that loads from other origins, and returns all that the page can see.
PROBE = """async ([server, path]) => {
  const url = `${server}${path}`;
  const seen = {};
  const event = (target, names) => new Promise(done => {
    for (const name of names) target.addEventListener(name, () => done(name));
    setTimeout(() => done('nothing'), 5000);
  });
  const element = async (kind, tag, fields) => {
    const made = Object.assign(document.createElement(tag), fields);
    const result = event(made, ['load', 'error', 'loadedmetadata']);
    document.head.appendChild(made);
    seen[kind] = await result;
    made.remove();
  };
  await Promise.all([
    element('image', 'img', {src: url}),
    element('script', 'script', {src: url}),
    element('module', 'script', {src: url, type: 'module'}),
    element('style', 'link', {rel: 'stylesheet', href: url}),
    element('prefetch', 'link', {rel: 'prefetch', href: url}),
    element('preload', 'link', {rel: 'preload', as: 'fetch', href: url, crossOrigin: 'anonymous'}),
    element('icon', 'link', {rel: 'icon', href: url}),
    element('audio', 'audio', {src: url}),
    element('object', 'object', {data: url}),
  ]);
  for (const mode of ['no-cors', 'cors']) {
    seen[mode] = await fetch(url, {mode}).then(answer => `${answer.type} ${answer.status}`, () => 'failed');
  }
  const source = new EventSource(url);
  seen.events = await event(source, ['open', 'error']);
  source.close();
  const web = new WebSocket(url.replace('http', 'ws'));
  seen.socket = await event(web, ['open', 'error']);
  const frame = document.body.appendChild(Object.assign(document.createElement('iframe'), {src: url}));
  seen.frame = await event(frame, ['load', 'error']);
  seen.frames = frame.contentWindow.length;
  frame.remove();
  const entries = performance.getEntriesByName(url);
  seen.entries = entries.map(one =>
    [one.initiatorType, one.transferSize, one.decodedBodySize, one.responseStatus]).sort();
  performance.clearResourceTimings();
  return seen;
}"""


class BlankPage(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.end_headers()
        self.wfile.write(b"<!doctype html><title>another program</title><body></body>")

    def log_message(self, *_: Any) -> None:
        pass


@pytest.fixture(scope="module")
def others() -> Iterator[tuple[str, str]]:
    """Two other origins on this machine: one on another site, one on another port of the server's own host."""
    with ExitStack() as stack:
        ports = []
        for _ in range(2):
            made = stack.enter_context(ThreadingHTTPServer(("127.0.0.1", 0), BlankPage))
            threading.Thread(target=made.serve_forever, daemon=True).start()
            stack.callback(made.shutdown)
            ports.append(made.server_port)
        yield f"http://localhost:{ports[0]}", f"http://127.0.0.1:{ports[1]}"


@pytest.fixture(scope="module")
def victim(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A server without keys, with the conversation `trip`."""
    with served(str(tmp_path_factory.mktemp("victim") / "m.db")) as server:
        said = {"role": "user", "content": "We settled on Lisbon."}
        answer = httpx2.post(f"{server.url}/api/memory/conversations/trip/messages", json=said, timeout=60)
        assert answer.status_code == 201
        yield server.url


@pytest.fixture(params=[0, 1], ids=["another site", "another port"])
def other(browser: Browser, others: tuple[str, str], request: pytest.FixtureRequest) -> Iterator[Page]:
    page = browser.new_page()
    page.set_default_timeout(WAIT)
    page.goto(others[request.param])
    yield page
    page.close()


def state(server: str) -> Any:
    """Everything that a client can read about the content of the store."""
    with httpx2.Client(base_url=f"{server}/api/memory/", timeout=60) as http:
        assert http.post("flush", json={}).json()["done"]
        paths = ("spaces", "keys", "conversations", "changes", "erasures", "settings", "conversations/trip/messages")
        return {path: http.get(path).json() for path in paths} | {"messages": http.get("status").json()["messages"]}


def refusals(server: str) -> int:
    """The number of requests that the server has refused before routing."""
    lines = httpx2.get(f"{server}/metrics", timeout=60).text.splitlines()
    counted = [line for line in lines if line.startswith("aforesaid_requests_total{") and 'status="403"' in line]
    return sum(int(float(line.rpartition(" ")[2])) for line in counted)


def test_a_page_of_another_origin_changes_nothing(other, victim):
    before, refused = state(victim), refusals(victim)
    results = other.evaluate(ATTACK, victim)
    deadline = time.monotonic() + WAIT / 1000
    while refusals(victim) - refused < REQUESTS:  # forms and beacons are sent in the background
        assert time.monotonic() < deadline
        time.sleep(0.1)
    assert set(results) <= {"failed", "opaque"}
    assert state(victim) == before


def test_a_page_of_another_origin_cannot_tell_whether_a_conversation_exists(other, victim):
    exists = other.evaluate(PROBE, [victim, "/api/memory/conversations/trip"])
    missing = other.evaluate(PROBE, [victim, "/api/memory/conversations/none"])
    nowhere = other.evaluate(PROBE, [victim, "/api/memory/nowhere/at-all/xx"])
    assert exists == missing == nowhere
    assert "load" not in {exists[kind] for kind in ("image", "script", "module", "style", "prefetch", "preload")}
    assert (exists["events"], exists["socket"], exists["cors"]) == ("error", "error", "failed")


def test_a_link_on_another_page_opens_the_page_which_works_on_its_own_origin(other, victim):
    other.evaluate("server => { location.href = `${server}/#/default/chat` }", victim)
    expect(other.get_by_text("trip").first).to_be_visible()
    own = "path => fetch(path, {method: 'POST'}).then(answer => answer.status)"
    assert other.evaluate(own, "/api/memory/doctor") == 200
    assert other.evaluate(own, "/api/memory/backup") == 200
