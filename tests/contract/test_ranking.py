"""Tests the ranking of recall results and the parts of their scores."""

import subprocess
import sys
from dataclasses import fields
from datetime import timedelta

import apsw
import numpy as np
import pytest

from aforesaid import Memory, Score
from aforesaid.errors import InvalidInput, ProviderError

PARTS = [field.name for field in fields(Score) if field.name not in ("total", "relevance")]


def ids(hits) -> list[str]:
    return [hit.id for hit in hits]


def by_id(hits, id: str):
    return next(hit for hit in hits if hit.id == id)


@pytest.fixture
def birds(memory: Memory, clock):
    """Returns a space with three messages about a heron, 30 days apart."""
    chat = memory.space("alice").conversation("c")
    for id, place, importance in (("old", "weir", 0.9), ("mid", "mill", 0.1), ("new", "quay", 0.5)):
        clock.forward(days=30)
        chat.add("user", f"The heron stood by the {place}", id=id, importance=importance)
    memory.flush()
    return memory.space("alice")


@pytest.mark.req("B11", "D7")
def test_a_score_shows_its_parts_and_the_total_is_their_weighted_sum(birds):
    for name in PARTS:
        birds.set(f"weight_{name}", 0.25)
    for hit in birds.recall("When did I see the heron last week?"):
        parts = [getattr(hit.score, name) for name in PARTS]
        assert all(0 <= part <= 1 for part in parts)
        assert hit.score.total == pytest.approx(sum(parts) * 0.25)
    assert by_id(birds.recall("heron"), "old").score.importance == pytest.approx(0.9)


@pytest.mark.req("B11")
def test_recency_halves_in_thirty_days(birds):
    hits = birds.recall("heron")
    assert [by_id(hits, id).score.recency for id in ("new", "mid", "old")] == pytest.approx([1.0, 0.5, 0.25])


@pytest.mark.req("B11", "D3")
@pytest.mark.parametrize(
    ("setting", "order"), [("weight_recency", ["new", "mid", "old"]), ("weight_importance", ["old", "new", "mid"])]
)
def test_a_changed_weight_applies_to_the_next_query(birds, setting, order):
    birds.set(setting, 50.0)
    assert ids(birds.recall("heron")) == order
    birds.unset(setting)
    assert ids(birds.recall("heron by the weir"))[0] == "old"


@pytest.mark.req("B11", "B18")
def test_frequently_accessed_messages_rank_higher_if_access_has_a_weight(birds, memory):
    for _ in range(5):
        assert ids(birds.recall("mill", 1)) == ["mid"]
    memory.flush()
    assert by_id(birds.recall("heron"), "mid").score.access == 0.0
    birds.set("weight_access", 50.0)
    hits = birds.recall("heron")
    assert hits[0].id == "mid"
    assert hits[0].score.access >= 0.5
    assert all(hit.score.access <= 1 for hit in hits)


@pytest.mark.req("B11", "D3")
def test_rank_fusion_returns_the_same_messages_ordered_by_rank(birds):
    plain = birds.recall("heron by the mill")
    birds.set("fusion", "ranks")
    fused = birds.recall("heron by the mill")
    assert set(ids(plain)) == set(ids(fused))
    assert fused[0].id == "mid"
    assert [hit.score.total for hit in fused] == sorted((hit.score.total for hit in fused), reverse=True)


class Planes:
    """An embedder that gives all texts about herons one vector and other texts a slightly similar one."""

    name = "planes"

    def embed(self, texts):
        return np.array([[1.0, 0.0] if "heron" in text else [0.1, 0.99**0.5] for text in texts], np.float32)


@pytest.mark.req("B11")
def test_the_project_recipe_leaves_out_hits_below_its_threshold(open_memory, clock):
    memory = open_memory(embedder=Planes(), clock=clock)
    alice = memory.space("alice")
    alice.conversation("old").add("user", "The heron stood by the weir", importance=0.9)
    for number in range(4):
        alice.conversation(f"tax {number}").add("user", f"Form {number} wants a stamp", importance=0.0)
    clock.forward(days=700)
    memory.flush()
    ctx = alice.conversation("now").context("Where is the heron by the weir?", recipe="project")
    assert [quote.text for quote in ctx.recalled] == ["The heron stood by the weir"]
    recalled = [item for item in ctx.receipt.items if item.section == "recalled"]
    assert [item.score.total >= 0.3 for item in recalled] == [item.included for item in recalled]
    assert [item.reason for item in recalled if not item.included] == ["below the threshold"] * 4


@pytest.mark.req("A22")
def test_a_message_is_found_by_its_meaning(memory: Memory):
    chat = memory.space("alice").conversation("c")
    chat.add("user", "Our puppy chewed the sofa again", id="dog")
    chat.add("user", "The invoice for the roof is due", id="invoice")
    chat.add("user", "She plays the violin on Sundays", id="violin")
    memory.flush()
    for query, id in (("pet animal", "dog"), ("bill payment", "invoice"), ("musical instrument", "violin")):
        hit = memory.space("alice").recall(query)[0]
        assert (hit.id, "dense" in hit.sources, "lexical" in hit.sources) == (id, True, False)


@pytest.mark.req("B12", "D11")
def test_lexical_search_works_without_a_model_and_follows_every_change(open_memory, tmp_path, clock):
    memory = open_memory(embedder="none", clock=clock)
    alice = memory.space("alice")

    def found(query: str, space=alice) -> list[str]:
        hits = space.recall(query)
        assert hits.degraded == ("dense",)
        assert "dense" in hits.warnings[0]
        assert all(hit.score.dense == 0 and "dense" not in hit.sources for hit in hits)
        return [hit.id for hit in hits if "lexical" in hit.sources]

    chat, other = alice.conversation("c"), alice.conversation("other")
    chat.add("user", "The heron stood by the weir", id="weir")
    assert found("heron") == ["weir"]
    other.add("user", "A heron, a heron, the grey heron flew", id="flew")
    assert found("heron") == ["flew", "weir"]
    alice.export(tmp_path / "out")
    assert found("heron", memory.import_space(tmp_path / "out", space="copy")) == ["flew", "weir"]
    other.delete()
    assert found("heron") == ["weir"]
    chat.add("user", "Of many things. " * 200 + "The passphrase is ornithopter.", id="long")
    alice.set("chunk_tokens", 50)
    assert alice.rechunk() == 1
    assert found("ornithopter") == ["long"]
    assert len(alice.recall("ornithopter")[0].text) < 1_000
    alice.delete()
    assert len(alice.recall("heron")) == 0


@pytest.mark.req("A21", "D11")
def test_without_the_lexical_index_dense_search_answers_with_a_warning(open_memory, path):
    memory = open_memory()
    chat = memory.conversation("c")
    chat.add("user", "Our puppy chewed the sofa again", id="dog")
    chat.add("user", "The invoice for the roof is due", id="invoice")
    memory.flush()
    apsw.Connection(path).execute("DROP TABLE chunk_postings; DROP TABLE chunk_terms")
    hits = memory.space("default").recall("the puppy", boost="sofa")
    assert (hits[0].id, hits.degraded) == ("dog", ("lexical",))
    assert "lexical search left out" in hits.warnings[0]
    assert all((hit.sources, hit.score.lexical) == (("dense",), 0.0) for hit in hits)


@pytest.mark.req("D12")
def test_a_space_without_messages_returns_no_hits_and_no_error(memory: Memory):
    alice = memory.space("alice")
    for hits in (alice.recall("anything"), alice.conversation("c").recall("anything", explain=True)):
        assert (len(hits), hits.degraded) == (0, ())
    alice.conversation("c").start()
    assert len(alice.recall("anything", explain=True)) == 0
    alice.conversation("c").pin("The ferry leaves at nine")
    assert [hit.kind for hit in alice.recall("ferry")] == ["pin"]


@pytest.fixture
def decided(memory: Memory, clock):
    """Returns a space with decisions about a garden from several weeks before Sunday, 1 March 2026."""
    chat = memory.space("alice").conversation("c")
    for id, ago, what in (
        ("january", 45, "We decided to dig a pond"),
        ("older", 21, "We decided to plant a hedge"),
        ("last week", 10, "We decided to paint the shed"),
        ("this week", 1, "We decided to buy a ladder"),
    ):
        chat.add("user", what, id=id, at=clock.now - timedelta(days=ago))
    memory.flush()
    return memory.space("alice")


@pytest.mark.req("X4")
@pytest.mark.parametrize(
    ("query", "id"),
    [
        ("What did we decide last week?", "last week"),
        ("What did we decide in January?", "january"),
        ("What did we decide three weeks ago?", "older"),
        ("What did we decide yesterday?", "this week"),
    ],
)
def test_a_time_in_a_query_boosts_and_never_filters(decided, query, id):
    hits = decided.recall(query)
    assert hits[0].id == id
    assert hits[0].score.time == 1.0
    assert set(ids(hits)) == {"january", "older", "last week", "this week"}


@pytest.mark.req("X4")
@pytest.mark.parametrize("query", ["What did we decide last week?", "Haben wir letzte Woche decided?"])
def test_time_proximity_decays_and_is_zero_for_a_query_without_a_time(decided, query):
    hits = decided.recall(query)
    assert by_id(hits, "last week").score.time == 1.0
    near = [by_id(hits, id).score.time for id in ("last week", "this week", "older", "january")]
    assert near == sorted(near, reverse=True)
    assert 0 < near[-1] < 0.2
    assert all(hit.score.time == 0 for hit in decided.recall("What did we decide?"))


@pytest.mark.req("X4")
def test_a_message_that_mentions_the_queried_day_is_boosted(memory: Memory, clock):
    chat = memory.space("alice").conversation("c")
    said = clock.now - timedelta(days=60)
    chat.add("user", "The concert is on 27 February 2026", id="mentions", at=said)
    chat.add("user", "The concert hall is made of glass", id="other", at=said)
    memory.flush()
    hits = memory.space("alice").recall("Which concert is there on 27 February 2026?")
    assert hits[0].id == "mentions"
    assert (by_id(hits, "mentions").score.time, by_id(hits, "other").score.time < 0.1) == (1.0, True)
    tomorrow = memory.space("alice").recall("Which concert was two days ago?")
    assert by_id(tomorrow, "mentions").score.time == 1.0


@pytest.mark.req("X4")
@pytest.mark.parametrize("query", ["When did Rosa sell the boat?", "Wann hat Rosa das boat verkauft?"])
def test_a_when_question_prefers_a_message_with_a_time(memory: Memory, query: str):
    chat = memory.space("alice").conversation("c")
    chat.add("user", "Rosa sold the boat to a man from Bergen", id="whom")
    chat.add("user", "Rosa sold the boat on the third of May 2024", id="when")
    chat.add("user", "Rosa sold the boat with the oars and the sail", id="what")
    memory.flush()
    hits = memory.space("alice").recall(query)
    assert hits[0].id == "when"
    assert [hit.score.time for hit in hits] == [0.25, 0.0, 0.0]


@pytest.mark.parametrize(
    ("query", "id"),
    [
        ("Which tea do I like?", "mine"),
        ("Which tea do you recommend?", "yours"),
        ("Welchen tea mag ich?", "mine"),
        ("Which tea did you’re answer name?", "yours"),
    ],
)
def test_a_question_about_the_user_or_the_assistant_prefers_messages_of_that_role(memory: Memory, query: str, id: str):
    chat = memory.space("alice").conversation("c")
    chat.add("user", "Green tea from the valley", id="mine")
    chat.add("assistant", "Black tea from the valley", id="yours")
    memory.flush()
    hits = memory.space("alice").recall(query)
    assert hits[0].id == id
    assert hits[0].score.speaker > hits[1].score.speaker


def test_a_query_that_names_a_speaker_prefers_messages_of_that_speaker(memory: Memory):
    chat = memory.space("alice").conversation("c")
    for name, id in (("Maria O'Brien", "o"), ("Ann", "a"), ("Bo", "b")):
        chat.add("user", f"My favourite bird is the {id}-crested heron", id=id, name=name)
        chat.add("user", f"Lunch was fine, says the list of {id}", name=name)
    memory.flush()
    alice = memory.space("alice")
    for query, id in (
        ("Which bird does Ann favour?", "a"),
        ("Which bird is Maria O’Brien's favourite?", None),
        ("Which bird is maria o'brien's favourite?", "o"),
        ("Which bird does Bo's list have as favourite?", "b"),
    ):
        hits = alice.recall(query)
        named = {hit.message.name for hit in hits if hit.score.speaker > 0}
        assert named == ({alice.conversation("c").message(id).name} if id else set())
        if id:
            assert hits[0].id == id
    assert all(hit.score.speaker == 0 for hit in alice.recall("Which annual bird of Boston is a favourite?"))


def test_a_question_scores_lower_and_adds_its_meaning_to_the_following_message(memory: Memory):
    chat = memory.space("alice").conversation("c")
    chat.add("assistant", "Where does your sister live?", id="asks")
    chat.add("user", "In Trondheim, near the cathedral", id="answers")
    for number in range(5):
        chat.add("user", f"Invoice {number} is paid")
    memory.flush()
    hits = memory.space("alice").recall("the town where the sister lives")
    assert (by_id(hits, "asks").score.statement, by_id(hits, "answers").score.statement) == (0.0, 1.0)
    assert hits[0].id in {"asks", "answers"}
    assert "answers" in ids(hits)[:2]
    assert by_id(hits, "answers").sources[-1] == "neighbours"


def test_duplicate_messages_are_one_hit(memory: Memory):
    chat = memory.space("alice").conversation("c")
    text = "The ferry to the island leaves the northern harbour every morning at seven from pier nine"
    for again in (text, f"{text}!", text.upper(), f"So, {text}"):
        chat.add("user", again)
    chat.add("user", "The ferry was late today", id="late")
    memory.flush()
    hits = memory.space("alice").recall("ferry to the island", explain=True)
    assert len(hits) == 2
    assert "late" in ids(hits)
    assert hits.explanation.duplicates == 3


@pytest.mark.req("D1")
def test_a_widened_search_ranks_the_conversation_first_without_duplicates(memory: Memory):
    alice = memory.space("alice")
    for number in range(6):
        alice.conversation("old").add("user", f"A heron, a grey heron, heron number {number}")
    here = alice.conversation("here")
    here.add("user", "Some bird or other, perhaps a heron", id="near")
    memory.flush()
    wide = here.recall("grey heron number 3", 5)
    assert wide[0].id == "near"
    assert len(set(ids(wide))) == len(wide) == 5
    assert ids(here.recall("heron", 1)) == ["near"]
    assert ids(alice.recall("heron", 20, conversation="here")) == ["near"]


def test_two_stores_with_the_same_messages_give_the_same_order(open_memory, clock):
    words = [f"{bird} {verb} by the {place}" for bird in ("heron", "stork") for verb in ("stood", "flew")
             for place in ("weir", "mill", "quay")]  # fmt: skip
    answers = []
    for store in (None, ":memory:"):
        memory = open_memory(store, clock=clock)
        for number, text in enumerate(words):
            memory.conversation(f"c{number % 2}").add("user", text, id=f"m{number}", at=clock.now)
        memory.flush()
        hits = memory.space("default").recall("which stork flew by the mill?", 12)
        assert hits == memory.space("default").recall("which stork flew by the mill?", 12)
        answers.append([(hit.id, hit.score) for hit in hits])
    assert answers[0] == answers[1]


@pytest.mark.req("D1")
def test_a_message_of_another_process_is_found_immediately(open_memory, path):
    memory = open_memory(embedder="none")
    memory.conversation("c").add("user", "The heron stood by the weir", id="mine")
    assert ids(memory.space("default").recall("heron")) == ["mine"]
    code = (
        "import sys; from aforesaid import Memory\n"
        "with Memory(sys.argv[1], worker=False, embedder='none') as memory:\n"
        "    memory.conversation('c').add('user', 'Another heron flew', id='theirs')"
    )
    subprocess.run([sys.executable, "-c", code, path], check=True)
    assert set(ids(memory.space("default").recall("heron"))) == {"mine", "theirs"}


@pytest.mark.req("D1", "D11")
def test_a_message_without_a_vector_is_not_penalized(memory):
    chat = memory.space("alice").conversation("c")
    chat.add("user", "We could visit the lighthouse some day", id="old")
    memory.flush()
    memory.space("alice").conversation("d").add("user", "The lighthouse keeper is called Balthasar", id="new")
    assert memory.space("alice").recall("who is the lighthouse keeper?")[0].id == "new"


def test_a_pin_is_embedded_once(open_memory):
    asked: list[str] = []

    class Counting(Planes):
        def embed(self, texts):
            asked.extend(texts)
            return super().embed(texts)

    memory = open_memory(embedder=Counting())
    chat = memory.space("alice").conversation("c")
    chat.add("user", "heron")
    chat.pin("A pin about a heron")
    memory.flush()
    for _ in range(3):
        memory.space("alice").recall("heron")
    assert asked.count("A pin about a heron") == 1


class ByLength:
    """A reranker that prefers long texts."""

    name = "by-length"

    def rerank(self, request):
        return [min(1.0, len(text) / 100) for text in request.texts]


class Refuses:
    name = "refuses"

    def rerank(self, _):
        raise ProviderError("the model is gone")


class TwoNumbers:
    name = "two-numbers"

    def rerank(self, _):
        return [0.5, 2.0]


@pytest.fixture
def ranked(open_memory):
    """Opens a store with a reranker, and returns its space with three messages of rising length."""

    def open_with(reranker):
        memory = open_memory(reranker=reranker)
        chat = memory.space("alice").conversation("c")
        for number in range(1, 4):
            chat.add("user", "The heron stood" + " by the weir" * number, id=str(number))
        memory.flush()
        return memory.space("alice")

    return open_with


@pytest.mark.req("X33")
def test_a_reranker_of_the_caller_determines_order_and_relevance(ranked):
    hits = ranked(ByLength()).recall("heron")
    assert ids(hits) == ["3", "2", "1"]
    assert [hit.score.relevance for hit in hits] == [len(hit.text) / 100 for hit in hits]


@pytest.mark.req("X33")
def test_hits_below_the_least_score_are_left_out(ranked):
    alice = ranked(ByLength())
    least = alice.recall("heron")[1].score.relevance
    assert ids(alice.recall("heron", min_score=least)) == ["3", "2"]
    assert ids(alice.recall("heron", min_score=1.0)) == []
    with pytest.raises(InvalidInput, match="min_score"):
        alice.recall("heron", min_score=1.5)


@pytest.mark.parametrize(("reranker", "reason"), [(Refuses(), "the model is gone"), (TwoNumbers(), "3 numbers")])
def test_a_reranker_that_fails_leaves_the_order_of_the_totals(ranked, reranker, reason):
    hits = ranked(reranker).recall("heron")
    assert hits.degraded == ("reranker",)
    assert reason in hits.warnings[0]
    totals = [hit.score.total for hit in hits]
    assert len(totals) == 3
    assert totals == sorted(totals, reverse=True)


@pytest.mark.req("D3", "D7")
def test_weights_of_the_caller_are_used_in_place_of_the_reranker(ranked):
    alice = ranked(ByLength())
    alice.set("fusion", "weighted")
    weighted = alice.recall("heron")
    alice.unset("fusion")
    alice.set("weight_dense", 0.61)
    for hits in (weighted, alice.recall("heron")):
        totals = [hit.score.total for hit in hits]
        assert totals == sorted(totals, reverse=True)
        assert [hit.score.relevance for hit in hits] != [len(hit.text) / 100 for hit in hits]


@pytest.mark.req("X33")
def test_a_context_of_a_small_space_leaves_out_what_is_no_better_than_chance(memory):
    garden = memory.space("alice").conversation("garden")
    garden.add("user", "The tomatoes go along the south wall.")
    memory.flush()
    now = memory.space("alice").conversation("now")
    assert [quote.text for quote in now.context("Where do the tomatoes go?").recalled] == [
        "The tomatoes go along the south wall."
    ]
    for question in ("hi", "Thanks!", "What is the capital of France?"):
        assert now.context(question).recalled == ()


@pytest.mark.req("X33", "D11")
def test_before_the_vectors_exist_a_context_shows_what_shares_words_with_the_question(open_memory):
    memory = open_memory(worker=False)
    space = memory.space("alice")
    space.conversation("old").add("user", "I like trains better than planes.")
    for question, expected in (
        ("Should I take the train or a plane to Porto?", ["I like trains better than planes."]),
        ("hi", []),
    ):
        chat = space.conversation(question)
        chat.add("user", question)
        assert [quote.text for quote in chat.context().recalled] == expected
        chat.delete()


@pytest.mark.req("X33", "D11")
def test_while_a_vector_is_missing_a_context_shows_nothing_that_shares_no_words_with_the_question(open_memory):
    memory = open_memory(worker=False)
    space = memory.space("ada")
    space.conversation("garden").add("user", "The tomatoes go along the south wall.")
    memory.flush()
    space.conversation("trip").add("user", "Which ferry do you mean?")  # without a vector
    chat = space.conversation("new")
    for question, expected in (("The early one.", []), ("Where do the tomatoes go?", ["garden"])):
        chat.add("user", question)
        assert [quote.conversation for quote in chat.context().recalled] == expected
