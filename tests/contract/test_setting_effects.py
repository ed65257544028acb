"""Proves of every setting that it changes something that a person sees."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pytest
from tests.conftest import FakeClock

from aforesaid import Memory, Space
from aforesaid.settings import SETTING_DEFINITIONS, SettingValue

Look = Callable[[Memory, Space, FakeClock], object]

SECRET = "my key is sk-proj-abcdefghijklmnopqrstuvwxyz0123456789ABCD"
SAID = (
    "I said that the boiler needs a part called get_boiler_id().",
    "Where is the boiler?",
    "The boiler in Porto was repaired on 3 May 2026. Bob knows the plumber.",
    "My colleague mentioned the boiler of a neighbour, and a heater.",
    "I live in Porto, and I think I work for Globex.",
    "We decided to replace the boiler in June.",
    "Remember that the boiler key is with Bob.",
)
TALK = "\n\n".join(f"Paragraph {n} about the boiler and its many pipes, valves and pumps." for n in range(60))
QUESTION = "When did I say something about the boiler and get_boiler_id()?"


def talk(space: Space, clock: FakeClock, *texts: str, answered: bool = False) -> None:
    chat = space.conversation("home")
    for number, text in enumerate(texts):
        chat.add("assistant" if answered and number % 2 else "user", text, id=f"m{number}", at=clock.now)
        clock.forward(hours=30)


def scores(memory: Memory, space: Space, clock: FakeClock) -> object:
    """What the view Context shows of recalled messages: their order, and the score of each."""
    talk(space, clock, *SAID)
    memory.flush()
    for _ in range(3):
        space.recall("plumber", limit=1)
    memory.flush()
    space.feedback(QUESTION, "m6")
    return [(hit.id, round(hit.score.total, 4)) for hit in space.recall(QUESTION, kinds=["message"])]


def chunks(memory: Memory, space: Space, clock: FakeClock) -> object:
    talk(space, clock, TALK)
    memory.flush()
    return space.stats().chunks


def recalled(memory: Memory, space: Space, clock: FakeClock) -> object:
    """The tokens of the recalled section in a context of the default recipe."""
    talk(space, clock, *(f"{TALK[:900]} Number {n}." for n in range(12)))
    memory.flush()
    context = space.conversation("new").context(QUESTION, max_tokens=4000)
    return [(section.name, section.tokens) for section in context.sections if section.name == "recalled"]


def summaries(memory: Memory, space: Space, clock: FakeClock) -> object:
    talk(space, clock, *(text for text in (*SAID, *SAID, *SAID, *SAID)), answered=True)
    memory.flush()
    return [(each.kind, each.first_seq, each.last_seq) for each in space.conversation("home").summaries()]


def facts(memory: Memory, space: Space, clock: FakeClock) -> object:
    talk(space, clock, *SAID)
    memory.flush()
    return sorted((fact.text, fact.status) for fact in space.facts(status=None))


def episodes(memory: Memory, space: Space, clock: FakeClock) -> object:
    talk(space, clock, *SAID)
    memory.flush()
    return [episode.title for episode in space.episodes()]


def pins(memory: Memory, space: Space, clock: FakeClock) -> object:
    talk(space, clock, *SAID)
    memory.flush()
    return [pin.content for pin in space.conversation("home").pins()]


def sent(memory: Memory, space: Space, clock: FakeClock) -> object:
    talk(space, clock, SECRET, "And so on.")
    memory.flush()
    return "sk-proj-abc" in str(space.conversation("new").context("what is my key?").to_openai())


def stored(memory: Memory, space: Space, clock: FakeClock) -> object:
    talk(space, clock, SECRET)
    return space.conversation("home").messages()[0].content


def kept(role: str) -> Callable[[Memory, Space, FakeClock], object]:
    def look(memory: Memory, space: Space, clock: FakeClock) -> object:
        message = space.conversation("home").add(role, "I live in Porto.", at=clock.now)
        memory.flush()
        fact = [each.expires_at for each in space.facts()]
        return message.expires_at, fact, space.conversation("home").info().expires_at

    return look


EFFECTS: Mapping[str, tuple[SettingValue, Look]] = {
    "hybrid": (False, scores),
    "chunking": (False, chunks),
    "chunk_tokens": (40, chunks),
    "token_budget": (60, recalled),
    "summary_frequency": (2, summaries),
    "weight_dense": (0.0, scores),
    "weight_lexical": (0.0, scores),
    "weight_identifier": (2.0, scores),
    "weight_recency": (0.5, scores),
    "weight_importance": (0.5, scores),
    "weight_access": (0.5, scores),
    "weight_speaker": (2.0, scores),
    "weight_time": (2.0, scores),
    "weight_statement": (2.0, scores),
    "weight_feedback": (0.5, scores),
    "fusion": ("ranks", scores),
    "summaries": ("off", summaries),
    "facts": (False, facts),
    "fact_threshold": (1.0, facts),
    "episodes": (False, episodes),
    "auto_pins": (False, pins),
    "mask_sent": (False, sent),
    "mask_stored": (True, stored),
    "retention_user": (30.0, kept("user")),
    "retention_assistant": (30.0, kept("assistant")),
    "retention_tool": (30.0, kept("tool")),
    "retention_system": (30.0, kept("system")),
    "retention_facts": (30.0, kept("user")),
    "retention_conversations": (30.0, kept("user")),
}
BY_A_MODEL = {"instructions"}  # test_model_facts.py finds them in the prompt; the page shows them only with a model


def test_every_setting_has_a_proof() -> None:
    assert {row.name for row in SETTING_DEFINITIONS} == EFFECTS.keys() | BY_A_MODEL


@pytest.mark.req("D3")
@pytest.mark.parametrize("name", EFFECTS)
def test_a_setting_changes_what_a_person_sees(open_memory, clock: FakeClock, name: str) -> None:
    value, look = EFFECTS[name]
    memory = open_memory(":memory:", clock=clock)
    plain, changed = memory.space("plain"), memory.space("changed")
    for space in (plain, changed):
        if name == "summary_frequency":
            space.set("summaries", "retrieval")
        if name.startswith("weight_"):
            space.set("fusion", "weighted")
    changed.set(name, value)
    start = clock.now
    before = look(memory, plain, clock)
    clock.now = start
    assert look(memory, changed, clock) != before


@pytest.mark.req("D3")
@pytest.mark.parametrize(
    ("name", "others"),
    [
        ("chunk_tokens", {"chunking": False}),
        ("summary_frequency", {"summaries": "balanced"}),
        ("fact_threshold", {"facts": False}),
        ("weight_lexical", {"hybrid": False, "fusion": "weighted"}),
    ],
)
def test_a_setting_that_the_page_hides_has_no_effect(open_memory, clock: FakeClock, name: str, others: dict) -> None:
    value, look = EFFECTS[name]
    memory = open_memory(":memory:", clock=clock)
    plain, changed = memory.space("plain"), memory.space("changed")
    for space in (plain, changed):
        for other, set_to in others.items():
            space.set(other, set_to)
    changed.set(name, value)
    start = clock.now
    before = look(memory, plain, clock)
    clock.now = start
    assert look(memory, changed, clock) == before
