"""Tests that the clones and worktrees of a repository share one space."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from aforesaid.hooks.project import PERSON, find_project, normalize_remote, project_space

pytestmark = pytest.mark.req("X25")


def git(folder: Path, *arguments: str) -> None:
    identity = ("-c", "user.name=Ann", "-c", "user.email=ann@example.org")
    subprocess.run(["git", *identity, *arguments], cwd=folder, check=True, capture_output=True)


def repository(folder: Path, remote: str | None = None) -> Path:
    folder.mkdir(parents=True)
    git(folder, "init", "-q")
    git(folder, "commit", "-q", "--allow-empty", "-m", "first")
    if remote:
        git(folder, "remote", "add", "origin", remote)
    return folder


def test_a_worktree_and_a_subfolder_share_the_space_of_their_repository(tmp_path: Path):
    main = repository(tmp_path / "horses")
    git(main, "worktree", "add", "-q", str(tmp_path / "elsewhere"))
    (main / "src" / "deep").mkdir(parents=True)
    spaces = {find_project(place).space for place in (main, main / "src" / "deep", tmp_path / "elsewhere")}
    assert len(spaces) == 1
    assert spaces.pop().startswith("horses-")


def test_clones_with_the_same_remote_share_a_space(tmp_path: Path):
    one = repository(tmp_path / "one", "git@github.com:ann/horses.git")
    two = repository(tmp_path / "two", "https://token:x@github.com/ann/horses")
    assert find_project(one) == find_project(two)
    assert find_project(one).identity == "github.com/ann/horses"
    assert find_project(one).space.startswith("horses-")


def test_other_repositories_and_folders_have_spaces_of_their_own(tmp_path: Path):
    folders = [repository(tmp_path / "a" / "app"), repository(tmp_path / "b" / "app"), tmp_path / "c", tmp_path / "d"]
    folders += [
        repository(tmp_path / "e", "https://github.com/ann/app"),
        repository(tmp_path / "f", "git@x.org:ann/app"),
    ]
    assert len({find_project(folder).space for folder in folders}) == len(folders)


def test_the_first_remote_counts_if_none_is_called_origin(tmp_path: Path):
    folder = repository(tmp_path / "app")
    git(folder, "remote", "add", "upstream", "https://github.com/ann/app.git")
    git(folder, "remote", "add", "fork", "https://github.com/bo/app.git")
    assert find_project(folder).identity == "github.com/ann/app"


@pytest.mark.parametrize(
    "url",
    [
        "git@github.com:ann/horses.git", "ssh://git@github.com/ann/horses.git", "ssh://git@github.com:22/ann/horses",
        "https://github.com/ann/horses", "https://github.com/ann/horses.git/", "https://ann:secret@GitHub.com/ann/horses.git",
        "git://github.com/ann/horses.git", "github.com:ann/horses",
    ],
)  # fmt: skip
def test_every_form_of_an_address_is_normalized_to_one(url):
    assert normalize_remote(url) == "github.com/ann/horses"


@pytest.mark.parametrize("url", ["/srv/git/horses.git", "file:///srv/git/horses.git", "/srv/git/horses/"])
def test_a_local_remote_is_its_path(url):
    assert normalize_remote(url) == "/srv/git/horses"


def test_the_home_folder_is_no_project(tmp_path, monkeypatch):
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("USERPROFILE", str(tmp_path))
    assert project_space(str(tmp_path)) == PERSON
    assert project_space(str(tmp_path / "app")) != PERSON
