"""The same verbs, awaited: each runs in a worker thread, so the event loop never waits for the disk."""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator, Callable, Coroutine, Sequence
from functools import partial, wraps
from inspect import signature
from pathlib import Path
from types import TracebackType
from typing import Any, Concatenate, ParamSpec, TypeVar

from anyio import to_thread

from recollect.answering.awaited import AsyncAnswer
from recollect.conversation import Conversation
from recollect.memory import Memory
from recollect.models import Changes, Content, Copied, CopiedSpace, Restored
from recollect.ports import Clock, Progress
from recollect.space import Space

P = ParamSpec("P")
T = TypeVar("T")


def awaited(verb: Callable[Concatenate[Any, P], T]) -> Callable[Concatenate[Any, P], Coroutine[Any, Any, T]]:
    """A verb that runs in a thread. A write that has begun is not abandoned when the caller is cancelled."""

    @wraps(verb)
    async def run(self: Any, /, *args: P.args, **kwargs: P.kwargs) -> T:  # noqa: ANN401 (any of the three nouns)
        return await to_thread.run_sync(partial(verb, self._plain, *args, **kwargs))

    return run


class AsyncConversation:
    """A `Conversation`, awaited."""

    def __init__(self, conversation: Conversation) -> None:
        self._plain = conversation
        self.id = conversation.id
        self.space = conversation.space
        self.model = conversation.model

    @wraps(Conversation.reply, ("__module__", "__qualname__", "__name__"), ())
    async def reply(self, content: Content, **rest: Any) -> AsyncAnswer:  # noqa: ANN401 (Conversation.reply's own)
        """Stores the user's message, and asks a language model for an answer: `async for piece in await chat.reply(…)`.
        Takes what `Conversation.reply` takes."""
        return AsyncAnswer(await to_thread.run_sync(partial(self._plain.reply, content, **rest)))

    add = awaited(Conversation.add)
    add_many = awaited(Conversation.add_many)
    edit = awaited(Conversation.edit)
    message = awaited(Conversation.message)
    messages = awaited(Conversation.messages)
    recent = awaited(Conversation.recent)
    chunks = awaited(Conversation.chunks)
    times = awaited(Conversation.times)
    recall = awaited(Conversation.recall)
    context = awaited(Conversation.context)
    answerer = awaited(Conversation.answerer)
    accesses = awaited(Conversation.accesses)
    score = awaited(Conversation.score)
    summaries = awaited(Conversation.summaries)
    summary = awaited(Conversation.summary)
    summarize = awaited(Conversation.summarize)
    needs_summary = awaited(Conversation.needs_summary)
    chain = awaited(Conversation.chain)
    window = awaited(Conversation.window)
    episodes = awaited(Conversation.episodes)
    episode = awaited(Conversation.episode)
    note_episode = awaited(Conversation.note_episode)
    remove_episode = awaited(Conversation.remove_episode)
    arc = awaited(Conversation.arc)
    pin = awaited(Conversation.pin)
    pins = awaited(Conversation.pins)
    pinned = awaited(Conversation.pinned)
    edit_pin = awaited(Conversation.edit_pin)
    unpin = awaited(Conversation.unpin)
    start = awaited(Conversation.start)
    info = awaited(Conversation.info)
    pause = awaited(Conversation.pause)
    resume = awaited(Conversation.resume)
    end = awaited(Conversation.end)
    rename = awaited(Conversation.rename)
    mute = awaited(Conversation.mute)
    unmute = awaited(Conversation.unmute)
    delete = awaited(Conversation.delete)


class AsyncSpace:
    """A `Space`, awaited."""

    def __init__(self, space: Space) -> None:
        self._plain = space
        self.id = space.id

    def conversation(self, id: str, *, model: str | None = None) -> AsyncConversation:
        """A conversation of this space, awaited; it comes to be with its first message."""
        return AsyncConversation(self._plain.conversation(id, model=model))

    conversations = awaited(Space.conversations)
    locate = awaited(Space.locate)
    info = awaited(Space.info)
    stats = awaited(Space.stats)
    recall = awaited(Space.recall)
    receipts = awaited(Space.receipts)
    receipt = awaited(Space.receipt)
    replay = awaited(Space.replay)
    rebuild = awaited(Space.rebuild)
    compare = awaited(Space.compare)
    remember = awaited(Space.remember)
    consolidate = awaited(Space.consolidate)
    undo_consolidation = awaited(Space.undo_consolidation)
    consolidations = awaited(Space.consolidations)
    facts = awaited(Space.facts)
    fact = awaited(Space.fact)
    review = awaited(Space.review)
    promote = awaited(Space.promote)
    reject = awaited(Space.reject)
    archive = awaited(Space.archive)
    undo = awaited(Space.undo)
    edit_fact = awaited(Space.edit_fact)
    relate = awaited(Space.relate)
    unrelate = awaited(Space.unrelate)
    relations = awaited(Space.relations)
    episodes = awaited(Space.episodes)
    consent = awaited(Space.consent)
    grant_consent = awaited(Space.grant_consent)
    revoke_consent = awaited(Space.revoke_consent)
    profile = awaited(Space.profile)
    set_profile = awaited(Space.set_profile)
    remove_profile = awaited(Space.remove_profile)
    audit = awaited(Space.audit)
    settings = awaited(Space.settings)
    set = awaited(Space.set)
    unset = awaited(Space.unset)
    rechunk = awaited(Space.rechunk)
    export = awaited(Space.export)
    import_chats = awaited(Space.import_chats)
    forget = awaited(Space.forget)
    changes = awaited(Space.changes)
    erasures = awaited(Space.erasures)
    delete = awaited(Space.delete)


class AsyncMemory:
    """A `Memory`, awaited. Takes what `Memory` takes, and opens the store at once.

    async with AsyncMemory("app.db") as mem: …
    """

    __signature__ = signature(Memory)

    def __init__(self, *args: Any, **rest: Any) -> None:  # noqa: ANN401 (Memory's own arguments)
        self._plain = Memory(*args, **rest)

    @property
    def address(self) -> str:
        """Where the store is; of a server's address, no password."""
        return self._plain.address

    def space(self, id: str) -> AsyncSpace:
        """One person's or project's memory, awaited."""
        return AsyncSpace(self._plain.space(id))

    def conversation(self, id: str, *, model: str | None = None) -> AsyncConversation:
        """A conversation of the space `default`, awaited."""
        return AsyncConversation(self._plain.conversation(id, model=model))

    async def import_space(
        self, folder: str | Path, *, space: str | None = None, progress: Progress | None = None
    ) -> AsyncSpace:
        """Puts an exported space back, under its own name or another. Repeating it changes nothing."""
        verb = partial(self._plain.import_space, folder, space=space, progress=progress)
        return AsyncSpace(await to_thread.run_sync(verb))

    async def copy_to(
        self,
        other: AsyncMemory,
        *,
        spaces: Sequence[str] | None = None,
        progress: Progress | None = None,
        tell: Callable[[CopiedSpace], object] | None = None,
        replace: bool = False,
        settle: Callable[[], object] | None = None,
    ) -> Copied:
        """Copies every space and every key into another store, or these spaces, as `Memory.copy_to` does."""
        target: Any = getattr(other, "_plain", other)  # what is no memory is refused there
        verb = partial(self._plain.copy_to, spaces=spaces, progress=progress, tell=tell, replace=replace, settle=settle)
        return await to_thread.run_sync(verb, target)

    async def watch(
        self, space: str, after: int | None = None, *, conversation: str | None = None
    ) -> AsyncIterator[Changes]:
        """Changes of a space, or of a conversation in it, as they come; ClosedError when the Memory is closed.

        The first ones come at once and may be none: their cursor says where it begins.
        """
        loop, moved = asyncio.get_running_loop(), asyncio.Event()
        with await self.on_change(partial(loop.call_soon_threadsafe, moved.set)):
            found = await self.space(space).changes(after, conversation=conversation)
            yield found
            while True:
                moved.clear()
                found = await self.space(space).changes(found.cursor, conversation=conversation)
                if found or found.missed:
                    yield found
                else:
                    await moved.wait()

    @staticmethod
    async def restore(
        backup: str | Path,
        store: str | os.PathLike[str],
        *,
        force: bool = False,
        progress: Progress | None = None,
        clock: Clock | None = None,
    ) -> Restored:
        """Makes a store of a backup, which is checked first."""
        verb = partial(Memory.restore, backup, store, force=force, progress=progress, clock=clock)
        return await to_thread.run_sync(verb)

    on_change = awaited(Memory.on_change)
    spaces = awaited(Memory.spaces)
    flush = awaited(Memory.flush)
    work = awaited(Memory.work)
    jobs = awaited(Memory.jobs)
    retrievals = awaited(Memory.retrievals)
    metrics = awaited(Memory.metrics)
    activity = awaited(Memory.activity)
    costs = awaited(Memory.costs)
    create_key = awaited(Memory.create_key)
    keys = awaited(Memory.keys)
    revoke_key = awaited(Memory.revoke_key)
    check_key = awaited(Memory.check_key)
    allot = awaited(Memory.allot)
    allowance = awaited(Memory.allowance)
    status = awaited(Memory.status)
    ready = awaited(Memory.ready)
    size = awaited(Memory.size)
    receipt = awaited(Memory.receipt)
    replay = awaited(Memory.replay)
    doctor = awaited(Memory.doctor)
    backup = awaited(Memory.backup)
    verify_erasure = awaited(Memory.verify_erasure)
    close = awaited(Memory.close)

    async def __aenter__(self) -> AsyncMemory:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()
