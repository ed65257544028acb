"""Tests that a text compiles only the patterns that can match it, and that no matching pattern is skipped."""

import json
from datetime import UTC, datetime
from importlib.resources import files
from unicodedata import category

import pytest
import regex

from aforesaid.distill.facts.claims import claims
from aforesaid.distill.grammar import (
    candidate_patterns,
    clause_starts,
    compile_pattern,
    compile_search,
    fold_case,
    required_words,
)
from aforesaid.distill.languages import CLAIM_GRAMMARS
from aforesaid.distill.languages.english import ENGLISH
from aforesaid.models.message import Utterance

FEW = 12  # of the 80 English patterns: the most that a short first message compiles


def compiled_for(text):
    """Returns the number of patterns and clause starts that the first message of a process compiles."""
    compile_pattern.cache_clear()
    clause_starts.cache_clear()
    claims(Utterance("m1", 0, "user", "user", text, datetime(2026, 3, 11, tzinfo=UTC), None, 1))
    return compile_pattern.cache_info().misses + clause_starts.cache_info().misses


@pytest.mark.parametrize(
    "text",
    [
        "",
        "hello",
        "ok 👍",
        "def f(x): return x",
        "What is the capital of France?",
        "`I live in Lisbon`",
        "\x00\ud800",
        "你好",
    ],
)
def test_a_message_without_a_possible_claim_compiles_no_pattern(text):
    assert compiled_for(text) == 0


@pytest.mark.parametrize("text", ["I live in Lisbon.", "I'm allergic to peanuts.", "My dog is called Rex."])
def test_a_claim_compiles_only_a_few_patterns(text):
    assert 0 < compiled_for(text) < FEW


@pytest.mark.parametrize(
    ("pattern", "needed"),
    [
        (r"i was born (?:on|in) <thing>", [{"i"}, {"was"}, {"born"}, {"on", "in"}]),
        (r"calls? me", [{"call"}, {"me"}]),
        (r"favou?rite [a-z]+x{2}y", [{"favo"}, {"rite"}, {"x"}, {"y"}]),
        (r"(?:really )?(?:so ){0,2}(?:it )*yes", [{"yes"}]),
        (r"(?:live|i reside) in", [{"live", "reside"}, {"in"}]),
        (r"(?:live|\w+) in", [{"in"}]),
        (r"(?!never|not)(?=must)(?<!no )go", [{"must"}, {"go"}]),
        (r"(?P<value>\p{L}{3,20}?)allergie|z\.b\.", [{"allergie", "z"}]),
        (r"HEIẞE", [{"heisse"}]),
        (r"<name>|\d", []),
    ],
)
def test_required_words_are_the_words_that_every_match_contains(pattern, needed):
    assert sorted(map(sorted, required_words(pattern))) == sorted(map(sorted, needed))


def test_an_unsupported_group_is_rejected():
    with pytest.raises(ValueError, match="unknown kind of group"):
        required_words(r"i (?>live) here")


def test_letters_that_match_case_insensitively_fold_to_the_same_letter():
    known = "".join(letter for letter in map(chr, range(0x20000)) if category(letter) != "Cn")
    for letter in {letter for language in CLAIM_GRAMMARS for pattern in language.patterns for letter in pattern.words}:
        same = regex.findall(regex.escape(letter), known, regex.IGNORECASE)
        assert {fold_case(other) for other in same} == {fold_case(letter)}, letter


def test_a_skipped_pattern_does_not_match():
    lines = files("aforesaid.bench").joinpath("data/utterances.jsonl").read_text("utf-8").splitlines()
    texts = [json.loads(line)["text"] for line in lines[::12]]
    for language in CLAIM_GRAMMARS:
        for text in [*texts, *map(str.upper, texts)]:
            worth = candidate_patterns(language, text)
            for pattern in language.patterns:
                assert pattern in worth or not compile_pattern(language, pattern).search(text), (pattern.words, text)


def test_unusual_case_variants_of_letters_match():
    for text in ["juſt \u212aİDDİNG", "JUST KIDDING"]:
        assert compile_search(ENGLISH, "just kidding", text).search(text)
    assert not compile_search(ENGLISH, "just kidding", "kidding").search("kidding")
