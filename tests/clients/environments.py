"""Installs clients from the package registries, each into its own folder. A second run reuses them."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

PATIENCE = 900.0  # seconds for one installation
NO_TORCH = "torch ; sys_platform == 'never'\n"


class NotInstalled(Exception):
    """The reason why a client could not be installed."""


@dataclass(frozen=True)
class Environment:
    """The folder of a client. `version` is the version of its first package."""

    folder: Path
    version: str

    def bin(self, name: str) -> str:
        """Returns the path of a program that the packages install."""
        places = (self.folder / "venv/bin" / name, self.folder / "node_modules/.bin" / name)
        return str(next(place for place in places if place.exists()))


def install(name: str, packages: tuple[str, ...], cache: Path, *, node: bool, renew: bool) -> Environment:
    """Installs the newest versions. With `renew`, also if they are already there."""
    folder = cache / name
    done = folder / "installed.json"
    wanted = list(packages)
    if renew or not done.exists() or json.loads(done.read_text("utf-8"))["packages"] != wanted:
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        version = (npm if node else pypi)(folder, packages)
        done.write_text(json.dumps({"packages": wanted, "version": version}), "utf-8")
    return Environment(folder, json.loads(done.read_text("utf-8"))["version"])


def pypi(folder: Path, packages: tuple[str, ...]) -> str:
    uv = shutil.which("uv")
    if uv is None:
        raise NotInstalled("uv is missing")
    (folder / "overrides.txt").write_text(NO_TORCH, "utf-8")
    python = str(folder / "venv/bin/python")
    run([uv, "venv", "--quiet", str(folder / "venv")], folder)
    run([uv, "pip", "install", "--quiet", "--python", python, "--override", "overrides.txt", *packages], folder)
    listed = json.loads(run([uv, "pip", "list", "--format", "json", "--python", python], folder))
    versions = {one["name"]: one["version"] for one in listed}
    if "torch" in versions:
        raise NotInstalled("it installs torch")
    return str(versions[packages[0].partition("[")[0]])


def npm(folder: Path, packages: tuple[str, ...]) -> str:
    if shutil.which("npm") is None:
        raise NotInstalled("npm is missing")
    (folder / "package.json").write_text("{}", "utf-8")
    for package in sorted(packages, key=lambda name: not name.startswith("node@")):  # npm asks node for its version
        run(["npm", "install", "--no-audit", "--no-fund", "--loglevel=error", package], folder)
    described = json.loads((folder / "node_modules" / packages[0] / "package.json").read_text("utf-8"))
    return str(described["version"])


def run(command: list[str], folder: Path) -> str:
    path = f"{folder / 'node_modules/.bin'}{os.pathsep}{os.environ['PATH']}"
    environment = os.environ | {"UV_COMPILE_BYTECODE": "1", "PATH": path}
    try:
        ended = subprocess.run(
            command, cwd=folder, env=environment, capture_output=True, text=True, timeout=PATIENCE, check=False
        )
    except subprocess.TimeoutExpired as error:
        raise NotInstalled(f"{command[0]} took longer than {PATIENCE:.0f} s") from error
    if ended.returncode:
        raise NotInstalled(" ".join((ended.stderr or ended.stdout).split())[-300:])
    return ended.stdout
