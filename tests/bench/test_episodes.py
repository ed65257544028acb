"""Episodes on a fixed set: few and good."""

from __future__ import annotations

import pytest

from aforesaid.bench.episodes import labelled_dialogues, run


@pytest.mark.req("B8")
def test_what_is_found_is_right_on_every_part_of_the_set(capsys):
    report = run()
    with capsys.disabled():
        for name, tally in report.parts.items():
            print(f"\nepisodes, {name}: {tally.found} found, {tally.right} right, {tally.wanted} wanted", end="")
    assert report.kept, report.parts
    assert all((tally.recall or 0) >= 0.6 for tally in report.parts.values()), report.parts
    assert sum(tally.junk for tally in report.parts.values()) <= 1


def test_the_set_is_large_and_half_of_it_is_nothing():
    found = labelled_dialogues()
    assert len(found) >= 60
    assert sum(not stretch.episodes for stretch in found) * 2 >= len(found)
    assert {stretch.language for stretch in found} >= {"en", "de", "fr", "es", "it", "pt", "nl"}
