"""Tests that tool calls and their results stay together and in order, or are omitted."""

from __future__ import annotations

import pytest
from tests.context.world import call, context, material, message, result

from aforesaid.context.receipt import NO_CALL, NO_RESULT, ODD_CALL
from aforesaid.context.stable_history import group_messages


@pytest.mark.req("X20")
def test_a_call_and_its_results_are_one_group():
    log = [message(0), call(1, "a", "b"), result(2, "b"), result(3, "a"), message(4, "assistant")]
    groups, invalid_messages = group_messages(log)
    assert [len(one.messages) for one in groups] == [1, 3, 1]
    assert invalid_messages == ()


@pytest.mark.req("X20")
@pytest.mark.parametrize(
    ("log", "left", "reason"),
    [
        ([call(0, "a", "b"), result(1, "a")], [0, 1], NO_RESULT),
        ([call(0, "a"), message(1), result(2, "a")], [0, 2], NO_RESULT),
        ([result(0, "a"), message(1)], [0], NO_CALL),
        ([call(0, "a"), result(1, "a"), result(2, "a")], [2], NO_CALL),
        ([message(0, "assistant", "", tool_calls=[{"id": "a"}]), message(1)], [0], ODD_CALL),
        ([message(0, "user"), call(1, "a")], [1], NO_RESULT),
    ],
    ids=["half answered", "interrupted", "no call", "answered twice", "no shape", "still open"],
)
def test_invalid_tool_messages_are_omitted_with_a_reason(log, left, reason):
    _, invalid_messages = group_messages(log)
    assert [fault.message.seq for fault in invalid_messages] == left
    assert invalid_messages[0].reason == reason
    ctx = context(material(log, "and?"), "and?")
    assert not {one.seq for one in ctx.history} & set(left)
    assert any(reason in warning for warning in ctx.warnings)
    assert {item.id for item in ctx.receipt.items if not item.included} == {f"here-{seq}" for seq in left}


@pytest.mark.req("X20")
def test_a_window_never_starts_inside_a_tool_group():
    log = [message(0), call(1, "a", "b", "c"), *(result(2 + at, id) for at, id in enumerate("abc"))]
    log += [message(5 + at, ("assistant", "user")[at % 2], f"m{at}") for at in range(7)]
    ctx = context(material(log, "and?"), "and?", "window")
    assert [one.seq for one in ctx.history] == [5, 6, 7, 8, 9, 10, 11]
