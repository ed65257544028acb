"""Tests `aforesaid profile`, `aforesaid consent` and `aforesaid audit`."""

import pytest


@pytest.fixture(autouse=True)
def stored(run):
    run("add", "trip", "hello")


@pytest.mark.req("D5")
def test_a_profile_needs_consent_and_revocation_erases_it(run, data):
    refused = run("profile", "set", "city=Lisbon")
    assert refused.exit_code == 9
    assert "`aforesaid consent grant`" in refused.stderr
    assert data("consent")["granted"] is False
    assert run("consent").stdout == "never asked\n"
    assert "no consent" in run("profile").stderr
    assert data("consent", "grant", "--by", "ann", "--note", "said yes")["by"] == "ann"
    set_ = data("profile", "set", "city=Lisbon", "age:=41", "vegan:=true", "--text", "likes = signs")
    assert {one["name"]: one["value"] for one in set_["fields"]} == {"city": "Lisbon", "age": 41, "vegan": True}
    assert set_["text"]["value"] == "likes = signs"
    assert "Lisbon" in run("profile").stdout
    assert len(data("profile", "remove", "age")["fields"]) == 2
    assert len(data("profile", "remove", "city", "--erase")["fields"]) == 1
    shown = run("audit", "--action", "change").stdout
    assert "age" in shown
    assert "Lisbon" not in shown
    assert data("consent", "revoke")["entries"] == 4
    assert data("profile") == {"consent": False, "fields": [], "text": None}
    entries = data("audit")
    assert data("audit", "--limit", "2") + data("audit", "--after", entries[1]["id"]) == entries
    actions = [one["action"] for one in entries]
    assert actions == ["revoke", "remove", "remove", "read", "change", "grant"]
    assert run("consent").stdout.startswith("revoked ")
    assert "erased 0 entries" in run("consent", "revoke").stdout


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (["profile", "set", "city"], 2), (["profile", "set", "age:=forty"], 2), (["profile", "set", "a:=[1]"], 2),
        (["profile", "set"], 2), (["profile", "remove"], 2), (["profile", "remove", "town"], 3),
        (["profile", "--space", "nobody"], 3), (["audit", "--space", "nobody"], 3),
        (["consent", "--space", "nobody"], 3), (["profile", "set", "a=b", "--expires", "never"], 2),
    ],
)  # fmt: skip
def test_an_invalid_command_is_one_line_and_an_exit_code(run, arguments, code):
    run("consent", "grant")
    result = run(*arguments)
    assert (result.exit_code, result.stdout) == (code, "")
    assert len(result.stderr.splitlines()) == 1


def test_about_shows_what_is_known_within_the_limit(run, data):
    assert "nothing is known yet" in run("about").stderr
    said = "My sister Marta had a baby girl in Porto on 3 May."
    run("add", "trip", said)
    assert f"> {said}\n" in run("about").stdout
    about = data("about", "--tokens", "100")
    assert [(item["kind"], item["text"]) for item in about["items"]][-1:] == [("message", said)]
    assert 0 < about["tokens"] <= 100
    assert data("about", "--tokens", "9") == {"text": "", "items": [], "tokens": 0}
    assert run("about", "--tokens", "0").exit_code == 2
