"""The space of a project: clones and worktrees of one repository share it. Reads git's files; runs no program."""

from __future__ import annotations

import hashlib
import os
import re
from dataclasses import dataclass
from pathlib import Path

PERSON = "me"  # the space of what people state about themselves, in any project
LONGEST_NAME = 40

_SECTION = re.compile(r'^\s*\[\s*remote\s+"(?P<name>(?:[^"\\]|\\.)*)"\s*\]\s*(?:[#;].*)?$')
_URL = re.compile(r"^\s*url\s*=\s*(?P<url>.*?)\s*$", re.IGNORECASE)
_SCP = re.compile(r"^(?:[^@/\\]+@)?(?P<host>[^:/\\]{2,}):(?!//)(?P<path>.+)$")
_SCHEME = re.compile(
    r"^[a-z][a-z0-9+.-]*://(?:[^@/]*@)?(?P<host>[^/:]*|\[[^\]]*\])(?::\d+)?/(?P<path>.*)$", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class Project:
    """`identity` is the normalized address of the remote repository, else the path of the repository or folder."""

    identity: str

    @property
    def space(self) -> str:
        """The last part of the identity and a hash of all of it, such as `horses-3fa94b2c`."""
        last = re.split(r"[/\\]", self.identity.rstrip("/\\"))[-1]
        name = re.sub(r"[^\w.-]+", "-", last)[:LONGEST_NAME].strip("-.") or "project"
        return f"{name}-{hashlib.sha256(self.identity.encode('utf-8', 'surrogatepass')).hexdigest()[:8]}"


def find_project(folder: str | os.PathLike[str]) -> Project:
    """The project that a folder belongs to: its git repository, or the folder itself if there is none."""
    start = Path(os.path.realpath(folder))
    for place in (start, *start.parents):
        git = _git_folder(place / ".git")
        if git is not None:
            common = _common_folder(git)
            remote = _remote_url(common / "config")
            return Project(normalize_remote(remote) if remote else _repository_path(common))
    return Project(str(start))


def project_space(folder: str) -> str:
    """The space of a project; that of the person for their home folder, which is no project."""
    home = os.path.realpath(os.path.expanduser("~"))
    return PERSON if os.path.realpath(folder) in (home, os.path.sep) else find_project(folder).space


def normalize_remote(url: str) -> str:
    """`host/path`, the same for every protocol and user: `git@github.com:ann/horses.git` is `github.com/ann/horses`."""
    found = _SCHEME.match(url) or _SCP.match(url)
    if found is None or url.lower().startswith("file:"):
        return re.sub(r"^file://", "", url, flags=re.IGNORECASE).rstrip("/").removesuffix(".git")
    path = found["path"].strip("/").removesuffix(".git").rstrip("/")
    return f"{found['host'].lower()}/{path}"


def _git_folder(git: Path) -> Path | None:
    """The git folder of a repository, a worktree or a submodule."""
    if git.is_dir():
        return git if (git / "HEAD").exists() else None
    try:
        text = git.read_text("utf-8", "replace")
    except OSError:
        return None
    target = text.removeprefix("gitdir:").strip()
    return git.parent / target if text.startswith("gitdir:") else None


def _common_folder(git: Path) -> Path:
    try:
        common = (git / "commondir").read_text("utf-8", "replace").strip()
    except OSError:
        return git
    return Path(os.path.realpath(git / common))


def _repository_path(common: Path) -> str:
    path = os.path.realpath(common)
    return os.path.dirname(path) if os.path.basename(path) == ".git" else path


def _remote_url(config: Path) -> str | None:
    """The address of `origin`, else of the first remote."""
    try:
        lines = config.read_text("utf-8", "replace").splitlines()
    except OSError:
        return None
    urls: dict[str, str] = {}
    name: str | None = None
    for line in lines:
        if line.lstrip().startswith("["):
            section = _SECTION.match(line)
            name = section["name"] if section else None
        elif name is not None and (found := _URL.match(line)) and found["url"]:
            urls.setdefault(name, found["url"].strip('"'))
    return urls.get("origin") or next(iter(urls.values()), None)
