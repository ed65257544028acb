"""Tests what an import loads. A process that only wants the version or an error class must not wait for the rest."""

from __future__ import annotations

import os

import pytest
from tests import programs

import aforesaid
from aforesaid import api

HEAVY = ["apsw", "fastapi", "httpx2", "mcp", "numpy", "pydantic", "regex", "rich", "typer"]
LATE = ["fastapi", "httpx2", "mcp", "pydantic", "rich", "tokenizers", "toktok", "typer", "wordllama"]


def loaded(statement: str, watched: list[str]) -> str:
    code = f"{statement}\nimport sys\nprint([name for name in {watched!r} if name in sys.modules])"
    done = programs.run("-c", code, environment=os.environ)
    assert done.returncode == 0, done.stderr.decode()
    return done.stdout.decode().splitlines()[-1]


@pytest.mark.req("X22")
def test_an_import_of_the_package_loads_no_other_package():
    assert loaded("import aforesaid", HEAVY) == "[]"


@pytest.mark.req("X22")
def test_the_version_command_loads_no_other_package():
    code = "import sys; sys.argv = ['aforesaid', '--version']; from aforesaid.cli import main; main()"
    assert loaded(code, HEAVY) == "[]"


@pytest.mark.req("X22")
def test_a_memory_loads_no_command_line_no_http_and_no_tokenizer_package():
    assert loaded("from aforesaid import Memory; Memory(':memory:').close()", LATE) == "[]"


def test_every_public_name_is_an_attribute_of_the_package():
    assert [name for name in api.__all__ if getattr(aforesaid, name) is not getattr(api, name)] == []
    assert set(api.__all__) <= set(dir(aforesaid))
    assert aforesaid.errors.NotFound is aforesaid.NotFound


def test_an_unknown_name_is_an_attribute_error():
    with pytest.raises(AttributeError, match="nothing_like_this"):
        aforesaid.nothing_like_this  # noqa: B018
