"""Tests the terms that the analyzer makes of a text and of a query."""

from concurrent.futures import ThreadPoolExecutor

import apsw
import pytest
import regex
from hypothesis import given
from hypothesis import strategies as st

from aforesaid.text.analyzer import index_terms, query_terms
from aforesaid.text.stopwords import STOPWORDS

TERM = regex.compile(r"[wi][\p{L}\p{M}\p{N}]+")


def finds(query: str, text: str) -> bool:
    """Returns True if every query term is a term of the text, or a prefix of one if it ends in an asterisk."""
    asked, held = query_terms(query), index_terms(text)
    assert asked
    return all(any(term.startswith(ask[:-1]) if ask[-1] == "*" else term == ask for term in held) for ask in asked)


def test_words_are_stemmed_and_keep_their_order_and_frequency():
    assert index_terms("Parsing parsers: error, errors, ERROR!") == ("wpars", "wparser", "werror", "werror", "werror")


def test_stop_words_are_dropped_from_the_index_and_the_query():
    assert index_terms("What is it that we don't have, and I’m not over there?") == ()
    assert query_terms("to be or not to be") == ()


def test_stop_words_are_casefolded_ascii():
    assert all(word == word.casefold() and word.isascii() for word in STOPWORDS)
    assert "may" not in STOPWORDS


@pytest.mark.parametrize("text", ["Caroline's dog", "CAROLINE’S dog", "caroline dog"])
def test_a_possessive_is_indexed_as_its_base_word(text):
    assert index_terms(text) == ("wcarolin", "wdog")


def test_other_apostrophes_separate_two_words():
    assert index_terms("O'Brien") == ("wo", "wbrien")


def test_numbers_are_indexed():
    assert index_terms("room 42, 1984") == ("wroom", "w42", "w1984")


@pytest.mark.req("D7")
@pytest.mark.parametrize("query", ["parse_config", "parseConfig()", "ParseConfig", "PARSE_CONFIG"])
@pytest.mark.parametrize("text", ["parse_config", "parseConfig", "`ParseConfig`", "x = cfg.parse_config(y)"])
def test_naming_styles_share_words_and_the_identifier(query, text):
    shared = set(query_terms(query)) & set(index_terms(text))
    assert {"wpars", "wconfig", "iparseconfig"} <= shared


@pytest.mark.req("D7")
@pytest.mark.parametrize(
    ("text", "terms"),
    [
        ("src/app/main.py", ("wsrc", "wapp", "wmain", "wpy", "isrcappmainpy", "imainpy")),
        ("E1234", ("we1234", "ie1234")),
        ("parse-config", ("wpars", "wconfig")),
        ("--no-cache", ("wcach", "inocache")),
        ("HTTPServer2", ("whttp", "wserver2", "whttpserver2", "ihttpserver2")),
    ],
)
def test_an_identifier_is_indexed_with_its_words(text, terms):
    assert index_terms(text) == terms


def test_a_lower_case_query_finds_a_camel_case_name():
    assert finds("youtube", "I saw it on YouTube")
    assert finds("iphone", "my new iPhone")


@pytest.mark.req("X13")
@pytest.mark.parametrize(
    ("query", "text"),
    [
        ("机器学习", "我喜欢机器学习和数据"),
        ("猫", "我家有一只小猫"),
        ("猫", "猫咪在睡觉"),
        ("東京タワー", "昨日、東京タワーに行きました。"),
        ("ﾀﾜｰ", "東京タワー"),
        ("ラーメン 食べ", "ラーメンを食べたい"),
        ("한국어", "저는 한국어를 공부합니다"),
        ("집", "우리집 강아지"),
        ("ภาษาไทย", "ฉันกำลังเรียนภาษาไทยอยู่"),
        ("กำลัง", "ฉันกำลังเรียน"),
        ("ភាសា", "ខ្ញុំរៀនភាសាខ្មែរ"),
        ("كتاب", "هذا كِتَابٌ جميل"),
        ("كتاب", "كتـــاب"),
        ("שלום", "שָׁלוֹם לכולם"),
        ("हिन्दी भाषा", "मुझे हिन्दी भाषा पसंद है"),
        ("МОСКВА ёлка", "В Москва стоит елка"),
        ("cafe resume", "the café wants a résumé"),
        ("CAFÉS", "two cafes"),
        ("straße", "STRASSE"),
        ("ΟΔΟΣ", "η οδός"),
        ("😀", "so glad 😀!"),
        ("👍", "👍🏽 done"),
        ("❤", "love❤️"),
        ("👩", "family 👨‍👩‍👧"),
        ("🇩🇪", "off to 🇩🇪🇫🇷"),
        ("E1234错误", "日志里有E1234错误"),
        ("e1234 错误", "日志里有E1234错误"),
        ("Docker 部署", "用Docker部署服务"),
        ("ＡＢＣ１２", "abc12"),
    ],
)
def test_a_query_finds_matching_text_in_every_language(query, text):
    assert finds(query, text)


@pytest.mark.req("X13")
@pytest.mark.parametrize(
    ("query", "text"),
    [("हिंदी", "हद"), ("学习", "学了又习"), ("猫", "狗"), ("😀", "😡"), ("книга", "стол")],
)
def test_a_query_does_not_find_other_words(query, text):
    assert not finds(query, text)


@pytest.mark.req("X13")
def test_each_character_of_a_script_without_spaces_starts_a_bigram():
    assert index_terms("東京都") == ("w東京", "w京都", "w都")
    assert query_terms("東京都") == ("w東京", "w京都")
    assert query_terms("東") == ("w東*",)


def test_a_change_of_script_separates_terms():
    assert index_terms("E1234错误") == ("we1234", "ie1234", "w错误", "w误")


def test_an_emoji_is_a_term():
    assert index_terms("ok 😀😀") == ("wok", "wx1f600", "wx1f600")


def test_query_terms_are_distinct_and_limited():
    assert query_terms("cats and cat, cats!") == ("wcat",)
    assert len(query_terms(" ".join(f"word{n}" for n in range(100)))) == 48
    assert query_terms("one two three", most=2) == ("wone", "wtwo")


def test_a_long_query_keeps_its_identifier():
    query = " ".join(f"word{n}" for n in range(60)) + " parse_config"
    assert query_terms(query)[-1] == "iparseconfig"
    assert len(query_terms(query)) == 48


def test_a_long_word_is_truncated_equally_in_index_and_query():
    word = "x" * 500
    assert index_terms(word) == query_terms(word) == ("w" + "x" * 63,)


@pytest.mark.parametrize(
    "unit", ["a", "!", "`a", "a_", "aB", "猫", "กำ", "😀", "é", "a\u0300\u0316", "\u0300\u0316", "'a"]
)
def test_a_very_long_text_has_a_bounded_number_of_terms(unit):
    assert len(index_terms(unit * 100_000)) <= 300_000


def test_the_analyzer_is_thread_safe():
    texts = [f"Running tests number {n} in parseConfig{n}" for n in range(300)] * 3
    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(index_terms, texts)) == [index_terms(text) for text in texts]


WORDS = st.lists(
    st.one_of(
        st.text(max_size=8),
        st.sampled_from(
            ["parse_config", "don't", "l’été", "👨‍👩‍👧", "が゙", "हिन्दी", "ﷺ", "İ", "ﬁn", "½", "x\u0301", "`a.b`", "猫"]
        ),
    ),
    max_size=8,
).map(" ".join)


@given(WORDS)
def test_every_term_is_one_fts5_token(text):
    tokenizer = apsw.Connection(":memory:").fts5_tokenizer(
        "unicode61", ["remove_diacritics", "0", "categories", "L* N* M* Co"]
    )
    for term in index_terms(text):
        assert TERM.fullmatch(term)
        assert len(term) <= 64
        tokens = tokenizer(
            term.encode(), apsw.FTS5_TOKENIZE_DOCUMENT, None, include_offsets=False, include_colocated=False
        )
        assert len(tokens) == 1


@given(WORDS)
def test_a_query_equal_to_the_text_finds_it(text):
    held = index_terms(text)
    for ask in query_terms(text, most=1000):
        assert any(term.startswith(ask[:-1]) for term in held) if ask[-1] == "*" else ask in held
