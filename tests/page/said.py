"""Conversations that the page's tests begin with."""

from __future__ import annotations

import httpx2

TRIP = (
    "Good morning! We want to go to Lisbon in May, the two of us.",
    "Lovely. Shall I look for flights first, or for a place to stay?",
    "A place to stay. I am allergic to peanuts, so a kitchen would be good.",
    "Noted: a flat with a kitchen. Alfama is quiet in the morning, and Graça has the better views.",
    "We decided on Graça. The budget is 1400 € for all of it, and not a cent more.",
    "Then a flat near Miradouro da Senhora do Monte, six nights at 95 €, leaves 830 € for the flights and food.",
    "My sister Ana lives in Porto. Could we stop there on the way back?",
    "Yes: three hours by train, 32 € a person. I would take the one at 9:39.",
    "What did the flat cost again?",
    "95 € a night, 570 € in all.",
)
BUG = (
    "The import fails with ERR_BAD_OFFSET in parse_rows().",
    "Does it fail on the first row? `parse_rows(file, offset=0)` should take any file.",
    "Only with files above 2 GB. I paid 1400 € for that machine, it should do.",
    "Then the offset overflows: read it as a 64 bit number.",
)


def talk(api: httpx2.Client, conversation: str, said: tuple[str, ...], title: str | None = None) -> list[dict]:
    """A conversation in which the user and the assistant speak in turn."""
    api.put(f"conversations/{conversation}", json={"title": title}).raise_for_status()
    messages = [{"role": ("user", "assistant")[n % 2], "content": text} for n, text in enumerate(said)]
    answer = api.post(f"conversations/{conversation}/messages", json={"messages": messages})
    return answer.raise_for_status().json()["items"]


def settled(api: httpx2.Client) -> None:
    """Waits for the background work."""
    assert api.post("flush", json={"timeout": 60}).json()["done"]
