"""Tests `aforesaid stats`."""

from aforesaid import Memory


def test_the_records_of_a_space_are_counted(run, data, path):
    run("add", "trip", "I live in Lisbon now.")
    run("pin", "trip", "Budget 900")
    run("add", "other", "hello", "--space", "bob")
    found = data("stats")
    counts = {name: found[name] for name in ("conversations", "messages", "chunks", "summaries", "pins")}
    assert counts == {"conversations": 1, "messages": 1, "chunks": 1, "summaries": 0, "pins": 1}
    with Memory(path, worker=False, environment={}) as memory:
        assert found["bytes"] == memory.space("default").stats().bytes
    assert found["profile_consent"] is False
    assert "bytes of vectors" in run("stats").stdout
    assert run("stats", "--space", "nobody").exit_code == 3
