import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tokenizers import Tokenizer
from tokenizers.models import WordPiece
from tokenizers.normalizers import BertNormalizer
from tokenizers.pre_tokenizers import BertPreTokenizer

from aforesaid.errors import InvalidInput, ProviderError
from aforesaid.providers.static import DATA, StaticEmbedder, load_table

TEXTS = [
    "I adopted a cat last week.",
    "She has a new kitten at home.",
    "The database index is corrupted.",
    "你好,世界",
    "مرحبا بالعالم 🎉",
    "a\0b",
    "  leading spaces, and\n\nline breaks  ",
    "word " * 500,
]


@pytest.fixture(scope="module")
def static():
    return StaticEmbedder()


def run(code: str, *arguments: str) -> str:
    command = [sys.executable, "-c", code, *arguments]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def test_vectors_are_unit_length_rows_of_the_named_dimension(static):
    vectors = static.embed(TEXTS)
    assert vectors.shape == (len(TEXTS), 256)
    assert vectors.dtype == np.float32
    np.testing.assert_allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-6)


def test_similar_meanings_have_a_higher_similarity(static):
    cat, kitten, database = static.embed(TEXTS[:3])
    assert cat @ kitten > cat @ database


@pytest.mark.parametrize("blank", ["", " ", "\n\t \r\n", "\u3000\u2003"])
def test_a_blank_text_has_the_zero_vector_and_does_not_change_other_vectors(static, blank):
    vectors = static.embed(["one", blank, "two"])
    assert not vectors[1].any()
    assert np.array_equal(vectors[[0, 2]], static.embed(["one", "two"]))


def test_no_texts_give_no_rows(static):
    assert static.embed([]).shape == (0, 256)


@given(texts=st.lists(st.text(max_size=60), max_size=8))
@settings(max_examples=50, deadline=None)
def test_any_text_has_a_finite_vector_of_length_one_or_zero(static, texts):
    lengths = np.linalg.norm(static.embed(texts), axis=1)
    expected = [0 if not text or text.isspace() else 1 for text in texts]
    np.testing.assert_allclose(lengths, expected, atol=1e-5)


def test_a_vector_does_not_depend_on_the_other_texts_of_the_batch(static):
    together = static.embed(TEXTS * 40)
    alone = np.concatenate([static.embed([text]) for text in TEXTS])
    assert np.array_equal(together, np.tile(alone, (40, 1)))


def test_a_second_instance_gives_the_same_vectors(static):
    assert np.array_equal(StaticEmbedder().embed(TEXTS), static.embed(TEXTS))


def test_the_end_of_a_long_text_changes_the_vector(static):
    start = "the weather is fine today. " * 2000
    plain, ended = static.embed([start, start + "zebra crossing " * 2000])
    assert plain @ ended < 0.99


def test_threads_share_one_embedder_from_its_first_use():
    fresh = StaticEmbedder()
    with ThreadPoolExecutor(4) as pool:
        results = list(pool.map(lambda _: fresh.embed(TEXTS), range(12)))
    assert all(np.array_equal(result, results[0]) for result in results)


def test_a_lone_surrogate_is_invalid_input(static):
    with pytest.raises(InvalidInput, match="surrogate"):
        static.embed(["fine", "a\ud800b"])


@pytest.mark.req("D11")
def test_missing_weights_are_a_provider_error(tmp_path):
    with pytest.raises(ProviderError, match="install aforesaid again"):
        StaticEmbedder(folder=tmp_path).embed(["hello"])


def test_an_unsupported_dimension_is_invalid_input():
    with pytest.raises(InvalidInput, match="256, 128, 64"):
        StaticEmbedder(100)


def test_first_use_loads_no_http_library_and_sets_up_no_logging():
    code = """
import logging, sys
from aforesaid.providers.static import StaticEmbedder
StaticEmbedder().embed(["hello"])
print(sorted({"requests", "httpx2", "pydantic"} & set(sys.modules)), logging.root.handlers)
"""
    assert run(code).strip() == "[] []"


@pytest.fixture(scope="module")
def reference():
    """BERT's tokenizer of the tokenizers package, with the vocabulary of the table."""
    words = (DATA / "static_vocabulary.txt").read_text("utf-8").split("\n")
    vocabulary = {word: id for id, word in enumerate([*words, "[UNK]"])}
    tokenizer = Tokenizer(WordPiece(vocabulary, unk_token="[UNK]", max_input_chars_per_word=100))
    tokenizer.normalizer = BertNormalizer(lowercase=True)
    tokenizer.pre_tokenizer = BertPreTokenizer()
    return tokenizer


@pytest.mark.req("X22")
@given(
    text=st.text(
        "abcdefghijklmnopqrstuvwxyz ABC.,!?'-_$+=<>@#éüñçßøÅ0123456789\n\u3042日本語한국어русский", max_size=200
    )
)
@settings(max_examples=300, deadline=None)
def test_tokens_equal_those_of_the_tokenizers_package(reference, text):
    table = load_table(DATA)
    expected = [id for id in reference.encode(text).ids if id < table.hashed]
    assert table.tokenizer.encode(text) == expected


@pytest.mark.req("X22")
@pytest.mark.parametrize("text", ["ab" * 5000, "日本語のテキスト" * 200, " " * 999, "Straße, naïve café — ¿Qué? 🎉"])
def test_tokens_of_long_words_and_accents_equal_those_of_the_tokenizers_package(reference, text):
    table = load_table(DATA)
    assert table.tokenizer.encode(text) == [id for id in reference.encode(text).ids if id < table.hashed]


def test_unknown_words_have_vectors_of_their_own(static):
    same, other, unlike = static.embed(["🎉🎊", "🎊 🎉", "🦖"])
    assert same @ other == pytest.approx(1)
    assert same @ unlike < 0.5
