"""Tests `aforesaid rechunk`."""

import pytest


@pytest.mark.req("D9")
def test_stored_messages_are_rechunked_once(run, data):
    run("settings", "chunking", "false", "--space", "alice")
    run("add", "garden", "A long sentence about tomatoes. " * 300, "--space", "alice")
    run("settings", "chunking", "true", "--space", "alice")
    assert data("status")["chunks"] == 1
    assert data("rechunk", "alice") == {"space": "alice", "changed": 1}
    assert data("status")["chunks"] > 1
    assert run("rechunk", "alice").stdout == "0 messages of alice were split again\n"
