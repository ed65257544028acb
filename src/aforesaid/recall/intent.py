"""Query intent: score parts for who answers a question and which time it asks about."""

from __future__ import annotations

from collections.abc import Collection

import numpy as np

from aforesaid.ids import microseconds
from aforesaid.models.index import Directory
from aforesaid.models.message import ROLES
from aforesaid.recall.bm25 import Column, Positions
from aforesaid.recall.query import ParsedQuery, named_speakers

USER, ASSISTANT = ROLES.index("user"), ROLES.index("assistant")
NAMED_SPEAKER = 0.35  # low, because the named person need not be the speaker of the answer
NEW_STORE = 50  # messages of a space in which the assistant's advice is easier to find than what you do with it
TIME_DECAY = 10 * 24 * 3600 * 1e6  # microseconds in which closeness in time falls to 1/e
TIME_MENTION = 0.25  # for a message that mentions a time, if the question asks for one


def speaker_part(directory: Directory, query: ParsedQuery) -> Column:
    part = np.zeros(len(directory))
    if query.second or (query.advice and len(directory) <= NEW_STORE):
        part += directory.roles == ASSISTANT
    elif query.first:
        part += directory.roles == USER
    speakers = named_speakers(query.text, directory.names)
    if speakers:
        part += NAMED_SPEAKER * np.isin(directory.speakers, list(speakers))
    return np.minimum(part, 1.0)


def time_part(directory: Directory, query: ParsedQuery, mentioning: Collection[int]) -> Column:
    """How close messages are to the time that a question asks about; 1 for the messages that mention it."""
    part = time_closeness(directory.moments, query)
    if query.when is not None:
        part[np.isin(directory.messages, list(mentioning))] = 1.0
    return part


def time_closeness(moments: Positions, query: ParsedQuery) -> Column:
    """1 inside the time span of the query, falling exponentially outside it; 0 if the query has none."""
    if query.when is None:
        return np.zeros(len(moments))
    start, stop = microseconds(query.when.start), microseconds(query.when.stop)
    closeness: Column = np.exp(-np.maximum(np.maximum(start - moments, moments - stop), 0) / TIME_DECAY)
    return closeness
