"""Tests which message content is accepted, and that invalid content is refused before anything is stored."""

from __future__ import annotations

from collections.abc import Iterator

import apsw
import pytest

from aforesaid import InvalidInput, Memory, NotFound

NOTHING = ["", " ", "\n\t \r\n", "\u00a0\u2003\u3000"]
BROKEN = [
    pytest.param("a\0b", id="nul"),
    pytest.param("\0", id="only-nul"),
    pytest.param("\ud800", id="surrogate"),
    pytest.param("half \udfff of a pair", id="surrogate-inside"),
]
IMAGE = {"type": "image_url", "image_url": {"url": "data:image/png;base64,iVBORw0KGgo="}}


def assert_nothing_stored(mem: Memory) -> None:
    status = mem.status()
    assert (status.spaces, status.conversations, status.messages, status.chunks, status.jobs) == (0, 0, 0, 0, {})


@pytest.mark.parametrize("text", NOTHING)
@pytest.mark.parametrize("role", ["user", "assistant", "system"])
def test_empty_text_is_refused_with_a_reason(mem, role, text):
    with pytest.raises(InvalidInput, match="empty or only white space"):
        mem.conversation("c").add(role, text)
    with pytest.raises(InvalidInput, match="empty or only white space"):
        mem.conversation("c").add(role, [{"type": "text", "text": text}])
    assert_nothing_stored(mem)


@pytest.mark.parametrize("content", [None, [], ()])
def test_a_message_without_content_is_refused(mem, content):
    with pytest.raises(InvalidInput, match="empty or only white space"):
        mem.conversation("c").add("user", content)
    assert_nothing_stored(mem)


@pytest.mark.parametrize("content", [b"bytes", 5, ["text"], [None], {"type": "text"}, [{"type": "text"}]])
def test_content_of_a_wrong_type_is_refused(mem, content):
    with pytest.raises(InvalidInput, match="content"):
        mem.conversation("c").add("user", content)
    assert_nothing_stored(mem)


@pytest.mark.parametrize("text", NOTHING)
def test_an_empty_pin_title_or_question_is_refused(mem, text):
    chat = mem.conversation("c")
    for verb in (chat.pin, chat.rename, chat.end, chat.recall, mem.space("s").recall):
        with pytest.raises(InvalidInput, match="empty or only white space"):
            verb(text)
    with pytest.raises(InvalidInput, match="empty or only white space"):
        chat.start(title=text)
    assert_nothing_stored(mem)


@pytest.mark.parametrize("text", BROKEN)
@pytest.mark.parametrize(
    "field",
    [
        lambda bad: {"content": f"words {bad}"},
        lambda bad: {"content": [{"type": "text", "text": bad}]},
        lambda bad: {"content": [IMAGE | {"alt": bad}]},
        lambda bad: {"content": [{"type": "text", "text": "words", bad: 1}]},
        lambda bad: {"id": bad},
        lambda bad: {"name": bad},
        lambda bad: {"model": bad},
        lambda bad: {"tool_call_id": bad},
        lambda bad: {"tool_calls": [{"function": {"arguments": bad}}]},
        lambda bad: {"metadata": {"deep": [{"down": bad}]}},
        lambda bad: {"metadata": {bad: "as a key"}},
        lambda bad: {"at": bad},
    ],
    ids=["text", "part", "image", "part-key", "id", "name", "model", "call-id", "calls", "metadata", "key", "at"],
)
def test_text_that_utf8_cannot_encode_is_refused_in_every_field(mem, field, text):
    message = {"role": "user", "content": "words"} | field(text)
    with pytest.raises(InvalidInput):
        mem.conversation("c").add_many([message])
    with pytest.raises(InvalidInput):
        mem.conversation("c").add(**message)
    assert_nothing_stored(mem)


@pytest.mark.parametrize("text", BROKEN)
def test_text_that_utf8_cannot_encode_is_refused_by_every_write_method(mem, tmp_path, text):
    chat = mem.conversation("c")
    verbs = [
        lambda: mem.space(text),
        lambda: mem.conversation(text),
        lambda: mem.conversation("c", model=text),
        lambda: chat.pin(text),
        lambda: chat.start(title=text),
        lambda: chat.start(metadata={"x": text}),
        lambda: chat.end(text),
        lambda: chat.rename(text),
        lambda: chat.recall(text),
        lambda: mem.space("s").recall(text),
        lambda: mem.space("s").set(text, 1),
        lambda: mem.import_space(tmp_path, space=text),
    ]
    for verb in verbs:
        with pytest.raises(InvalidInput):
            verb()
    assert_nothing_stored(mem)


@pytest.mark.parametrize("text", BROKEN)
def test_a_lookup_by_text_that_utf8_cannot_encode_raises_an_error(mem, text):
    chat = mem.conversation("c")
    chat.add("user", "words")
    pin = chat.pin("words")
    verbs = [
        lambda: chat.message(text),
        lambda: chat.chunks(text),
        lambda: chat.unpin(text),
        lambda: chat.edit_pin(text, content="other"),
        lambda: chat.pin("words", source=text),
    ]
    for verb in verbs:
        with pytest.raises((InvalidInput, NotFound)):
            verb()
    assert chat.pins() == [pin]


@pytest.mark.parametrize("text", BROKEN)
def test_a_page_cursor_that_utf8_cannot_encode_is_refused(mem, text):
    mem.conversation("c").add("user", "words")
    space = mem.space("default")
    verbs = [
        lambda: mem.spaces(after=text),
        lambda: space.conversations(after=text),
        lambda: space.conversations(status=text),
        lambda: space.recall("words", conversation=text),
        lambda: mem.jobs(text),
    ]
    for verb in verbs:
        with pytest.raises((InvalidInput, NotFound)):
            verb()


@pytest.mark.parametrize("role", ["", "User", "robot", "user ", None, 5, "\ud800"])
def test_an_unknown_role_is_refused_with_a_list_of_the_roles(mem, role):
    with pytest.raises(InvalidInput, match="system, user, assistant, tool"):
        mem.conversation("c").add(role, "words")
    assert_nothing_stored(mem)


@pytest.mark.parametrize("message", ["words", None, 5, ["user", "words"], {}, {"content": "words"}])
def test_a_value_that_is_not_a_chat_message_is_refused(mem, message):
    with pytest.raises(InvalidInput):
        mem.conversation("c").add_many([message])
    assert_nothing_stored(mem)


def test_an_unknown_field_is_refused_by_name(mem):
    with pytest.raises(InvalidInput, match=r"'refusal'.*metadata"):
        mem.conversation("c").add_many([{"role": "user", "content": "words", "refusal": None}])
    assert_nothing_stored(mem)


def test_one_invalid_message_in_a_batch_stores_none(mem):
    good = [{"role": "user", "content": f"number {n}"} for n in range(20)]
    with pytest.raises(InvalidInput):
        mem.conversation("c").add_many([*good, {"role": "user", "content": " "}, *good])
    assert_nothing_stored(mem)


def test_a_generator_of_messages_is_stored_in_order(mem):
    def spoken() -> Iterator[dict[str, str]]:
        for n in range(50):
            yield {"role": "user", "content": f"number {n}"}

    stored = mem.conversation("c").add_many(spoken())
    assert [(one.seq, one.text) for one in stored] == [(n, f"number {n}") for n in range(50)]
    assert mem.conversation("c").messages(100) == stored


def test_a_generator_that_fails_midway_stores_nothing(mem):
    def spoken() -> Iterator[dict[str, str]]:
        yield {"role": "user", "content": "said"}
        raise ConnectionResetError("the line went dead")

    with pytest.raises(ConnectionResetError):
        mem.conversation("c").add_many(spoken())
    assert_nothing_stored(mem)


def test_adding_an_empty_batch_is_not_an_error(mem):
    assert mem.conversation("c").add_many([]) == []
    assert_nothing_stored(mem)


@pytest.mark.parametrize("number", [-0.1, 1.1, float("nan"), float("inf"), "0.5", True])
def test_an_importance_outside_0_to_1_is_refused(mem, number):
    for verb in (mem.conversation("c").add, lambda _, text, **rest: mem.conversation("c").pin(text, **rest)):
        with pytest.raises(InvalidInput, match="importance"):
            verb("user", "words", importance=number)
    assert_nothing_stored(mem)


@pytest.mark.parametrize("limit", [0, -1, 2.0, "5", None, True, 2**63, 10**30])
def test_an_invalid_limit_is_refused(mem, limit):
    chat = mem.conversation("c")
    chat.add("user", "words")
    verbs = [chat.recent, mem.spaces, mem.space("default").conversations]
    if limit is not None:  # all messages
        verbs.append(chat.messages)
    for verb in verbs:
        with pytest.raises(InvalidInput, match="limit"):
            verb(limit)


@pytest.mark.parametrize("seq", ["0", 1.5, 2**63])
def test_an_invalid_seq_is_refused(mem, seq):
    chat = mem.conversation("c")
    chat.add("user", "words")
    with pytest.raises(InvalidInput):
        chat.messages(after=seq)
    with pytest.raises(InvalidInput):
        chat.messages(before=seq)


@pytest.mark.parametrize("weight", [float("inf"), float("nan"), -1.0, "0.5", True])
def test_a_weight_that_is_not_a_number_is_refused(mem, weight):
    with pytest.raises(InvalidInput, match="weight_dense"):
        mem.space("s").set("weight_dense", weight)
    assert_nothing_stored(mem)


@pytest.mark.parametrize("word", ["inf", "nan", "-1", "much"])
def test_a_weight_in_the_environment_that_is_not_a_number_is_refused(path, word):
    with pytest.raises(InvalidInput):
        Memory(path, worker=False, environment={"AFORESAID_WEIGHT_DENSE": word})


TEXTS = [
    "\ufeffbyte order mark",
    "non\ufffe\uffffcharacters",
    "\r\n lines \r",
    "bell\x07 and delete\x7f",
    "e\u0301 é",
    "a" * 70_000,
]


@pytest.mark.parametrize("text", TEXTS)
def test_every_other_character_is_returned_unchanged(mem, text):
    chat = mem.conversation("c")
    stored = chat.add("user", text)
    assert chat.message(stored.id).content == text
    assert "".join(chunk.content for chunk in chat.chunks(stored.id)) == text
    assert chat.pin(text) in chat.pins()


@pytest.mark.req("A21")
@pytest.mark.parametrize(
    "change",
    [
        "role = 'robot'",
        "importance = 1.5",
        "importance = 'much'",
        "seq = -1",
        "tokens = -1",
        "metadata = '{'",
        "id = NULL",
    ],
)
def test_database_constraints_refuse_invalid_rows(mem, path, change):
    mem.conversation("c").add("user", "words")
    connection = apsw.Connection(str(path))
    with pytest.raises(apsw.ConstraintError):
        connection.execute(f"UPDATE messages SET {change}")
    connection.close()
