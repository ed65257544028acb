"""Tests what can be known of the container and the systemd unit without running them; `make container` runs them."""

from __future__ import annotations

import configparser
import json
import re
import shlex
from fnmatch import fnmatch
from pathlib import Path

import typer
import yaml

from aforesaid.cli.app import app

ROOT = Path(__file__).parent.parent
DOCKERFILE = (ROOT / "Dockerfile").read_text("utf-8")


def test_what_the_image_is_built_from_exists_and_enters_the_build():
    ignored = (ROOT / ".dockerignore").read_text("utf-8").splitlines()
    kept = {line[1:] for line in ignored if line.startswith("!")}
    copied = [word for line in re.findall(r"^COPY (?!--from)(.+)", DOCKERFILE, re.M) for word in line.split()[:-1]]
    assert {name.split("/")[0] for name in copied} == kept
    for name in copied:
        assert (ROOT / name).exists(), name
    assert "*" in ignored
    assert not any(fnmatch(name, "*.db") or name == ".env" for name in kept)


def test_every_command_line_is_one_that_the_server_accepts():
    unit = configparser.ConfigParser(strict=False, interpolation=None)
    unit.optionxform = str
    unit.read(ROOT / "deploy/aforesaid.service", "utf-8")
    compose = yaml.safe_load((ROOT / "compose.yaml").read_text("utf-8"))
    image = json.loads(re.search(r"^CMD (\[.+\])$", DOCKERFILE, re.M)[1])
    composed = compose["services"]["aforesaid"]["command"]
    started = shlex.split(unit["Service"]["ExecStart"])
    assert started[0].endswith("/aforesaid")
    group = typer.main.get_command(app)
    serve = group.get_command(group.make_context("aforesaid", ["serve"]), "serve")
    for line, host in ((image, "0.0.0.0"), (composed, "0.0.0.0"), (started[1:], "127.0.0.1")):
        given = serve.make_context(line[0], line[1:]).params
        assert (line[0], given["host"], given["port"]) == ("serve", host, 8765)
