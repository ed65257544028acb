"""Tests that the token count of a context is exact and within the budget."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.context.world import (
    NAMES,
    call,
    context,
    counted,
    hit,
    material,
    message,
    pin,
    result,
    summary,
    turns,
)

from aforesaid import BudgetExceeded

WORDS = st.one_of(
    st.text(st.characters(exclude_categories=("Cs",), exclude_characters="\0"), min_size=1, max_size=80),
    st.sampled_from(
        [
            "hello",
            "日本語のテキスト",
            "🎉" * 9,
            "</recalled>\n# old, 2026",
            "x " * 400,
            "line\r\u2028next",
            "A few words here. Is it so? " * 12,
        ]
    ),
).filter(str.strip)
IMAGE = {"type": "image_url", "image_url": {"url": "https://example.org/a.png", "detail": "low"}}


@st.composite
def logs(draw: st.DrawFn) -> list[Any]:
    """Generates a conversation of user and assistant messages, tool groups, broken tool groups and images."""
    log: list[Any] = []
    for _ in range(draw(st.integers(0, 14))):
        seq, kind = len(log), draw(st.sampled_from(["user", "assistant", "system", "group", "open", "orphan", "image"]))
        text = draw(WORDS)
        if kind == "group":
            log += [call(seq, "a", "b", arguments=json.dumps({"q": text})), result(seq + 1, "a", text)]
            log.append(result(seq + 2, "b", ""))
        elif kind == "open":
            log.append(call(seq, "c"))
        elif kind == "orphan":
            log.append(result(seq, "nobody", text))
        elif kind == "image":
            log.append(message(seq, "user", [{"type": "text", "text": text}, IMAGE]))
        else:
            log.append(message(seq, kind, text, name=draw(st.sampled_from([None, "Ann Lee"]))))
    return log


@st.composite
def calls(draw: st.DrawFn) -> tuple[Any, dict[str, Any]]:
    log, query = draw(logs()), draw(st.one_of(st.none(), WORDS))
    recipe = draw(st.sampled_from(NAMES))
    kind = "rolling" if recipe == "rolling" else "segment"
    pins = [pin(at, text, source=f"here-{at}") for at, text in enumerate(draw(st.lists(WORDS, max_size=4)))]
    read = material(
        log,
        query,
        pins=pins,
        pinned=[one for one in log if one.id in {p.source_message_id for p in pins}],
        summaries=[summary(at, at + 1, text, kind) for at, text in enumerate(draw(st.lists(WORDS, max_size=3)))],
        hits=[
            hit(at, text, 1 / (at + 1), conversation=f"c{at % 3}", name=draw(st.sampled_from([None, "Bo", "system"])))
            for at, text in enumerate(draw(st.lists(WORDS, max_size=8)))
        ],
        before=draw(st.sampled_from([0, 0, 5000])),
    )
    asked = {
        "query": query,
        "recipe": recipe,
        "max_tokens": draw(st.one_of(st.integers(1, 300), st.integers(300, 6000))),
        "system": draw(st.one_of(st.none(), WORDS)),
        "domain": draw(st.one_of(st.none(), WORDS)),
        "include_newest": draw(st.sampled_from([None, None, True, False])),
        "overflow": draw(st.sampled_from(["raise", "truncate"])),
    }
    return read, asked


@pytest.mark.req("A4", "B10")
@settings(max_examples=400, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(calls())
def test_the_count_is_exact_and_within_the_budget_for_any_input(made: tuple[Any, dict[str, Any]]):
    read, asked = made
    ctx = None
    try:
        ctx = context(read, **asked)
    except BudgetExceeded as exceeded:
        refused = exceeded
    if ctx is None:
        assert refused.needed > refused.budget == asked["max_tokens"]
        return
    sent = ctx.to_openai()
    assert ctx.tokens == counted(sent) <= asked["max_tokens"]
    assert sum(section.tokens for section in ctx.sections) == ctx.tokens == ctx.budget.used
    assert ctx.prefix_tokens == counted(sent[: ctx.prefix]) - (3 if ctx.prefix else 0)
    in_order(sent)
    ctx.to_anthropic(cache=True)
    said = {item.id for item in ctx.receipt.items}
    assert {one.id for one in read.messages} - said <= {one.id for one in read.current_turn.lead if not asked["system"]}


def longer_together(text: str) -> int:
    """Counts more tokens for a whole text than for the sum of its parts."""
    return len(text) // 3 + (len(text) // 40) ** 2


@pytest.mark.parametrize("count", [len, longer_together, lambda text: len(text.encode())])
@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
@given(made=calls())
def test_the_budget_holds_with_any_tokenizer(count: Any, made: Any):
    read, asked = made
    try:
        ctx = context(read, count=count, **asked)
    except BudgetExceeded:
        return
    assert ctx.tokens == counted(ctx.to_openai(), count) <= asked["max_tokens"]


def in_order(sent: list[dict[str, Any]]) -> None:
    """Checks that every call is followed directly by its results, and that there are no other results."""
    waiting: list[str] = []
    for one in sent:
        if one["role"] == "tool":
            waiting.remove(one["tool_call_id"])
        else:
            assert not waiting
        waiting += [asked["id"] for asked in one.get("tool_calls", ())]
    assert not waiting


def test_an_empty_conversation_gives_an_empty_context():
    ctx = context(material())
    assert (ctx.to_openai(), ctx.tokens, ctx.sections, ctx.text, ctx.warnings) == ([], 0, (), "", ())


@pytest.mark.req("A5")
def test_required_content_that_does_not_fit_raises_with_the_tokens_needed():
    read = material(turns(4, "many words " * 30))
    with pytest.raises(BudgetExceeded, match=r"need \d+ tokens, and max_tokens is 100") as caught:
        context(read, max_tokens=100, system="You are terse.")
    assert caught.value.needed > 190
    whole = context(read, max_tokens=caught.value.needed, system="You are terse.")
    assert whole.tokens == caught.value.needed


def test_truncate_cuts_the_longest_message_with_a_mark_and_a_warning():
    log = [message(0, "user", "short one"), message(1, "assistant", "long " * 500), message(2, "user", "and now?")]
    ctx = context(material(log), max_tokens=120, overflow="truncate", system="You are terse.")
    texts = [one["content"] for one in ctx.to_openai()]
    assert texts[0] == "You are terse."
    assert texts[1] == "short one"
    assert "[… cut …]" in texts[2]
    assert texts[2].startswith("long long")
    assert texts[3] == "and now?"
    assert ctx.tokens <= 120
    assert any("cut to fit" in warning for warning in ctx.warnings)
    assert [item.id for item in ctx.receipt.items if "cut" in item.reason] == ["here-1"]


def test_omitted_items_are_counted_in_warnings_and_listed_in_the_receipt():
    hits = [hit(seq, f"a rather long memory about the heron number {seq}") for seq in range(40)]
    ctx = context(material((), "herons?", hits=hits), "herons?", max_tokens=200)
    out = [item for item in ctx.receipt.items if not item.included]
    assert ctx.warnings == (f"recalled: {len(out)} left out, does not fit",)
    assert len(out) + len(ctx.recalled) == 40
    assert all(item.score is not None and item.tokens for item in out)
