"""Messages and notes in one list, nothing twice."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from recollect.models import Hit


def beside(messages: Sequence[Hit], notes: Sequence[Hit]) -> tuple[Hit, ...]:
    """The hits, best first. A note that says what a message says word for word is left out; a fact or an episode, or a
    pin in the message's own words, and the message that it is from are one hit: the message's, which then names the
    note. No message moves up or down for its notes."""
    said = {hit.text for hit in messages} | {hit.message.text for hit in messages if hit.message}
    places = {hit.id: at for at, hit in enumerate(messages)}
    found, apart = list(messages), []
    for note in notes:
        owners = [places[id] for id in note.messages if id in places and _stands_for(messages[places[id]], note)]
        if owners:
            at = min(owners)
            found[at] = replace(found[at], notes=(*found[at].notes, note.id))
        elif note.text not in said:
            apart.append(note)
    return tuple(sorted([*found, *apart], key=lambda hit: -hit.score.total))


def _stands_for(hit: Hit, note: Hit) -> bool:
    return note.kind != "pin" or (hit.message is not None and note.text in hit.message.text)
