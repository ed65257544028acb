"""Tests recall queries with full-text syntax and with words of many scripts."""

from __future__ import annotations

import pytest

from aforesaid import Memory

SYNTAX = [
    '"', '""', '"heron', 'heron"', '"heron" "lake', "*", "heron*", "*heron", "her*n", "NEAR(", "NEAR(heron lake, 2)",
    "AND", "OR", "NOT", "heron AND", "heron AND (lake OR", "NOT heron", "heron NOT lake", "col:", "terms:heron",
    "{terms}:heron", "-terms : heron", "^", "^heron", "-heron", "+heron", "heron -lake", "()", "( )", "(((", "heron)",
    "heron\\", "'heron'", "heron';--", "heron%", "_", "[heron]", "heron:*", "a:b:c", "heron ? lake = :term",
    "\ufeffheron", "heron\u200b", "--", "``", "heron " * 5000, "(" * 5000, "\U0010ffff", "c1", "1wheron",
]  # fmt: skip


@pytest.fixture(scope="module")
def lake(tmp_path_factory):
    with Memory(tmp_path_factory.mktemp("lake") / "memory.db", worker=False) as mem:
        chat = mem.conversation("lake")
        chat.add("user", "We saw a heron standing by the lake in May.")
        chat.add("assistant", "The boat costs forty euros.")
        mem.flush()
        yield mem


@pytest.mark.parametrize("query", SYNTAX, ids=lambda query: repr(query[:24]))
def test_full_text_syntax_in_a_query_is_treated_as_plain_words(lake, query):
    hits = lake.space("default").recall(query)
    assert hits.degraded == ()
    if "heron" in query and "1wheron" not in query:
        assert hits[0].message.text.startswith("We saw a heron")
        assert "lexical" in hits[0].sources
    assert lake.conversation("lake").recall(query).warnings == ()


@pytest.mark.req("D6")
@pytest.mark.parametrize("query", ["heron", "HERON", "herons", "the heron?", "a heron, perhaps"])
def test_a_word_is_found_as_soon_as_add_returns(mem, query):
    stored = mem.conversation("c").add("user", "We saw a heron standing by the lake in May.")
    hit = mem.space("default").recall(query)[0]
    assert (hit.message, hit.sources) == (stored, ("lexical",))


TEXTS = {
    "arabic": ("اجتمعنا في المكتبة القديمة أمس", "المكتبة"),
    "arabic-vowels": ("قَرَأْتُ الكِتَابَ", "الكتاب"),
    "hebrew": ("נפגשנו בספרייה הישנה אתמול", "בספרייה"),
    "persian": ("ما در کتابخانه ملاقات کردیم", "کتابخانه"),
    "urdu": ("ہم لائبریری میں ملے", "لائبریری"),
    "marks": ("\u202eabc\u202c the \u2067פגישה\u2069 is set", "פגישה"),
    "emoji": ("party 🎉 tonight", "🎉"),
    "family": ("they are 👩‍👩‍👧 now", "👩‍👩‍👧"),
    "skin": ("well done 👍🏽 friend", "👍"),
    "flag": ("flying to 🇵🇹 soon", "🇵🇹"),
    "only-emoji": ("🦩🦩🦩", "🦩"),
    "keycap": ("press 5️⃣ to go on", "5"),
    "chinese": ("我们在旧图书馆见面", "图书馆"),
    "japanese": ("古い図書館で会いました", "図書館"),
    "korean": ("우리는 오래된 도서관에서 만났다", "도서관"),
    "thai": ("เราพบกันที่ห้องสมุดเก่า", "ห้องสมุด"),
    "hindi": ("हम पुराने पुस्तकालय में मिले", "पुस्तकालय"),
    "adlam": ("𞤀𞤣𞤤𞤢𞤥 𞤨𞤵𞤤𞤢𞤪", "𞤨𞤵𞤤𞤢𞤪"),
    "cherokee": ("ᏣᎳᎩ ᎦᏬᏂᎯᏍᏗ", "ᏣᎳᎩ"),
    "turkish": ("İstanbul'da buluştuk", "istanbul"),
    "german": ("Wir trafen uns in der Straße", "STRASSE"),
    "greek": ("Συναντηθήκαμε στη βιβλιοθήκη", "ΒΙΒΛΙΟΘΗΚΗ"),
    "full-width": ("ｔｈｅ ｈｅｒｏｎ", "heron"),
    "mixed": ("the API を叩く時 heron", "叩く"),
}


@pytest.mark.req("X13")
@pytest.mark.parametrize(("text", "query"), TEXTS.values(), ids=TEXTS.keys())
def test_text_of_every_script_is_found_by_its_words(mem, text, query):
    chat = mem.conversation("c")
    chat.add("user", "something quite unlike it")
    stored = chat.add("user", text)
    hit = mem.space("default").recall(query)[0]
    assert hit.message.id == stored.id
    assert hit.sources == ("lexical",)
    assert hit.message.text == text


@pytest.mark.req("D6")
def test_system_prompts_are_never_found(mem):
    chat = mem.conversation("c")
    chat.add("system", "You are a heron.")
    mem.flush()
    assert len(mem.space("default").recall("heron")) == 0
    assert mem.jobs() == []


@pytest.mark.req("D7")
def test_a_rare_word_finds_its_message_among_many_similar_messages(mem):
    chat = mem.conversation("c")
    chat.add_many({"role": "user", "content": f"the locker number {n} is free today"} for n in range(1000, 1200))
    mem.flush()
    for n in range(1000, 1200, 4):
        assert mem.space("default").recall(str(n), 1)[0].message.text == f"the locker number {n} is free today"
