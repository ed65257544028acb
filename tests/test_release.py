"""Tests the parts of `tools/release.py` that need no package registry; `make release DRY=1` runs all of it."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
CLIENT = "clients/typescript"
NAMED = (
    "src/aforesaid/__init__.py", "CHANGELOG.md", f"{CLIENT}/package.json", f"{CLIENT}/package-lock.json",
    "tools/release_signers", "tools/release.py",
)  # fmt: skip
DATED = ("CHANGELOG.md", r"^## (\S+) \(.*\)$", r"## \1 (2027-01-31)")


@pytest.fixture(scope="module")
def release():
    sys.path.insert(0, str(ROOT / "tools"))
    try:
        import release

        yield release
    finally:
        sys.path.remove(str(ROOT / "tools"))


@pytest.fixture
def tree(tmp_path):
    """A repository with the files that name the version, as they are here, of a release."""
    for name in NAMED:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, tmp_path / name)
    change(tmp_path, *DATED)
    git(tmp_path, "init", "--quiet")
    git(tmp_path, "add", ".")
    git(tmp_path, "commit", "--quiet", "--message", "First")
    return tmp_path


def git(tree: Path, *words: str) -> None:
    said = ("-c", "user.name=a", "-c", "user.email=a@localhost", "-c", "commit.gpgsign=false")
    subprocess.run(["git", *said, *words], cwd=tree, check=True)


def change(tree: Path, name: str, pattern: str, text: str) -> None:
    before = (tree / name).read_text("utf-8")
    after = re.sub(pattern, text, before, count=1, flags=re.MULTILINE)
    assert after != before
    (tree / name).write_text(after, "utf-8")


def test_all_files_name_the_same_version(release, tree):
    assert list(release.version_problems(tree)) == []


@pytest.mark.parametrize(
    ("name", "pattern", "text", "problem"),
    [
        ("src/aforesaid/__init__.py", r'^__version__ = ".*"', '__version__ = "7.0.0"', "package.json has version"),
        ("src/aforesaid/__init__.py", r'^__version__ = ".*"', '__version__ = "next"', "next is not a version"),
        (f"{CLIENT}/package.json", r'"version": ".*"', '"version": "7.0.0"', "package.json has version 7.0.0, not"),
        (
            f"{CLIENT}/package-lock.json",
            r'"version": ".*"',
            '"version": "7.0.0"',
            "package-lock.json has version 7.0.0",
        ),
        ("CHANGELOG.md", r"^## \S+", "## 7.0.0", "the first heading of CHANGELOG.md is not"),
        ("CHANGELOG.md", r"\(2027-01-31\)", "(unreleased)", "CHANGELOG.md says (unreleased)"),
    ],
)
def test_a_file_with_another_version_is_named(release, tree, name, pattern, text, problem):
    change(tree, name, pattern, text)
    assert any(problem in found for found in release.version_problems(tree))


def test_a_release_candidate_has_the_version_that_npm_demands(release):
    assert [release.npm_version(version) for version in ("0.2.0", "0.2.0rc1", "1.0.0b2")] == [
        "0.2.0", "0.2.0-rc.1", "1.0.0-beta.2",
    ]  # fmt: skip


def test_a_release_needs_a_clean_tree_with_the_tag_of_its_version(release, tree):
    tag = f"v{release.version_of(tree)}"
    assert [f"the commit has no tag {tag}" in problem for problem in release.git_problems(tree)] == [True]
    git(tree, "tag", tag)
    assert list(release.git_problems(tree)) == []
    (tree / "new.txt").write_text("new", "utf-8")
    assert "uncommitted changes: new.txt" in next(release.git_problems(tree))


def test_a_release_with_problems_builds_nothing(tree):
    done = subprocess.run([sys.executable, "tools/release.py"], cwd=tree, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert "no key is given to sign with" in done.stdout
    assert "nothing was built" in done.stderr
    assert not (tree / "dist").exists()


@pytest.fixture
def built(tmp_path):
    folder = tmp_path / "release"
    folder.mkdir()
    (folder / "aforesaid-7.0.0.tar.gz").write_bytes(b"the sdist")
    (folder / "aforesaid-7.0.0-py3-none-any.whl").write_bytes(b"the wheel")
    return folder


def documented_command(folder: Path, signers: Path) -> subprocess.CompletedProcess[str]:
    """Runs the command of SECURITY.md that verifies a release."""
    page = (ROOT / "SECURITY.md").read_text("utf-8")
    [command] = re.findall(r"^```sh\n(ssh-keygen -Y verify .*?)^```$", page, re.MULTILINE | re.DOTALL)
    shutil.copy(signers, folder.parent / "release_signers")
    return subprocess.run(["sh", "-c", command], cwd=folder, capture_output=True, text=True, check=False)


@pytest.mark.parametrize("tampering", ["a file", "the checksums", "another key"])
def test_a_signed_release_verifies_and_a_tampered_one_does_not(release, built, tmp_path, tampering):
    with release.throwaway_key(tmp_path) as (key, signers):
        release.sign(built, key)
        release.verify(built, signers)
        done = documented_command(built, signers)
        assert done.returncode == 0, done.stderr
        if tampering == "another key":
            (tmp_path / "second").mkdir()
            with release.throwaway_key(tmp_path / "second") as (other, _):
                release.sign(built, other)
        else:
            (built / "aforesaid-7.0.0.tar.gz").write_bytes(b"not the sdist")
            if tampering == "the checksums":
                lines = (f"{digest}  {name}\n" for name, digest in release.sums(built).items())
                (built / release.SUMS).write_text("".join(lines), "utf-8")
        with pytest.raises(release.ReleaseError):
            release.verify(built, signers)
        assert documented_command(built, signers).returncode != 0
    assert not key.exists()


def test_a_file_that_was_not_signed_fails(release, built, tmp_path):
    with release.throwaway_key(tmp_path) as (key, signers):
        release.sign(built, key)
        (built / "extra.whl").write_bytes(b"more")
        with pytest.raises(release.ReleaseError, match=r"extra\.whl"):
            release.verify(built, signers)


def test_a_key_that_users_do_not_know_signs_no_release(release, tree, tmp_path):
    with release.throwaway_key(tmp_path) as (key, signers):
        assert "does not have the public part" in next(release.key_problems(tree, key))
        shutil.copy(signers, tree / release.SIGNERS)
        assert list(release.key_problems(tree, key)) == []


def test_two_builds_that_differ_are_no_release(release, built, tmp_path):
    shutil.copytree(built, tmp_path / "again")
    release.check_same(built, tmp_path / "again")
    (tmp_path / "again" / "aforesaid-7.0.0.tar.gz").write_bytes(b"another sdist")
    with pytest.raises(release.ReleaseError, match=r"differ in aforesaid-7\.0\.0\.tar\.gz"):
        release.check_same(built, tmp_path / "again")


def test_the_version_of_the_package_is_that_of_the_client(release):
    package = json.loads((ROOT / CLIENT / "package.json").read_text("utf-8"))
    assert package["version"] == release.npm_version(release.version_of(ROOT))
