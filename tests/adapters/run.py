"""Runs the adapters with their frameworks: `make adapters`, or `make adapters ONLY=langgraph`.

Each framework is installed into an environment of its own. There run

1. the types of the adapter (mypy, strict) and of its examples (pyright), against those of the framework;
2. the comparison of the framework's interfaces with `interface.json`;
3. our tests in the folder of the adapter, on a file and on a server;
4. the code of its page in docs/howto and its files in examples;
5. the framework's own tests, from its sdist, with our class in place of theirs.

With `--write`, the captured interfaces and the table in docs/reference/frameworks.md are written anew.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from xml.etree import ElementTree

from tests.adapters.framework import Framework, Upstream, frameworks
from tests.clients.environments import NO_TORCH, NotInstalled
from tests.examples import FOLDER, REAL, prints

ROOT = Path(__file__).parent.parent.parent
CACHE = Path.home() / ".cache/aforesaid-adapters"
PAGE = ROOT / "docs/reference/frameworks.md"
BEGIN, END = "<!-- written by make adapters -->", "<!-- end -->"
CHECKS = ("mypy>=1.18", "pyright[nodejs]>=1.1.400", "pytest>=9.0", "pytest-timeout>=2.4")
PATIENCE = 1800.0  # seconds for one command
BLOCK = re.compile(r"^```(python|text)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


@dataclass
class Upstreamed:
    """The results of a framework's own tests. Only tests that used our class count."""

    sdist: str
    used: int = 0
    passed: int = 0
    failed: dict[str, str] = field(default_factory=dict)  # test: reason
    left_out: dict[str, str] = field(default_factory=dict)
    wrong: list[str] = field(default_factory=list)


@dataclass
class Result:
    framework: Framework
    failures: list[str] = field(default_factory=list)
    upstream: list[Upstreamed] = field(default_factory=list)


class Environment:
    """The virtual environment of a framework. It is made anew if what it must contain has changed."""

    def __init__(self, framework: Framework, *, renew: bool) -> None:
        self.framework = framework
        self.folder = CACHE / framework.name
        self.python = self.folder / "venv/bin/python"
        needs = [need for upstream in framework.upstream for need in upstream.needs]
        wanted = [*framework.packages, *CHECKS, *needs, "-e", f"{ROOT}[server]"]
        done = self.folder / "installed.json"
        if renew or not done.exists() or json.loads(done.read_text("utf-8")) != wanted:
            shutil.rmtree(self.folder, ignore_errors=True)
            self.folder.mkdir(parents=True)
            (self.folder / "overrides.txt").write_text(NO_TORCH, "utf-8")
            uv = shutil.which("uv")
            if uv is None:
                raise NotInstalled("uv is missing")
            self.must([uv, "venv", "--quiet", "--python", sys.executable, str(self.folder / "venv")])
            overrides = str(self.folder / "overrides.txt")
            self.must([uv, "pip", "install", "--quiet", "--python", str(self.python), "--override", overrides, *wanted])
            done.write_text(json.dumps(wanted), "utf-8")

    def run(
        self, command: Sequence[str | Path], folder: Path = ROOT, **environment: str
    ) -> subprocess.CompletedProcess[str]:
        clean = {name: value for name, value in os.environ.items() if not name.startswith(REAL)}
        clean |= {"UV_COMPILE_BYTECODE": "1", "PYTHONPATH": str(ROOT), "AFORESAID_ADAPTER": self.framework.name}
        return subprocess.run(
            [str(part) for part in command], cwd=folder, env=clean | environment,
            capture_output=True, text=True, timeout=PATIENCE, check=False,
        )  # fmt: skip

    def must(self, command: Sequence[str | Path], folder: Path = ROOT) -> str:
        done = self.run(command, folder)
        if done.returncode:
            raise NotInstalled(" ".join((done.stderr or done.stdout).split())[-500:])
        return done.stdout

    def unpacked(self, sdist: str) -> Path:
        """The folder of an sdist of the framework, downloaded once."""
        place = CACHE / "sdists" / sdist
        if not place.exists():
            downloads = CACHE / "downloads" / sdist
            pip = [sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check", "--no-deps"]
            if shutil.which("pip"):
                pip[:3] = ["pip"]
            self.must([*pip, "--no-binary", ":all:", "--dest", downloads, sdist], self.folder)
            (archive,) = downloads.glob("*.tar.gz")
            with tarfile.open(archive) as tar:
                tar.extractall(downloads, filter="data")
            (inner,) = (one for one in downloads.iterdir() if one.is_dir())
            place.parent.mkdir(parents=True, exist_ok=True)
            inner.rename(place)
        return place


def check(framework: Framework, *, renew: bool, write: bool) -> Result:
    result = Result(framework)
    try:
        environment = Environment(framework, renew=renew)
    except NotInstalled as error:
        result.failures.append(f"not installed: {error}")
        return result
    result.failures += types(environment) + interfaces(environment, write=write)
    result.failures += own_tests(environment) + documented(environment)
    for upstream in framework.upstream:
        try:
            done = upstream_tests(environment, upstream)
        except NotInstalled as error:
            result.failures.append(f"{upstream.sdist}: {error}")
            continue
        result.upstream.append(done)
        result.failures += done.wrong
    return result


def types(environment: Environment) -> list[str]:
    module = environment.framework.module.replace(".", "/")
    command = [environment.python, "-m", "mypy", "--strict", "--follow-imports=silent", f"src/{module}.py"]
    done = environment.run([*command, "--cache-dir", environment.folder / "mypy"])
    found = [] if done.returncode == 0 else [f"types: {line}" for line in done.stdout.splitlines()]
    return found + editor_errors(environment)


def editor_errors(environment: Environment) -> list[str]:
    """What pyright, and so an editor, says about the examples of a framework."""
    examples = [FOLDER / one for one in environment.framework.examples]
    pyright = environment.python.parent / "pyright"
    done = environment.run([pyright, "--pythonpath", environment.python, *examples], FOLDER)
    return [] if done.returncode == 0 else [f"examples: {line}" for line in (done.stdout + done.stderr).splitlines()]


def interfaces(environment: Environment, *, write: bool) -> list[str]:
    framework = environment.framework
    done = environment.run([environment.python, "-m", "tests.adapters.interface", framework.name])
    if done.returncode:
        return [f"interfaces: {done.stderr.strip().splitlines()[-1]}"]
    if write:
        framework.interface.write_text(compact(json.loads(done.stdout)), "utf-8")
    stored = json.loads(framework.interface.read_text("utf-8")) if framework.interface.exists() else None
    return [] if stored == json.loads(done.stdout) else ["interfaces: not those of interface.json; see --write"]


def compact(interface: Mapping[str, Mapping[str, object]]) -> str:
    """A line for each method."""
    classes = []
    for name, methods in sorted(interface.items()):
        lines = ",\n".join(f"    {json.dumps(one)}: {json.dumps(method)}" for one, method in sorted(methods.items()))
        classes.append(f"  {json.dumps(name)}: {{\n{lines}\n  }}")
    return "{\n" + ",\n".join(classes) + "\n}\n"


def own_tests(environment: Environment) -> list[str]:
    folder = environment.framework.folder
    if not list(folder.glob("test_*.py")):
        return ["no tests of our own"]
    done = environment.run(
        [environment.python, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-o", "addopts=--import-mode=importlib",
         "-o", "timeout=120", "-W", "default", "--strict-markers", "--confcutdir", folder.parent,
         "--rootdir", ROOT, folder]
    )  # fmt: skip
    return [] if done.returncode == 0 else [f"own tests:\n{done.stdout[-6000:]}{done.stderr[-1000:]}"]


def documented(environment: Environment) -> list[str]:
    """The code of the page prints what the page says, and the examples what their docstrings say."""
    name = environment.framework.name.replace("_", "-")
    page = ROOT / f"docs/howto/{name}.md"
    place = environment.folder / "place"
    found = []
    if page.exists():
        blocks = BLOCK.findall(page.read_text("utf-8"))
        code = "\n".join(text for kind, text in blocks if kind == "python")
        expected = "".join(text for kind, text in blocks if kind == "text")
        done = fresh(environment, place, "-c", code)
        if done.returncode or done.stdout != expected:
            found.append(f"{page.name} prints:\n{done.stdout}{done.stderr[-2000:]}")
    else:
        found.append(f"{page.name} is missing")
    for example in (FOLDER / one for one in environment.framework.examples):
        done = fresh(environment, place, str(example))
        if done.returncode or not prints(example, done.stdout):
            found.append(f"{example.name} prints:\n{done.stdout}{done.stderr[-2000:]}")
    return found


def fresh(environment: Environment, place: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    shutil.rmtree(place, ignore_errors=True)
    place.mkdir(parents=True)
    return environment.run([environment.python, *arguments], place)


def upstream_tests(environment: Environment, upstream: Upstream) -> Upstreamed:
    source = environment.unpacked(upstream.sdist)
    place, results = environment.folder / "upstream", environment.folder / "results.xml"
    plugins = environment.folder / "plugins"  # outside of our package `tests`, because theirs has this name too
    for folder in (place, plugins):
        shutil.rmtree(folder, ignore_errors=True)
    plugins.mkdir()
    for file in (Path(__file__).with_name("upstream_plugin.py"), *environment.framework.folder.glob("*.py")):
        shutil.copy(file, plugins)
    shutil.copytree(source / "tests", place / "tests")  # without the package beside it, which is installed
    (place / "pytest.ini").write_text("[pytest]\nasyncio_mode = auto\nmarkers =\n", "utf-8")
    results.unlink(missing_ok=True)
    done = environment.run(
        [environment.python.parent / "pytest", "-q", "-p", "no:cacheprovider", "-p", "upstream_plugin",
         "-p", upstream.plugin, "--timeout=120", f"--junitxml={results}", *upstream.options, *upstream.tests],
        place, PYTHONPATH=str(plugins),
    )  # fmt: skip
    counted = Upstreamed(upstream.sdist)
    if not results.exists():
        counted.wrong.append(f"{upstream.sdist}: its tests did not run\n{done.stdout[-3000:]}{done.stderr[-3000:]}")
        return counted
    (environment.folder / f"{upstream.sdist}.log").write_text(done.stdout, "utf-8")
    for case in ElementTree.parse(results).iter("testcase"):
        count(counted, upstream, case)
    if not counted.used:
        counted.wrong.append(f"{upstream.sdist}: no test used our class\n{done.stdout[-3000:]}")
    return counted


def count(counted: Upstreamed, upstream: Upstream, case: ElementTree.Element) -> None:
    test = f"{case.get('classname', '').removeprefix('tests.')}::{case.get('name')}"
    failed = next(case.iter("failure"), None)
    broken = failed if failed is not None else next(case.iter("error"), None)
    uses = [one.get("value") for one in case.iter("property") if one.get("name") == "used"]
    reason = upstream.why_left_out(test)
    if reason:
        counted.left_out[test] = reason
    elif next(case.iter("skipped"), None) is None and (uses != ["0"] or broken is not None):
        counted.used += 1
        expected = upstream.why_it_fails(test)
        if broken is None:
            counted.passed += 1
            if expected:
                counted.wrong.append(f"{test} passes, against framework.toml: {expected}")
        elif expected:
            counted.failed[test] = expected
        else:
            counted.wrong.append(f"{test}: {broken.get('message', '')[:500]}")


def lines(result: Result) -> list[str]:
    """The rows of the table."""
    framework = result.framework
    ours = ", ".join(f"`{one.partition(':')[2]}`" for one in framework.classes)
    versions = ", ".join(framework.packages)
    if not result.upstream:
        return [f"| {framework.title} | {versions} | {ours} | has no tests that apply | | |"]
    rows = []
    for one in result.upstream:
        reasons = dict.fromkeys([*one.failed.values(), *one.left_out.values()])
        why = "; ".join(
            f"{reason} ({[*one.failed.values(), *one.left_out.values()].count(reason)})" for reason in reasons
        )
        rows.append(
            f"| {framework.title} | {versions} | {ours} | {one.sdist}: {one.passed} of {one.used} "
            f"| {len(one.left_out)} | {why} |"
        )
    return rows


HEAD = (
    "| framework | tested with | classes | its own tests that pass, of those that use our class | left out | why not |",
    "|---|---|---|---|---|---|",
)


def write_page(results: Iterable[Result]) -> None:
    """Replaces the rows of the frameworks that were run."""
    text = PAGE.read_text("utf-8")
    before, _, rest = text.partition(BEGIN)
    inside, _, after = rest.partition(END)
    kept: dict[str, list[str]] = {}
    for row in inside.strip().splitlines()[2:]:
        kept.setdefault(row.split(" | ")[0].strip("| "), []).append(row)
    for result in results:
        kept[result.framework.title] = lines(result)
    rows = [row for title in sorted(kept) for row in kept[title]]
    PAGE.write_text(f"{before}{BEGIN}\n" + "\n".join([*HEAD, *rows]) + f"\n{END}{after}", "utf-8")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", action="append", help="the name of a folder here; can be repeated")
    parser.add_argument("--renew", action="store_true", help="install the environments again")
    parser.add_argument("--write", action="store_true", help="write interface.json and the table in the docs")
    arguments = parser.parse_args()
    chosen = [one for one in frameworks() if not arguments.only or one.name in arguments.only]
    results = []
    for framework in chosen:
        print(f"{framework.title} …", file=sys.stderr, flush=True)
        result = check(framework, renew=arguments.renew, write=arguments.write)
        results.append(result)
        for failure in result.failures:
            print(f"  {failure}", file=sys.stderr, flush=True)
    print("\n".join([*HEAD, *(row for result in results for row in lines(result))]))
    if arguments.write:
        write_page(results)
    return 1 if not results or any(result.failures for result in results) else 0


if __name__ == "__main__":
    sys.exit(main())
