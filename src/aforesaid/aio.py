"""The async API: the same methods with `await`. Each runs in a worker thread, so it never blocks the event loop."""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator, Sequence
from datetime import datetime
from functools import partial, update_wrapper, wraps
from inspect import signature
from itertools import islice
from pathlib import Path
from typing import Any, Concatenate, ParamSpec, TypeVar, overload

from anyio import to_thread

from aforesaid.answering.async_answer import AsyncAnswer
from aforesaid.conversation import DEFAULT_LIMIT, Conversation
from aforesaid.engine import Engine
from aforesaid.items import Items
from aforesaid.memory import Memory
from aforesaid.models.change import Changes
from aforesaid.models.message import Content, Message
from aforesaid.models.store import RestoreReport
from aforesaid.models.transfer import CopyReport, SpaceCopy
from aforesaid.ports import Clock, KeySource, Progress
from aforesaid.space import Space
from aforesaid.verbs import warn_alike

PAGE = 200  # messages that are read in one worker thread

P = ParamSpec("P")
T = TypeVar("T")


def run_in_thread(method: Callable[Concatenate[Any, P], T]) -> Callable[Concatenate[Any, P], Coroutine[Any, Any, T]]:
    """The async version of a method. If the caller is cancelled, a running write still completes."""

    @wraps(method)
    async def run(self: Any, /, *args: P.args, **kwargs: P.kwargs) -> T:  # noqa: ANN401 (any of the three classes)
        call = getattr(self._plain, method.__name__)  # that of a remote store, where it is one
        if hasattr(method, "__deprecated__"):  # this method has warned
            call = partial(call.__func__.__wrapped__, self._plain)
        return await to_thread.run_sync(partial(call, *args, **kwargs))

    return warn_alike(method, run)


def like(
    method: Callable[Concatenate[Any, P], object], *names: str
) -> Callable[[Callable[..., T]], Callable[Concatenate[Any, P], T]]:
    """Gives an async method the name and the parameters of the plain one; with `__doc__`, also its docstring."""

    def decorate(function: Callable[..., T]) -> Callable[Concatenate[Any, P], T]:
        return update_wrapper(function, method, ("__module__", "__qualname__", "__name__", *names), ())

    return decorate


async def _stream(messages: Iterator[Message]) -> AsyncIterator[Message]:
    """Reads the messages of a page in one worker thread."""
    while page := await to_thread.run_sync(lambda: list(islice(messages, PAGE))):
        for message in page:
            yield message


class AsyncConversation:
    """The async version of `Conversation`."""

    def __init__(self, conversation: Conversation) -> None:
        self._plain = conversation
        self.id = conversation.id
        self.space = conversation.space
        self.model = conversation.model

    @like(Conversation.reply)
    async def reply(self, content: Content, **options: Any) -> AsyncAnswer:  # noqa: ANN401 (as Conversation.reply)
        """Stores the user's message, and streams the answer of a language model: `async for piece in await
        chat.reply(…)`. Takes the arguments of `Conversation.reply`."""
        return AsyncAnswer(await to_thread.run_sync(partial(self._plain.reply, content, **options)))

    @overload
    async def messages(
        self,
        limit: int = DEFAULT_LIMIT,
        *,
        after: int | None = None,
        before: int | None = None,
        masked: bool = False,
    ) -> list[Message]: ...
    @overload
    async def messages(
        self, limit: None, *, after: int | None = None, before: int | None = None, masked: bool = False
    ) -> AsyncIterator[Message]: ...
    async def messages(
        self,
        limit: int | None = DEFAULT_LIMIT,
        *,
        after: int | None = None,
        before: int | None = None,
        masked: bool = False,
    ) -> list[Message] | AsyncIterator[Message]:
        """Messages, the oldest first, as `Conversation.messages` does. With `limit=None`, an async iterator over all of
        them: `async for message in await chat.messages(None)`, or `async for message in chat`."""
        if limit is None:
            return _stream(self._plain.messages(None, after=after, before=before, masked=masked))
        read = partial(self._plain.messages, limit, after=after, before=before, masked=masked)
        return await to_thread.run_sync(read)

    def __aiter__(self) -> AsyncIterator[Message]:
        return _stream(iter(self._plain))

    @like(Conversation.fork, "__doc__")
    async def fork(self, at: Message | str | int | None = None, *, id: str | None = None) -> AsyncConversation:
        return AsyncConversation(await to_thread.run_sync(partial(self._plain.fork, at, id=id)))

    branches = run_in_thread(Conversation.branches)
    add = run_in_thread(Conversation.add)
    add_many = run_in_thread(Conversation.add_many)
    edit = run_in_thread(Conversation.edit)
    pop = run_in_thread(Conversation.pop)
    clear = run_in_thread(Conversation.clear)
    remove = run_in_thread(Conversation.remove)
    replace = run_in_thread(Conversation.replace)
    message = run_in_thread(Conversation.message)
    recent = run_in_thread(Conversation.recent)
    chunks = run_in_thread(Conversation.chunks)
    times = run_in_thread(Conversation.times)
    recall = run_in_thread(Conversation.recall)
    context = run_in_thread(Conversation.context)
    answerer = run_in_thread(Conversation.answerer)
    running_answers = run_in_thread(Conversation.running_answers)
    stop_answer = run_in_thread(Conversation.stop_answer)
    accesses = run_in_thread(Conversation.accesses)
    score = run_in_thread(Conversation.score)
    summaries = run_in_thread(Conversation.summaries)
    summary = run_in_thread(Conversation.summary)
    summarize = run_in_thread(Conversation.summarize)
    needs_summary = run_in_thread(Conversation.needs_summary)
    chain = run_in_thread(Conversation.chain)
    window = run_in_thread(Conversation.window)
    episodes = run_in_thread(Conversation.episodes)
    episode = run_in_thread(Conversation.episode)
    note_episode = run_in_thread(Conversation.note_episode)
    remove_episode = run_in_thread(Conversation.remove_episode)
    arc = run_in_thread(Conversation.arc)
    pin = run_in_thread(Conversation.pin)
    pins = run_in_thread(Conversation.pins)
    pinned = run_in_thread(Conversation.pinned)
    edit_pin = run_in_thread(Conversation.edit_pin)
    unpin = run_in_thread(Conversation.unpin)
    start = run_in_thread(Conversation.start)
    expire = run_in_thread(Conversation.expire)
    info = run_in_thread(Conversation.info)
    pause = run_in_thread(Conversation.pause)
    resume = run_in_thread(Conversation.resume)
    end = run_in_thread(Conversation.end)
    rename = run_in_thread(Conversation.rename)
    mute = run_in_thread(Conversation.mute)
    unmute = run_in_thread(Conversation.unmute)
    delete = run_in_thread(Conversation.delete)


class AsyncItems:
    """The async version of `Items`."""

    def __init__(self, items: Items) -> None:
        self._plain = items
        self.space = items.space
        self.namespace = items.namespace

    put = run_in_thread(Items.put)
    put_many = run_in_thread(Items.put_many)
    get = run_in_thread(Items.get)
    delete = run_in_thread(Items.delete)
    rename = run_in_thread(Items.rename)
    move = run_in_thread(Items.move)
    touch = run_in_thread(Items.touch)
    search = run_in_thread(Items.search)
    namespaces = run_in_thread(Items.namespaces)
    clear = run_in_thread(Items.clear)


class AsyncSpace:
    """The async version of `Space`."""

    def __init__(self, space: Space) -> None:
        self._plain = space
        self.id = space.id

    def conversation(self, id: str, *, model: str | None = None) -> AsyncConversation:
        """A conversation of this space. The first write creates it."""
        return AsyncConversation(self._plain.conversation(id, model=model))

    def items(self, namespace: str | Sequence[str] = ()) -> AsyncItems:
        """The JSON values under a namespace of this space."""
        return AsyncItems(self._plain.items(namespace))

    conversations = run_in_thread(Space.conversations)
    locate = run_in_thread(Space.locate)
    info = run_in_thread(Space.info)
    stats = run_in_thread(Space.stats)
    recall = run_in_thread(Space.recall)
    receipts = run_in_thread(Space.receipts)
    receipt = run_in_thread(Space.receipt)
    replay = run_in_thread(Space.replay)
    rebuild = run_in_thread(Space.rebuild)
    compare = run_in_thread(Space.compare)
    why = run_in_thread(Space.why)
    receipt_items = run_in_thread(Space.receipt_items)
    remember = run_in_thread(Space.remember)
    consolidate = run_in_thread(Space.consolidate)
    undo_consolidation = run_in_thread(Space.undo_consolidation)
    consolidations = run_in_thread(Space.consolidations)
    facts = run_in_thread(Space.facts)
    fact = run_in_thread(Space.fact)
    review = run_in_thread(Space.review)
    promote = run_in_thread(Space.promote)
    reject = run_in_thread(Space.reject)
    about = run_in_thread(Space.about)
    archive = run_in_thread(Space.archive)
    undo = run_in_thread(Space.undo)
    edit_fact = run_in_thread(Space.edit_fact)
    relate = run_in_thread(Space.relate)
    unrelate = run_in_thread(Space.unrelate)
    relations = run_in_thread(Space.relations)
    learn = run_in_thread(Space.learn)
    unlearn = run_in_thread(Space.unlearn)
    schemas = run_in_thread(Space.schemas)
    records = run_in_thread(Space.records)
    episodes = run_in_thread(Space.episodes)
    consent = run_in_thread(Space.consent)
    grant_consent = run_in_thread(Space.grant_consent)
    revoke_consent = run_in_thread(Space.revoke_consent)
    profile = run_in_thread(Space.profile)
    set_profile = run_in_thread(Space.set_profile)
    remove_profile = run_in_thread(Space.remove_profile)
    audit = run_in_thread(Space.audit)
    settings = run_in_thread(Space.settings)
    set = run_in_thread(Space.set)
    unset = run_in_thread(Space.unset)
    rechunk = run_in_thread(Space.rechunk)
    hold = run_in_thread(Space.hold)
    release_hold = run_in_thread(Space.release_hold)
    held = run_in_thread(Space.held)
    export = run_in_thread(Space.export)
    import_chats = run_in_thread(Space.import_chats)
    forget = run_in_thread(Space.forget)
    changes = run_in_thread(Space.changes)
    erasures = run_in_thread(Space.erasures)
    feedback = run_in_thread(Space.feedback)
    feedback_given = run_in_thread(Space.feedback_given)
    reset_feedback = run_in_thread(Space.reset_feedback)
    delete = run_in_thread(Space.delete)


class AsyncMemory:
    """The async version of `Memory`. Takes the same arguments, and opens the store immediately.

    async with AsyncMemory("app.db") as mem: …
    """

    __signature__ = signature(Memory)

    def __init__(self, *args: Any, **options: Any) -> None:  # noqa: ANN401 (the arguments of Memory)
        self._plain = Memory(*args, **options)

    @property
    def address(self) -> str:
        """The path or address of the store, without a password."""
        return self._plain.address

    @property
    def encrypted(self) -> bool:
        """True if a key encrypts the store."""
        return self._plain.encrypted

    @property
    def engine(self) -> Engine:
        """The internal parts, for tests and extensions. They can change in any version."""
        return self._plain.engine

    def now(self) -> datetime:
        """The time, by the clock of this Memory."""
        return self._plain.now()

    def space(self, id: str) -> AsyncSpace:
        """The memory of one person or project. The first write creates it."""
        return AsyncSpace(self._plain.space(id))

    def conversation(self, id: str, *, model: str | None = None) -> AsyncConversation:
        """A conversation of the space `default`."""
        return AsyncConversation(self._plain.conversation(id, model=model))

    async def import_space(
        self, folder: str | Path, *, space: str | None = None, progress: Progress | None = None
    ) -> AsyncSpace:
        """Imports an exported space, under its own name or another. Repeating it changes nothing."""
        method = partial(self._plain.import_space, folder, space=space, progress=progress)
        return AsyncSpace(await to_thread.run_sync(method))

    async def copy_to(
        self,
        other: AsyncMemory,
        *,
        spaces: Sequence[str] | None = None,
        progress: Progress | None = None,
        tell: Callable[[SpaceCopy], object] | None = None,
        replace: bool = False,
        settle: Callable[[], object] | None = None,
    ) -> CopyReport:
        """Copies all spaces and keys, or only `spaces`, into another store, as `Memory.copy_to` does."""
        target: Any = getattr(other, "_plain", other)  # copy_to rejects other types
        options: dict[str, Any] = {
            "spaces": spaces,
            "progress": progress,
            "tell": tell,
            "replace": replace,
            "settle": settle,
        }
        return await to_thread.run_sync(partial(self._plain.copy_to, target, **options))

    async def watch(
        self, space: str, after: int | None = None, *, conversation: str | None = None
    ) -> AsyncIterator[Changes]:
        """Yields the changes of a space, or of one conversation, as they happen, as `Memory.watch` does."""
        loop, committed = asyncio.get_running_loop(), asyncio.Event()
        wake = partial(loop.call_soon_threadsafe, committed.set)
        with await to_thread.run_sync(self._plain._on_change_of, space, wake):
            changes = await self.space(space).changes(after, conversation=conversation)
            yield changes
            while True:
                committed.clear()
                changes = await self.space(space).changes(changes.cursor, conversation=conversation)
                if changes or changes.missed:
                    yield changes
                else:
                    await committed.wait()

    @staticmethod
    async def restore(
        backup: str | Path,
        store: str | os.PathLike[str],
        *,
        force: bool = False,
        progress: Progress | None = None,
        clock: Clock | None = None,
        key: KeySource | None = None,
    ) -> RestoreReport:
        """Checks a backup and creates a store from it, as `Memory.restore` does."""
        method = partial(Memory.restore, backup, store, force=force, progress=progress, clock=clock, key=key)
        return await to_thread.run_sync(method)

    @staticmethod
    async def rekey(store: str | os.PathLike[str], *, key: KeySource | None, new_key: KeySource | None) -> None:
        """Changes the key of a file, as `Memory.rekey` does."""
        await to_thread.run_sync(partial(Memory.rekey, store, key=key, new_key=new_key))

    on_change = run_in_thread(Memory.on_change)
    spaces = run_in_thread(Memory.spaces)
    recall = run_in_thread(Memory.recall)
    flush = run_in_thread(Memory.flush)
    work = run_in_thread(Memory.work)
    jobs = run_in_thread(Memory.jobs)
    retrievals = run_in_thread(Memory.retrievals)
    metrics = run_in_thread(Memory.metrics)
    activity = run_in_thread(Memory.activity)
    costs = run_in_thread(Memory.costs)
    create_key = run_in_thread(Memory.create_key)
    keys = run_in_thread(Memory.keys)
    revoke_key = run_in_thread(Memory.revoke_key)
    check_key = run_in_thread(Memory.check_key)
    allot = run_in_thread(Memory.allot)
    allowance = run_in_thread(Memory.allowance)
    status = run_in_thread(Memory.status)
    ready = run_in_thread(Memory.ready)
    size = run_in_thread(Memory.size)
    receipt = run_in_thread(Memory.receipt)
    replay = run_in_thread(Memory.replay)
    why = run_in_thread(Memory.why)
    doctor = run_in_thread(Memory.doctor)
    backup = run_in_thread(Memory.backup)
    verify_erasure = run_in_thread(Memory.verify_erasure)
    close = run_in_thread(Memory.close)

    async def __aenter__(self) -> AsyncMemory:
        return self

    async def __aexit__(self, *exc: object) -> None:
        await self.close()
