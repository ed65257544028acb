"""Tests records: the user's own schemas, extracted by a model with evidence, review, history, undo and erasure."""

from __future__ import annotations

import json
from typing import Literal

import pytest
from pydantic import BaseModel, Field

from aforesaid import InvalidInput, NoModel, NotFound
from aforesaid.ports import Completion, Prompt


class Task(BaseModel):
    """What the user has to do."""

    title: str
    due: str | None = None
    done: bool = False


class Project(BaseModel):
    name: str
    owner: str | None = None
    budget: int | None = None
    status: Literal["planned", "running", "finished"] | None = None


class Scripted:
    """A model that gives, for each kind of answer, one answer after the other, and then an empty one."""

    name = "scripted:one"
    local = True

    def __init__(self) -> None:
        self.prompts: list[Prompt] = []
        self.records: list[dict] = []
        self.confirms = True

    def complete(self, prompt: Prompt) -> Completion:
        fields = set(prompt.schema["properties"]) if prompt.schema else set()
        if fields == {"answers"}:
            count = prompt.text.count("] record: ") or prompt.text.count("] note: ")
            answer = {"answers": [self.confirms] * count}
        elif fields & {"claims", "episodes"}:
            answer = {"claims": [], "episodes": []}
        else:
            self.prompts.append(prompt)
            answer = self.records.pop(0) if self.records else {}
        return Completion(json.dumps(answer), 100, 20)


@pytest.fixture
def model():
    return Scripted()


@pytest.fixture(params=["file", "postgres"])
def memory(request, open_memory, model, clock):
    store = request.getfixturevalue("address") if request.param == "postgres" else None
    memory = open_memory(store, model=model, clock=clock, embedder="none")
    memory.space("alice").set("episodes", False)
    memory.space("alice").set("summaries", "off")
    yield memory
    memory.close()


@pytest.fixture
def alice(memory):
    return memory.space("alice")


def found(quote, confidence=0.9, message=1, **record):
    return {"message": message, "quote": quote, "confidence": confidence, "record": record}


def read(memory, clock, model, conversation, text, **records):
    """Adds a message that the model reads, and gives its records."""
    model.records.append(records)
    chat = memory.space("alice").conversation(conversation)
    message = chat.add("user", text)
    chat.pause()
    memory.flush()
    clock.forward(days=1)
    return message


def projects(alice, status="active"):
    return [record.value.model_dump(exclude_none=True) for record in alice.records(Project, status=status)]


@pytest.mark.req("X29")
def test_records_are_instances_of_the_model_with_the_words_that_prove_them(memory, alice, clock, model):
    schema = alice.learn(Task, instructions="Chores at home.")
    assert (schema.name, schema.key, schema.instructions) == ("Task", None, "Chores at home.")
    message = read(memory, clock, model, "a", "The sink leaks. My task is to call the plumber.",
                   Task=[found("My task is to call the plumber", title="call the plumber")])  # fmt: skip
    (record,) = alice.records(Task)
    assert record.value == Task(title="call the plumber")
    assert (record.status, record.schema) == ("active", "Task")
    assert [(each.message_id, each.quote) for each in record.evidence] == [
        (message.id, "My task is to call the plumber")
    ]
    assert alice.records("Task")[0].value == {"title": "call the plumber"}
    assert alice.fact(record.id).text == "Task: title call the plumber"
    assert alice.recall("plumber", kinds=["fact"])[0].fact.id == record.id
    assert "| Chores at home." in model.prompts[0].system
    assert memory.costs("alice")[-1].operation == "records"
    assert alice.records(Project) == []


@pytest.mark.req("X29")
@pytest.mark.parametrize(
    ("text", "record"),
    [
        ("My task is to call the plumber.", found("call the electrician", title="call the electrician")),
        ("My task is to call the plumber.", found("call the plumber", title="buy new tiles")),
        ("My task is to call the plumber.", found("call the plumber", title="call the plumber", message=7)),
        ("My task is to call the plumber.", found("call the plumber", name="call the plumber")),
        ("Should I call the plumber?", found("call the plumber", title="call the plumber")),
        ("If it rains I call the plumber.", found("I call the plumber", title="call the plumber")),
        ("I will not call the plumber.", found("call the plumber", title="call the plumber")),
        ("He wrote: \"My task is to call the plumber.\"", found("call the plumber", title="call the plumber")),
        ("My password is hunter2secret!", found("My password is hunter2secret!", title="password is hunter2secret!")),
    ],
)  # fmt: skip
def test_the_gate_refuses_what_the_quote_does_not_say(memory, alice, clock, model, text, record):
    alice.learn(Task)
    read(memory, clock, model, "a", text, Task=[record])
    assert alice.records(Task, status=None) == []


def test_an_assistants_words_prove_no_record(memory, alice, clock, model):
    alice.learn(Task)
    chat = alice.conversation("a")
    chat.add("assistant", "Your task is to call the plumber.")
    read(memory, clock, model, "a", "Fine.", Task=[found("call the plumber", title="call the plumber")])
    assert alice.records(Task, status=None) == []


@pytest.mark.req("X29")
def test_a_value_that_the_quote_does_not_say_is_left_out(memory, alice, clock, model):
    alice.learn(Project, key=["name"])
    text = "The project Apollo has a budget of 1,200 euros and is run by Ada."
    record = found(text, name="Apollo", owner="Grace", budget=1200)
    read(memory, clock, model, "a", text, Project=[record])
    assert projects(alice) == [{"name": "Apollo", "budget": 1200}]


@pytest.mark.req("X29")
def test_a_later_statement_updates_the_record_with_the_same_key_and_undo_takes_it_back(memory, alice, clock, model):
    alice.learn(Project, key=["name"])
    first = "The project Apollo has a budget of 1,200 euros and is run by Ada."
    read(memory, clock, model, "a", first, Project=[found(first, name="Apollo", owner="Ada", budget=1200)])
    second = "The project Apollo is run by Grace now."
    read(memory, clock, model, "b", second, Project=[found(second, name="Apollo", owner="Grace")])
    assert "Project: name Apollo; owner Ada; budget 1200" in model.prompts[-1].text
    assert projects(alice) == [{"name": "Apollo", "owner": "Grace", "budget": 1200}]
    assert projects(alice, "superseded") == [{"name": "Apollo", "owner": "Ada", "budget": 1200}]
    (record,) = alice.records(Project)
    assert [each.quote for each in record.evidence] == [first, second]
    assert (record.fact.subject, record.fact.attribute) == ("apollo", "record: Project")
    assert [relation.kind for relation in alice.relations(record.id)] == ["supersedes"]
    alice.undo(record.id)
    assert projects(alice) == [{"name": "Apollo", "owner": "Ada", "budget": 1200}]
    assert record.id in [each.id for each in alice.review()]
    alice.promote(record.id)
    assert projects(alice) == [{"name": "Apollo", "owner": "Grace", "budget": 1200}]


@pytest.mark.req("X29")
def test_forgetting_a_message_takes_back_only_what_it_said(memory, alice, clock, model):
    alice.learn(Project, key=["name"])
    texts = ["Apollo is run by Ada.", "Apollo has a budget of 900 euros.", "Apollo is run by Grace."]
    stated = [{"owner": "Ada"}, {"budget": 900}, {"owner": "Grace"}]
    ids = [
        read(memory, clock, model, str(number), text, Project=[found(text, name="Apollo", **fields)]).id
        for number, (text, fields) in enumerate(zip(texts, stated, strict=True))
    ]
    assert projects(alice) == [{"name": "Apollo", "owner": "Grace", "budget": 900}]
    alice.forget(message=ids[1])
    assert projects(alice) == [{"name": "Apollo", "owner": "Grace"}]
    alice.forget(message=ids[2])
    memory.flush()
    assert projects(alice) == [{"name": "Apollo", "owner": "Ada"}]
    assert memory.verify_erasure(texts[2]).clean
    alice.forget(message=ids[0])
    assert alice.records(Project, status=None) == []


def test_the_same_statement_again_is_evidence_and_reading_again_changes_nothing(memory, alice, clock, model):
    alice.learn(Task)
    text = "My task is to call the plumber."
    record = found(text, title="call the plumber")
    read(memory, clock, model, "a", text, Task=[record])
    read(memory, clock, model, "b", text, Task=[record])
    (stored,) = alice.records(Task, status=None)
    assert len(stored.evidence) == 2
    model.records = [{"Task": [record]}, {"Task": [record]}]
    alice.learn(Task, past=True)
    memory.flush()
    assert len(model.prompts) == 4
    assert [each.id for each in alice.records(Task, status=None)] == [stored.id]


@pytest.mark.req("X29")
def test_past_messages_are_read_only_on_request(memory, alice, clock, model):
    read(memory, clock, model, "a", "My task is to call the plumber.")
    model.records = []
    alice.learn(Task)
    read(memory, clock, model, "a", "My task is to paint the door.",
         Task=[found("My task is to paint the door", title="paint the door")])  # fmt: skip
    assert "plumber" not in model.prompts[0].text
    assert [record.value.title for record in alice.records(Task)] == ["paint the door"]
    model.records = [{"Task": [found("My task is to call the plumber", title="call the plumber")]}]
    alice.learn(Task, past=True)
    memory.flush()
    assert {record.value.title for record in alice.records(Task)} == {"paint the door", "call the plumber"}
    assert alice.unlearn(Task) is True
    assert alice.unlearn("Task") is False
    assert alice.schemas() == []
    read(memory, clock, model, "a", "My task is to sweep the floor.")
    assert len(model.prompts) == 2
    assert len(alice.records("Task")) == 2


@pytest.mark.req("X29")
def test_what_rules_cannot_decide_is_asked_and_without_an_answer_waits_for_review(memory, alice, clock, model):
    alice.learn(Project, key=["name"])
    text = "Apollo has begun last week."
    record = found(text, name="Apollo", status="running")
    model.confirms = False
    read(memory, clock, model, "a", text, Project=[record])
    assert projects(alice, None) == []
    model.confirms = True
    read(memory, clock, model, "b", text, Project=[record])
    assert projects(alice) == [{"name": "Apollo", "status": "running"}]
    read(memory, clock, model, "c", "Apollo is run by Ada.",
         Project=[found("Apollo is run by Ada", 0.5, name="Apollo", owner="Ada")])  # fmt: skip
    (pending,) = alice.records(Project, status="pending")
    assert pending.value.owner == "Ada"
    assert {fact.id for fact in alice.review()} == {pending.id, alice.records(Project)[0].id}
    alice.reject(pending.id)
    read(memory, clock, model, "d", "Apollo is run by Ada.",
         Project=[found("Apollo is run by Ada", name="Apollo", owner="Ada")])  # fmt: skip
    assert projects(alice) == [{"name": "Apollo", "status": "running"}]


def test_a_record_is_edited_by_its_value(memory, alice, clock, model):
    alice.learn(Project, key=["name"])
    read(memory, clock, model, "a", "Apollo is run by Ada.",
         Project=[found("Apollo is run by Ada", name="Apollo", owner="Ada")])  # fmt: skip
    (record,) = alice.records(Project)
    edited = alice.edit_fact(record.id, value='{"name": "Gemini", "owner": "Ada"}')
    assert (edited.text, edited.subject) == ("Project: name Gemini; owner Ada", "gemini")
    assert [each.supports for each in edited.evidence] == [False]
    for details in ({"value": '{"owner": 3}'}, {"value": "Ada"}, {"text": "Apollo is run by Eve"}):
        with pytest.raises(InvalidInput):
            alice.edit_fact(edited.id, **details)
    alice.undo(edited.id)
    assert projects(alice) == [{"name": "Apollo", "owner": "Ada"}]


def test_people_have_one_record_each_with_an_empty_key(memory, alice, clock, model):
    class Profile(BaseModel):
        city: str | None = None
        job: str | None = None

    alice.learn(Profile, key=[])
    for name, text, fields in (
        ("ann", "Porto is my city.", {"city": "Porto"}),
        ("bob", "Oslo is my city.", {"city": "Oslo"}),
        ("ann", "My job is baker.", {"job": "baker"}),
    ):
        model.records.append({"Profile": [found(text, **fields)]})
        chat = alice.conversation(f"{name}-{text}")
        chat.add("user", text, name=name)
        chat.pause()
        memory.flush()
        clock.forward(days=1)
    values = {record.fact.subject: record.value.model_dump() for record in alice.records(Profile)}
    assert values == {"ann": {"city": "Porto", "job": "baker"}, "bob": {"city": "Oslo", "job": None}}


@pytest.mark.req("X29")
def test_schemas_and_records_are_exported_imported_and_copied(memory, alice, clock, model, tmp_path, open_memory):
    alice.learn(Project, key=["name"], instructions="Work only.")
    read(memory, clock, model, "a", "Apollo is run by Ada.",
         Project=[found("Apollo is run by Ada", name="Apollo", owner="Ada")])  # fmt: skip
    alice.export(tmp_path / "alice")
    other = open_memory(":memory:", clock=clock, embedder="none")
    copied = other.import_space(tmp_path / "alice", space="copy")
    assert copied.schemas() == alice.schemas()
    assert projects(copied) == projects(alice)
    target = open_memory(str(tmp_path / "other.db"), clock=clock, embedder="none")
    memory.copy_to(target)
    assert target.space("alice").schemas() == alice.schemas()
    assert all(finding.ok for finding in memory.doctor())
    with pytest.raises(NoModel, match="no language model is configured"):
        copied.learn(Task)


def test_a_schema_that_is_not_understood_is_refused(alice):
    class Tree(BaseModel):
        name: str = Field(pattern="^[a-z]+$")
        children: list[Tree] = []

    assert alice.learn(Tree, key=["name"]).name == "Tree"
    assert alice.learn({"type": "object", "properties": {"a": {"type": "string"}}}, name="Own").name == "Own"
    for schema, options, advice in (
        (int, {}, "must describe an object"),
        ({"type": "array", "items": {}}, {"name": "A"}, "must describe an object"),
        ({"type": "object", "properties": {"a": {"if": {}}}}, {"name": "A"}, "'if' in a is not supported"),
        ({"type": "object", "properties": {"a": {"$ref": "http://x"}}}, {"name": "A"}, "must name one"),
        ({"type": "object", "properties": {"a": {"pattern": "("}}}, {"name": "A"}, "not a regular expression"),
        ({"type": "object", "properties": {"a": {}}}, {}, "cannot be called"),
        (Task, {"key": ["nothing"]}, "which is no field"),
        (Task, {"name": "a b"}, "cannot be called"),
        (Task, {"instructions": "x" * 3000}, "limit is 2,000"),
        ("Task", {}, "a schema is a pydantic model"),
    ):
        with pytest.raises(InvalidInput, match=advice):
            alice.learn(schema, **options)
    with pytest.raises(NotFound):
        alice.records(Task, after="nothing")


def test_a_record_that_no_longer_fits_its_class_is_named(memory, alice, clock, model):
    alice.learn(Project, key=["name"])
    read(memory, clock, model, "a", "Apollo is run by Ada.",
         Project=[found("Apollo is run by Ada", name="Apollo", owner="Ada")])  # fmt: skip

    class Stricter(BaseModel):
        name: str
        rank: int

    Stricter.__name__ = "Project"
    with pytest.raises(InvalidInput, match="does not fit Project: Field required"):
        alice.records(Stricter)


def test_a_record_and_a_fact_in_the_same_words_are_apart(memory, alice, clock, model):
    alice.learn(Project, key=["name"])
    fact = alice.remember("Project: name Apollo; owner Ada", subject="apollo", attribute="record: Project", value="x")
    read(memory, clock, model, "a", "Apollo is run by Ada.",
         Project=[found("Apollo is run by Ada", name="Apollo", owner="Ada")])  # fmt: skip
    assert alice.fact(fact.id).status == "active"
    assert projects(alice) == [{"name": "Apollo", "owner": "Ada"}]
