"""Tests `conversation.score`, which scores the importance of stored messages again."""

from __future__ import annotations

import pytest

from aforesaid import IMPORTANCE_RULES, ImportanceRule, NotFound

pytestmark = pytest.mark.req("A7")
URGENT = ImportanceRule("urgent", 0.3, lambda _, text: "urgent" in text.lower())


def test_scoring_reports_the_matching_rules_and_the_previous_importance(memory):
    chat = memory.conversation("c")
    asked = chat.add("user", "What does `tick()` do?", importance=0.1)
    plain = chat.add("user", "Hello")
    assert [(one.message_id, one.importance, one.before, one.rules) for one in chat.score()] == [
        (asked.id, 0.85, 0.1, ("question", "code")),
        (plain.id, 0.5, 0.5, ()),
    ]
    assert chat.message(asked.id).importance == 0.85
    assert [one.before for one in chat.score()] == [0.85, 0.5]


def test_a_dry_run_changes_nothing(memory):
    chat = memory.conversation("c")
    chat.add("user", "Why?", importance=0.1)
    assert [one.importance for one in chat.score(dry_run=True)] == [0.7]
    assert [one.importance for one in chat.recent(include_newest=True)] == [0.1]


def test_only_the_given_messages_are_scored_and_an_unknown_id_is_an_error(memory):
    chat = memory.conversation("c")
    first, second = chat.add("user", "Why?", importance=0.1), chat.add("user", "How?", importance=0.1)
    elsewhere = memory.conversation("d").add("user", "Who?", importance=0.1)
    for unknown in ("nobody", elsewhere.id):
        with pytest.raises(NotFound):
            chat.score([first.id, unknown])
    assert chat.message(first.id).importance == 0.1
    assert [one.message_id for one in chat.score([second.id, second.id])] == [second.id]
    assert chat.message(first.id).importance == 0.1
    assert memory.conversation("nothing").score() == []


def test_new_rules_apply_to_stored_messages_and_recall(open_memory, clock):
    old = open_memory(clock=clock).conversation("c")
    for number in range(450):
        old.add("user", f"note {number}")
    said = old.add("user", "urgent note")
    memory = open_memory(clock=clock, importance_rules=(*IMPORTANCE_RULES, URGENT))
    chat, space = memory.conversation("c"), memory.space("default")
    assert not space.recall("note", min_importance=0.75)
    assert len(chat.score()) == 451
    assert [hit.id for hit in space.recall("note", min_importance=0.75)] == [said.id]
    assert old.message(said.id).importance == 0.8
