"""Damages the file of a store, reads everything through the public API, and judges what a user is told.

Run it for many places: `python -m tests.robustness.damage 200 --seed 1`.
"""

from __future__ import annotations

import argparse
import json
import random
import shutil
import tempfile
import traceback
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import apsw

from aforesaid import Conversation, Memory, Space
from aforesaid.errors import AforesaidError, StoreError

WIDTH = 8  # bytes that are overwritten
LINES = (
    "I moved to Porto last spring and my landlord is called Duarte.",
    "My favourite tea is a smoky lapsang, and I am allergic to walnuts.",
    "We decided to use PostgreSQL for the billing service because of the reports.",
    "The deploy failed again: error E4512 in `billing/export.py` at line 88.",
    "Fixed it! The timeout was 30 seconds, and the export needs 45.",
    "Wir fahren am 3. Juni 2026 mit dem Zug nach Zürich, Gleis sieben.",
    "Ma sœur Élodie habite à Grenoble depuis 2019.",
    "我叫小雨，我住在杭州，喜欢喝龙井茶。",
    "Ich habe morgen um 9:30 einen Termin beim Zahnarzt in der Lindenstraße.",
    "```python\ndef total(rows):\n    return sum(row.amount for row in rows)\n```\nThis is the function that I meant.",
)
QUESTIONS = ("which tea do I like", "E4512 export timeout", "Zürich Gleis", "where does my sister live", "龙井茶")


class Clock:
    """Moves on by a second with every reading, so that a rebuilt store is the same."""

    def __init__(self) -> None:
        self.now = datetime(2026, 3, 1, 9, 30, tzinfo=UTC)

    def __call__(self) -> datetime:
        self.now += timedelta(seconds=1)
        return self.now


def open_store(path: Path) -> Memory:
    return Memory(path, worker=False, environment={}, clock=Clock())


def build(path: Path, messages: int = 120) -> None:
    """Makes a store with every kind of record."""
    with open_store(path) as memory:
        for name in ("alice", "bob"):
            space = memory.space(name)
            for number in range(messages // 2):
                chat = space.conversation(f"chat-{number % 3}")
                role = "user" if number % 2 == 0 else "assistant"
                text = f"{LINES[number % len(LINES)]} Number {number} of {name}."
                chat.add(role, text, name=name if role == "user" else None, metadata={"number": number})
            chat = space.conversation("chat-0")
            chat.rename(f"The plans of {name}")
            chat.pin(f"{name} never eats walnuts", importance=0.9)
            chat.summarize()
            space.remember(f"{name} plays the cello", subject=name, attribute="instrument", value="cello")
            space.grant_consent(by=name, note="asked on the phone")
            space.set_profile({"city": "Porto"}, text=f"{name} likes short answers.", by=name)
            space.set("chunk_tokens", 200)
            chat.note_episode(
                f"{name} chose the train", type="decision_made", summary="The train is slower and calmer."
            )
            for question in QUESTIONS:
                space.recall(question)
            chat.context(QUESTIONS[0], max_tokens=2000)
        while memory.work():
            pass


Reading = dict[str, Any]  # the result of each verb, or its error


def read(memory: Memory, folder: Path) -> Iterator[tuple[str, Callable[[], Any]]]:
    """Yields the verbs that read a store."""
    yield "spaces", memory.spaces
    for name in ("alice", "bob"):
        space = memory.space(name)
        yield from _read_space(space, folder / name)
        for id in ("chat-0", "chat-1", "chat-2"):
            yield from _read_conversation(space.conversation(id))


def _read_space(space: Space, folder: Path) -> Iterator[tuple[str, Callable[[], Any]]]:
    name = space.id
    yield f"{name} info", space.info
    yield f"{name} conversations", space.conversations
    yield f"{name} facts", lambda: space.facts(limit=500)
    yield f"{name} relations", lambda: space.relations(limit=500)
    yield f"{name} episodes", lambda: space.episodes(limit=500)
    yield f"{name} settings", space.settings
    yield f"{name} profile", space.profile
    yield f"{name} consent", space.consent
    yield f"{name} receipts", lambda: [receipt.id for receipt in space.receipts()]
    for question in QUESTIONS:
        yield f"{name} recall {question}", lambda question=question: _hits(space.recall(question))
    yield f"{name} export", lambda: _exported(space.export(folder))


def _hits(hits: Any) -> Any:
    return [(hit.kind, hit.id, hit.text, round(hit.score.total, 9)) for hit in hits], hits.degraded, hits.warnings


def _exported(folder: Path) -> Any:
    ignored = {"accesses.json", "audit.json"}  # reading changes them
    return {file.name: file.read_text("utf-8") for file in sorted(folder.iterdir()) if file.name not in ignored}


def _read_conversation(chat: Conversation) -> Iterator[tuple[str, Callable[[], Any]]]:
    name = f"{chat.space} {chat.id}"
    yield f"{name} info", chat.info
    yield f"{name} messages", lambda: chat.messages(500)
    yield f"{name} pins", chat.pins
    yield f"{name} summaries", lambda: [(each.id, each.text) for each in chat.summaries()]
    yield f"{name} episodes", chat.episodes
    yield f"{name} context", lambda: _context(chat)


def _context(chat: Conversation) -> Any:
    made = chat.context(QUESTIONS[1], max_tokens=1500)
    return made.to_openai(), made.warnings


@dataclass
class Verdict:
    """What a user is told about one damage. `silent` and `untyped` must be empty."""

    opened: bool = True
    same: int = 0
    typed: int = 0
    told: int = 0
    found: list[str] = field(default_factory=list)
    silent: list[str] = field(default_factory=list)
    untyped: list[str] = field(default_factory=list)


def attempt(verb: Callable[[], Any]) -> Any:
    """The result of a verb, or its error."""
    try:
        return verb()
    except Exception as exc:  # noqa: BLE001 (judged by the caller)
        return exc


def observe(path: Path) -> Reading:
    with tempfile.TemporaryDirectory() as folder, open_store(path) as memory:
        return {name: attempt(verb) for name, verb in read(memory, Path(folder))}


def judge(path: Path, expected: Reading) -> Verdict:
    """Opens a damaged store, reads, checks and forgets."""
    verdict = Verdict()
    memory = attempt(lambda: open_store(path))
    if isinstance(memory, Exception):
        verdict.opened = False
        _judge_error(verdict, "open", memory)
        return verdict
    with tempfile.TemporaryDirectory() as folder:
        results = {name: attempt(verb) for name, verb in read(memory, Path(folder))}
        findings = attempt(memory.doctor)
        if isinstance(findings, Exception):
            _judge_error(verdict, "doctor", findings)
            verdict.found.append("doctor cannot run")
        else:
            verdict.found += [finding.check for finding in findings if not finding.ok]
        for name, result in results.items():
            _judge_result(verdict, name, result, expected[name])
        _judge_forgetting(verdict, memory)
        closed = attempt(memory.close)
        if isinstance(closed, Exception):
            _judge_error(verdict, "close", closed)
    return verdict


def _judge_result(verdict: Verdict, name: str, result: Any, expected: Any) -> None:
    if isinstance(result, StoreError):
        verdict.typed += 1
    elif isinstance(result, Exception) and not isinstance(result, AforesaidError):
        _judge_error(verdict, name, result)
    elif _same(result, expected):
        verdict.same += 1
    elif verdict.found:
        verdict.told += 1
    else:
        verdict.silent.append(f"{name}: {str(result)[:300]}")


def _same(result: Any, expected: Any) -> bool:
    if isinstance(expected, Exception):
        return repr(result) == repr(expected)
    return bool(result == expected)


def _judge_error(verdict: Verdict, name: str, error: Exception) -> None:
    if isinstance(error, StoreError):
        verdict.typed += 1
    else:
        verdict.untyped.append(f"{name}: {''.join(traceback.format_exception(error))}")


def _judge_forgetting(verdict: Verdict, memory: Memory) -> None:
    space = memory.space("alice")
    for what, verb in {
        "forget": lambda: space.forget(conversation="chat-1"),
        "forget everything": lambda: memory.space("bob").forget(everything=True),
        "add": lambda: space.conversation("chat-0").add("user", "One more line about the harbour."),
        "repair": lambda: memory.doctor(repair=True),
    }.items():
        result = attempt(verb)
        if isinstance(result, Exception) and not isinstance(result, AforesaidError):
            _judge_error(verdict, what, result)


def overwrite(path: Path, at: int, data: bytes) -> None:
    with path.open("r+b") as file:
        file.seek(at)
        file.write(data)


def damage_somewhere(source: Path, target: Path, dice: random.Random) -> int:
    """Copies a store and overwrites a few bytes at a random place that is used. Returns the place."""
    shutil.copy(source, target)
    content = source.read_bytes()
    at = dice.randrange(len(content) - WIDTH)
    while not any(content[at : at + WIDTH]):
        at = dice.randrange(len(content) - WIDTH)
    overwrite(target, at, dice.randbytes(WIDTH))
    return at


def owner_of(path: Path, at: int) -> str:
    """The table or index that a place in the file belongs to."""
    with closing(apsw.Connection(str(path))) as connection:
        rows = connection.execute("SELECT name FROM dbstat WHERE pageno = ?", (at // 4096 + 1,)).fetchall()
    return str(rows[0][0]) if rows else "free"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("places", type=int)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--messages", type=int, default=120)
    options = parser.parse_args()
    dice = random.Random(options.seed)
    counts: Counter[str] = Counter()
    owners: Counter[str] = Counter()
    with tempfile.TemporaryDirectory() as folder:
        source, target = Path(folder) / "source.db", Path(folder) / "damaged.db"
        build(source, options.messages)
        copy = Path(folder) / "copy.db"
        shutil.copy(source, copy)
        expected = observe(copy)
        failed = {name: repr(result) for name, result in expected.items() if isinstance(result, Exception)}
        shutil.copy(source, copy)
        again = judge(copy, expected)
        print(f"{source.stat().st_size:,} bytes; without damage: {failed} {again}")
        for number in range(options.places):
            for end in ("-wal", "-shm"):
                Path(f"{target}{end}").unlink(missing_ok=True)
            at = damage_somewhere(source, target, dice)
            verdict = judge(target, expected)
            kind = "silent" if verdict.silent else "untyped" if verdict.untyped else "not opened"
            if verdict.opened and not (verdict.silent or verdict.untyped):
                kind = "found" if verdict.found else "typed" if verdict.typed else "harmless"
            counts[kind] += 1
            if kind == "harmless":
                owners[owner_of(source, at)] += 1
            if verdict.silent or verdict.untyped:
                print(f"#{number} at {at} (page {at // 4096 + 1}): {json.dumps(verdict.silent)[:1500]}")
                print("\n".join(text[-1800:] for text in verdict.untyped[:2]))
    print(dict(counts))
    print("harmless in:", dict(owners))


if __name__ == "__main__":
    main()
