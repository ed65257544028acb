"""Tests recall on every store: scripts, identifiers, scopes, and scores."""

import pytest

from aforesaid import InvalidInput, Memory

SAID = {
    "lisbon": "We settled on Lisbon in May.",
    "config": "The bug is in parse_config, it drops the last line.",
    "path": "Look at src/app/main.py first.",
    "error": "The build ends with E1234 since yesterday.",
    "chinese": "我喜欢在周末去爬山",
    "japanese": "来週の会議は東京で開かれます",
    "korean": "내일 서울에서 회의가 있습니다",
    "thai": "พรุ่งนี้ฉันจะไปเชียงใหม่",
    "arabic": "الاجتماع القادم في القاهرة",
    "hindi": "मुझे मसाला चाय पसंद है",
    "russian": "Встреча перенесена на четверг",
    "french": "On se retrouve au café près du marché.",
    "emoji": "What a day 🎉🦄",
    "mixed": "部署失败,错误码E9876,请看日志",
}


@pytest.fixture
def said(memory: Memory) -> Memory:
    chat = memory.space("alice").conversation("c")
    for id, text in SAID.items():
        chat.add("user", text, id=id)
    memory.flush()
    return memory


@pytest.mark.req("X13", "D6")
@pytest.mark.parametrize(
    ("query", "id"),
    [
        ("settle in lisbon", "lisbon"),
        ("爬山", "chinese"),
        ("山", "chinese"),
        ("東京", "japanese"),
        ("会議", "japanese"),
        ("서울", "korean"),
        ("เชียงใหม่", "thai"),
        ("القاهرة", "arabic"),
        ("चाय", "hindi"),
        ("четверг", "russian"),
        ("cafe marche", "french"),
        ("🦄", "emoji"),
        ("E9876", "mixed"),
        ("日志", "mixed"),
    ],
)
def test_messages_in_every_script_are_found_by_their_words(said: Memory, query: str, id: str):
    said.space("alice").set("weight_dense", 0.0)
    assert said.space("alice").recall(query)[0].message.id == id


@pytest.mark.req("D7")
@pytest.mark.parametrize(
    ("query", "id"),
    [
        ("parse_config", "config"),
        ("parseConfig()", "config"),
        ("what does parseConfig do", "config"),
        ("src/app/main.py", "path"),
        ("main.py", "path"),
        ("E1234", "error"),
    ],
)
def test_identifiers_are_found_in_any_naming_style(said: Memory, query: str, id: str):
    hit = said.space("alice").recall(query)[0]
    assert hit.message.id == id
    assert hit.score.identifier == 1.0


def test_a_hit_has_its_score_and_sources(said: Memory):
    hit = said.space("alice").recall("Lisbon in May")[0]
    weights = {
        "dense": 0.6,
        "lexical": 0.3,
        "identifier": 0.1,
        "speaker": 0.17,
        "time": 0.2,
        "statement": 0.06,
    }
    assert hit.score.total == pytest.approx(sum(w * getattr(hit.score, part) for part, w in weights.items()))
    assert hit.sources == ("dense", "lexical")
    assert hit.chunk.content == hit.message.content


def test_the_same_query_gives_the_same_hits(said: Memory):
    alice = said.space("alice")
    assert alice.recall("meeting next week") == alice.recall("meeting next week")


@pytest.mark.parametrize("query", ['"', "*", "NEAR(", "AND", "a AND (b OR", "terms:x", "^lisbon", "-x", "()", "💥*"])
def test_full_text_query_syntax_is_ignored(said: Memory, query: str):
    said.space("alice").recall(query)
    assert said.space("alice").recall(f"{query} lisbon", 20)


def test_an_empty_query_or_limit_is_rejected(said: Memory):
    with pytest.raises(InvalidInput, match="empty"):
        said.space("alice").recall("   ")
    with pytest.raises(InvalidInput, match="limit"):
        said.space("alice").recall("x", limit=0)


@pytest.mark.req("D6")
def test_a_system_message_is_never_recalled(memory: Memory):
    chat = memory.conversation("c")
    chat.add("system", "You are a zebra expert.")
    chat.add("user", "Hello there")
    memory.flush()
    assert [hit.message.role for hit in memory.space("default").recall("zebra expert", 10)] == ["user"]
    assert memory.status().models[0].embedded == 1


@pytest.mark.req("D1")
def test_recall_searches_the_conversation_first_and_widens_to_the_space(memory: Memory):
    alice = memory.space("alice")
    alice.conversation("old").add("user", "The hotel in Porto was lovely")
    trip = alice.conversation("trip")
    trip.add("user", "Which hotel shall we take?")
    memory.flush()
    assert [hit.message.conversation for hit in trip.recall("hotel")] == ["trip", "old"]
    trip.add("user", "A hotel by the river")
    trip.add("user", "A hotel on the hill")
    memory.flush()
    assert {hit.message.conversation for hit in trip.recall("hotel")} == {"trip"}
    assert {hit.message.conversation for hit in alice.recall("hotel", conversation="old")} == {"old"}


def test_a_long_message_is_one_hit_with_its_best_chunk(memory: Memory):
    chat = memory.conversation("c")
    filler = "The weather was fine and the train was late again. " * 150
    added = chat.add("user", f"{filler}\n\nThe passphrase is ornithopter.\n\n{filler}")
    memory.flush()
    hits = memory.space("default").recall("ornithopter passphrase")
    assert [hit.message.id for hit in hits] == [added.id]
    assert "ornithopter" in hits[0].chunk.content
    assert len(chat.chunks(added.id)) > 3


def test_term_rarity_is_counted_per_space(memory: Memory):
    """A word that is frequent in other spaces can be rare in this one."""
    for number in range(50):
        memory.space("noise").conversation("c").add("user", f"heron number {number}")
    mine = memory.space("mine").conversation("c")
    mine.add("user", "a heron", id="heron")
    for number in range(10):
        mine.add("user", f"a walk number {number}")
    memory.space("mine").set("weight_dense", 0.0)
    hits = memory.space("mine").recall("heron walk", 3)
    assert hits[0].message.id == "heron"


def test_without_hybrid_search_only_dense_hits_are_returned(said: Memory):
    alice = said.space("alice")
    alice.set("hybrid", False)
    assert all(hit.sources == ("dense",) for hit in alice.recall("lisbon"))
