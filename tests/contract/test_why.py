"""Tests on every store why a message is in a context, or what kept it out."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from aforesaid import InvalidInput, Memory, Message, NotFound, Recipe, Why

START = datetime(2026, 2, 1, 9, 30, tzinfo=UTC)
TOWNS = ("Ghent", "Graz", "Turin", "Porto", "Bergen", "Lyon", "Malmo", "Riga", "Cadiz", "Basel", "Split", "Turku")
QUESTION = "Which town did Marta like?"


def say(memory: Memory, space: str = "ana") -> list[Message]:
    """Stores a diary of 36 messages about towns, and one about an elephant."""
    diary = memory.space(space).conversation("diary")
    texts = [f"In {town} we walked for {hours} hours, and Marta liked {town}." for town in TOWNS for hours in (2, 3, 5)]
    said = diary.add_many(
        {"role": "user", "content": text, "name": "Ana", "at": START + timedelta(hours=at)}
        for at, text in enumerate([*texts, "Zebras quarrel."])
    )
    memory.flush()
    return said


@pytest.mark.req("X31")
def test_a_message_that_is_in_the_context_has_its_section_and_rank(memory: Memory):
    say(memory)
    chat = memory.space("ana").conversation("new")
    stored = chat.add("user", "Good morning")
    ctx = chat.context(QUESTION, max_tokens=500)
    best = ctx.why(ctx.recalled[0].id)
    assert (best.included, best.cause, best.section, best.rank, best.missing) == (True, "included", "recalled", 1, 0)
    assert best.sentence == f"It is in the context: section recalled, rank 1, {best.tokens} tokens."
    here = ctx.why(stored)
    assert (here.included, here.section, here.score) == (True, "history", None)


@pytest.mark.req("X31")
def test_every_message_has_the_cause_rank_and_score_of_a_full_ranking(memory: Memory):
    said = say(memory)
    space = memory.space("ana")
    question = "How many hours did we walk in Graz?"
    ctx = space.conversation("new").context(question, max_tokens=200)
    ranking = list(space.recall(question, 1000, kinds=["message"]))
    places = {hit.id: (place, hit.score) for place, hit in enumerate(ranking, 1)}
    lines = {item.id: item for item in ctx.receipt.items}
    answers = {message.id: ctx.why(message) for message in said}
    for id, why in answers.items():
        line = lines.get(id)
        assert why.included == (line is not None and line.included)
        if why.rank is None:
            assert (why.cause, id in places) == ("not_found", False)
            continue
        place, score = places[id]
        assert (why.rank, why.found) == (place, len(ranking))
        assert [*why.score.to_dict().values()] == pytest.approx([*score.to_dict().values()], abs=0.001)
        if why.cause == "no_room":
            assert (why.tokens, why.missing) == (line.tokens, line.missing)
            assert why.missing > 0
            assert why.last.score.relevance >= why.score.relevance
        elif why.cause == "ranked_low":
            assert (line, why.rank > why.wanted) == (None, True)
    assert {why.cause for why in answers.values()} >= {"included", "no_room", "ranked_low", "weak"}
    assert not any(why.changed for why in answers.values())


@pytest.mark.req("X31")
def test_with_the_tokens_that_are_enough_a_message_is_in_the_context(memory: Memory):
    said = say(memory)
    chat = memory.space("ana").conversation("new")
    question = "How many hours did we walk in Graz?"
    ctx = chat.context(question, max_tokens=200)
    answers = [ctx.why(message) for message in (said[0], said[12], said[36])]
    assert {why.cause for why in answers if why.enough} == {"no_room", "ranked_low"}
    for why in answers:
        if why.enough is None:
            assert why.cause not in ("no_room", "ranked_low")
            continue
        assert f"; with max_tokens={why.enough} it is in the context" in why.sentence
        assert chat.context(question, max_tokens=why.enough).why(why.message).included
        assert not chat.context(question, max_tokens=200 + (why.enough - 200) * 9 // 10).why(why.message).included
    limited = Recipe("limited", "balanced", recalled_tokens=100)
    ctx = chat.context(question, recipe=limited, max_tokens=1000)
    out = next(item.id for item in ctx.receipt.items if item.reason == "does not fit")
    assert ctx.why(out).enough is None
    assert "more tokens do not help" in ctx.why(out).sentence


@pytest.mark.req("X31")
def test_words_that_a_quoted_part_of_a_message_lacks_are_not_in_the_context(memory: Memory):
    walk = " ".join(f"On day {day} we walked past mill {day} to the old weir." for day in range(120))
    space = memory.space("ana")
    diary = space.conversation("diary").add("user", f"The heron is called Balthazar.\n\n{walk}\n\nTheodora dives.")
    memory.flush()
    ctx = space.conversation("new").context("What is the heron called?", max_tokens=900)
    assert ("Balthazar" in ctx.text, "Theodora" in ctx.text) == (True, False)
    part = ctx.why("Theodora dives.")
    assert (part.included, part.cause, part.message) == (True, "cut", diary)
    assert part.sentence.startswith("The message is in the context, but not with these words: section recalled, rank 1")
    assert "a part of the message" in part.sentence
    assert [ctx.why(asked).cause for asked in (diary, "the heron is called balthazar")] == ["included", "included"]


@pytest.mark.req("X31")
def test_words_of_a_message_find_it(memory: Memory):
    said = say(memory)
    space = memory.space("ana")
    ctx = space.conversation("new").context(QUESTION, max_tokens=400)
    inside = said[4].text[4:40]  # begins within a word
    for words in (
        said[4].text,
        inside,
        "we walked for 3 hours, and marta liked GRAZ",
        "In Graz we walked three, 3 hours",
    ):
        why = ctx.why(words)
        assert (why.message, why.matches) == (said[4], 1), words
    every = ctx.why("we walked for 3 hours")
    assert (every.matches, every.message) == (12, said[34])
    unknown = ctx.why("a sentence that nobody has said")
    assert (unknown.cause, unknown.message, unknown.matches) == ("unknown", None, 0)
    assert unknown.sentence.startswith("No message has this id or these words")
    with pytest.raises(InvalidInput):
        ctx.why(" ")


@pytest.mark.req("X31")
def test_a_message_without_shared_words_was_never_found(memory: Memory):
    said = say(memory)
    why = memory.space("ana").conversation("new").context("12345?", max_tokens=400).why(said[-1])
    assert (why.included, why.shared) == (False, ())
    assert why.similarity is not None
    if why.rank is None:
        assert why.sentence == f"It was never found: no shared words, similarity {why.similarity:.2f}."


@pytest.mark.req("X31")
def test_a_stored_receipt_is_explained_later_and_says_what_has_changed(memory: Memory):
    say(memory)
    space = memory.space("ana")
    chat = space.conversation("new")
    chat.add("user", QUESTION)
    ctx = chat.context(max_tokens=80)
    left_out = next(item.id for item in ctx.receipt.items if item.reason == "does not fit")
    before = space.why(ctx.receipt.id, left_out)
    assert before == ctx.why(left_out) == memory.why(ctx.receipt.id, left_out)
    assert (before.changed, before.cause) == (False, "no_room")
    chat.add("assistant", "She liked all of them.")
    later = chat.add("user", "Marta liked Ghent most of all the towns.", at=ctx.receipt.at + timedelta(days=1))
    memory.flush()
    after = space.why(ctx.receipt.id, left_out)
    assert (after.changed, after.cause, after.tokens, after.score) == (True, "no_room", before.tokens, before.score)
    assert "the store has changed since" in after.sentence
    assert space.why(ctx.receipt.id, later).cause == "later"
    space.forget(message=left_out)
    with pytest.raises(NotFound):  # the receipts that name a forgotten message are erased with it
        space.why(ctx.receipt.id, left_out)


@pytest.mark.req("X31")
def test_what_a_search_leaves_out_has_its_own_cause(memory: Memory):
    said = say(memory)
    space = memory.space("ana")
    hidden = space.conversation("hidden")
    secret = hidden.add("user", "Marta liked the town of Bath in secret.")
    hidden.mute()
    other = memory.space("team").conversation("c").add("user", "Marta liked the town of Oslo.")
    work = space.conversation("work").add("user", "Marta liked the town of York.", metadata={"topic": "work"})
    memory.flush()
    chat = space.conversation("new")
    chat.add("user", "hello")
    rules = space.conversation("rules").add("system", "Say which town Marta likes.")
    causes = {
        "not_searchable": chat.context(QUESTION).why(rules),
        "muted": chat.context(QUESTION).why(secret),
        "other_space": chat.context(QUESTION).why(other),
        "filtered": chat.context(QUESTION, filter={"topic": "work"}).why(said[0]),
        "not_searched": chat.context(QUESTION, recipe="window").why(said[0]),
        "no_question": space.conversation("empty").context().why(said[0]),
    }
    assert {name: why.cause for name, why in causes.items()} == {name: name for name in causes}
    assert chat.context(QUESTION, filter={"topic": "work"}).why(work).included
    assert chat.context(QUESTION, spaces=["team"]).why(other).included
    assert chat.context(QUESTION, spaces=["team"]).why(other.id, message_space="team").included


@pytest.mark.req("X31")
def test_a_message_of_another_branch_is_named(memory: Memory):
    chat = memory.space("ana").conversation("talk")
    first = chat.add("user", "We plan a trip.")
    chat.fork(first, id="left")
    apart = memory.space("ana").conversation("left").add("user", "The heron nests by the weir.")
    chat.add("user", "Something else.")
    memory.flush()
    why = chat.context("Where does the heron nest?").why(apart)
    assert (why.included, why.cause) == (False, "branch")


@pytest.mark.req("X31")
def test_a_message_without_a_vector_names_its_job(memory: Memory):
    say(memory)
    space = memory.space("ana")
    late = space.conversation("late").add("user", "Oboes hum.")
    why = space.conversation("new").context("12345?", max_tokens=400).why(late)
    assert (why.cause, why.job, why.similarity) == ("not_indexed", "queued", None)
    assert "the job that makes it is queued" in why.sentence


@pytest.mark.req("X31")
def test_a_search_that_stays_in_the_conversation_says_so(memory: Memory):
    space = memory.space("ana")
    apart = space.conversation("work").add("user", "The heron of the office is made of brass.")
    chat = space.conversation("talk")
    chat.add_many({"role": "user", "content": f"Heron {n} nests by the old weir near mill {n}."} for n in range(30))
    chat.add_many({"role": "user", "content": f"Lunch {n} was soup."} for n in range(40))
    memory.flush()
    why = chat.context("Where does heron 3 nest?", recipe="retrieval").why(apart)
    assert (why.included, why.cause) == (False, "elsewhere")


@pytest.mark.req("X31")
def test_a_message_that_the_caller_sends_or_that_has_expired_is_named(memory: Memory):
    said = say(memory)
    chat = memory.space("ana").conversation("new")
    sent = chat.add("user", "Marta liked Ghent.")
    brief = chat.add("user", "Marta liked Gent.", expires="1h")
    memory.flush()
    ctx = chat.context(QUESTION, since=0)
    assert (ctx.why(sent).cause, ctx.why(said[0]).cause != "sent") == ("sent", True)
    assert ctx.why(brief).cause == "sent"


@pytest.mark.req("X31")
def test_an_expired_message_is_said_to_have_expired(open_memory, clock):
    memory = open_memory(clock=clock)
    chat = memory.space("ana").conversation("new")
    brief = chat.add("user", "Marta liked Ghent.", expires="1h")
    memory.flush()
    clock.forward(hours=2)
    ctx = chat.context("What did Marta like?")
    assert (ctx.why(brief).cause, ctx.why(brief.text).cause) == ("expired", "unknown")


@pytest.mark.req("X31")
def test_near_duplicates_and_facts_stand_for_a_message(memory: Memory):
    space = memory.space("ana")
    diary = space.conversation("diary")
    words = "The blue heron nests below the old stone weir every single spring"
    first, second = diary.add("user", words + "."), diary.add("user", words + "!")
    memory.flush()
    answers = [space.conversation("new").context("Where does the heron nest?").why(one) for one in (first, second)]
    shown, repeated = sorted(answers, key=lambda why: not why.included)
    assert (shown.included, repeated.cause, repeated.other.id) == (True, "duplicate", shown.message.id)
    assert shown.message.id in repeated.sentence


@pytest.mark.req("X31")
def test_a_receipt_lists_its_items_with_their_words(memory: Memory):
    say(memory)
    space = memory.space("ana")
    chat = space.conversation("new")
    stored = chat.add("user", "My key is sk-proj-abcdefghijklmnopqrstuvwxyz123456")
    pin = chat.pin("Budget: 900 €")
    fact = space.remember("Marta likes the town of Bath.")
    ctx = chat.context(QUESTION, max_tokens=600)
    entries = space.receipt_items(ctx.receipt.id)
    assert [entry.item for entry in entries] == list(ctx.receipt.items)
    assert all(entry.text for entry in entries)
    by_id = {entry.item.id: entry for entry in entries}
    assert by_id[pin.id].text == "Budget: 900 €"
    assert "sk-proj" not in by_id[stored.id].text
    assert (by_id[fact.id].text, by_id["query"].text) == ("Marta likes the town of Bath.", QUESTION)
    quote = ctx.recalled[-1]
    entry = by_id[quote.id]
    assert (entry.speaker, entry.conversation, entry.at) == ("Ana", "diary", quote.at)


@pytest.mark.req("X31")
def test_a_score_below_the_recipes_threshold_is_weak(memory: Memory):
    said = say(memory)
    recipe = Recipe("strict", "balanced", threshold=10.0)
    why = memory.space("ana").conversation("new").context(QUESTION, recipe=recipe).why(said[0])
    assert (why.included, why.cause) == (False, "weak")


@pytest.mark.req("X31")
def test_an_answer_is_a_value(memory: Memory):
    said = say(memory)
    why = memory.space("ana").conversation("new").context(QUESTION, max_tokens=400).why(said[0])
    assert Why.from_dict(why.to_dict()) == why
