"""The adapters without their frameworks: their interfaces, as captured, and what happens if a framework is missing."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path

import pytest

from tests.adapters.framework import Framework, frameworks
from tests.adapters.interface import differences, written
from tests.programs import run

ROOT = Path(__file__).parent.parent
INTEGRATIONS = ROOT / "src/aforesaid/integrations"
BUILT_IN = {"__init__", "chat_messages", "fastapi", "memory_files"}  # need no framework: they have tests of their own
FRAMEWORKS = frameworks()
each = pytest.mark.parametrize("framework", FRAMEWORKS, ids=lambda one: one.name)


@pytest.mark.req("X7")
@each
def test_an_adapter_has_the_captured_interface_of_its_framework(framework: Framework):
    captured = json.loads(framework.interface.read_text("utf-8"))
    file = ROOT / "src" / (framework.module.replace(".", "/") + ".py")
    assert framework.classes
    for ours, theirs in framework.classes.items():
        assert differences(written(file, ours.partition(":")[2]), captured[theirs]) == []


@pytest.mark.req("X7")
@each
def test_an_adapter_without_its_framework_says_what_to_install(framework: Framework):
    missing = f"import sys; sys.modules['{framework.imports}'] = None"
    done = run("-c", f"{missing}; import {framework.module}", environment=dict(os.environ))
    last = done.stderr.decode().strip().splitlines()[-1]
    assert done.returncode == 1
    assert re.fullmatch(r"ImportError: .* pip install \"aforesaid\[[\w-]+\]\"", last), last


@pytest.mark.req("X7")
@each
def test_an_adapter_has_a_page_an_example_and_a_row(framework: Framework):
    assert (ROOT / f"docs/howto/{framework.name.replace('_', '-')}.md").exists()
    assert framework.examples
    assert all((ROOT / "examples" / example).exists() for example in framework.examples)
    page = (ROOT / "docs/reference/frameworks.md").read_text("utf-8")
    assert f"| {framework.title} |" in page
    for upstream in framework.upstream:
        assert f"{upstream.sdist}: " in page


def test_every_adapter_is_run_with_its_framework():
    modules = {file.stem for file in INTEGRATIONS.glob("*.py")} - BUILT_IN
    assert modules == {framework.module.rpartition(".")[2] for framework in FRAMEWORKS}
