"""Builds, checks and signs a release of the commit that is checked out. It uploads nothing.

`make release KEY=~/.ssh/release` builds everything twice, each time from a new clone, and writes `dist/release`.
`make release DRY=1` runs the same steps on any commit with a throwaway key, says what would stop a release, and keeps
nothing. Both need git, uv, npm, ssh-keygen and the package registries.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).parent.parent
SIGNERS = Path("tools/release_signers")  # who may sign, in the format of ssh-keygen
IDENTITY = "aforesaid"
NAMESPACE = "aforesaid-release"
SUMS = "SHA256SUMS"
SBOM = "aforesaid.cdx.json"
CLIENT = Path("clients/typescript")
# What the sdist and the wheel must have, and a build could lose without an error.
IN_WHEEL = (
    "aforesaid/ui/dist/index.html",
    "aforesaid/providers/data/static_rows.npy",
    "aforesaid/storage/schema/sqlite.sql",
    "aforesaid/storage/schema/postgres.sql",
    "aforesaid/py.typed",
)
IN_SDIST = ("CONTRIBUTING.md", "SECURITY.md", "CHANGELOG.md", "LICENSE", "tests/conftest.py", "docs/tutorial.md")
IN_CLIENT = ("dist/index.js", "dist/index.d.ts", "dist/ai-sdk.js", "LICENSE", "README.md")
BLOCK = re.compile(r"^```(python|text)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


class ReleaseError(Exception):
    """Why there is no release."""


def run(
    *command: str | Path, folder: Path = ROOT, environment: Mapping[str, str] | None = None, said: str | None = None
) -> str:
    """The output of a command. Raises ReleaseError if it fails."""
    words = [str(part) for part in command]
    done = subprocess.run(
        words, cwd=folder, env=environment, input=said, text=True, encoding="utf-8", capture_output=True, check=False
    )
    if done.returncode:
        raise ReleaseError(f"`{' '.join(words)}` failed:\n{done.stdout}{done.stderr}".rstrip())
    return done.stdout


def version_of(root: Path) -> str:
    """The version of the package. `pyproject.toml` reads it from the same line."""
    text = (root / "src/aforesaid/__init__.py").read_text("utf-8")
    found = re.search(r'^__version__ = "([^"]+)"$', text, re.MULTILINE)
    if found is None:
        raise ReleaseError("src/aforesaid/__init__.py has no __version__")
    return found[1]


def version_problems(root: Path) -> Iterator[str]:
    """Where the files of a tree do not name its version."""
    version = version_of(root)
    if not re.fullmatch(r"\d+\.\d+\.\d+(?:(?:a|b|rc)\d+)?", version):
        yield f"{version} is not a version such as 0.2.0 or 0.2.0rc1"
    package = json.loads((root / CLIENT / "package.json").read_text("utf-8"))
    lock = json.loads((root / CLIENT / "package-lock.json").read_text("utf-8"))
    for name, written in {
        "package.json": package["version"],
        "package-lock.json": lock["version"],
        "package-lock.json, packages": lock["packages"][""]["version"],
    }.items():
        if written != npm_version(version):
            yield f"{CLIENT / name} has version {written}, not {npm_version(version)}"
    heading = re.search(r"^## (\S+) \((.+)\)$", (root / "CHANGELOG.md").read_text("utf-8"), re.MULTILINE)
    if heading is None or heading[1] != version:
        yield f"the first heading of CHANGELOG.md is not `## {version} (YYYY-MM-DD)`"
    elif not re.fullmatch(r"\d{4}-\d\d-\d\d", heading[2]):
        yield f"CHANGELOG.md says ({heading[2]}) where version {version} needs its date"


def npm_version(version: str) -> str:
    """The same version as npm writes it: 0.2.0rc1 is 0.2.0-rc.1."""
    names = {"a": "alpha", "b": "beta", "rc": "rc"}
    return re.sub(r"(a|b|rc)(\d+)$", lambda part: f"-{names[part[1]]}.{part[2]}", version)


def git_problems(root: Path) -> Iterator[str]:
    """Uncommitted changes, and a commit without the tag of its version."""
    if changed := run("git", "status", "--porcelain", folder=root).splitlines():
        yield f"the tree has uncommitted changes: {', '.join(line[3:] for line in changed[:5])}"
    tag = f"v{version_of(root)}"
    if tag not in run("git", "tag", "--points-at", "HEAD", folder=root).splitlines():
        yield f"the commit has no tag {tag}: `git tag --sign {tag}`"


def key_problems(root: Path, key: Path | None) -> Iterator[str]:
    """A release is signed with a key whose public part users can have before it."""
    if key is None:
        yield "no key is given to sign with: KEY=~/.ssh/release"
        return
    public = " ".join(key.with_name(key.name + ".pub").read_text("utf-8").split()[:2])
    if public not in (root / SIGNERS).read_text("utf-8"):
        yield f"{SIGNERS} does not have the public part of {key}"


def build(root: Path, commit: str, folder: Path) -> None:
    """Writes the sdist, the wheel and the npm package of a commit into `folder`, from a clone without any cache."""
    source = folder.with_name(folder.name + "-source")
    run("git", "clone", "--quiet", "--no-local", root, source)
    run("git", "checkout", "--quiet", commit, folder=source)
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "VIRTUAL_ENV"))}
    environment["SOURCE_DATE_EPOCH"] = run("git", "show", "--no-patch", "--format=%ct", commit, folder=source).strip()
    folder.mkdir()
    steps_in = {Path("web"): ("ci", "run build"), CLIENT: ("ci", f"pack --pack-destination {folder}")}
    for place, steps in steps_in.items():
        for step in steps:
            run("npm", *step.split(), "--loglevel=error", folder=source / place, environment=environment)
    run("uv", "build", "--quiet", "--out-dir", folder, folder=source, environment=environment)
    (folder / ".gitignore").unlink(missing_ok=True)


def sums(folder: Path) -> dict[str, str]:
    """The SHA-256 of each file, by name."""
    files = (file for file in sorted(folder.iterdir()) if file.name not in (SUMS, f"{SUMS}.sig"))
    return {file.name: hashlib.sha256(file.read_bytes()).hexdigest() for file in files}


def check_same(first: Path, second: Path) -> None:
    """Raises ReleaseError unless two builds have the same files with the same bytes."""
    one, two = sums(first), sums(second)
    if differ := sorted(name for name in one.keys() | two.keys() if one.get(name) != two.get(name)):
        raise ReleaseError(f"two builds of one commit differ in {', '.join(differ)}")


def check_contents(folder: Path) -> None:
    """Raises ReleaseError if a distribution lacks a file that it must have."""
    [wheel], [sdist], [client] = (list(folder.glob(pattern)) for pattern in ("*.whl", "*.tar.gz", "*.tgz"))
    for archive, needed, prefix in ((sdist, IN_SDIST, f"{sdist.name[:-7]}/"), (client, IN_CLIENT, "package/")):
        with tarfile.open(archive) as opened:
            _demand(archive, {name.removeprefix(prefix) for name in opened.getnames()}, needed)
    _demand(wheel, set(zipfile.ZipFile(wheel).namelist()), IN_WHEEL)


def _demand(archive: Path, names: set[str], needed: Sequence[str]) -> None:
    if missing := [name for name in needed if name not in names]:
        raise ReleaseError(f"{archive.name} lacks {', '.join(missing)}")


def check_with_tools(folder: Path) -> None:
    """Asks the checkers of the registries."""
    distributions = [*folder.glob("*.whl"), *folder.glob("*.tar.gz")]
    run("uvx", "--quiet", "twine", "check", "--strict", *distributions)
    run("uvx", "--quiet", "check-wheel-contents", *folder.glob("*.whl"))


def check_readme(root: Path, python: Path, folder: Path) -> None:
    """Raises ReleaseError unless the README's code prints, with the installed package alone, what the README says."""
    blocks = BLOCK.findall((root / "README.md").read_text("utf-8"))
    code = "\n".join(text for kind, text in blocks if kind == "python")
    expected = "".join(text for kind, text in blocks if kind == "text")
    own = ("PYTHON", "AFORESAID", "RAG_", "OPENAI")
    clean = {name: value for name, value in os.environ.items() if not name.startswith(own)}
    printed = run(python, "-I", "-c", code, folder=folder, environment=clean)
    if printed != expected:
        raise ReleaseError(f"with the installed wheel, the README's code prints\n{printed}")


def check_installs(root: Path, folder: Path, scratch: Path) -> None:
    """Installs the wheel and the npm package into new environments, uses them, and writes the bill of materials."""
    [wheel], [client] = (list(folder.glob(pattern)) for pattern in ("*.whl", "*.tgz"))
    run("uv", "venv", "--quiet", "--python", sys.executable, "--no-project", scratch / "venv", folder=scratch)
    python = scratch / "venv" / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    run("uv", "pip", "install", "--quiet", "--python", python, f"{wheel}[all]", folder=scratch)
    check_readme(root, python, scratch)
    run("npm", "install", "--silent", "--no-audit", "--no-fund", "--prefix", scratch / "node", client, folder=scratch)
    code = "import('aforesaid').then(({ Memory }) => new Memory('http://127.0.0.1:9', { key: 'a' }).space('a'))"
    run("node", "--eval", code, folder=scratch / "node")
    write_sbom(python, folder / SBOM, root)


def write_sbom(python: Path, target: Path, root: Path) -> None:
    """Writes what the environment of `python` contains, as CycloneDX."""
    tool = ("uvx", "--quiet", "--from", "cyclonedx-bom", "cyclonedx-py", "environment")
    run(*tool, python, "--pyproject", root / "pyproject.toml", "--output-reproducible", "--output-file", target)


def sign(folder: Path, key: Path) -> None:
    """Writes the checksums of all files of `folder`, and their signature."""
    lines = [f"{digest}  {name}\n" for name, digest in sums(folder).items()]
    (folder / SUMS).write_text("".join(lines), "utf-8", newline="\n")
    (folder / f"{SUMS}.sig").unlink(missing_ok=True)
    run("ssh-keygen", "-q", "-Y", "sign", "-f", key, "-n", NAMESPACE, folder / SUMS)


def verify(folder: Path, signers: Path) -> None:
    """Raises ReleaseError unless a signer signed the checksums and the files have them. SECURITY.md has a command."""
    named = ("-f", signers, "-I", IDENTITY, "-n", NAMESPACE, "-s", folder / f"{SUMS}.sig")
    run("ssh-keygen", "-Y", "verify", *named, folder=folder, said=(folder / SUMS).read_text("utf-8"))
    signed = dict(line.split("  ", 1)[::-1] for line in (folder / SUMS).read_text("utf-8").splitlines())
    found = sums(folder)
    if differ := sorted(name for name in found.keys() | signed.keys() if found.get(name) != signed.get(name)):
        raise ReleaseError(f"not what was signed: {', '.join(differ)}")


@contextmanager
def throwaway_key(folder: Path) -> Iterator[tuple[Path, Path]]:
    """A new key and the file that names it as a signer."""
    key, signers = folder / "throwaway", folder / "throwaway_signers"
    run("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", "throwaway", "-f", key)
    signers.write_text(f"{IDENTITY} {key.with_name(key.name + '.pub').read_text('utf-8')}", "utf-8")
    yield key, signers
    key.unlink()


def release(root: Path, out: Path, key: Path | None, dry: bool) -> None:
    """Runs every step. A dry run goes on after the first, with a key of its own, and removes what it made."""
    found = [*version_problems(root), *git_problems(root), *key_problems(root, key)]
    for problem in found:
        print(f"{'would stop' if dry else 'stop'}: {problem}", flush=True)
    if found and not dry:
        raise ReleaseError(f"{len(found)} problems; nothing was built")
    commit = run("git", "rev-parse", "HEAD", folder=root).strip()
    with tempfile.TemporaryDirectory(prefix="aforesaid-release-") as place, throwaway_key(Path(place)) as throwaway:
        scratch = Path(place)
        built, again = scratch / "built", scratch / "again"
        _step("build twice", lambda: _both(root, commit, built, again))
        _step("same bytes", lambda: check_same(built, again))
        _step("contents", lambda: check_contents(built))
        _step("twine, check-wheel-contents", lambda: check_with_tools(built))
        _step("install, README, bill of materials", lambda: check_installs(root, built, scratch))
        _step("wheels of every platform", lambda: run(sys.executable, root / "tools/check_wheels.py"))
        used, signers = throwaway if dry or key is None else (key, root / SIGNERS)
        _step("sign", lambda: sign(built, used))
        _step("verify", lambda: verify(built, signers))
        print((built / SUMS).read_text("utf-8"), end="")
        if not dry:
            shutil.rmtree(out, ignore_errors=True)
            shutil.copytree(built, out)
    if dry:
        print(f"dry run of {commit[:12]}: all steps passed; nothing is kept" + f", {len(found)} problems" * bool(found))
    else:
        print(f"{out} is complete. Nothing is uploaded. CONTRIBUTING.md says how to publish it.")


def _both(root: Path, commit: str, *folders: Path) -> None:
    with ThreadPoolExecutor(2) as pool:
        list(pool.map(lambda folder: build(root, commit, folder), folders))


def _step(name: str, action: Callable[[], object]) -> None:
    print(f"{name} … ", end="", flush=True)
    action()
    print("ok", flush=True)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--dry-run", action="store_true", help="run every step on any commit, and keep nothing")
    parser.add_argument("--key", type=Path, help="the private ssh key that signs")
    parser.add_argument("--out", type=Path, default=ROOT / "dist" / "release")
    given = parser.parse_args()
    try:
        release(ROOT, given.out.absolute(), given.key and given.key.expanduser(), given.dry_run)
    except ReleaseError as error:
        print(f"\nno release: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
