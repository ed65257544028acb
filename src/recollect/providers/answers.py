"""What is read out of a service's answer."""

from __future__ import annotations

from recollect.models import Json

MOST = 1 << 40  # tokens; a larger number is nonsense


def tokens(*numbers: Json) -> int | None:
    """The sum of what a service says it took; None where one of them is no number of tokens."""
    known = [number for number in numbers if type(number) is int and 0 <= number <= MOST]
    return sum(known) if len(known) == len(numbers) else None
