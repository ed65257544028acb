"""What a store must hold after faults and crashes: a plain model of the acknowledged calls."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from itertools import count
from pathlib import Path

import numpy as np

from aforesaid import Memory
from aforesaid.ports import Vectors

NOT_STORE = ("backup.db", "copy.db", ".part", "-shm")
EVERYTHING = 10_000


class VirtualClock:
    """A clock that advances only when it is told to."""

    def __init__(self) -> None:
        self.now = datetime(2026, 3, 1, 9, 30, tzinfo=UTC)

    def __call__(self) -> datetime:
        return self.now

    def advance(self, **amount: float) -> None:
        self.now += timedelta(**amount)


class LengthEmbedder:
    """Embeds texts by their length, without a model file."""

    name = "length:2"

    def embed(self, texts: Sequence[str]) -> Vectors:
        return np.array([[len(text), 1] for text in texts], np.float32)


@dataclass
class Expected:
    """The acknowledged messages of a space, and the words that may occur nowhere.

    A call that failed is not acknowledged: its messages are `unsure`, and may be there or not."""

    space: str = "default"
    order: dict[str, list[str]] = field(default_factory=lambda: defaultdict(list))
    texts: dict[str, set[str]] = field(default_factory=dict)
    conversations: dict[str, str] = field(default_factory=dict)
    unsure: set[str] = field(default_factory=set)
    batches: list[set[str]] = field(default_factory=list)  # stored as a whole or not at all
    erased: set[str] = field(default_factory=set)
    numbers: count[int] = field(default_factory=count)

    def word(self) -> str:
        """Returns a word that no other message has."""
        return f"zq{next(self.numbers):05d}x"

    def adding(self, conversation: str, messages: Iterable[tuple[str, str]]) -> None:
        """Call it before messages, each an id and a text, are added."""
        batch = dict(messages)
        self.batches.append(set(batch))
        for id, text in batch.items():
            self.texts[id] = {text}
            self.unsure.add(id)
            self.conversations[id] = conversation

    def added(self, ids: Iterable[str]) -> None:
        for id in ids:
            self.unsure.discard(id)
            self.order[self.conversations[id]].append(id)

    def of(self, conversation: str) -> list[str]:
        """Returns the messages of a conversation, also those that may be gone."""
        return [id for id in self.texts if self.conversations[id] == conversation]

    def editing(self, id: str, text: str) -> None:
        self.texts[id].add(text)

    def edited(self, id: str, text: str) -> None:
        self.erased |= words_of(self.texts[id]) - words_of([text])
        self.texts[id] = {text}

    def forgetting(self, ids: Iterable[str]) -> None:
        """The messages may be gone from now on, also if the call fails."""
        for id in ids:
            self.unsure.add(id)
            for known in self.order.values():
                if id in known:
                    known.remove(id)
            for batch in self.batches:
                batch.discard(id)

    def forgotten(self, ids: Iterable[str]) -> None:
        for id in ids:
            self.unsure.discard(id)
            self.erased |= words_of(self.texts.pop(id))

    def check(self, mem: Memory) -> None:
        """Fails unless the store has every acknowledged message once and in order, and no forgotten one."""
        present: dict[str, str] = {}
        space = mem.space(self.space)
        names = {info.id for info in space.conversations(EVERYTHING)} | set(self.order)
        for name in names:
            messages = space.conversation(name).messages(EVERYTHING)
            seqs = [message.seq for message in messages]
            assert seqs == sorted(set(seqs)), f"{name}: seqs {seqs}"
            ids = [message.id for message in messages]
            assert len({*present, *ids}) == len(present) + len(ids), f"{name}: a message is there twice"
            sure = self.order.get(name, [])
            found = [id for id in ids if id in set(sure)]
            assert found == sure, f"{name}: acknowledged {sure}, found {found}"
            present |= {message.id: message.text for message in messages}
        for id, text in present.items():
            assert id in self.texts, f"a forgotten or unknown message is there: {id} {text!r}"
            assert text in self.texts[id], f"{id} is {text!r}, not {self.texts[id]}"
        for batch in self.batches:
            missing = batch - set(present)
            assert not missing or missing == batch, f"{missing} of the batch {batch} are missing"
        for fact in space.facts(EVERYTHING):
            assert fact.evidence, f"a fact without evidence: {fact.text!r}"
            for proof in fact.evidence:
                assert proof.quote in present.get(proof.message_id, ""), f"evidence is gone: {proof}"

    def check_erased(self, folder: Path) -> None:
        """Fails if a forgotten word is in a file of the folder that is not a backup."""
        for file in sorted(folder.iterdir()):
            if file.is_file() and not file.name.endswith(NOT_STORE):
                content = file.read_bytes().lower()
                found = sorted(word for word in self.erased if word.encode() in content)
                assert not found, f"forgotten words are in {file.name}: {found}"


def words_of(texts: Iterable[str]) -> set[str]:
    return {word.strip(".").lower() for text in texts for word in text.split() if word.lower().startswith("zq")}


def finish_jobs(mem: Memory, clock: VirtualClock) -> None:
    """Runs jobs until none is open. Retries and leases wait for the clock."""
    for _ in range(200):
        while mem.work():
            pass
        if not [job for state in ("queued", "running") for job in mem.jobs(state, 1)]:
            return
        clock.advance(minutes=2)
    raise AssertionError(f"jobs do not end: {mem.jobs('queued', 5) + mem.jobs('running', 5)}")


def check_health(mem: Memory) -> None:
    """Removes temporary files first: a disk that fails can keep a process from removing its own."""
    wrong = [finding for finding in mem.doctor() if not finding.ok]
    if [finding.check for finding in wrong] == ["leftover files"]:
        mem.doctor(repair=True)
        wrong = [finding for finding in mem.doctor() if not finding.ok]
    assert not wrong, f"the doctor finds {wrong}"
