"""Two users of one server, each with records of every kind and a secret word."""

from __future__ import annotations

from dataclasses import dataclass

from aforesaid import Memory

SECRET = {"alice": "quokkaword", "bob": "zebraword"}
PIECES = (
    "I live in {0}ville.",
    "I'm allergic to {0}nuts.",
    "We decided to rent the {0} house.",
    "I live in {0}town now.",
)


@dataclass(frozen=True)
class Person:
    """`ids` covers every kind of record; no other user may read `secret`."""

    space: str
    secret: str
    key: str
    ids: tuple[str, ...]


def settle(memory: Memory, space: str) -> tuple[str, ...]:
    """Fills a space and returns the ids of its records.

    No id contains the secret: a user who writes another user's ids into their own space reads them back, which is
    no leak.
    """
    word, home = SECRET[space], memory.space(space)
    chat = home.conversation(f"{space}-chat")
    for number, piece in enumerate(PIECES):
        chat.add("user", piece.format(word), id=f"{space}-m{number}")
        chat.add("assistant", f"Noted about {word}, number {number}.")
    memory.flush()
    home.grant_consent()
    home.set_profile({"name": word})
    pin = chat.pin(f"pinned {word}")
    fact = home.remember(f"Likes {word} seats", kind="preference")
    summary = chat.summarize()
    episode = chat.note_episode(f"{word} episode", type="decision_made")
    receipt = chat.context(f"where is {word}?").receipt
    home.recall(word)
    home.set("token_budget", 1234 if space == "bob" else 2345)
    gone = home.forget(message=chat.add("user", f"{word} to forget").id)
    memory.flush()
    made = (pin, fact, summary, episode, receipt, gone, *home.facts(), *chat.episodes(), *chat.messages())
    return (chat.id, *dict.fromkeys(one.id for one in made))


def person(memory: Memory, space: str, access: str) -> Person:
    ids = settle(memory, space)
    key = memory.create_key(space, access=access, spaces=[space])
    return Person(space, SECRET[space], key.secret, (*ids, key.key.id))
