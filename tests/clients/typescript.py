"""Judges that nobody here wrote, for the OpenAPI description and the TypeScript client: `make judges`.

Three generators must generate every operation without a warning. publint and arethetypeswrong check the packed client;
the package `ai` calls its middleware; Node, Bun, Deno, Cloudflare's workerd and Chromium run a short program with it.
All are installed from their registries into ~/.cache/aforesaid-clients.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Thread

from playwright.sync_api import sync_playwright
from tests.chat import ChatServer
from tests.clients.environments import Environment, install
from tests.serving import served

from aforesaid import Memory
from aforesaid.server.app import make_app

CLIENT = Path(__file__).parent.parent.parent / "clients" / "typescript"
CACHE = Path.home() / ".cache/aforesaid-clients"
NODE_PACKAGES = ("ai", "node@22", "zod", "publint", "@arethetypeswrong/cli", "esbuild", "miniflare", "deno", "bun")
GENERATORS = ("@hey-api/openapi-ts", "openapi-typescript", "typescript@5")
WARNING = re.compile(r"warn(?!.*unknown user config)|error|unsupported|missing", re.IGNORECASE)
RUN_TOUR = """
import * as aforesaid from "aforesaid";
import { tour } from "./tour.mjs";
const address = globalThis.Deno ? Deno.env.get("AFORESAID_URL") : process.env.AFORESAID_URL;
console.log(await tour(aforesaid, address, NAME));
"""
RUN_WORKER = """
import { Miniflare } from "miniflare";
import { buildSync } from "esbuild";
import { writeFileSync } from "node:fs";
writeFileSync("worker.mjs", `import * as aforesaid from "aforesaid"; import { tour } from "./tour.mjs";
export default { fetch: async () => new Response(await tour(aforesaid, "${process.env.AFORESAID_URL}", "workerd")) };`);
const { outputFiles } = buildSync({ entryPoints: ["worker.mjs"], bundle: true, format: "esm", write: false });
const miniflare = new Miniflare({ modules: true, script: outputFiles[0].text, compatibilityDate: "2026-01-01" });
console.log(await (await miniflare.dispatchFetch("http://localhost/")).text());
await miniflare.dispose();
"""


class Failed(Exception):
    """What a judge said."""


def run(folder: Path, *command: str, **environment: str) -> str:
    done = subprocess.run(
        command, cwd=folder, env=os.environ | environment, capture_output=True, text=True, check=False, timeout=300
    )
    output = done.stdout + done.stderr
    if done.returncode:
        raise Failed(output[-3000:])
    return output


def generated(output: str, files: Iterator[Path], pattern: str, operations: int) -> str:
    """Checks that a generator said no warning, and generated every operation."""
    if warnings := [line for line in output.splitlines() if WARNING.search(line)]:
        raise Failed("\n".join(warnings))
    found = sum(len(re.findall(pattern, file.read_text("utf-8"), re.MULTILINE)) for file in files)
    if found != operations:
        raise Failed(f"{found} of {operations} operations")
    return f"{found} operations, no warning"


def generators(folder: Path, cache: Path) -> Iterator[tuple[str, Callable[[], str]]]:
    with Memory(":memory:", worker=False, environment={}) as memory:
        document = make_app(memory).openapi()
    file = folder / "openapi.json"
    file.write_text(json.dumps(document), "utf-8")
    count = sum(map(len, document["paths"].values()))
    node = install("generators-node", GENERATORS, cache, node=True, renew=False)
    python = install("generators-python", ("openapi-python-client", "ruff"), cache, node=False, renew=False)
    path = f"{python.folder / 'venv/bin'}{os.pathsep}{os.environ['PATH']}"

    def openapi_typescript() -> str:
        output = run(folder, node.bin("openapi-typescript"), str(file), "-o", "types.ts")
        run(folder, node.bin("tsc"), "--noEmit", "--strict", "types.ts")
        return generated(output, iter([folder / "types.ts"]), r'^    "\w+\.\w+": \{', count)

    def hey_api() -> str:
        output = run(folder, node.bin("openapi-ts"), "-i", str(file), "-o", "hey", "--no-log-file")
        return generated(output, (folder / "hey").glob("sdk.gen.ts"), r"^export const \w+ = <", count)

    def python_client() -> str:
        line = ("generate", "--path", str(file), "--meta", "none", "--output-path", "py")
        output = run(folder, python.bin("openapi-python-client"), *line, PATH=path)
        return generated(output, (folder / "py/api").rglob("*.py"), r"^def sync_detailed", count)

    yield f"openapi-typescript {version(node, 'openapi-typescript')}", openapi_typescript
    yield f"@hey-api/openapi-ts {version(node, '@hey-api/openapi-ts')}", hey_api
    yield f"openapi-python-client {python.version}", python_client


def version(environment: Environment, package: str) -> str:
    described = json.loads((environment.folder / "node_modules" / package / "package.json").read_text("utf-8"))
    return str(described["version"])


def runtimes(folder: Path, cache: Path, address: str, site: str) -> Iterator[tuple[str, Callable[[], str]]]:
    packed = run(CLIENT, "npm", "pack", "--silent", "--pack-destination", str(folder)).split()[-1]
    judges = install("typescript", NODE_PACKAGES, cache, node=True, renew=False)
    home = judges.folder
    run(home, "npm", "install", "--no-save", "--no-audit", "--no-fund", "--loglevel=error", str(folder / packed))
    shutil.copy(CLIENT / "judges/tour.js", home / "tour.mjs")
    shutil.copy(CLIENT / "judges/ai-sdk.test.js", home / "ai-sdk.test.mjs")
    (home / "worker-run.mjs").write_text(RUN_WORKER, "utf-8")
    here = partial(run, home, AFORESAID_URL=address)

    def tour(name: str, *command: str) -> Callable[[], str]:
        (home / f"{name}.mjs").write_text(RUN_TOUR.replace("NAME", json.dumps(name)), "utf-8")
        return lambda: expect_ok(here(*command, f"{name}.mjs"))

    yield (
        f"publint {version(judges, 'publint')}",
        lambda: here(judges.bin("publint"), "run", str(folder / packed)).split("\n")[-2],
    )
    attw = (judges.bin("attw"), str(folder / packed), "--profile", "esm-only", "--quiet")
    yield f"arethetypeswrong {version(judges, '@arethetypeswrong/cli')}", lambda: here(*attw) and "esm-only"
    test = (judges.bin("node"), "--test", "--test-reporter=tap", "ai-sdk.test.mjs")
    yield f"ai {judges.version}", lambda: re.findall(r"# pass \d+", here(*test))[0]
    yield "node 22", tour("node", judges.bin("node"))
    yield f"bun {version(judges, 'bun')}", tour("bun", judges.bin("bun"))
    yield (
        f"deno {version(judges, 'deno')}",
        tour("deno", judges.bin("deno"), "run", "--allow-env", "--allow-net", "--no-lock"),
    )
    yield f"workerd {version(judges, 'workerd')}", lambda: expect_ok(here(judges.bin("node"), "worker-run.mjs"))
    yield "chromium", lambda: expect_ok(in_browser(address, site))


def expect_ok(output: str) -> str:
    if output.splitlines()[-1:] != ["ok"]:
        raise Failed(output)
    return "ok"


def in_browser(address: str, site: str) -> str:
    chromium = shutil.which("chromium-headless-shell") or shutil.which("chromium")
    program = f"""async () => {{
        const client = await import("{site}/dist/index.js");
        const {{ tour }} = await import("{site}/judges/tour.js");
        return tour(client, "{address}", "chromium");
    }}"""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        page = browser.new_page()
        page.goto(f"{site}/package.json")
        return str(page.evaluate(program))


class Files(SimpleHTTPRequestHandler):
    def log_message(self, *_: object) -> None:
        """Prints nothing."""


@contextmanager
def website() -> Iterator[str]:
    """Serves the client's files on a port of its own, so that the browser's page has another origin than the server."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Files, directory=str(CLIENT)))
    Thread(target=server.serve_forever).start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}"
    finally:
        server.shutdown()
        server.server_close()


def report(judges: Iterator[tuple[str, Callable[[], str]]]) -> bool:
    """Prints what each judge says, and returns whether one of them fails."""
    failed = False
    for name, judge in judges:
        try:
            said = judge().strip()
        except Failed as error:
            failed, said = True, f"FAILED\n{error}"
        print(f"{name:32} {said}", flush=True)
    return failed


def main(cache: Path) -> bool:
    with TemporaryDirectory() as name:
        folder = Path(name)
        failed = report(generators(folder, cache))
        with (
            ChatServer("We go to Lisbon.") as model,
            website() as site,
            served(str(folder / "a.db"), "--model", f"{model.url}/v1#tiny", "--origin", site) as server,
        ):
            return report(runtimes(folder, cache, server.url, site)) or failed


if __name__ == "__main__":
    sys.exit(main(CACHE))
