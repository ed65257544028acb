"""Tests that tables are added to TOML and removed from it, and that everything else stays byte by byte."""

from __future__ import annotations

import tomllib

import pytest

from aforesaid.errors import InvalidInput
from aforesaid.install.toml_edit import add_table, remove_table

pytestmark = pytest.mark.req("X25")

PATH, TABLE = ("mcp_servers", "ours"), {"command": "/bin/x y", "args": ["a", 'b"c', "ü"]}
TEXTS = [
    "",
    'model="gpt-5"   # fast\n',
    '# top\n[a]\nb = 1\n\n\n[c."d e"]   # note\nf = [\n  "[g]",\n]\n# the end\n',
    "[a]\r\nb = 1\r\n",
    "[a]\nb = 1",
    '[mcp_servers.other]\ncommand = "z"\n\n[[lists]]\nx = 1\n',
    'text = """\n[mcp_servers.ours]\ncommand = 1\n"""\n',
]


@pytest.mark.parametrize("text", TEXTS)
def test_a_table_is_added_once_and_removed_again(text):
    added = add_table(text, PATH, TABLE)
    assert added.startswith(text)
    assert tomllib.loads(added)["mcp_servers"]["ours"] == TABLE
    assert add_table(added, PATH, TABLE) == added
    assert remove_table(added, PATH).rstrip("\r\n") == text.rstrip("\r\n")


def test_what_somebody_wrote_after_our_table_stays():
    added = add_table("a = 1\n", PATH, TABLE) + "\n# my server\n[mcp_servers.other]\ncommand = 'z'\n"
    assert remove_table(added, PATH) == "a = 1\n\n# my server\n[mcp_servers.other]\ncommand = 'z'\n"


def test_a_changed_table_is_replaced():
    text = add_table("a = 1\n", PATH, {"command": "old"})
    new = add_table(text, PATH, TABLE)
    assert tomllib.loads(new) == {"a": 1, "mcp_servers": {"ours": TABLE}}
    assert "old" not in new


@pytest.mark.parametrize(
    "text",
    [
        "mcp_servers = { ours = { command = 'x' } }\n",
        "[mcp_servers]\nours = { command = 'x' }\n",
        "mcp_servers = 1\n",
        "a = \n",
    ],
)
def test_what_cannot_be_changed_alone_is_refused(text):
    with pytest.raises(InvalidInput):
        add_table(text, PATH, TABLE)
