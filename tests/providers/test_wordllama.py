import json
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tokenizers import Tokenizer

from aforesaid.errors import InvalidInput, ProviderError
from aforesaid.providers.wordllama import DATA, WordLlama, load_model

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
def wordllama():
    return WordLlama()


def run(code: str, *arguments: str) -> str:
    command = [sys.executable, "-c", code, *arguments]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def test_vectors_are_unit_length_rows_of_the_named_dimension(wordllama):
    vectors = wordllama.embed(TEXTS)
    assert vectors.shape == (len(TEXTS), 256)
    assert vectors.dtype == np.float32
    np.testing.assert_allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-6)


@pytest.mark.parametrize("dimension", [256, 128, 64])
def test_vectors_equal_those_of_the_wordllama_package(tmp_path, dimension):
    code = """
import sys, json, numpy, pathlib, wordllama
model = wordllama.WordLlama.load(
    cache_dir=pathlib.Path(wordllama.__file__).parent, trunc_dim=int(sys.argv[1]), disable_download=True
)
numpy.save(sys.argv[2], model.embed(json.loads(sys.argv[3]), norm=True))
"""
    texts = [text.replace("\0", "\x01") for text in TEXTS]  # process arguments cannot contain NUL
    run(code, str(dimension), str(tmp_path / "theirs.npy"), json.dumps(texts))
    theirs = np.load(tmp_path / "theirs.npy")
    np.testing.assert_allclose(WordLlama(dimension).embed(texts), theirs, atol=1e-6)


def test_similar_meanings_have_a_higher_similarity(wordllama):
    cat, kitten, database = wordllama.embed(TEXTS[:3])
    assert cat @ kitten > cat @ database


@pytest.mark.parametrize("blank", ["", " ", "\n\t \r\n", "\u3000\u2003"])
def test_a_blank_text_has_the_zero_vector_and_does_not_change_other_vectors(wordllama, blank):
    vectors = wordllama.embed(["one", blank, "two"])
    assert not vectors[1].any()
    assert np.array_equal(vectors[[0, 2]], wordllama.embed(["one", "two"]))


def test_no_texts_give_no_rows(wordllama):
    assert wordllama.embed([]).shape == (0, 256)


@given(texts=st.lists(st.text(max_size=60), max_size=8))
@settings(max_examples=50, deadline=None)
def test_any_text_has_a_finite_vector_of_length_one_or_zero(wordllama, texts):
    lengths = np.linalg.norm(wordllama.embed(texts), axis=1)
    expected = [0 if not text or text.isspace() else 1 for text in texts]
    np.testing.assert_allclose(lengths, expected, atol=1e-5)


def test_a_vector_does_not_depend_on_the_other_texts_of_the_batch(wordllama):
    together = wordllama.embed(TEXTS * 40)
    alone = np.concatenate([wordllama.embed([text]) for text in TEXTS])
    assert np.array_equal(together, np.tile(alone, (40, 1)))


def test_a_second_instance_gives_the_same_vectors(wordllama):
    assert np.array_equal(WordLlama().embed(TEXTS), wordllama.embed(TEXTS))


def test_the_end_of_a_long_text_changes_the_vector(wordllama):
    start = "the weather is fine today. " * 2000
    plain, ended = wordllama.embed([start, start + "zebra crossing " * 2000])
    assert plain @ ended < 0.99


def test_threads_share_one_embedder_from_its_first_use():
    fresh = WordLlama()
    with ThreadPoolExecutor(4) as pool:
        results = list(pool.map(lambda _: fresh.embed(TEXTS), range(12)))
    assert all(np.array_equal(result, results[0]) for result in results)


def test_a_lone_surrogate_is_invalid_input(wordllama):
    with pytest.raises(InvalidInput, match="surrogate"):
        wordllama.embed(["fine", "a\ud800b"])


@pytest.mark.req("D11")
def test_missing_weights_are_a_provider_error(tmp_path):
    with pytest.raises(ProviderError, match="install aforesaid again"):
        WordLlama(folder=tmp_path).embed(["hello"])


def test_an_unsupported_dimension_is_invalid_input():
    with pytest.raises(InvalidInput, match="256, 128, 64"):
        WordLlama(100)


def test_first_use_loads_no_http_library_and_sets_up_no_logging():
    code = """
import logging, sys
from aforesaid.providers.wordllama import WordLlama
WordLlama().embed(["hello"])
print(sorted({"wordllama", "requests", "httpx2", "pydantic"} & set(sys.modules)), logging.root.handlers)
"""
    assert run(code).strip() == "[] []"


@pytest.fixture(scope="module")
def reference():
    """The tokenizer of the wordllama package."""
    folder = Path(find_spec("wordllama").submodule_search_locations[0])
    loaded = Tokenizer.from_file(str(folder / "tokenizers" / "l2_supercat_tokenizer_config.json"))
    loaded.no_padding()
    loaded.no_truncation()
    return loaded


@pytest.mark.req("X22")
@given(text=st.text(max_size=200) | st.text("ab <s>/unk▁0x4\n\u3042", max_size=100))
@settings(max_examples=300, deadline=None)
def test_tokens_equal_those_of_the_tokenizers_package(reference, text):
    assert load_model(DATA, 256).tokenizer.encode(text) == reference.encode(text, add_special_tokens=False).ids


@pytest.mark.req("X22")
@pytest.mark.parametrize("text", [*TEXTS, "ab" * 5000, "日本語のテキスト" * 200, " " * 999, "<s>a</s> b<unk><0x41>"])
def test_tokens_of_long_words_and_special_tokens_equal_those_of_the_tokenizers_package(reference, text):
    assert load_model(DATA, 256).tokenizer.encode(text) == reference.encode(text, add_special_tokens=False).ids
