"""Tests extension points with a distribution that is installed next to aforesaid, and the built-in entry points."""

from __future__ import annotations

import json
import subprocess
import sys
import tomllib
import zipfile
from importlib.metadata import EntryPoint
from pathlib import Path

import numpy as np
import pytest

from aforesaid import ExtractedClaim, InvalidInput
from aforesaid.providers.embedders import PROVIDERS

ROOT = Path(__file__).parent.parent
PYPROJECT = """
[build-system]
requires = ["hatchling"]
build-backend = "hatchling.build"

[project]
name = "acme-memory"
version = "1.0"

[project.entry-points."aforesaid.extractors"]
acme-badges = "acme_memory:Badges"
acme-broken = "acme_memory:Nothing"
acme-unlicensed = "acme_memory:unlicensed"

[project.entry-points."aforesaid.rerankers"]
acme-shortest = "acme_memory:Shortest"

[project.entry-points."aforesaid.embedders"]
acme = "acme_memory:letters"
acme-unlicensed = "acme_memory:unlicensed"

[project.entry-points."aforesaid.importers"]
acme-log = "acme_memory:Log"
"""
MODULE = '''
"""What a package writes to extend aforesaid."""

import re

import numpy as np

from aforesaid import ExtractedClaim


class Badges:
    name = "acme-badges"

    def extract(self, messages):
        for message in messages:
            for match in re.finditer(r"my badge number is (\\d+)", message.text):
                text = f"user has the badge number {match[1]}"
                yield ExtractedClaim(message.id, text, match[0], attribute="badge number", value=match[1])


class Shortest:
    name = "acme-shortest"

    def rerank(self, request):
        return [1 / (1 + len(text)) for text in request.texts]


class Letters:
    def __init__(self, name):
        self.name = name

    def embed(self, texts):
        rows = np.array([[1.0 + text.lower().count(letter) for letter in "abcdefgh"] for text in texts])
        return rows / np.linalg.norm(rows, axis=1, keepdims=True)


def letters(name, model, environment):
    return Letters(name)


def unlicensed(*names):
    raise RuntimeError("no licence")


class Log:
    def read(self, path):
        for number, line in enumerate(path.read_text().splitlines()):
            yield {"id": f"log-{number}", "messages": [{"role": "user", "content": line, "id": f"line-{number}"}]}
'''
SCRIPT = """
import sys
from pathlib import Path
from aforesaid import Memory
from aforesaid.cli import main

folder = Path(sys.argv[1])
(folder / "acme.log").write_text("my badge number is 4711\\nHello to all of you out there.\\n")
with Memory(folder / "a.db", embedder="acme:8", reranker="acme-shortest", extractors=["acme-badges"]) as memory:
    space = memory.space("alice")
    report = space.import_chats(folder / "acme.log", format="acme-log")
    memory.flush()
    print(report.conversations, report.messages)
    print([(fact.value, fact.model, fact.evidence[0].quote) for fact in space.facts(status=None)])
    print([model.name for model in memory.status().models])
    hits = space.recall("badge hello", kinds=["message"])
    print([len(hit.text) for hit in hits] == sorted(len(hit.text) for hit in hits), len(hits))
    print(space.import_chats(folder / "acme.log", format="acme-log").messages)
sys.argv[1:] = ["import", str(folder / "acme.log"), "--format", "acme-log", "--store", str(folder / "a.db"), "--json"]
main()
"""


@pytest.fixture(scope="module")
def package(tmp_path_factory):
    """The folder of an installed distribution with entry points."""
    source, target = tmp_path_factory.mktemp("source"), tmp_path_factory.mktemp("installed")
    (source / "pyproject.toml").write_text(PYPROJECT, "utf-8")
    (source / "acme_memory.py").write_text(MODULE, "utf-8")
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel"]
    subprocess.run(command, cwd=source, check=True, capture_output=True)
    (wheel,) = (source / "dist").glob("*.whl")
    zipfile.ZipFile(wheel).extractall(target)  # as pip does with a wheel of one pure module
    return target


@pytest.fixture
def installed(package, monkeypatch):
    monkeypatch.syspath_prepend(str(package))


@pytest.mark.req("X29")
def test_a_package_is_used_by_the_names_that_it_registers(package, tmp_path):
    environment = {"PYTHONPATH": f"{package}:{ROOT / 'src'}", "PATH": "/usr/bin"}
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT, str(tmp_path)], env=environment, capture_output=True, text=True, check=False
    )
    assert done.stderr.startswith("jobs left to `aforesaid worker")
    printed = done.stdout.splitlines()
    assert json.loads("".join(printed[5:]))["messages"] == 2
    assert printed[:5] == [
        "2 2",
        "[('4711', 'acme-badges', 'my badge number is 4711')]",
        "['acme:8']",
        "True 2",
        "0",
    ]


def test_a_name_that_no_package_registers_is_refused_with_the_names_that_there_are(installed, open_memory, tmp_path):
    for options, advice in (
        ({"extractors": ["acme-badge"]}, "there are: acme-badges, acme-broken"),
        ({"extractors": ["acme-broken"]}, "cannot be imported from acme_memory:Nothing"),
        ({"reranker": "acme-longest"}, "among its aforesaid.rerankers; there are: .*acme-shortest"),
        ({"embedder": "acne:8"}, "no embedder 'acne:8'; there are .*acme:MODEL"),
        ({"extractors": [object()]}, "extractor"),
        ({"extractors": ["acme-badges", "acme-badges"]}, "two extractors have the name"),
    ):
        with pytest.raises(InvalidInput, match=advice):
            open_memory(":memory:", **options)
    memory = open_memory(":memory:")
    with pytest.raises(InvalidInput, match="acme-log"):
        memory.space("a").import_chats(tmp_path, format="acme-logs")


def test_a_package_that_fails_is_named_and_does_not_stop_recalls(installed, open_memory):
    for options, reason in (
        (
            {"extractors": ["acme-unlicensed"]},
            "'acme-unlicensed' of aforesaid.extractors failed: RuntimeError: no licence",
        ),
        ({"embedder": "acme-unlicensed:8"}, "'acme-unlicensed' of aforesaid.embedders failed"),
    ):
        with pytest.raises(InvalidInput, match=reason):
            open_memory(":memory:", **options)

    class Fragile:
        name = "fragile"
        broken = False

        def embed(self, texts):
            return np.eye(8)[[len(text) % 8 for text in texts]] / (0 if self.broken else 1)

        def rerank(self, request):
            raise KeyError(request.texts[0])

    fragile = Fragile()
    memory = open_memory(":memory:", embedder=fragile, reranker=fragile)
    space = memory.space("alice")
    space.conversation("a").add("user", "The ferry leaves at nine.")
    memory.flush()
    hits = space.recall("ferry")
    assert [(hit.text, hits.warnings) for hit in hits] == [
        ("The ferry leaves at nine.", ("reranker search left out: fragile failed: KeyError",))
    ]
    assert memory.space("alice").conversation("a").context("ferry?").warnings
    fragile.embed = None
    assert "fragile failed: TypeError" in str(space.recall("a new ferry").warnings)


class Liar:
    """An extractor whose claims are not in the messages, or whose messages are not a user's."""

    name = "liar"

    def extract(self, messages):
        for message in messages:
            for quote in ("I own a castle in Spain", "", message.text):
                yield ExtractedClaim(message.id, "user owns a castle in Spain", quote, attribute="castle", value="yes")
        yield ExtractedClaim("nothing", "user lives in Rome", "I live in Rome", attribute="home", value="Rome")


@pytest.mark.req("X29")
def test_the_claims_of_an_extractor_pass_the_same_gate(memory_with):
    memory = memory_with(Liar())
    chat = memory.space("alice").conversation("a")
    chat.add("user", "The weather is nice today.")
    chat.add("assistant", "I own a castle in Spain. I live in Rome.")
    memory.flush()
    assert memory.space("alice").facts(status=None) == []


class Collections:
    """Gives a claim with a word that the message does not have, so that the rules cannot be sure."""

    name = "collections"

    def __init__(self) -> None:
        self.read: list[str] = []

    def extract(self, messages):
        for message in messages:
            self.read.append(message.text)
            yield ExtractedClaim(message.id, "user collects old clocks", "shelf full of old clocks")


def test_what_the_rules_cannot_decide_waits_for_review_and_each_message_is_read_once(memory_with):
    extractor = Collections()
    memory = memory_with(extractor)
    alice = memory.space("alice")
    chat = alice.conversation("a")
    chat.add("user", "There is a shelf full of old clocks in my room.")
    memory.flush()
    chat.add("user", "It is dusty.")
    memory.flush()
    assert extractor.read == ["There is a shelf full of old clocks in my room.", "It is dusty."]
    assert [(fact.status, fact.tags) for fact in alice.facts(status=None)] == [
        ("pending", ("unverified: the rules cannot decide",))
    ]


@pytest.fixture(params=["file", "postgres"])
def memory_with(request, open_memory, clock):
    store = request.getfixturevalue("address") if request.param == "postgres" else None
    return lambda *extractors: open_memory(store, embedder="none", clock=clock, extractors=extractors)


def test_an_extractor_that_fails_leaves_a_job_with_its_reason(open_memory, clock):
    class Failing:
        name = "failing"

        def extract(self, _):
            raise ValueError("no dictionary")

    memory = open_memory(":memory:", embedder="none", clock=clock, extractors=[Failing()])
    memory.space("alice").conversation("a").add("user", "Hello.")
    memory.work()
    memory.work()
    assert any(job.kind == "extract" and "no dictionary" in (job.error or "") for job in memory.jobs())


def test_the_built_in_names_are_registered_as_those_of_a_package_are():
    groups = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["entry-points"]
    made = {
        group: {name: EntryPoint(name, value, group).load() for name, value in entries.items()}
        for group, entries in groups.items()
        if group.startswith("aforesaid.")
    }
    assert made["aforesaid.embedders"] == dict(PROVIDERS)
    assert made["aforesaid.rerankers"]["learned"]().name == "learned"


def test_opening_a_store_reads_no_entry_points():
    script = (
        "import sys; from aforesaid import Memory; Memory(worker=False, environment={});"
        " print('importlib.metadata' in sys.modules)"
    )
    environment = {"PYTHONPATH": str(ROOT / "src"), "PATH": "/usr/bin"}
    done = subprocess.run([sys.executable, "-c", script], env=environment, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"
