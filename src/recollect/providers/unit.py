"""Rows of length one, so that a dot product is a cosine."""

from __future__ import annotations

import numpy as np

from recollect.ports import Vectors


def unit(rows: Vectors) -> Vectors:
    """Each finite row scaled to length one. A zero row stays zero."""
    lengths = np.linalg.norm(rows.astype(np.float64), axis=1, keepdims=True)
    return (rows / np.where(lengths > 0, lengths, 1)).astype(np.float32)
