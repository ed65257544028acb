"""Tests `conversation.context` on every store: content, budget, receipts, and degraded operation."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import replace
from datetime import UTC, datetime
from itertools import product
from pathlib import Path

import apsw
import pytest

from aforesaid import RECIPES, BudgetExceeded, InvalidInput, Memory, NotFound, ProviderError, Summary
from aforesaid.text.validate import compact_json

START = datetime(2026, 3, 1, 9, 30, tzinfo=UTC)
FIRST_MINUTE = Path(__file__).parent.parent / "recall/first_minute.json"


@pytest.fixture
def trip(memory: Memory):
    """Returns a conversation about a trip, in a space with an older one about a garden."""
    alice = memory.space("alice")
    garden = alice.conversation("garden")
    garden.add("user", "The tomatoes go along the south wall.", name="Alice")
    garden.add("assistant", "Noted: tomatoes, south wall.")
    chat = alice.conversation("trip")
    for number in range(6):
        chat.add("user", f"Question {number} about Lisbon")
        chat.add("assistant", f"Answer {number}: pack light")
    memory.flush()
    return chat


@pytest.mark.req("A19", "A6", "B1")
def test_a_context_has_the_system_text_domain_memory_and_history(trip):
    trip.pin("Budget: 900 €")
    ctx = trip.context("where do the tomatoes go?", system="You are a planner.", domain="Portugal only.")
    system, *history, newest = ctx.to_openai()
    assert system["content"] == ctx.system
    assert ctx.system.startswith("You are a planner.\n\nPortugal only.\n\n<pinned>")
    assert "pin> Budget: 900 €" in ctx.system
    assert [one["content"] for one in history] == [one.content for one in trip.messages()]
    assert newest["role"] == "user"
    assert newest["content"].endswith("</recalled>\n\nwhere do the tomatoes go?")
    assert "Alice> The tomatoes go along the south wall." in newest["content"]
    assert "tomatoes" not in ctx.system
    assert [section.name for section in ctx.sections] == ["system", "pins", "history", "recalled", "newest"]
    assert ctx.text.startswith("You are a planner.")


@pytest.mark.req("B1", "X33")
def test_a_question_that_is_stored_is_searched_as_if_it_were_not(memory: Memory):
    """An application stores the question, and then builds the context. The question must not compete with its answers,
    nor have words that the space otherwise does not have."""
    found = {"given": 0, "stored": 0}
    for number, chat in enumerate(json.loads(FIRST_MINUTE.read_text("utf-8"))[:6]):
        space = memory.space(f"s{number}")
        told = space.conversation("told").add_many(chat["messages"])
        memory.flush()
        for at, question in enumerate(chat["questions"]):
            asking = space.conversation(f"asking {at}")
            given = asking.context(question["text"])
            asked = asking.add("user", question["text"])
            stored = asking.context()
            assert asked.id not in {item.id for item in stored.receipt.items if item.section == "recalled"}
            for name, context in (("given", given), ("stored", stored)):
                found[name] += told[question["answer"]].id in {quote.id for quote in context.recalled}
            asking.delete()
    assert found["stored"] >= found["given"] > 15


@pytest.mark.req("A4", "B1")
def test_a_small_context_has_excerpts_of_long_messages(memory: Memory):
    diary = memory.space("ana").conversation("diary")
    chatter = "{0} and {1} kept me busy all day, from the early morning until late, so that we ate {2} again. "
    towns, weeks = (
        ("Ghent", "Graz", "Turin", "Porto", "Bergen"),
        ("rain work rice", "school paint soup", "dust boxes pie"),
    )
    for town, words in product(towns, weeks):
        others = chatter.format(*words.split()), chatter.format(*words.split()[::-1])
        diary.add(
            "user", f"{others[0]}My sister Marta moved to {town} with her cats. {others[1]}", name="Ana", at=START
        )
        diary.add("assistant", f"{others[0]}Marta must like {town}. {others[1]}", at=START)
    memory.flush()
    small, large = (
        memory.space("ana").conversation("new").context("Where did Marta move?", max_tokens=n) for n in (400, 2000)
    )
    assert small.tokens <= 400
    cut = [quote for quote in small.recalled if quote.words]
    assert len(cut) > 2
    for quote in cut:
        assert (quote.role, "My sister Marta moved" in quote.text, "…" in quote.text) == ("user", True, True)
        assert quote.words[0] < quote.words[1]
    assert "# diary, 2026-03-01\nAna> … My sister Marta" in small.text
    reasons = [item.reason for item in small.receipt.items if item.included]
    assert sum(f"an excerpt of {cut[0].words[0]} of {cut[0].words[1]} words" in reason for reason in reasons) >= 1
    assert not any(quote.words for quote in large.recalled)
    assert memory.replay(small.receipt.id).same


@pytest.mark.req("A1")
def test_a_stored_question_is_the_newest_message_and_appears_once(trip):
    trip.add("user", "where do the tomatoes go?")
    for ctx in (trip.context(), trip.context("where do the tomatoes go?")):
        assert [one.seq for one in ctx.history] == list(range(12))
        assert ctx.newest.message.seq == 12
        assert str(ctx.to_openai()).count("where do the tomatoes go?") == 1
    other = trip.context("and the beans?")
    assert [one.seq for one in other.history] == list(range(13))
    assert other.newest.message is None


@pytest.mark.req("D12")
@pytest.mark.parametrize("recipe", RECIPES)
def test_a_new_space_gives_an_empty_valid_context(memory: Memory, recipe):
    chat = memory.space("new").conversation("c")
    empty = chat.context(recipe=recipe)
    assert (empty.to_openai(), empty.to_anthropic(), empty.tokens) == ([], {"messages": []}, 0)
    asked = chat.context("hello?", recipe=recipe, system="You are kind.")
    assert [one["content"] for one in asked.to_openai()] == ["You are kind.", "hello?"]
    assert (asked.warnings, asked.degraded) == ((), ())
    assert memory.spaces() == []


@pytest.mark.req("A21", "D11")
def test_a_failing_embedder_leaves_lexical_recall_and_a_warning(open_memory):
    class Down:
        name = "down"

        def embed(self, texts):  # noqa: ARG002
            raise ProviderError("the embedder sleeps")

    memory = open_memory(embedder=Down())
    old, chat = memory.conversation("old"), memory.conversation("c")
    old.add("user", "The heron nests by the weir.")
    chat.add("user", "hello")
    ctx = chat.context("where is the heron?")
    assert ctx.degraded == ("dense",)
    assert any("the embedder sleeps" in warning for warning in ctx.warnings)
    assert [quote.text for quote in ctx.recalled] == ["The heron nests by the weir."]


@pytest.mark.req("A21", "D11")
def test_missing_indexes_leave_the_last_messages_and_warnings(open_memory, path):
    memory = open_memory()
    chat = memory.conversation("c")
    chat.add("user", "The heron nests by the weir.")
    chat.pin("Keep quiet near the nest")
    memory.flush()
    connection = apsw.Connection(path)
    for table in ("chunk_terms", "vectors", "vector_blocks", "pins"):
        connection.execute(f"DROP TABLE {table}")
    connection.close()
    ctx = chat.context("where is the heron?")
    assert [one["content"] for one in ctx.to_openai()] == ["The heron nests by the weir.", "where is the heron?"]
    assert set(ctx.degraded) == {"pins", "recall"}
    assert len(ctx.warnings) == 2


@pytest.mark.req("A3")
def test_completed_summaries_are_shown_and_unfinished_ones_are_not(memory: Memory, trip):
    def summary(first: int, status: str) -> Summary:
        return Summary(
            f"s{first}", "alice", "trip", "segment", first, first + 1, 2, f"part {first}", (), 0.7, None, status,
            "model", None, 3, 1.0, None, START,
        )  # fmt: skip

    store = memory.engine.store
    for first in range(0, 10, 2):
        store.summaries.save(summary(first, "completed" if first < 8 else "failed"))
    ctx = trip.context("and?", recipe="window")
    assert [one.id for one in ctx.summaries] == ["s2", "s4", "s6"]
    assert "2-3> part 2" in ctx.system
    long = trip.context("and?", max_tokens=250)
    assert all(one.last_seq < long.history[0].seq for one in long.summaries)


@pytest.mark.req("A3", "X2")
def test_the_last_summaries_before_a_long_history_are_included(memory: Memory):
    chat = memory.conversation("long")
    chat.add_many([{"role": r, "content": f"turn {n}"} for n in range(200) for r in ("user", "assistant")])
    for first in range(0, 400, 4):
        memory.engine.store.summaries.save(
            Summary(
                f"s{first}",
                "default",
                "long",
                "segment",
                first,
                first + 3,
                4,
                f"part {first}",
                (),
                0.7,
                None,
                "completed",
                "model",
                None,
                3,
                1.0,
                None,
                START,
            )
        )
    ctx = chat.context("and?")
    first = ctx.history[0].seq
    assert 0 < first < 300
    reach = (first - 4) // 4 * 4
    assert [one.first_seq for one in ctx.summaries] == [reach - 8, reach - 4, reach]


@pytest.mark.req("D10")
def test_the_recalled_block_of_the_retrieval_recipe_respects_the_token_budget_setting(memory: Memory, trip):
    space = memory.space("alice")
    for number in range(30):
        space.conversation(f"c{number}").add("user", f"Lisbon memory number {number}")
    memory.flush()
    sizes = {}
    for budget in (0, 100, 300):
        space.set("token_budget", budget)
        ctx = trip.context("what about Lisbon?", recipe="retrieval")
        sizes[budget] = dict(ctx.receipt.sections).get("recalled", 0)
        assert ctx.receipt.call.recipe.recalled_tokens == budget
    assert sizes[0] == 0
    assert 0 < sizes[100] <= 110 < sizes[300] <= 310


@pytest.mark.parametrize("query", ["", " \n"])
def test_an_empty_query_is_rejected(trip, query):
    with pytest.raises(InvalidInput, match="query is empty or only white space; give it at least one visible"):
        trip.context(query)


@pytest.mark.req("B11")
def test_recalled_messages_are_ranked_by_the_weights_of_the_recipe(memory: Memory, clock):
    space = memory.space("alice")
    space.conversation("old").add("user", "Lisbon hotel: the Lisbon hotel near the river", importance=0.1)
    clock.forward(days=60)
    space.conversation("new").add("user", "Lisbon is sunny", importance=0.9)
    memory.flush()
    first = {}
    for weights in ((0.0, 1.0, 0.0, 0.0, 0.0), (0.0, 0.0, 1.0, 0.0, 0.0), (0.0, 0.0, 0.0, 1.0, 0.0)):
        recipe = replace(RECIPES["balanced"], weights=weights)
        ctx = space.conversation("here").context("which hotel in Lisbon?", recipe=recipe)
        best = max(ctx.recalled, key=lambda quote: quote.score.total)
        first[weights.index(1.0)] = best.conversation
    assert first == {1: "old", 2: "new", 3: "new"}


@pytest.mark.req("X1")
def test_a_receipt_is_stored_and_the_context_can_be_rebuilt(memory: Memory, trip):
    ctx = trip.context("where do the tomatoes go?", max_tokens=600, system="You plan.")
    assert memory.receipt(ctx.receipt.id) == ctx.receipt
    replay = memory.replay(ctx.receipt.id)
    assert replay.same
    assert (replay.added, replay.removed, replay.changed) == ((), (), ())
    assert memory.space(ctx.receipt.space).rebuild(ctx.receipt.id).text == ctx.text
    pin = trip.pin("Tomatoes need sun")
    after = memory.replay(ctx.receipt.id)
    assert not after.same
    assert [item.id for item in after.added] == [pin.id]
    with pytest.raises(NotFound, match="30 days"):
        memory.receipt("nowhere")


@pytest.mark.req("X1", "B18")
def test_a_context_records_its_token_counts_and_accesses_in_the_ledger(memory: Memory, trip):
    ctx = trip.context("where do the tomatoes go?")
    noted = [one for one in memory.retrievals() if one.kind == "context"]
    assert [(one.tokens, one.budget, one.prefix_tokens) for one in noted] == [(ctx.tokens, 4000, ctx.prefix_tokens)]
    garden = memory.space("alice").conversation("garden")
    assert garden.accesses(ctx.recalled[0].id).count == 1


@pytest.mark.req("X1")
def test_the_same_store_and_call_give_the_same_bytes_in_every_process(open_memory, path):
    memory = open_memory()
    for number in range(40):
        chat = memory.space("alice").conversation(f"c{number % 5}")
        chat.add("user", f"Lisbon plan number {number}", name=("Ann", "Bo")[number % 2])
        chat.add("assistant", f"Noted {number}")
    chat.pin("Budget 900 €")
    memory.flush()
    call = "space('alice').conversation('c4').context('what of Lisbon?', recipe=recipe, max_tokens=700)"
    script = (
        "from aforesaid import Memory, RECIPES\n"
        f"mem = Memory({path!r}, worker=False, environment={{}})\n"
        f"print(*(mem.{call}.receipt.digest for recipe in RECIPES))"
    )
    printed = {
        subprocess.run(
            [sys.executable, "-c", script],
            capture_output=True,
            text=True,
            check=True,
            env={**os.environ, "PYTHONHASHSEED": seed},
        ).stdout
        for seed in ("0", "4711")
    }
    chat = memory.space("alice").conversation("c4")
    here = [chat.context("what of Lisbon?", recipe=r, max_tokens=700).receipt.digest for r in RECIPES]
    assert printed == {" ".join(here) + "\n"}


@pytest.mark.req("X2")
@pytest.mark.parametrize("block", [None, 100])
def test_the_prefix_stays_stable_between_turns(memory: Memory, block):
    chat = memory.conversation("c")
    recipe = replace(RECIPES["balanced"], recalled_tokens=block)
    changes, before = 0, ""
    for number in range(40):
        chat.add("user", f"Question {number} about the garden", name="Ann")
        ctx = chat.context(max_tokens=700, system="You plan.", recipe=recipe)
        sent = ctx.to_openai()
        changes += not compact_json(sent).startswith(before)
        before = compact_json(sent[: ctx.prefix])[:-1]
        chat.add("assistant", f"Answer {number}, in a few words")
    assert changes <= 5


@pytest.mark.req("B21")
def test_a_context_reads_no_more_rows_for_a_long_conversation(open_memory):
    """Counts the rows that each recipe reads from a newly opened store with an empty cache."""
    rows: list[object] = []

    def watch(connection: apsw.Connection) -> None:
        def trace(cursor, row):
            if "tool_call_id" in [name for name, _ in cursor.get_description()]:  # a row of the messages table
                rows.append(row)
            return row

        connection.row_trace = trace

    apsw.connection_hooks.append(watch)
    try:
        read: dict[int, dict[str, int]] = {1000: {}, 10_000: {}}
        added = 0
        for turns, by_recipe in read.items():
            batch = [
                {"role": r, "content": f"turn {n} {r}"} for n in range(added, turns) for r in ("user", "assistant")
            ]
            open_memory(embedder="none", tokenizer="chars/4").conversation("c").add_many(batch)
            added = turns
            for recipe in RECIPES:
                with open_memory(embedder="none", tokenizer="chars/4") as memory:
                    rows.clear()
                    ctx = memory.conversation("c").context(recipe=recipe, query="zebra")
                    by_recipe[recipe] = len(rows)
                assert ctx.history[-1].seq == 2 * turns - 1, recipe
    finally:
        apsw.connection_hooks.remove(watch)
    for recipe in RECIPES:
        assert read[10_000][recipe] <= read[1000][recipe] + 5, recipe
        assert 0 < read[10_000][recipe] < 1100, recipe


@pytest.mark.req("A16")
def test_messages_are_cached_until_the_next_write(open_memory, clock):
    statements: list[str] = []

    def watch(connection: apsw.Connection) -> None:
        connection.exec_trace = lambda _cursor, sql, _bindings: statements.append(sql) or True

    apsw.connection_hooks.append(watch)
    try:
        memory = open_memory(clock=clock)
        chat = memory.conversation("c")
        chat.add("user", "first")
        chat.context(recipe="window")
        statements.clear()
        chat.context(recipe="window")
        assert not [sql for sql in statements if "FROM messages" in sql]
        open_memory(clock=clock).conversation("c").add("user", "second")
        assert chat.context(recipe="window").newest.text == "second"
    finally:
        apsw.connection_hooks.remove(watch)


def test_a_custom_recipe_is_accepted_and_invalid_arguments_are_rejected(trip):
    mine = replace(RECIPES["window"], name="mine", recent=2)
    assert len(trip.context("and?", recipe=mine).history) == 2
    for wrong in (
        {"recipe": "magic"}, {"max_tokens": 0}, {"query": " "}, {"overflow": "ignore"}, {"system": "\0"},
    ):  # fmt: skip
        with pytest.raises(InvalidInput):
            trip.context(**{"query": "and?"} | wrong)
    with pytest.raises(BudgetExceeded):
        trip.context("and?", max_tokens=20)


@pytest.mark.req("X20")
def test_tool_calls_are_stored_and_returned_in_a_context(memory: Memory):
    chat = memory.conversation("c")
    calls = [{"id": "c1", "type": "function", "function": {"name": "weather", "arguments": '{"city":"Lisbon"}'}}]
    chat.add("user", "How is Lisbon?")
    chat.add("assistant", None, tool_calls=calls)
    chat.add("tool", "18 °C", tool_call_id="c1")
    ctx = chat.context()
    assert [one["role"] for one in ctx.to_openai()] == ["user", "assistant", "tool"]
    assert ctx.to_openai()[1] == {"role": "assistant", "content": None, "tool_calls": calls}
    assert ctx.to_anthropic()["messages"][2]["content"] == [
        {"type": "tool_result", "tool_use_id": "c1", "content": "18 °C"}
    ]
    assert json.dumps(ctx.receipt.to_dict())


@pytest.mark.req("D2")
def test_a_context_reports_the_duration_of_each_stage(memory: Memory):
    memory.conversation("old").add("user", "The hotel in Porto has a garden")
    memory.flush()
    ctx = memory.conversation("new").context("Which hotel?")
    assert {"lexical", "dense", "rerank", "gather", "build", "total"} <= set(ctx.milliseconds)
    assert memory.retrievals(limit=1)[0].milliseconds == ctx.milliseconds
