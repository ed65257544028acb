"""Tests branches on every store: a branch sees its own line, and shares the past by reference."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from aforesaid import ConflictError, Conversation, InvalidInput, Memory, NotFound, OnHold, Space
from aforesaid.models.recall import Hits

TALK = ("We sail to Madeira.", "Madeira it is.", "Which harbour?", "Funchal.", "Which month?", "In October.")


def talk(space: Space | Memory, name: str = "trip", texts: tuple[str, ...] = TALK) -> Conversation:
    chat = space.conversation(name)
    for at, text in enumerate(texts):
        chat.add("assistant" if at % 2 else "user", text, id=f"{name}-{at}")
    return chat


def texts(chat: Conversation) -> list[str]:
    return [message.text for message in chat.messages()]


def found(hits: Hits) -> set[str]:
    return {hit.id for hit in hits}


@pytest.mark.req("X27")
def test_a_branch_shares_the_messages_up_to_the_fork_and_goes_on_for_itself(memory: Memory):
    trip = talk(memory)
    branch = trip.fork(at="trip-3")
    assert branch.id == "trip~2"
    branch.add("user", "And back?")
    trip.add("user", "Thank you.")
    assert texts(branch) == [*TALK[:4], "And back?"]
    assert [message.seq for message in branch.messages()] == [0, 1, 2, 3, 4]
    assert texts(trip) == [*TALK, "Thank you."]
    assert [message.conversation for message in branch.messages(2)] == ["trip", "trip~2"]
    info = branch.info()
    assert (info.parent, info.forked_at, info.messages, info.turns) == ("trip", 3, 1, 1)
    assert [info.id for info in trip.branches()] == ["trip~2"]
    assert (trip.info().parent, trip.info().forked_at, branch.branches()) == (None, None, [])


@pytest.mark.req("X27")
def test_the_place_of_a_fork_is_a_message_an_id_a_seq_or_the_newest_message(memory: Memory):
    trip = talk(memory)
    assert texts(trip.fork(trip.messages()[1])) == list(TALK[:2])
    assert texts(trip.fork("trip-2")) == list(TALK[:3])
    assert texts(trip.fork(0)) == list(TALK[:1])
    assert texts(trip.fork()) == list(TALK)
    empty = trip.fork(-1)
    assert texts(empty) == []
    assert empty.add("user", "Anew.").seq == 0
    assert [info.id for info in trip.branches()] == [f"trip~{number}" for number in range(2, 7)]


@pytest.mark.req("X27")
def test_a_fork_of_what_is_not_on_the_line_is_refused(memory: Memory):
    trip = talk(memory)
    branch = trip.fork(1)
    branch.add("user", "Else?", id="else")
    for at in ("trip-4", "nothing", 7):
        with pytest.raises(NotFound, match="to fork at"):
            branch.fork(at)
    with pytest.raises(NotFound, match="add a message first"):
        memory.conversation("new").fork()
    with pytest.raises(InvalidInput, match="at must be"):
        trip.fork(-2)
    with pytest.raises(InvalidInput, match="of space 'default'; this one is of space 'bob'"):
        trip.fork(memory.space("bob").conversation("c").add("user", "Hello"))
    assert branch.fork("trip-0").info().forked_at == 0


@pytest.mark.req("X27")
def test_a_fork_with_a_name_can_be_repeated(memory: Memory):
    trip = talk(memory)
    branch = trip.fork(1, id="other")
    branch.add("user", "Else?")
    assert trip.fork(1, id="other").id == "other"
    with pytest.raises(ConflictError, match="'other' is taken"):
        trip.fork(2, id="other")
    assert trip.fork(1).id == "trip~2"
    assert branch.fork().id == "other~2"


@pytest.mark.req("X27")
def test_a_branch_pages_and_names_only_its_own_line(memory: Memory):
    trip = talk(memory)
    branch = trip.fork(3).fork(1)
    branch.add_many([{"role": "user", "content": "a"}, {"role": "assistant", "content": "b"}])
    assert [m.seq for m in branch.messages(2, before=3)] == [1, 2]
    assert [m.seq for m in branch.messages(2, after=0)] == [1, 2]
    assert [m.seq for m in branch.messages(9, after=1)] == [2, 3]
    assert [m.seq for m in branch.recent(2)] == [1, 2]
    assert [m.text for m in branch.recent(2, include_newest=True)] == ["a", "b"]
    assert branch.message("trip-1").text == TALK[1]
    assert "".join(chunk.content for chunk in branch.chunks("trip-1")) == TALK[1]
    with pytest.raises(NotFound):
        branch.message("trip-2")
    with pytest.raises(NotFound):
        trip.message(branch.messages()[-1].id)
    assert branch.add("assistant", TALK[1], id="trip-1").conversation == "trip"  # the same message, sent again
    with pytest.raises(ConflictError):
        branch.add("user", TALK[2], id="trip-2")


@pytest.mark.req("X27")
def test_recalls_and_contexts_of_a_branch_have_nothing_from_another_branch(memory: Memory):
    talk(memory, "else", ("The harbour of Horta is blue.", "Indeed."))
    trip = talk(memory)
    branch = trip.fork(1)
    branch.add("user", "Which harbour of Porto Santo?", id="branch-2")
    sibling = trip.fork(1)
    sibling.add("user", "The harbour of Calheta?", id="sibling-2")
    memory.flush()
    on_branch, on_trip = (found(chat.recall("Which harbour?", 10)) for chat in (branch, trip))
    assert "branch-2" in on_branch
    assert on_branch <= {"branch-2", "trip-0", "trip-1", "else-0", "else-1"}
    assert "trip-2" in on_trip
    assert not {"branch-2", "sibling-2"} & on_trip
    assert "else-0" in found(memory.space("default").conversation("trip").fork(-1).recall("Which harbour?", 10))
    assert {"branch-2", "sibling-2", "trip-2", "else-0"} <= found(memory.space("default").recall("harbour", 10))
    context = branch.context("Tell me about the harbour", max_tokens=2000, recipe="retrieval")
    text = str(context.to_openai())
    assert "Porto Santo" in text
    assert "Horta" in text
    assert "Which harbour?" not in text
    assert "Calheta" not in text
    assert [m["content"] for m in branch.context().to_openai()][:2] == list(TALK[:2])
    groups = branch.recall("Which harbour of Porto Santo", 5, group="session").groups
    assert not {"trip-2", "sibling-2"} & {message.id for group in groups for message in group.messages}


@pytest.mark.req("X27")
def test_pins_summaries_and_episodes_of_a_branch_are_those_of_its_line(memory: Memory, clock):
    trip = talk(memory)
    early, on_later = trip.pin("A window seat"), trip.pin(trip.messages()[4])
    trip.summarize(0, 1)
    trip.summarize(2, 5)
    first = trip.note_episode("Chose Madeira", type="decision_made", first=0, last=1)
    trip.note_episode("Chose October", type="decision_made", first=4, last=5)
    clock.forward(hours=1)
    branch = trip.fork(3)
    clock.forward(hours=1)
    trip.pin("No rum")
    branch.add("user", "By plane.")
    own = branch.pin("An aisle seat")
    assert {pin.id for pin in branch.pins()} == {early.id, own.id}
    assert branch.pinned(early.id) == early
    with pytest.raises(NotFound):
        branch.pinned(on_later.id)
    assert [(one.first_seq, one.last_seq) for one in branch.summaries()] == [(0, 1)]
    assert (branch.summarize().first_seq, branch.summarize(0, 4).message_count) == (2, 5)
    assert [episode.id for episode in branch.episodes()] == [first.id]
    assert len(trip.pins()) == 3
    assert [(one.first_seq, one.last_seq) for one in trip.summaries()] == [(0, 1), (2, 5)]


@pytest.mark.req("X27")
def test_a_branch_distils_only_its_own_messages(memory: Memory):
    trip = memory.conversation("trip")
    trip.add("user", "I live in Lisbon.")
    memory.flush()
    branch = trip.fork()
    branch.add("user", "I work at Acme.")
    memory.flush()
    facts = memory.space("default").facts()
    assert sorted(fact.value for fact in facts) == ["Acme", "Lisbon"]


@pytest.mark.req("X27")
def test_a_forgotten_or_edited_message_changes_in_every_branch(memory: Memory):
    space = memory.space("default")
    trip = talk(memory)
    branch = trip.fork(3)
    summary = branch.summarize(0, 3)
    deep = branch.fork(2)
    deep.add("user", "Else.")
    trip.edit("trip-1", "Yes, Madeira.")
    assert texts(deep)[1] == "Yes, Madeira."
    space.forget(message="trip-2")
    assert [message.seq for message in branch.messages()] == [0, 1, 3]
    assert [message.seq for message in deep.messages()] == [0, 1, 3]
    with pytest.raises(NotFound):
        branch.summary(summary.id)
    assert [finding for finding in memory.doctor() if not finding.ok] == []


@pytest.mark.req("X27")
def test_a_conversation_with_branches_is_not_deleted_before_them(memory: Memory):
    space = memory.space("default")
    trip = talk(memory)
    branch = trip.fork(3)
    branch.add("user", "Else.")
    with pytest.raises(ConflictError, match=r"has branches that share its messages: 'trip~2'\. Delete them first"):
        trip.delete()
    space.hold("a court asked")
    with pytest.raises(OnHold):
        branch.delete()
    space.release_hold()
    assert branch.delete()
    assert trip.delete()
    assert space.conversations() == []


@pytest.mark.req("X27")
def test_an_erased_conversation_leaves_its_branches_what_they_do_not_share_with_it(memory: Memory):
    space = memory.space("default")
    trip = talk(memory)
    middle = trip.fork(3)
    middle.add_many([{"role": "user", "content": f"m{number}"} for number in range(3)])
    last = middle.fork(5)
    last.add("user", "Last.")
    space.forget(conversation=middle.id)
    assert texts(last) == [*TALK[:4], "Last."]
    assert (last.info().parent, last.info().forked_at) == ("trip", 3)
    space.forget(conversation="trip")
    assert texts(last) == ["Last."]
    assert (last.info().parent, last.messages()[0].seq) == (None, 6)
    assert last.add("user", "On.").seq == 7
    assert [finding for finding in memory.doctor() if not finding.ok] == []


@pytest.mark.req("X27")
def test_a_branch_does_not_remove_what_it_shares(memory: Memory):
    trip = talk(memory)
    branch = trip.fork(3)
    with pytest.raises(ConflictError, match=r"'trip~2' shares these messages with 'trip': remove them there, or fork"):
        branch.pop()
    branch.add_many([{"role": "user", "content": "Else."}, {"role": "user", "content": "And else."}])
    deep = branch.fork()
    for refused in (
        branch.clear,
        lambda: branch.remove("trip-3"),
        lambda: branch.remove(1, 2),
        lambda: branch.replace("trip-2", [{"role": "user", "content": "new"}]),
        deep.pop,
        lambda: deep.remove(5),
    ):
        with pytest.raises(ConflictError, match="remove them there"):
            refused()
    assert texts(deep) == [*TALK[:4], "Else.", "And else."]
    popped = branch.pop()
    assert popped is not None
    assert popped.text == "And else."
    assert [message.text for message in branch.replace(4, [{"role": "user", "content": "new"}])] == ["new"]
    assert (branch.remove(4), texts(branch), texts(deep)) == (1, list(TALK[:4]), list(TALK[:4]))
    assert (trip.clear(), texts(trip), texts(branch)) == (6, [], [])
    assert (branch.pop(), branch.clear()) == (None, 0)
    assert [finding for finding in memory.doctor() if not finding.ok] == []


@pytest.mark.req("X27")
def test_what_expires_in_a_parent_disappears_from_its_branches(memory: Memory, clock):
    trip = talk(memory)
    branch = trip.fork(3)
    branch.add("user", "Else.")
    trip.expire(timedelta(hours=1))
    clock.forward(hours=2)
    assert texts(branch) == ["Else."]
    assert found(branch.recall("harbour Funchal", 5)) == set()
    memory.flush()
    assert texts(branch) == ["Else."]
    assert [finding for finding in memory.doctor() if not finding.ok] == []


@pytest.mark.req("X27")
def test_a_fork_has_the_title_model_metadata_and_silence_of_its_parent(memory: Memory):
    trip = memory.conversation("trip", model="ollama:qwen3")
    trip.start(title="Madeira", metadata={"project": "sea"})
    trip.add("user", "hush")
    trip.mute()
    info = trip.fork().info()
    assert (info.title, info.model, info.metadata, info.muted) == ("Madeira", "ollama:qwen3", {"project": "sea"}, True)


@pytest.mark.req("X27")
def test_branches_move_with_their_space(memory: Memory, open_memory: Callable[..., Memory], tmp_path: Path):
    trip = talk(memory)
    branch = trip.fork(3)
    branch.add("user", "Else.")
    branch.pin("By plane")
    deep = branch.fork(4)
    deep.add("user", "Deep.")
    memory.flush()
    memory.space("default").export(tmp_path / "out")
    with open_memory(":memory:", embedder="none") as other:
        other.import_space(tmp_path / "out", space="copy")
        copy = other.space("copy")
        for chat in (trip, branch, deep):
            moved = copy.conversation(chat.id)
            assert [(m.id, m.seq) for m in moved.messages()] == [(m.id, m.seq) for m in chat.messages()]
            assert (moved.info().parent, moved.info().forked_at) == (chat.info().parent, chat.info().forked_at)
            assert [pin.id for pin in moved.pins()] == [pin.id for pin in chat.pins()]
        copy.conversation("trip~3").add("user", "On.")
        assert copy.conversation("trip~3").messages()[-1].seq == 6
        assert [finding for finding in other.doctor() if not finding.ok] == []
    assert [finding for finding in memory.doctor() if not finding.ok] == []


Step = tuple[str, int, int]
STEPS = st.lists(
    st.tuples(st.sampled_from(("add", "add", "add", "fork", "forget")), st.integers(0, 99), st.integers(0, 99)),
    max_size=30,
)


@pytest.mark.req("X27")
@settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(steps=STEPS)
def test_the_line_of_every_branch_of_a_random_forest_equals_a_copy(memory: Memory, steps: list[Step]):
    """The model copies the past at each fork."""
    space = memory.space(f"forest-{len(memory.spaces())}")
    model: dict[str, list[tuple[int, str]]] = {}
    for name in ("oak", "fir"):
        space.conversation(name).add("user", name, id=f"{name}-0")
        model[name] = [(0, f"{name}-0")]
    nexts = {"oak": 1, "fir": 1}
    for number, (verb, which, where) in enumerate(steps):
        name = sorted(model)[which % len(model)]
        chat, line = space.conversation(name), model[name]
        if verb == "add":
            message = chat.add("user", f"text {number}", id=f"{number}")
            assert message.seq == nexts[name]
            line.append((message.seq, message.id))
            nexts[name] += 1
        elif verb == "fork":
            at = line[where % len(line)] if line else None
            branch = chat.fork(at[1] if at else -1)
            model[branch.id] = [one for one in line if at and one[0] <= at[0]]
            nexts[branch.id] = at[0] + 1 if at else 0
        elif line:
            gone = line[where % len(line)][1]
            space.forget(message=gone)
            model = {chat: [one for one in line if one[1] != gone] for chat, line in model.items()}
    for name, line in model.items():
        chat = space.conversation(name)
        assert [(message.seq, message.id) for message in chat.messages(100)] == line
        for seq, _ in line[:3]:
            assert [m.seq for m in chat.messages(2, after=seq)] == [one[0] for one in line if one[0] > seq][:2]
            assert [m.seq for m in chat.messages(2, before=seq)] == [one[0] for one in line if one[0] < seq][-2:]
        assert [m.seq for m in chat.recent(3)] == [seq for seq, _ in line[:-1]][-3:]
        assert found(chat.recall("text", 50)) <= {id for _, id in line} | {
            id for other, ids in model.items() for _, id in ids if other.split("~")[0] != name.split("~")[0]
        }
    assert [finding for finding in memory.doctor() if not finding.ok] == []
