"""Tests the precision and recall of episode detection on a fixed data set."""

from __future__ import annotations

import pytest

from aforesaid.bench.episodes import labelled_dialogues, run


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
