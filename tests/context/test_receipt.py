"""Tests the content, serialization, comparison and HTML page of receipts."""

from __future__ import annotations

from dataclasses import replace
from html.parser import HTMLParser

import pytest
from hypothesis import HealthCheck, given, settings
from tests.context.test_budget import calls
from tests.context.world import context, hit, material, message, pin, turns

from aforesaid import BudgetExceeded, Receipt
from aforesaid.context.receipt import compare
from aforesaid.context.stored_receipt import from_stored, to_stored
from aforesaid.models.retrieval import StoredReceipt


@pytest.fixture
def ctx():
    hits = [hit(seq, f"memory {seq} " * (seq + 1), 0.9 - seq / 10) for seq in range(8)]
    read = material([*turns(8), message(16, "user", "now <b>this</b>")], pins=[pin(1, "Budget 900 €")], hits=hits)
    return context(read, system="You plan.", max_tokens=260)


@pytest.mark.req("X1")
def test_every_item_has_its_source_tokens_and_reason(ctx):
    first = next(item for item in ctx.receipt.items if item.section == "recalled" and item.included)
    assert (first.kind, first.id, first.source_message_id) == ("message", "old-0", "old-0")
    assert first.score is not None
    assert (first.score.total, first.sources, first.reason) == (0.9, ("dense", "lexical"), "rank 1")
    assert first.tokens > 0
    assert all(item.reason for item in ctx.receipt.items)
    assert {item.section for item in ctx.receipt.items if item.included} == {s.name for s in ctx.sections}
    assert ctx.receipt.sections == {section.name: section.tokens for section in ctx.sections}


@pytest.mark.req("X1")
@settings(max_examples=100, deadline=None, suppress_health_check=list(HealthCheck))
@given(calls())
def test_a_receipt_round_trips_through_json_and_a_context_is_deterministic(made):
    read, asked = made
    try:
        one, other = context(read, **asked), context(read, **asked)
    except BudgetExceeded:
        return
    assert one == other
    assert Receipt.from_json(one.receipt.to_json()) == one.receipt
    parse(one.receipt.to_html())


@pytest.mark.req("X1")
def test_comparing_receipts_gives_added_removed_and_changed_items(ctx):
    items = ctx.receipt.items
    changed = replace(items[-1], reason="another")
    after = replace(ctx.receipt, items=(replace(items[0], id="new"), *items[1:-1], changed), digest="x")
    replay = compare(ctx.receipt, after)
    assert not replay.same
    assert [item.id for item in replay.added] == ["new"]
    assert replay.removed == (items[0],)
    assert replay.changed == ((items[-1], changed),)
    assert compare(ctx.receipt, ctx.receipt).same


@pytest.mark.req("X1")
def test_the_html_page_is_well_formed_escaped_and_self_contained(ctx):
    html = ctx.receipt.to_html()
    tags, text = parse(html)
    assert "now <b>this</b>" in text
    assert "b" not in {tag for tag, attributes in tags if attributes}
    assert not [value for _, attributes in tags for name, value in attributes if name in ("src", "href")]
    assert "script" not in {tag for tag, _ in tags}
    assert "prefers-color-scheme: dark" in html
    for words in ("Recalled", "Left out", "does not fit", "rank 1", "sha256"):
        assert words in html


def test_the_table_has_a_row_for_each_item(ctx):
    rows = ctx.receipt.table()
    assert len(rows) == len(ctx.receipt.items)
    assert rows[0] == ("system", "in", "text", "3", "", "system", "given")


def parse(html: str) -> tuple[list[tuple[str, list[tuple[str, str | None]]]], str]:
    """Returns the tags in order and the text, and checks that tags are closed."""
    tags, texts, stack = [], [], []

    class Reader(HTMLParser):
        def handle_starttag(self, tag, attributes):
            tags.append((tag, attributes))
            if tag not in ("meta", "br"):
                stack.append(tag)

        def handle_endtag(self, tag):
            assert stack.pop() == tag

        def handle_data(self, data):
            texts.append(data)

    Reader().feed(html)
    assert stack == []
    return tags, "".join(texts)


@pytest.mark.req("X1")
@settings(max_examples=100, deadline=None, suppress_health_check=list(HealthCheck))
@given(calls())
def test_a_receipt_is_read_back_from_its_stored_form(made):
    read, asked = made
    try:
        receipt = context(read, **asked).receipt
    except BudgetExceeded:
        return
    assert from_stored(to_stored(receipt)) == receipt


def test_a_receipt_that_an_older_version_has_stored_as_json_is_read(ctx):
    receipt = ctx.receipt
    stored = StoredReceipt(receipt.id, receipt.space, receipt.conversation, receipt.at, receipt.to_json())
    assert from_stored(stored) == receipt


def test_a_stored_receipt_leaves_out_messages_that_are_gone(ctx):
    stored = to_stored(ctx.receipt)
    gone = stored.messages[0]
    kept = tuple("" if id == gone else id for id in stored.messages)
    items = [item for item in ctx.receipt.items if item.id != gone]
    assert list(from_stored(replace(stored, messages=kept)).items) == items


def test_a_stored_receipt_names_its_messages_apart_and_has_no_text_of_theirs_packed(ctx):
    stored = to_stored(ctx.receipt)
    assert set(stored.messages) == {item.id for item in ctx.receipt.items if item.kind == "message"}
    assert not any(id in stored.body for id in stored.messages if id.startswith("old"))
    assert '"kind":"pin"' in stored.body


def test_a_receipt_of_a_hundred_items_is_stored_in_2_kb():
    hits = [hit(seq, f"memory {seq} of some trip", 0.9 - seq / 100) for seq in range(60)]
    receipt = context(material(turns(25), "which trip?", hits=hits), "which trip?", max_tokens=1500).receipt
    stored = to_stored(receipt)
    assert len(receipt.items) > 100
    assert len(stored.body) + len(stored.items) + 4 * len(stored.messages) < 2000
