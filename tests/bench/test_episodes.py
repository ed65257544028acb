"""Tests the precision and recall of episode detection on a fixed data set."""

from __future__ import annotations

import json
import re
from importlib.resources import files

import pytest

from aforesaid.bench.episodes import RealCounts, labelled_dialogues, run


@pytest.mark.req("B8")
def test_detection_meets_its_targets_on_every_part_of_the_set(capsys):
    report = run()
    with capsys.disabled():
        for name, tally in report.parts.items():
            print(f"\nepisodes, {name}: {tally.found} found, {tally.right} right, {tally.wanted} wanted", end="")
    assert report.kept, report.parts
    assert all((tally.recall or 0) >= 0.6 for tally in report.parts.values()), report.parts
    assert sum(tally.junk for tally in report.parts.values()) <= 1


def test_the_set_is_large_and_at_least_half_of_it_has_no_episode():
    found = labelled_dialogues()
    assert len(found) >= 60
    assert sum(not stretch.episodes for stretch in found) * 2 >= len(found)
    assert {stretch.language for stretch in found} >= {"en", "de", "fr", "es", "it", "pt", "nl"}


def test_the_episodes_and_pins_of_other_dialogues_are_counted(tmp_path):
    texts = ["We decided to rent a boat in Lisbon.", "Nice!", "Remember that Tomás gets seasick in boats."]
    turns = [
        {"speaker": "AnnBob"[3 * (n % 2) :][:3], "dia_id": f"D1:{n}", "text": text} for n, text in enumerate(texts)
    ]
    talk = {"speaker_a": "Ann", "speaker_b": "Bob", "session_1": turns, "session_1_date_time": "1:56 pm on 8 May, 2023"}
    path = tmp_path / "locomo.json"
    path.write_text(json.dumps([{"conversation": talk, "qa": []}] * 2))
    counts = run([path]).real
    assert counts == {
        "LoCoMo, episodes": RealCounts(users=3, found=1, judged=0, right=0, useful=0),
        "LoCoMo, pins": RealCounts(users=3, found=2, judged=0, right=0, useful=0),
    }


def test_the_verdicts_contain_digests_and_no_text():
    rows = [
        json.loads(line) for line in (files("aforesaid.bench") / "data" / "verdicts.jsonl").read_text().splitlines()
    ]
    assert len(rows) >= 100
    for kind, key, verdict in rows:
        assert (kind in ("episode", "pin"), verdict in ("wrong", "right", "useful")) == (True, True)
        assert re.fullmatch("[0-9a-f]{16}", key)
