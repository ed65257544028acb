"""AforesaidStore with graphs and agents of LangGraph, on a file and on a server."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from langchain.agents import create_agent
from langchain.tools import ToolRuntime, tool
from langchain_core.language_models import GenericFakeChatModel
from langchain_core.messages import AIMessage
from langgraph.graph import START, StateGraph
from langgraph.runtime import Runtime
from langgraph.store.base import (
    GetOp,
    InvalidNamespaceError,
    ListNamespacesOp,
    MatchCondition,
    PutOp,
    SearchOp,
)
from typing_extensions import TypedDict

from aforesaid import Memory
from aforesaid.errors import InvalidInput
from aforesaid.integrations.langgraph import AforesaidStore

ANA = ("users", "ana")


class Clock:
    now = datetime(2026, 3, 1, tzinfo=UTC)

    def __call__(self) -> datetime:
        return self.now


class ScriptedModel(GenericFakeChatModel):
    """Answers what the test says, and accepts any tools."""

    def bind_tools(self, *_: Any, **__: Any) -> ScriptedModel:
        return self


@pytest.fixture
def store(memory: Memory) -> AforesaidStore:
    return AforesaidStore(memory.space("app"))


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def near(tmp_path: Path, clock: Clock) -> Iterator[Memory]:
    with Memory(tmp_path / "ttl.db", clock=clock, environment={}) as memory:
        yield memory


def test_values_come_back_as_they_are_and_are_items_of_the_space(store: AforesaidStore, memory: Memory):
    value = {"theme": "dark", "size": 14, "ratio": 1.0, "none": None, "list": [{"b": 1, "a": 2}]}
    store.put(ANA, "settings", value)
    found = store.get(ANA, "settings")
    assert found is not None
    assert list(found.value.items()) == list(value.items())
    assert (found.namespace, found.key) == (ANA, "settings")
    assert memory.space("app").items(ANA).get("settings").value == value
    store.delete(ANA, "settings")
    assert store.get(ANA, "settings") is None


def test_a_memory_is_its_default_space(memory: Memory):
    AforesaidStore(memory).put(ANA, "k", {"n": 1})
    assert memory.space("default").items(ANA).get("k").value == {"n": 1}


@pytest.mark.anyio
async def test_a_batch_reads_the_state_before_it_and_keeps_the_last_put(store: AforesaidStore):
    await store.aput(ANA, "k", {"n": 0})
    ops = [
        PutOp(ANA, "k", {"n": 1}),
        GetOp(ANA, "k"),
        PutOp(ANA, "k", None),
        PutOp(ANA, "k", {"n": 2}),
        SearchOp(ANA),
        PutOp(("other",), "k", {}),
        ListNamespacesOp(),
    ]
    results = await store.abatch(ops)
    assert results[1].value == {"n": 0}
    assert [item.value for item in results[4]] == [{"n": 0}]
    assert results[6] == [ANA]
    assert (await store.aget(ANA, "k")).value == {"n": 2}
    assert await store.alist_namespaces() == [("other",), ANA]


def test_a_batch_with_a_wrong_namespace_writes_nothing(store: AforesaidStore):
    with pytest.raises(InvalidNamespaceError):
        store.batch([PutOp(("valid",), "k", {}), GetOp(("a.b",), "k")])
    assert store.list_namespaces() == []


def test_a_search_ranks_the_matches_and_then_has_the_others(store: AforesaidStore, memory: Memory):
    store.put(ANA, "a", {"text": "She likes the green of old railway carriages"})
    store.put(ANA, "b", {"text": "Her brother repairs clocks"})
    store.put(ANA, "c", {"text": "railway carriages"}, index=False)
    memory.flush()
    found = store.search(ANA, query="railway carriages", limit=3)
    assert found[0].key == "a"
    scores = {item.key: item.score for item in found}
    assert scores["c"] is None
    assert scores["a"] > scores["b"] >= 0
    pages = [store.search(ANA, query="railway carriages", limit=1, offset=at)[0].key for at in range(3)]
    assert sorted(pages) == ["a", "b", "c"]
    assert [item.key for item in store.search(("users",), query="railway", limit=1)] == ["a"]
    assert store.search(ANA, query="railway", limit=0) == []


def test_only_the_named_fields_are_searched(memory: Memory):
    store = AforesaidStore(memory, index={"fields": ["title"]})
    store.put(ANA, "a", {"title": "Herons", "body": "ravens"})
    store.put(ANA, "b", {"title": "Ravens", "body": "herons"}, index=["body"])
    memory.flush()
    first, second = store.search(ANA, query="herons")
    assert first.score > 0.5
    assert second.score > 0.5
    assert all(item.score < 0.5 for item in store.search(ANA, query="ravens"))


def test_an_embedder_is_given_to_the_memory(memory: Memory):
    with pytest.raises(InvalidInput, match="embedder="):
        AforesaidStore(memory, index={"dims": 3, "embed": lambda texts: [[0.0] * 3 for _ in texts]})


def test_filters_compare_values(store: AforesaidStore):
    for key, n in {"a": 1, "b": 5}.items():
        store.put(ANA, key, {"n": n, "by": {"name": key}})
    assert [item.key for item in store.search(ANA, filter={"n": {"$gt": 1, "$lte": 5}})] == ["b"]
    assert [item.key for item in store.search(ANA, filter={"by": {"name": "a"}})] == ["a"]
    assert [item.key for item in store.search(ANA, filter={"n": {"$ne": 1}}, query="a")] == ["b"]


def test_namespaces_match_all_conditions(store: AforesaidStore):
    for namespace in (("a", "b", "x"), ("a", "c", "x"), ("a", "b", "y"), ("d", "b", "x")):
        store.put(namespace, "k", {})
    conditions = (
        MatchCondition("prefix", ("a", "*")), MatchCondition("prefix", ("*", "b")), MatchCondition("suffix", ("x",)),
    )  # fmt: skip
    assert store.batch([ListNamespacesOp(conditions)]) == [[("a", "b", "x")]]
    never = (MatchCondition("prefix", ("a",)), MatchCondition("prefix", ("d",)))
    assert store.batch([ListNamespacesOp(never)]) == [[]]
    assert store.list_namespaces(max_depth=1) == [("a",), ("d",)]
    assert store.list_namespaces(limit=1, offset=1) == [("a", "b", "y")]


def test_an_item_lives_until_its_ttl_after_the_last_read(near: Memory, clock: Clock):
    store = AforesaidStore(near, ttl={"default_ttl": 60, "refresh_on_read": True})
    store.put(ANA, "hour", {"n": 1})
    store.put(ANA, "two", {"n": 2}, ttl=120)
    store.put(ANA, "stays", {"n": 3}, ttl=None)
    for _ in range(3):
        clock.now += timedelta(minutes=50)
        assert store.get(ANA, "hour") is not None
        assert {item.key for item in store.search(ANA)} == {"hour", "two", "stays"}
    clock.now += timedelta(minutes=59)
    store.get(ANA, "hour", refresh_ttl=False)
    clock.now += timedelta(minutes=2)
    assert store.get(ANA, "hour") is None
    assert {item.key for item in store.search(ANA, refresh_ttl=False)} == {"two", "stays"}
    clock.now += timedelta(minutes=60)
    assert {item.key for item in store.search((), query="n")} == {"stays"}


def test_a_store_far_away_has_a_ttl_too(memory: Memory):
    store = AforesaidStore(memory, ttl={"default_ttl": 0.51})
    store.put(ANA, "k", {})
    assert memory.space("default").items(ANA).get("k").lifetime == 31
    before = memory.space("default").items(ANA).get("k").expires_at
    store.get(ANA, "k")
    assert memory.space("default").items(ANA).get("k").expires_at > before


class State(TypedDict):
    user: str
    theme: str


@pytest.mark.anyio
async def test_the_nodes_of_a_graph_use_the_store(store: AforesaidStore):
    async def learn(state: State, runtime: Runtime) -> dict[str, str]:
        await runtime.store.aput(("users", state["user"]), "prefs", {"theme": state["theme"]})
        return {}

    async def tell(state: State, runtime: Runtime) -> dict[str, str]:
        found = await runtime.store.aget(("users", state["user"]), "prefs")
        return {"theme": found.value["theme"].upper()}

    graph = StateGraph(State).add_node(learn).add_node(tell).add_edge(START, "learn").add_edge("learn", "tell")
    answer = await graph.compile(store=store).ainvoke({"user": "ana", "theme": "dark"})
    assert answer["theme"] == "DARK"
    assert store.get(ANA, "prefs").value == {"theme": "dark"}


@tool
def remember(text: str, runtime: ToolRuntime) -> str:
    """Stores a note about the user."""
    runtime.store.put(ANA, "note", {"text": text})
    return "stored"


@pytest.mark.anyio
@pytest.mark.parametrize("way", ["invoke", "ainvoke"])
async def test_the_tools_of_an_agent_use_the_store(store: AforesaidStore, way: str):
    call = {"name": "remember", "args": {"text": "She keeps herons"}, "id": "c1", "type": "tool_call"}
    model = ScriptedModel(messages=iter([AIMessage("", tool_calls=[call]), AIMessage("Done.")]))
    agent = create_agent(model, [remember], store=store)
    asked = {"messages": [{"role": "user", "content": "Remember that I keep herons"}]}
    answer = agent.invoke(asked) if way == "invoke" else await agent.ainvoke(asked)
    assert answer["messages"][-1].content == "Done."
    assert store.search(ANA, query="herons")[0].value == {"text": "She keeps herons"}
