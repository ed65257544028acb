"""Tests that results of a function of texts are remembered, within bounds, until they are dropped."""

from __future__ import annotations

from aforesaid.text.masking import CachedMask, mask_json
from aforesaid.text.memo import LONGEST, MAX_CHARACTERS, TextMemo


def test_a_text_is_computed_once_until_all_are_dropped():
    computed: list[str] = []
    memo = TextMemo(lambda text: computed.append(text) or len(text))
    assert [memo("one"), memo("one"), memo("three")] == [3, 3, 5]
    assert computed == ["one", "three"]
    memo.forget()
    assert memo("one") == 3
    assert computed == ["one", "three", "one"]


def test_long_texts_are_not_remembered_and_the_total_is_bounded():
    computed: list[str] = []
    memo = TextMemo(lambda text: computed.append(text) or len(text))
    long = "x" * (LONGEST + 1)
    assert memo(long) == memo(long) == len(long)
    assert len(computed) == 2
    for number in range(MAX_CHARACTERS // LONGEST + 1):
        memo(f"{number:0{LONGEST}}")
    memo(f"{0:0{LONGEST}}")  # dropped, because too many came after it
    assert computed.count(f"{0:0{LONGEST}}") == 2


def test_a_cached_mask_masks_like_the_mask():
    mask = CachedMask()
    for value in ("my password: hunter2hunter2", "plain", {"password": "hunter2hunter2"}, ["plain", 3], None):
        assert mask(value) == mask(value) == mask_json(value)
