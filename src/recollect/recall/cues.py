"""What the form of a question says of its answer: who gives it, when, and that it is a statement."""

from __future__ import annotations

from collections.abc import Collection

import numpy as np
from numpy.typing import NDArray

from recollect.ids import microseconds
from recollect.models import ROLES
from recollect.recall.query import Query, named
from recollect.records import Directory

USER, ASSISTANT = ROLES.index("user"), ROLES.index("assistant")
NAMED = 0.35  # of two speakers that a question names, one may only be spoken of
FADES = 10 * 24 * 3600 * 1e6  # microseconds in which closeness in time falls to a third
SAYS_WHEN = 0.25  # of a message that says a time, where the question asks for one

Column = NDArray[np.float64]


def speaker(directory: Directory, query: Query) -> Column:
    part = np.zeros(len(directory))
    if query.second:
        part += directory.roles == ASSISTANT
    elif query.first:
        part += directory.roles == USER
    wanted = named(query.text, directory.names)
    if wanted:
        part += NAMED * np.isin(directory.speakers, list(wanted))
    return np.minimum(part, 1.0)


def time(directory: Directory, query: Query, mentioning: Collection[int]) -> Column:
    """How close messages are to the time that a question asks about; `mentioning` are those that speak of it."""
    if query.when is None:
        return np.zeros(len(directory))
    start, stop = microseconds(query.when.start), microseconds(query.when.stop)
    gap = np.maximum(np.maximum(start - directory.moments, directory.moments - stop), 0)
    part: Column = np.exp(-gap / FADES)
    part[np.isin(directory.messages, list(mentioning))] = 1.0
    return part
