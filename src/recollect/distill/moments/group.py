"""Which moments belong to one story, and where it begins and ends."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta

from recollect.distill.moments.find import Moment
from recollect.models import EpisodeType
from recollect.records import Utterance
from recollect.text.terms import index_terms

BACK = 10  # messages before a moment that may lead to it
AFTER = 1  # messages after it that may still be about it
APART = 8  # messages between two moments of one story, at most
LONGEST = 40  # messages of one story
SIDE = 4  # messages on either side of a place that are compared for their words
LEAST_SIDE = 3  # with fewer messages on a side there is too little to compare
FEW = 16  # and so there is with fewer words
ALIKE = 0.04  # the share of their words that two sides of one topic have in common, at least
PAUSE = timedelta(hours=4)

ENDS: tuple[EpisodeType, ...] = ("problem_solved", "breakthrough")  # how the story of an issue ends


@dataclass(frozen=True, slots=True)
class Story:
    """Moments that belong together, and the seqs from and to which they are told."""

    moments: tuple[Moment, ...]
    first: int
    last: int


def stories(window: Sequence[Utterance], moments: Sequence[Moment]) -> list[Story]:
    """The stories that moments of these messages tell, in order; none overlaps another."""
    edges = shifts(window)
    groups: list[list[Moment]] = []
    for moment in moments:
        if groups and _together(groups[-1], moment, edges):
            groups[-1].append(moment)
        else:
            groups.append([moment])
    told: list[Story] = []
    for place, group in enumerate(groups):
        later = groups[place + 1][0].utterance.seq if place + 1 < len(groups) else window[-1].seq + 1
        earlier = told[-1].last if told else -1
        told.append(_story(window, edges, group, (earlier, later)))
    return told


def shifts(window: Sequence[Utterance]) -> frozenset[int]:
    """The seqs with which a new topic begins: after a pause, or where hardly a word is used again."""
    terms = [frozenset(index_terms(one.text[:4000])) for one in window]
    found = set()
    for at in range(1, len(window)):
        before = frozenset().union(*terms[max(0, at - SIDE) : at])
        after = frozenset().union(*terms[at : at + SIDE])
        fewest = min(len(before), len(after))
        enough = min(at, len(window) - at) >= LEAST_SIDE and fewest >= FEW
        apart = enough and len(before & after) / fewest < ALIKE
        if apart or window[at].at - window[at - 1].at >= PAUSE:
            found.add(window[at].seq)
    return frozenset(found)


def _together(group: Sequence[Moment], moment: Moment, edges: frozenset[int]) -> bool:
    last, seq = group[-1], moment.utterance.seq
    far = seq - last.utterance.seq
    if far > APART or seq - group[0].utterance.seq > LONGEST:
        return False
    if any(last.utterance.seq < edge <= seq for edge in edges):
        return False
    ending = moment.type in ENDS and any(one.type == "issue_identified" for one in group)
    same = set(index_terms(last.sentence)) & set(index_terms(moment.sentence))
    return far <= 1 or ending or (bool(same) and moment.type != "pivot")


def _story(
    window: Sequence[Utterance], edges: frozenset[int], group: Sequence[Moment], between: tuple[int, int]
) -> Story:
    start, stop = group[0].utterance.seq, group[-1].utterance.seq
    first = max([start - BACK, between[0] + 1, *(edge for edge in edges if edge <= start)])
    last = min([stop + AFTER, between[1] - 1, *(edge - 1 for edge in edges if edge > stop)])
    seqs = [one.seq for one in window if first <= one.seq <= max(stop, last)]
    return Story(tuple(group), seqs[0], seqs[-1])
