"""A conversation that leaves facts of several kinds, a corrected one, one in doubt, episodes and a summary."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import httpx2

TRIP = "trip"
SAID = (
    "Hi! I'm Mara. I want to plan a week away in spring with my sister Ines. I live in Porto.",
    "Hello Mara! A week in spring with Ines, starting from Porto.",
    "I'm vegetarian, and I'm allergic to peanuts.",
    "Understood: vegetarian, and no peanuts.",
    "We decided to go to Bologna, from 3 May to 10 May.",
    "Bologna it is. How do you like to travel?",
    "I prefer trains. I think I live in Braga soon.",
    "Trains then.",
    "I prefer a window seat.",
    "Booked: two seats, one at the window.",
    "We changed our minds about the hotel: a flat near the Mercato di Mezzo instead.",
    "Changed. There is a quiet flat for 540 €.",
    "Great, that finally solved the problem with the rooms! Ines works as a nurse.",
    "Good to hear.",
)


def tell(api: httpx2.Client) -> list[dict]:
    """Tells it, an hour between two messages, the last one a day ago; gives the messages once everything is made."""
    start = datetime.now(UTC) - timedelta(days=1, hours=len(SAID))
    messages = [
        {
            "id": f"said-{number}",
            "role": ("user", "assistant")[number % 2],
            "content": text,
            "at": (start + timedelta(hours=number)).isoformat(),
        }
        for number, text in enumerate(SAID)
    ]
    api.put(f"conversations/{TRIP}", json={"title": "A week in Bologna"}).raise_for_status()
    told = api.post(f"conversations/{TRIP}/messages", json={"messages": messages}).raise_for_status().json()["items"]
    settle(api)
    return told


def settle(api: httpx2.Client) -> None:
    """Waits for the background work."""
    assert api.post("flush", json={"timeout": 60}).raise_for_status().json()["done"]


def known(api: httpx2.Client, **wanted: str) -> dict[str, dict]:
    """Facts by their words."""
    found = api.get("facts", params={"limit": 500, **wanted}).raise_for_status().json()["items"]
    return {fact["text"]: fact for fact in found}
