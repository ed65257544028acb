"""Tests `aforesaid init`."""

from pathlib import Path


def test_a_store_is_created_once_and_then_left_unchanged(run, data, path):
    first = run("init")
    assert (first.exit_code, Path(path).exists()) == (0, True)
    assert f"{path} is created" in first.stdout
    assert f"aforesaid serve --store {path}" in first.stderr
    run("add", "trip", "hello")
    again = run("init")
    assert (again.exit_code, "exists already" in again.stdout, again.stderr) == (0, True, "")
    assert data("init")["made"] is False
    assert data("status")["messages"] == 1


def test_another_embedder_is_built_while_the_current_one_serves(run, data):
    run("add", "trip", "hello")
    found = data("init", "--embedder", "static:64")
    assert {model["name"]: model["state"] for model in found["models"]} == {
        "static:256": "serving",
        "static:64": "building",
    }
    run("worker", "--once")
    assert {model["name"]: model["state"] for model in data("init")["models"]}["static:64"] == "serving"


def test_an_unknown_embedder_creates_no_store(run, path):
    assert run("init", "--embedder", "nonsense").exit_code == 2
    assert not Path(path).exists()
