"""What the sessions of a client left behind: what is stored, what the provider could have cached, what memory costs."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Any

from tests.clients.relay import NUMBER, Relayed
from tests.clients.scripted_model import Exchange, items

from aforesaid import Memory, Message

PAGE = 1_000


@dataclass(frozen=True)
class Prefix:
    """In percent. `kept`: of the earlier request, what the next one begins with. `cached`: of all requests, what a
    provider can read from its cache."""

    kept: float
    cached: float


def stored_messages(store: Path) -> list[Message]:
    """Returns the messages of all conversations of all spaces."""
    with Memory(str(store)) as memory:
        spaces = [memory.space(found.id) for found in memory.spaces(PAGE)]
        chats = [space.conversation(found.id) for space in spaces for found in space.conversations(PAGE)]
        return [message for chat in chats for message in chat.messages(PAGE)]


def user_words(messages: Sequence[Message]) -> Counter[str]:
    """Returns how often the user's texts are stored in a space. opencode puts quotation marks around an argument."""
    spaces: dict[str, Counter[str]] = {}
    for message in messages:
        text = message.text.strip().strip('"')
        if message.role == "user" and text:
            spaces.setdefault(message.space, Counter())[text] += 1
    most: Counter[str] = Counter()
    for found in spaces.values():
        most |= found
    return most


def stored_wrong(stored: Counter[str], turns: Sequence[str]) -> list[str]:
    """Returns what is missing, stored too often, or not the user's. Equal openings may be stored once or each time."""
    sent = Counter(turns)
    found = [f"not stored: {turn}" for turn in sent if not stored[turn]]
    found += [f"stored {stored[turn]} times: {turn}" for turn in sent if stored[turn] > sent[turn]]
    return found + [f"not the user's words: {text[:60]!r}" for text in stored if text not in sent]


def pieces(body: dict[str, Any]) -> list[str]:
    """Returns a request in the order in which providers cache it, without what does not change the prompt."""
    made = [json.dumps(body.get("tools"), sort_keys=True), json.dumps(plain(body.get("system")))]
    made.append(str(body.get("instructions")))
    for item in items(body):
        rest = {name: value for name, value in item.items() if name not in ("content", "id")}
        made.append(json.dumps(rest, sort_keys=True))
        content = item.get("content")
        blocks = [{"type": "text", "text": content}] if isinstance(content, str) else content or []
        made += [json.dumps(plain(block), ensure_ascii=False) for block in blocks]
    return made


def plain(value: Any) -> Any:
    """Returns a value without cache breakpoints."""
    if isinstance(value, list):
        return [plain(one) for one in value]
    if isinstance(value, dict):
        return {name: plain(one) for name, one in value.items() if name != "cache_control"}
    return value


def common(one: Sequence[str], other: Sequence[str]) -> int:
    """Returns the length of the common beginning, in characters."""
    length = 0
    for mine, theirs in zip(one, other, strict=False):
        if mine != theirs:
            return length + next((at for at, (a, b) in enumerate(zip(mine, theirs, strict=False)) if a != b), 0)
        length += len(mine)
    return length


def prefix_shares(bodies: Sequence[dict[str, Any]]) -> Prefix:
    """Compares each request with the earlier one that begins most like it."""
    prompts = [pieces(body) for body in bodies]
    sizes = [sum(map(len, prompt)) for prompt in prompts]
    cached = earlier = 0
    for at in range(1, len(prompts)):
        length, nearest = max((common(prompts[at], prompts[old]), old) for old in range(at))
        cached += length
        earlier += sizes[nearest]
    return Prefix(100 * cached / (earlier or 1), 100 * cached / (sum(sizes) or 1))


def generations(relayed: Sequence[Relayed], arrived: Sequence[Exchange]) -> list[tuple[Relayed, Exchange]]:
    """Returns the requests to the model with the ones that arrived there, in the order of the client."""
    by_number = {dict(one.headers).get(NUMBER): one for one in arrived}
    pairs = [(one, by_number.get(str(one.number))) for one in sorted(relayed, key=lambda one: one.number)]
    return [(sent, came) for sent, came in pairs if came and isinstance(came.body, dict) and items(came.body)]


def added_ms(pairs: Sequence[tuple[Relayed, Exchange]]) -> float:
    """Returns the median time that a response spent outside of the model, in milliseconds."""
    return median(1_000 * (sent.seconds - (came.ended - came.began)) for sent, came in pairs)
