"""Tests the distributions: they contain the page, the sdist builds into the same wheel, and links work anywhere."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PAGE = "src/aforesaid/ui/dist"
PACKAGED = ("hatch_build.py", "pyproject.toml", "README.md", "LICENSE", ".gitignore")


def build(kind: str, tree: Path, target: Path) -> subprocess.CompletedProcess[str]:
    code = f"import hatchling.build; print(hatchling.build.build_{kind}({str(target)!r}))"
    return subprocess.run([sys.executable, "-c", code], cwd=tree, capture_output=True, text=True, check=False)


@pytest.fixture
def tree(tmp_path):
    tree = tmp_path / "tree"
    shutil.copytree(ROOT / "src", tree / "src", ignore=shutil.ignore_patterns("__pycache__"))
    for name in PACKAGED:
        shutil.copy(ROOT / name, tree / name)
    return tree


@pytest.mark.req("X22")
@pytest.mark.parametrize("kind", ["wheel", "sdist"])
def test_a_distribution_without_the_page_is_not_built(tree, tmp_path, kind):
    shutil.rmtree(tree / PAGE)
    done = build(kind, tree, tmp_path / "out")
    assert done.returncode != 0
    assert "run `make page` first" in done.stderr
    assert not list(tmp_path.glob("out/*"))


@pytest.mark.req("X22")
def test_the_sdist_builds_into_the_same_wheel_and_both_have_the_page(tree, tmp_path):
    assert build("wheel", tree, tmp_path / "direct").returncode == 0
    assert build("sdist", tree, tmp_path).returncode == 0
    with tarfile.open(next(tmp_path.glob("*.tar.gz"))) as sdist:
        sdist.extractall(tmp_path / "sdist", filter="data")
    assert build("wheel", next((tmp_path / "sdist").iterdir()), tmp_path / "from_sdist").returncode == 0
    direct, from_sdist = next(tmp_path.glob("direct/*.whl")), next(tmp_path.glob("from_sdist/*.whl"))
    assert direct.read_bytes() == from_sdist.read_bytes()
    names = zipfile.ZipFile(direct).namelist()
    sources = {path.relative_to(ROOT / "src").as_posix() for path in (ROOT / "src").rglob("*") if path.is_file()}
    assert {name for name in sources if "__pycache__" not in name} <= set(names)
    assert "aforesaid/ui/dist/index.html" in names


@pytest.mark.req("X22")
def test_the_links_of_the_metadata_are_whole_addresses_of_files_that_exist(tree, tmp_path):
    assert build("wheel", tree, tmp_path).returncode == 0
    wheel = zipfile.ZipFile(next(tmp_path.glob("*.whl")))
    metadata = wheel.read(next(name for name in wheel.namelist() if name.endswith("METADATA"))).decode()
    targets = re.findall(r"\]\(([^)]+)\)", metadata)
    assert len(targets) > 10
    for target in targets:
        place = re.fullmatch(
            r"https://(?:github\.com/aforesaid/aforesaid/blob|raw\.\S+?/aforesaid/aforesaid)/main/(.+)", target
        )
        assert place or target.startswith("https://"), target
        assert place is None or (ROOT / place[1].partition("#")[0]).exists(), target
    assert {"Homepage", "Documentation", "Issues", "Source"} <= set(re.findall(r"^Project-URL: (\w+)", metadata, re.M))
    assert re.search(r"^Author: \S", metadata, re.M)
