"""Messages and notes in one list, nothing twice."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from recollect.models import Hit


def beside(messages: Sequence[Hit], notes: Sequence[Hit]) -> tuple[Hit, ...]:
    """The hits, best first. A note that says what a message says word for word is left out; a fact and the message that
    says it are one hit: the message's, which then names the fact. No message moves up or down for its facts."""
    said = {hit.text for hit in messages} | {hit.message.text for hit in messages if hit.message}
    places = {hit.id: at for at, hit in enumerate(messages)}
    found, apart = list(messages), []
    for note in notes:
        owners = [places[id] for id in note.messages if id in places] if note.kind == "fact" else []
        if owners:
            at = min(owners)
            found[at] = replace(found[at], notes=(*found[at].notes, note.id))
        elif note.text not in said:
            apart.append(note)
    return tuple(sorted([*found, *apart], key=lambda hit: -hit.score.total))
