"""Tests that a distillation step writes nothing from messages that were erased after it read them."""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest

from aforesaid import Memory
from aforesaid.distill.episodes.extract_episodes import PatternEpisodeExtractor
from aforesaid.distill.facts.extract_facts import FactReconciler, PatternFactExtractor
from aforesaid.distill.pins import AutoPins
from aforesaid.ids import Ids
from aforesaid.ports import Completion, Prompt
from aforesaid.providers.tokenizers import tokenizer
from aforesaid.settings import Settings

SECRET = "Zephyrbase"
SAID = f"We decided to use {SECRET} for the billing service. I work at {SECRET}."
OTHER = "We decided to move the shop to Hetzner. I work at Hetzner."


class Interrupted:
    """The messages of a real store; calls `happens` once, after the first read."""

    def __init__(self, messages: Any, happens: Callable[[], object]) -> None:
        self._messages = messages
        self._happens: Callable[[], object] | None = happens

    def utterances(self, *given: Any) -> Any:
        found = self._messages.utterances(*given)
        if self._happens is not None:
            happens, self._happens = self._happens, None
            happens()
        return found


class Counting:
    """A tokenizer that calls `happens` once, before it counts."""

    name = "interrupting"

    def __init__(self) -> None:
        self.happens: Callable[[], object] | None = None

    def count(self, text: str) -> int:
        if self.happens is not None:
            happens, self.happens = self.happens, None
            happens()
        return len(text) // 4 + 1


class Meddling:
    """A custom model that calls `happens` once, during a request."""

    name = "own:meddling"
    local = True

    def __init__(self) -> None:
        self.asked: list[str] = []
        self.happens: Callable[[], object] | None = None

    def complete(self, prompt: Prompt) -> Completion:
        self.asked.append(prompt.text)
        if self.happens is not None:
            happens, self.happens = self.happens, None
            happens()
        return Completion('{"claims": []}')


def settings(_: str) -> Settings:
    return Settings({}, {})


def steps(memory: Memory, happens: Callable[[], object], clock: Any) -> dict[str, Callable[[str, str], None]]:
    """Returns the real steps; each calls `happens` after its first read."""
    store, ids, count = memory.engine.store, Ids(), tokenizer().count
    messages = Interrupted(store.messages, happens)
    parts = {name: getattr(store, name) for name in ("spaces", "progress", "episodes", "pins")}
    read: Any = SimpleNamespace(messages=messages, **parts)
    reconciler = FactReconciler(store.facts, tokenizer(), ids, clock)
    return {
        "episodes": PatternEpisodeExtractor(read, settings, count, clock, ids.make).run,
        "pins": AutoPins(read, settings, clock, ids.make).run,
        "facts": PatternFactExtractor(read, reconciler, settings).run,
    }


def made(memory: Memory) -> str:
    space = memory.space("ann")
    chat = space.conversation("c")
    return f"{chat.episodes()} {chat.pins()} {space.facts(status=None)}"


@pytest.mark.req("X3")
@pytest.mark.parametrize("step", ["episodes", "pins", "facts"])
@pytest.mark.parametrize("how", ["forget", "edit"])
def test_a_message_erased_during_a_step_is_left_out_and_other_messages_are_distilled(memory, clock, step, how):
    chat = memory.space("ann").conversation("c")
    said = chat.add("user", SAID)
    chat.add("user", OTHER)

    def goes() -> None:
        if how == "forget":
            memory.space("ann").forget(message=said.id)
        else:
            chat.edit(said.id, "We decided to use Postgres for the billing service. I work at Postgres.")

    steps(memory, goes, clock)[step]("ann", "c")
    assert SECRET not in made(memory)
    assert "Hetzner" in made(memory)
    assert (how == "edit") == ("Postgres" in made(memory))
    assert memory.verify_erasure(SECRET).clean
    assert memory.engine.store.progress.reached("ann", "c", step) == 1


@pytest.mark.req("X3")
@pytest.mark.parametrize("step", ["episodes", "pins", "facts"])
def test_a_conversation_forgotten_during_a_step_leaves_no_records(memory, clock, step):
    chat = memory.space("ann").conversation("c")
    chat.add("user", SAID)

    def goes() -> None:
        memory.space("ann").forget(conversation="c")
        chat.add("user", "Hello again.")

    steps(memory, goes, clock)[step]("ann", "c")
    assert SECRET not in made(memory)
    assert memory.verify_erasure(SECRET).clean


@pytest.mark.req("X3")
@pytest.mark.parametrize("step", ["episodes", "pins", "facts"])
def test_a_space_recreated_during_a_step_gets_no_records_of_the_old_one(memory, clock, step):
    memory.space("ann").conversation("c").add("user", SAID)

    def goes() -> None:
        memory.space("ann").delete()
        memory.space("ann").conversation("c").add("user", "Hello again.")

    steps(memory, goes, clock)[step]("ann", "c")
    assert SECRET not in made(memory)


@pytest.mark.parametrize("step", ["episodes", "pins", "facts"])
def test_erasing_a_message_of_another_conversation_does_not_affect_a_step(memory, clock, step):
    ann = memory.space("ann")
    ann.conversation("c").add("user", OTHER)
    elsewhere = ann.conversation("d").add("user", SAID)
    steps(memory, lambda: ann.forget(message=elsewhere.id), clock)[step]("ann", "c")
    assert "Hetzner" in made(memory)
    assert memory.engine.store.progress.reached("ann", "c", step) == 0


@pytest.mark.req("X3")
def test_a_step_does_not_advance_past_messages_that_must_be_read_again(memory):
    ann = memory.space("ann")
    chat = ann.conversation("c")
    first, second = chat.add("user", "One."), chat.add("user", "Two.")
    store = memory.engine.store

    def advanced(meanwhile: Callable[[], object]) -> bool:
        seen = store.spaces.revision("ann")
        meanwhile()
        return store.progress.advance("ann", "c", "facts", 1, seen)

    assert not advanced(lambda: chat.edit(first.id, "Another."))
    assert not advanced(lambda: ann.forget(message=second.id))
    assert store.progress.reached("ann", "c", "facts") == -1
    assert advanced(lambda: chat.add("user", "Three."))
    assert store.progress.reached("ann", "c", "facts") == 1
    assert store.spaces.revision("nobody") is None


@pytest.mark.req("X3")
@pytest.mark.parametrize("how", ["forget", "edit"])
def test_messages_changed_during_a_model_request_are_read_again(open_memory, clock, how):
    model = Meddling()
    memory = open_memory(model=model, clock=clock, embedder="none")
    chat = memory.space("ann").conversation("c")
    said = chat.add("user", SAID)
    chat.add("user", OTHER)
    chat.pause()

    def goes() -> None:
        if how == "forget":
            memory.space("ann").forget(message=said.id)
        else:
            chat.edit(said.id, "We decided to use Postgres for the billing service. I work at Postgres.")

    model.happens = goes
    memory.flush()
    first, *rest = model.asked
    assert SECRET in first
    assert rest
    assert all("Hetzner" in each and SECRET not in each for each in rest)
    assert (how == "edit") == any("Postgres" in each for each in rest)
    assert SECRET not in made(memory)


@pytest.mark.req("X3")
def test_a_manual_episode_is_rebuilt_without_a_message_erased_during_the_call(open_memory, clock):
    counting = Counting()
    memory = open_memory(tokenizer=counting, clock=clock, embedder="none")
    ann = memory.space("ann")
    chat = ann.conversation("c")
    said = chat.add("user", SAID)
    chat.add("user", OTHER)
    counting.happens = lambda: ann.forget(message=said.id)
    episode = chat.note_episode("Decided", type="decision_made", first=0, last=1)
    assert counting.happens is None
    assert "Hetzner" in episode.summary
    assert SECRET not in f"{episode} {chat.episodes()}"
    assert memory.verify_erasure(SECRET).clean
