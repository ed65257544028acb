"""Tests the integer products of vectors in numpy, for platforms without simsimd."""

from __future__ import annotations

import numpy as np
import pytest
from simsimd import cdist

from aforesaid.storage.repositories.vector_blocks import numpy_products


@pytest.mark.req("X22")
@pytest.mark.parametrize("dimension", [1, 64, 256, 1536, 3072])
def test_numpy_gives_the_same_products_as_simsimd(dimension):
    random = np.random.default_rng(dimension)
    query = random.integers(-127, 128, (1, dimension)).astype(np.int8)
    data = random.integers(-127, 128, (1024, dimension)).astype(np.int8)
    data[0], data[1] = query, -query
    assert np.array_equal(numpy_products(query, data), np.asarray(cdist(query, data, "dot")))
