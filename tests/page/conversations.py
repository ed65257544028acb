"""Adds the conversations that the page tests use."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import httpx2

LISBON = (
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
# Extraction yields facts, pending ones among them, episodes and a summary.
TRIP = "trip"
BOLOGNA = (
    "Hi! I'm Mara. I want to plan a week away in spring with my sister Ines. I live in Porto.",
    "Hello Mara! A week in spring with Ines, starting from Porto.",
    "I'm vegetarian, and I'm allergic to peanuts.",
    "Understood: vegetarian, and no peanuts.",
    "We decided to go to Bologna, from 3 May to 10 May.",
    "Bologna it is. How do you like to travel?",
    "By train. I think I live in Braga soon, and I think I work for Globex.",
    "Trains then.",
    "I prefer a window seat.",
    "Booked: two seats, one at the window.",
    "We changed our minds about the hotel: a flat near the Mercato di Mezzo instead.",
    "Changed. There is a quiet flat for 540 €.",
    "Great, that finally solved the problem with the rooms! Ines works as a nurse.",
    "Good to hear.",
)

REMEMBERED = (
    {"text": "it was decided: go to Bologna", "kind": "decision"},
    {"text": "user prefers trains", "kind": "preference"},
    {"text": "user prefers window seat", "kind": "preference", "attribute": "seat", "value": "window seat"},
)


def add_conversation(api: httpx2.Client, name: str, *texts: str, title: str | None = None) -> list[dict]:
    """Adds alternating messages of the user and the assistant, and returns them."""
    api.put(f"conversations/{name}", json={"title": title}).raise_for_status()
    messages = [{"role": ("user", "assistant")[n % 2], "content": text} for n, text in enumerate(texts)]
    answer = api.post(f"conversations/{name}/messages", json={"messages": messages})
    return answer.raise_for_status().json()["items"]


def add_bologna_trip(api: httpx2.Client) -> list[dict]:
    """Adds BOLOGNA with an hour between messages, the last one a day ago, waits for the background jobs, and adds
    REMEMBERED."""
    start = datetime.now(UTC) - timedelta(days=1, hours=len(BOLOGNA))
    messages = [
        {
            "id": f"said-{number}",
            "role": ("user", "assistant")[number % 2],
            "content": text,
            "at": (start + timedelta(hours=number)).isoformat(),
        }
        for number, text in enumerate(BOLOGNA)
    ]
    api.put(f"conversations/{TRIP}", json={"title": "A week in Bologna"}).raise_for_status()
    answer = api.post(f"conversations/{TRIP}/messages", json={"messages": messages})
    flush(api)
    for fact in REMEMBERED:
        api.post("facts", json=fact).raise_for_status()
    return answer.raise_for_status().json()["items"]


def flush(api: httpx2.Client) -> None:
    """Waits for the background jobs; long, because the machine may be busy."""
    assert any(api.post("flush", json={"timeout": 60}, timeout=120).raise_for_status().json()["done"] for _ in range(3))


def facts_by_text(api: httpx2.Client, **query: str) -> dict[str, dict]:
    facts = api.get("facts", params={"limit": 500, **query}).raise_for_status().json()["items"]
    return {fact["text"]: fact for fact in facts}
