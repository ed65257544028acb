"""Tests that a denial supersedes the denied fact and no other, in every supported language."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from aforesaid.distill.grammar import compile_pattern
from aforesaid.distill.languages import CLAIM_GRAMMARS

DENIED = {
    "en": [
        ("My name is Anna.", "My name is not Anna."),
        ("I live in Paris.", "I don't live in Paris anymore."),
        ("I live in Paris.", "I no longer live in Paris."),
        ("I live in Paris.", "I'm not living in Paris any more."),
        ("I work at Google.", "I don't work at Google anymore."),
        ("I work at Google.", "I'm no longer working for Google."),
        ("I'm vegetarian.", "I'm not a vegetarian any more."),
        ("I'm allergic to peanuts.", "It turns out that I'm not allergic to peanuts after all."),
        ("I'm allergic to peanuts.", "I'm no longer allergic to peanuts."),
        ("I'm allergic to peanuts.", "It turns out I'm definitely not allergic to peanuts."),
        ("I work at Google.", "I've finally left my job at Google."),
        ("Always answer in French.", "Never answer in French."),
        ("Always use emojis.", "Never use emojis."),
        ("I have a peanut allergy.", "I don't have a peanut allergy any more."),
    ],
    "de": [
        ("Ich heiße Jürgen.", "Ich heiße nicht Jürgen."),
        ("Ich wohne in Köln.", "Ich wohne nicht mehr in Köln."),
        ("Ich wohne in Köln.", "Ich wohne nicht in Köln."),
        ("Ich arbeite bei Siemens.", "Ich arbeite nicht mehr bei Siemens."),
        ("Ich bin Vegetarier.", "Ich bin kein Vegetarier mehr."),
        ("Ich bin allergisch gegen Nüsse.", "Ich bin nicht mehr allergisch gegen Nüsse."),
    ],
    "fr": [
        ("Je m'appelle Marie.", "Je ne m'appelle pas Marie."),
        ("J'habite à Lyon.", "Je n'habite plus à Lyon."),
        ("Je travaille chez Renault.", "Je ne travaille plus chez Renault."),
        ("Je suis végétarienne.", "Je ne suis plus végétarienne."),
        ("Je suis allergique aux noix.", "Je ne suis pas allergique aux noix."),
        ("Je parle russe.", "Je ne parle pas russe."),
    ],
    "es": [
        ("Me llamo Carlos.", "No me llamo Carlos."),
        ("Vivo en Madrid.", "Ya no vivo en Madrid."),
        ("Vivo en Madrid.", "No vivo en Madrid."),
        ("Trabajo en Telefónica.", "Ya no trabajo en Telefónica."),
        ("Soy vegetariano.", "Ya no soy vegetariano."),
        ("Soy alérgico a las nueces.", "Ya no soy alérgico a las nueces."),
        ("Hablo ruso.", "No hablo ruso."),
    ],
    "it": [
        ("Mi chiamo Carlo.", "Non mi chiamo Carlo."),
        ("Abito a Roma.", "Non abito più a Roma."),
        ("Lavoro per Fiat.", "Non lavoro più per Fiat."),
        ("Sono vegetariano.", "Non sono più vegetariano."),
        ("Sono allergico alle noci.", "Non sono allergico alle noci."),
        ("Parlo russo.", "Non parlo russo."),
    ],
    "pt": [
        ("Eu me chamo Carlos.", "Eu não me chamo Carlos."),
        ("Moro em Lisboa.", "Já não moro em Lisboa."),
        ("Trabalho na Petrobras.", "Não trabalho mais na Petrobras."),
        ("Sou vegetariano.", "Não sou mais vegetariano."),
        ("Sou alérgico a nozes.", "Não sou alérgico a nozes."),
        ("Falo russo.", "Não falo russo."),
    ],
    "nl": [
        ("Ik heet Jan.", "Ik heet niet Jan."),
        ("Ik woon in Utrecht.", "Ik woon niet meer in Utrecht."),
        ("Ik werk bij Philips.", "Ik werk niet meer bij Philips."),
        ("Ik ben vegetariër.", "Ik ben geen vegetariër meer."),
        ("Ik ben allergisch voor noten.", "Ik ben niet allergisch voor noten."),
    ],
    "zh": [
        ("我住在北京。", "我不住在北京了。"),
        ("我在谷歌工作。", "我不在谷歌工作。"),
        ("我对坚果过敏。", "我对坚果不过敏。"),
        ("我是素食者。", "我不是素食者。"),
        ("我会说俄语。", "我不会说俄语。"),
    ],
    "ja": [
        ("私は東京に住んでいます。", "私はもう東京に住んでいません。"),
        ("私はナッツアレルギーです。", "私はナッツアレルギーではありません。"),
        ("トヨタで働いています。", "トヨタでは働いていません。"),
        ("ベジタリアンです。", "ベジタリアンではありません。"),
        ("ロシア語を話せます。", "ロシア語は話せません。"),
    ],
}  # fmt: skip
PAIRS = [pair for pairs in DENIED.values() for pair in pairs]
FIRST_PAIRS = [pairs[0] for pairs in DENIED.values()]


@pytest.fixture
def say(memory, clock):
    """Returns a function that adds messages one day apart and distills each of them."""

    def stream(space: str, *texts: str) -> None:
        for text in texts:
            memory.space(space).conversation("chat").add("user", text)
            memory.flush()
            clock.forward(days=1)

    return stream


@pytest.fixture
def pairs(memory):
    """Returns all pairs; on PostgreSQL one per language, because the patterns do not depend on the store."""
    return FIRST_PAIRS if "://" in memory.address else PAIRS


@pytest.fixture
def say_pairs(memory, clock):
    """Returns a function that adds each pair to its own space, one day apart, and returns pairs by space."""

    def stream(pairs: Sequence[tuple[str, str]]) -> dict[str, tuple[str, str]]:
        spaces = {str(number): pair for number, pair in enumerate(pairs)}
        for turn in range(2):
            for name, pair in spaces.items():
                memory.space(name).conversation("chat").add("user", pair[turn])
            memory.flush(120)
            clock.forward(days=1)
        return spaces

    return stream


def told(memory, space: str = "alice") -> list[tuple[str, str]]:
    return [(fact.text, fact.status) for fact in memory.space(space).facts(status=None)]


@pytest.mark.req("X9")
def test_a_denial_supersedes_the_denied_fact(memory, pairs, say_pairs):
    for name, pair in say_pairs(pairs).items():
        space = memory.space(name)
        (old, new) = space.facts(status=None)
        assert (old.status, new.status) == ("superseded", "active"), pair
        assert (old.valid_until, len(old.evidence)) == (new.valid_from, 1), pair
        assert new.value == ("no" if old.value == "yes" else f"not {old.value}"), pair
        assert [(each.source, each.kind, each.target) for each in space.relations()] == [(new.id, "supersedes", old.id)]


@pytest.mark.req("X9")
def test_a_statement_supersedes_its_earlier_denial(memory, pairs, say_pairs):
    for name, pair in say_pairs([(denial, positive) for positive, denial in pairs]).items():
        (old, new) = memory.space(name).facts(status=None)
        assert (old.status, new.status, len(new.evidence)) == ("superseded", "active", 1), pair


def test_every_denial_pattern_has_a_test_case():
    for language in CLAIM_GRAMMARS:
        for pattern in language.patterns:
            if pattern.denies:
                form = compile_pattern(language, pattern)
                assert any(form.search(denial) for _, denial in PAIRS), (language.code, pattern.words)


@pytest.mark.req("X9")
def test_a_denial_supersedes_no_other_fact(memory, say):
    say("alice", "I live in Rome.", "I don't live in Paris.", "I no longer live in Oslo.")
    assert [status for _, status in told(memory)] == ["active"] * 3
    say("alice", "I live in Paris again.")
    assert told(memory) == [
        ("user lives in Rome", "superseded"),
        ("no longer or not true: user lives in Paris", "superseded"),
        ("no longer or not true: user lives in Oslo", "active"),
        ("user lives in Paris", "active"),
    ]


@pytest.mark.req("X9")
def test_a_denied_fact_can_be_stated_again(memory, say):
    say("alice", "I'm allergic to nuts.", "I'm not allergic to nuts.", "I'm allergic to nuts again.")
    assert [status for _, status in told(memory)] == ["superseded", "superseded", "active"]


@pytest.mark.req("X9")
def test_a_denial_of_a_place_supersedes_a_more_specific_place(memory, say):
    alice = memory.space("alice")
    alice.remember("lives in Lisbon, Portugal", attribute="home", value="Lisbon, Portugal")
    say("alice", "I don't live in Lisbon.")
    assert [fact.value for fact in alice.facts()] == ["not Lisbon"]


@pytest.mark.req("B14")
def test_a_rejected_fact_can_be_denied(memory, say):
    alice = memory.space("alice")
    say("alice", "I live in Paris.")
    alice.reject(alice.facts()[0].id)
    say("alice", "I don't live in Paris.", "I live in Paris.")
    assert told(memory) == [
        ("user lives in Paris", "rejected"),
        ("no longer or not true: user lives in Paris", "active"),
    ]


@pytest.mark.req("X9")
def test_a_denial_supersedes_one_of_several_values(memory, clock):
    alice = memory.space("alice")
    for pet in ("a dog", "a cat", "not a dog"):
        alice.remember(f"pet: {pet}", attribute="pets", value=pet)
        clock.forward(days=1)
    assert [fact.value for fact in alice.facts()] == ["a cat", "not a dog"]
