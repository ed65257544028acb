"""Tests recall over several spaces on every store."""

import pytest

from aforesaid import AsyncMemory, InvalidInput, Memory


@pytest.fixture
def filled(memory: Memory) -> Memory:
    """Fills Alice's space with talk about trips, and the team's with talk about Zephyrine's trip."""
    for at in range(30):
        memory.space("alice").conversation("c").add("user", f"Note {at} about a trip, a hotel and a train")
    team = memory.space("team").conversation("t")
    for at in range(10):
        team.add("user", f"Invoice {at} was sent to customer {at * 7}")
    team.add("user", "Zephyrine plans a trip to Quimper", id="zephyrine")
    memory.space("third").conversation("c").add("user", "Nothing of interest")
    memory.flush()
    return memory


@pytest.mark.req("X34")
def test_a_hit_of_another_space_is_found_and_named(filled):
    hits = filled.recall(["alice", "team"], "Where does Zephyrine plan a trip to?", 50)
    assert (hits[0].space, hits[0].id) == ("team", "zephyrine")
    assert {hit.space for hit in hits} == {"alice", "team"}
    assert {hit.space for hit in filled.recall(["alice"], "trip")} == {"alice"}
    assert all(hit.message.space == hit.space for hit in hits if hit.message)
    totals = [hit.score.total for hit in hits]
    assert totals == sorted(totals, reverse=True)


@pytest.mark.req("X34")
def test_the_order_of_the_spaces_does_not_change_the_hits(filled):
    query = "Who plans a trip by train?"
    one, other = (filled.recall(spaces, query, 20) for spaces in (["alice", "team"], ["team", "alice"]))
    assert [hit.id for hit in one] == [hit.id for hit in other]


@pytest.mark.req("X34")
def test_hits_of_one_space_keep_their_order(filled):
    query = "trip by train and hotel"
    alone = [hit.id for hit in filled.space("alice").recall(query, 10)]
    merged = [hit.id for hit in filled.recall(["alice", "team"], query, 10) if hit.space == "alice"]
    assert merged == alone[: len(merged)]


@pytest.mark.req("X34")
def test_an_unknown_space_is_empty_and_options_apply_to_all(filled):
    assert len(filled.recall(["nobody"], "trip")) == 0
    hits = filled.recall(["alice", "team", "nobody"], "trip", 50, kinds=["message"], explain=True)
    assert hits.explanation.messages == 41
    assert set(hits.milliseconds) >= {"total", "lexical"}
    assert not filled.recall(["alice", "team"], "trip", filter={"topic": "x"})


@pytest.mark.req("X34")
def test_each_space_records_its_own_hits(filled):
    filled.recall(["alice", "team"], "Zephyrine", 3)
    assert filled.space("team").conversation("t").accesses("zephyrine").count == 1
    assert {one.space for one in filled.retrievals()} == {"alice", "team"}


@pytest.mark.req("X34")
def test_the_same_text_in_two_spaces_is_one_hit(filled):
    for name in ("alice", "team"):
        filled.space(name).conversation("c").add("user", "The heron stands at the pond of the old mill")
    filled.flush()
    hits = filled.recall(["alice", "team"], "heron at the pond", 5, kinds=["message"])
    assert [hit.text for hit in hits].count("The heron stands at the pond of the old mill") == 1


@pytest.mark.parametrize(
    ("spaces", "reason"),
    [("alice", r"must be a list, such as \['alice'\]"), ([], "1 to 100 spaces"), ([""], "a space"), ([7], "a space")],
)
def test_invalid_spaces_are_refused(memory, spaces, reason):
    with pytest.raises(InvalidInput, match=reason):
        memory.recall(spaces, "trip")


@pytest.mark.req("X34")
async def test_the_async_memory_searches_several_spaces_too(tmp_path):
    async with AsyncMemory(tmp_path / "a.db", worker=False, environment={}) as memory:
        for name in ("alice", "team"):
            await memory.space(name).conversation("c").add("user", f"The heron of {name}")
        assert {hit.space for hit in await memory.recall(["alice", "team"], "heron")} == {"alice", "team"}
