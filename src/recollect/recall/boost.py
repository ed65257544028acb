"""Words beside the question that count too."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from recollect.ports import Lexical
from recollect.recall.grains import rarity
from recollect.records import Directory
from recollect.text.terms import query_terms

TERMS = 16  # that are looked for

Column = NDArray[np.float64]


def boosted(lexical: Lexical, space: str, directory: Directory, text: str) -> Column:
    """Which share of a text's terms, by how rare they are, each message has."""
    part, whole = np.zeros(len(directory)), 0.0
    for chunks in lexical.having(space, query_terms(text, TERMS)):
        at = directory.places(chunks)
        messages = np.unique(at[at >= 0])
        weight = rarity(len(messages), len(directory)) if len(messages) else 0.0
        part[messages] += weight
        whole += weight
    return part / whole if whole else part
