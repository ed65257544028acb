"""Tests that the examples run offline and print what they say. `make adapters` runs those that need a framework."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.adapters.framework import frameworks
from tests.examples import FOLDER, documented_output, offline, prints
from tests.programs import run

PART = "scripted_model.py"  # the others import it
WITH_FRAMEWORKS = {name for framework in frameworks() for name in framework.examples}
EXAMPLES = [file for file in sorted(FOLDER.glob("*.py")) if file.name not in {PART, *WITH_FRAMEWORKS}]
NOTEBOOK = FOLDER / "context.ipynb"
# Runs the cells of a notebook one after another, and prints what each of them prints, as JSON.
CELLS = """
import contextlib, io, json, sys
printed, names = [], {}
for source in json.load(sys.stdin):
    with contextlib.redirect_stdout(io.StringIO()) as out:
        exec(compile(source, "<cell>", "exec"), names)
    printed.append(out.getvalue())
print(json.dumps(printed))
"""
pytestmark = pytest.mark.req("X32")


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda file: file.stem)
def test_an_example_prints_what_it_says(example: Path, tmp_path: Path):
    done = run(str(example), environment=offline(), folder=tmp_path)
    assert done.returncode == 0, done.stderr.decode()
    assert prints(example, done.stdout.decode()), done.stdout.decode()


def test_the_outputs_of_the_notebook_are_what_its_cells_print(tmp_path: Path):
    cells = [cell for cell in json.loads(NOTEBOOK.read_text("utf-8"))["cells"] if cell["cell_type"] == "code"]
    sources = json.dumps(["".join(cell["source"]) for cell in cells]).encode()
    done = run("-c", CELLS, environment=offline(), folder=tmp_path, input=sources)
    assert done.returncode == 0, done.stderr.decode()
    for cell, printed in zip(cells, json.loads(done.stdout), strict=True):
        assert "".join("".join(output["text"]) for output in cell["outputs"]) == printed


def test_every_example_says_how_to_run_it_and_what_it_prints():
    page = (FOLDER / "README.md").read_text("utf-8")
    assert f"({NOTEBOOK.name})" in page
    for example in FOLDER.glob("*.py"):
        assert f"({example.name})" in page
        if example.name != PART:
            assert f"\n    python examples/{example.name}" in example.read_text("utf-8"), example.name
            assert len(documented_output(example)) > 1, example.name
