"""Tests the build hooks: a package without the page is refused, and its readme links lead outside the repository."""

from __future__ import annotations

import re
import shutil
import tomllib
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]


@pytest.fixture
def hooks():
    pytest.importorskip("hatchling")
    spec = spec_from_file_location("hatch_build", ROOT / "hatch_build.py")
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def initialize(hooks, root: Path, version: str) -> None:
    hooks.RequirePage(str(root), {}, None, None, "", "wheel").initialize(version, {})


@pytest.mark.req("X22")
def test_a_wheel_without_the_page_is_refused_with_the_remedy(hooks, tmp_path):
    with pytest.raises(FileNotFoundError, match="make page"):
        initialize(hooks, tmp_path, "standard")


def test_a_wheel_without_the_weights_is_refused(hooks, tmp_path):
    page = tmp_path / hooks.PAGE
    page.parent.mkdir(parents=True)
    page.write_text("<!doctype html>", "utf-8")
    with pytest.raises(FileNotFoundError, match=r"wordllama\.npy"):
        initialize(hooks, tmp_path, "standard")


def test_a_developer_installs_before_the_page_is_built(hooks, tmp_path):
    initialize(hooks, tmp_path, "editable")


def test_every_link_of_the_readme_is_absolute_on_the_package_index(hooks, tmp_path):
    shutil.copy(ROOT / "README.md", tmp_path)
    metadata = {"urls": PROJECT["urls"]}
    hooks.AbsoluteLinks(str(tmp_path), {}).update(metadata)
    links = re.findall(r"\]\(([^)]+)\)", metadata["readme"]["text"])
    assert links
    assert [link for link in links if not link.startswith(("https://", "http://", "#"))] == []
