"""The front door, and the only place where the parts are put together."""

from __future__ import annotations

import os
import threading
import weakref
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from types import TracebackType
from typing import Literal

from aforesaid.context.receipt import Receipt, Replay
from aforesaid.conversation import Conversation
from aforesaid.distill.consolidation import Consolidator
from aforesaid.distill.episodes.extract_episodes import ModelEpisodeExtractor, PatternEpisodeExtractor
from aforesaid.distill.facts.curation import FactEditor
from aforesaid.distill.facts.extract_facts import FactReconciler, ModelFactExtractor, PatternFactExtractor
from aforesaid.distill.llm.model_extraction import ModelExtraction
from aforesaid.distill.llm.model_router import ModelRouter
from aforesaid.distill.llm.token_budget import TokenBudget
from aforesaid.distill.pins import AutoPins
from aforesaid.distill.pipeline import Step, distill_handler, skip_muted
from aforesaid.distill.profile import ProfileAccess
from aforesaid.distill.summaries.rolling import RollingSummaries
from aforesaid.distill.summaries.segments import ChunkMerger, SegmentSummaries
from aforesaid.distill.summaries.summary_job import SummaryJob
from aforesaid.distill.summaries.summary_writer import SummaryWriter
from aforesaid.engine import Engine, no_progress
from aforesaid.errors import ClosedError, InvalidInput, ProviderError, StoreError
from aforesaid.forget import Forgetter
from aforesaid.ids import Ids
from aforesaid.ingest.draft import DraftBuilder
from aforesaid.ingest.importance import IMPORTANCE_RULES, ImportanceRule
from aforesaid.ingest.index import EmbeddingJobs, LexicalIndexJob, TimeMentionJob
from aforesaid.interop.space_export.copy_store import CopyOptions, CopyTarget, copy_store
from aforesaid.interop.space_export.read import read_space
from aforesaid.jobs.notifier import ChangeNotifier, Subscription, follow
from aforesaid.jobs.worker import Handler, Worker, WorkerPool
from aforesaid.keys import Keyring
from aforesaid.ledger.ledger import RetrievalLedger
from aforesaid.ledger.metrics import activity, measure, period_edges
from aforesaid.models.change import Changes
from aforesaid.models.cost import CostTotal, TokenAllowance
from aforesaid.models.erasure import Verification
from aforesaid.models.job import JOB_STATES, Job
from aforesaid.models.key import Key, KeyAccess, NewKey, RateLimitRequest
from aforesaid.models.retrieval import Activity, Metrics, Retrieval
from aforesaid.models.space import SpaceInfo
from aforesaid.models.store import Backup, Finding, Readiness, RestoreReport, Status
from aforesaid.models.transfer import CopyReport, SpaceCopy
from aforesaid.ports import Clock, Embedder, LanguageModel, Progress, Tokenizer
from aforesaid.providers.embedders import DEFAULT
from aforesaid.providers.embedders import embedder as make_embedder
from aforesaid.providers.language_models import ModelRegistry
from aforesaid.providers.tokenizers import tokenizer as make_tokenizer
from aforesaid.recall.candidates import CandidateSearch
from aforesaid.recall.recall import Recall
from aforesaid.settings import Settings, SettingValue, from_environment
from aforesaid.space import Space
from aforesaid.storage.store import Store
from aforesaid.text import validate

NO_EMBEDDER = "none"
SERVERS = ("postgresql://", "postgres://")
MODEL_LEASE = timedelta(minutes=5)  # a model may take so long; then its work is taken over
ACTIVITY_PERIODS = 48  # of an activity, unless a step is said
MAX_MEASURED = 100_000  # retrievals that metrics are made of at most


class Memory:
    """A store of conversations: a SQLite file, or `:memory:`.

    `embedder` and `tokenizer` are names (`wordllama:256`, `ollama:…`, `openai:…`, `none`; `o200k`, `cl100k`,
    `chars/4`, `chars*0.75`) or objects of your own. Without a name, the store goes on with the embedder it has.
    `model` is the language model that thinks in the background (`ollama:…`, `openai:…`, `anthropic:…`), by name or an
    object of your own; without one, all is done without. `daily_tokens` caps what models take in a day (UTC).
    `worker=False` leaves the background work to `flush` or to a `aforesaid worker`. `synchronous="normal"` is
    faster and survives a killed process, but not a power cut.
    """

    def __init__(
        self,
        store: str | os.PathLike[str] = ":memory:",
        *,
        embedder: str | Embedder | None = None,
        tokenizer: str | Tokenizer = "o200k",
        model: str | LanguageModel | None = None,
        daily_tokens: int | None = None,
        importance_rules: Sequence[ImportanceRule] = IMPORTANCE_RULES,
        worker: bool = True,
        synchronous: str = "full",
        clock: Clock | None = None,
        environment: Mapping[str, str] | None = None,
    ) -> None:
        variables = os.environ if environment is None else environment
        validate.instance_of(variables, Mapping, "environment takes a mapping")
        now = validate.function(clock or _utc_now, "clock")
        settings = from_environment(variables)
        wanted = embedder or variables.get("AFORESAID_EMBEDDER")
        self._embedders = Embedders(variables, wanted)
        self._models = ModelRegistry(variables, variables.get("AFORESAID_MODEL") if model is None else _model(model))
        self._cap = _cap(daily_tokens, variables)
        self._store: Store = _open(_store_address(store), synchronous, now)
        try:
            self._embedders.adopt(self._store, now)
            self._engine = self._wire(_tokenizer(tokenizer), _rules(importance_rules), now, settings)
            self._keyring = Keyring(self._store.keys, now, self._engine.ids)
        except BaseException:
            self._store.close()
            raise
        self._works = worker
        if worker:
            self._engine.worker.start()
            if self._store.feed.supports_notify:  # work that another process queues is begun at once
                self._engine.notifier.subscribe(self._engine.worker.wake)
        engine = self._engine
        parts = OpenResources(os.getpid(), self._models, engine.worker, engine.ledger, engine.notifier, self._store)
        self._close = weakref.finalize(self._engine, _close_resources, parts)

    @property
    def address(self) -> str:
        """Where the store is; of a server's address, no password."""
        return self._store.address

    @property
    def engine(self) -> Engine:
        """The parts that the verbs call: for tests and extensions, without a promise of compatibility."""
        return self._engine

    def space(self, id: str) -> Space:
        """One person's or project's memory."""
        return Space(self._engine, id)

    def conversation(self, id: str, *, model: str | None = None) -> Conversation:
        """A conversation of the space `default`."""
        return self.space("default").conversation(id, model=model)

    def spaces(self, limit: int = 50, *, after: str | None = None) -> list[SpaceInfo]:
        """Spaces in the order they were made; `after` is the last id of the page before."""
        last = None if after is None else validate.name(after, "after")
        return self._store.spaces.list(validate.count(limit, "limit"), last)

    def import_space(self, folder: str | Path, *, space: str | None = None, progress: Progress | None = None) -> Space:
        """Puts an exported space back, under its own name or another. Repeating it changes nothing."""
        name = read_space(self._store, self._engine.drafts, validate.folder(folder), space, progress or no_progress)
        self._engine.added()
        return self.space(name)

    def copy_to(
        self,
        other: Memory,
        *,
        spaces: Sequence[str] | None = None,
        progress: Progress | None = None,
        tell: Callable[[SpaceCopy], object] | None = None,
        replace: bool = False,
        settle: Callable[[], object] | None = None,
    ) -> CopyReport:
        """Copies every space and every key into another store, or these spaces, and compares them there; `tell` is told
        of each space.

        Repeating it copies what has changed, as long as nobody uses the copy. ConflictError, once all else is copied,
        where the other store has something of its own under the same name, unless `replace` gives that up. `settle`
        does background work there (`other.flush`): what that makes is no use of the copy. Vectors are made anew there;
        jobs, retrievals, receipts, costs and records of erasures are not copied.
        """
        validate.instance_of(other, Memory, "copy_to takes a Memory, such as Memory('other.db')")
        self._engine.ledger.write()
        target = CopyTarget(other._store, other._engine.drafts)
        if other.address == self.address != ":memory:":
            raise InvalidInput(f"{self.address} is both; name two stores")
        names = None if spaces is None else [validate.name(space, "a space") for space in spaces]
        wanted = CopyOptions(names, replace, settle)
        try:
            return copy_store(self._store, target, wanted, progress or no_progress, tell or _no_change_listener)
        finally:
            other._engine.added()

    def flush(self, timeout: float = 30.0) -> None:
        """Returns when the background work is done and what retrievals left behind is written; NotFinished when the
        work is not done in time."""
        patience = validate.amount(timeout, "timeout")
        self._engine.ledger.write()
        self._engine.worker.drain(patience)

    def work(self) -> bool:
        """Does one batch of due background work in this thread. Says whether there was any."""
        self._engine.ledger.try_write()
        return self._engine.worker.run_due()

    def jobs(self, state: str | None = None, limit: int = 50) -> list[Job]:
        """Background work: what failed, runs, is queued, is done; the newest of each first."""
        known = None if state is None else validate.choice(state, JOB_STATES, "state")
        return self._store.jobs.list(known, validate.count(limit, "limit"))

    def retrievals(
        self,
        space: str | None = None,
        *,
        since: datetime | str | None = None,
        until: datetime | str | None = None,
        limit: int = 100,
    ) -> list[Retrieval]:
        """How retrievals went, the newest first: of a space or of all, from `since` on and before `until`.

        Kept for 30 days. Neither questions nor what was found are in it.
        """
        inside = None if space is None else validate.name(space, "space")
        begin = None if since is None else validate.day_edge(since, "since", begins=True)
        end = None if until is None else validate.day_edge(until, "until")
        return self._engine.ledger.retrievals(inside, begin, end, validate.count(limit, "limit"))

    def metrics(
        self, space: str | None = None, *, since: datetime | str | None = None, until: datetime | str | None = None
    ) -> Metrics:
        """What the retrievals of a time give on the whole; the newest 100,000 where there are more."""
        return measure(self.retrievals(space, since=since, until=until, limit=MAX_MEASURED))

    def activity(
        self,
        space: str | None = None,
        *,
        since: datetime | str | None = None,
        until: datetime | str | None = None,
        step: timedelta | None = None,
    ) -> list[Activity]:
        """What happened, period by period, for charts: of a space or of all, in the last day unless it is said."""
        inside = None if space is None else validate.name(space, "space")
        end = self._engine.clock() if until is None else validate.day_edge(until, "until")
        begin = _day_before(end) if since is None else validate.day_edge(since, "since", begins=True)
        at = period_edges(begin, end, (end - begin) / ACTIVITY_PERIODS if step is None else step)
        return activity(self._store, inside, at, self._engine.ledger.retrievals(inside, begin, end, MAX_MEASURED))

    def costs(
        self, space: str | None = None, *, since: datetime | str | None = None, until: datetime | str | None = None
    ) -> list[CostTotal]:
        """What language models took, by model and operation: for a space or for all, from `since` on and before
        `until`. What a deleted space took counts for all."""
        inside = None if space is None else validate.name(space, "space")
        begin = None if since is None else validate.day_edge(since, "since", begins=True)
        end = None if until is None else validate.day_edge(until, "until")
        return self._store.costs.totals(inside, begin, end)

    def allowance(self) -> TokenAllowance:
        """The tokens that language models took today (UTC), and what is left of the cap."""
        return self._engine.model_router.token_budget.allowance()

    def create_key(self, name: str, *, access: KeyAccess = "write", spaces: Sequence[str] | None = None) -> NewKey:
        """A key for the server, the proxy and MCP: to these spaces, or to all. Its secret is shown only now."""
        return self._keyring.create(name, access, spaces)

    def keys(self) -> list[Key]:
        """Every key, revoked ones too, the oldest first."""
        return self._keyring.list()

    def revoke_key(self, id: str) -> Key:
        """The key opens nothing from now on, in any process. NotFound where there is none."""
        return self._keyring.revoke(id)

    def check_key(self, secret: str) -> Key | None:
        """Whose secret this is; None where it is nobody's, or was revoked. Takes the same time either way."""
        return self._keyring.check(secret)

    def allot(self, principal: str, most: int, seconds: float, *, wanted: int = 1) -> int:
        """How many of `wanted` calls somebody may make who may make `most` in so many seconds. They count as made, in
        every process on the store."""
        limit, asked = validate.count(most, "most"), validate.count(wanted, "wanted")
        name, span = validate.new_name(principal, "principal"), validate.amount(seconds, "seconds")
        return self._store.rates.allot(RateLimitRequest(name, limit, span, asked, self._engine.clock()))

    def status(self) -> Status:
        """What the store holds and what is still to be done."""
        return self._store.status()

    def ready(self) -> Readiness:
        """Whether the store answers, has the right schema, and is worked on. Raises nothing where it does not."""
        worker: Literal["running", "stopped", "elsewhere"] = "elsewhere"
        if self._works:
            worker = "running" if self._engine.worker.running else "stopped"
        try:
            store, schema = True, self._store.current()
        except (StoreError, ClosedError):
            store, schema = False, False
        return Readiness(store and schema and worker != "stopped", store, schema, worker)

    def size(self) -> Mapping[str, int]:
        """Bytes: the whole file, the messages' text, the full-text index, the vectors."""
        return self._store.bytes()

    def receipt(self, id: str) -> Receipt:
        """The receipt of a context; NotFound where there is none, or no longer: they are kept for 30 days."""
        return self._engine.receipt(id)

    def replay(self, id: str) -> Replay:
        """Builds a context again, with what the store holds now, and compares. Nothing is kept of it."""
        return self._engine.replay(self._engine.receipt(id))

    def doctor(self, *, repair: bool = False, progress: Progress | None = None) -> list[Finding]:
        """Compares the indexes with the log; `repair` rebuilds what differs."""
        findings = self._store.check(repair, self._engine.clock(), progress or no_progress)
        self._engine.added()
        return findings

    def backup(self, path: str | Path, *, force: bool = False, progress: Progress | None = None) -> Backup:
        """Copies the whole store into one file, of one moment, while this and other processes go on writing.

        The file appears whole or not at all; one that is there is replaced only with `force`.
        """
        self._engine.ledger.write()
        return self._store.backup(validate.folder(path), force, progress or no_progress)

    @staticmethod
    def restore(
        backup: str | Path,
        store: str | os.PathLike[str],
        *,
        force: bool = False,
        progress: Progress | None = None,
        clock: Clock | None = None,
    ) -> RestoreReport:
        """Makes a store of a backup, which is checked first.

        A store that is there already is replaced only with `force`, all at once, and only while nobody has it open.
        """
        place = _file(_store_address(store))
        from aforesaid.storage.sqlite.restore import restore

        return restore(validate.folder(backup), place, force, clock or _utc_now, progress or no_progress)

    def verify_erasure(self, text: str, *, space: str | None = None) -> Verification:
        """Looks for a text, and for those of its words that no message has any more, in every table, in the full-text
        indexes and in the bytes of every file; with `space`, for what that space has of it."""
        self._engine.ledger.write()
        return self._engine.forgetter.verify(text, space)

    def on_change(self, wake: Callable[[], object]) -> Subscription:
        """Has `wake` called, from a thread of aforesaid's, whenever something was written since this returned: at once
        where this Memory wrote it, within a tenth of a second where another process did, and when the Memory is closed.

        What has changed is asked of `space.changes`; there may be nothing. `wake` should return soon.
        """
        return self._engine.notifier.subscribe(validate.function(wake, "wake"))

    def watch(self, space: str, after: int | None = None, *, conversation: str | None = None) -> Iterator[Changes]:
        """Changes of a space, or of a conversation in it, as they come; ClosedError when the Memory is closed.

        The first ones come at once and may be none: their cursor says where it begins.
        """
        read = partial(self.space(space).changes, conversation=conversation)
        return follow(self._engine.notifier, read, after)

    def close(self) -> None:
        """Lets the work at hand end and closes the store. What is still queued stays queued; what waits for a
        language model is queued again."""
        self._close()

    def __enter__(self) -> Memory:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _wire(
        self, tokenizer: Tokenizer, rules: Sequence[ImportanceRule], clock: Clock, settings: Mapping[str, SettingValue]
    ) -> Engine:
        store, ids = self._store, Ids()
        forgetter = Forgetter(store.erasures, clock, ids)
        model_router = ModelRouter(self._models, TokenBudget(store.costs, self._cap, clock, ids.make), tokenizer)
        effective = partial(_effective, store, settings)
        reconciler = FactReconciler(store.facts, tokenizer, ids, clock)
        model_facts = ModelExtraction(store, model_router, effective, clock, ModelFactExtractor(reconciler))
        episode_extractor = ModelEpisodeExtractor(store.episodes, tokenizer.count, clock, ids.make)
        model_episodes = ModelExtraction(store, model_router, effective, clock, episode_extractor)
        summary_job = SummaryJob(store, SummaryWriter(model_router, tokenizer), effective, clock, ids.make)
        segments, rolling = (
            SegmentSummaries(summary_job, ChunkMerger(store, tokenizer, clock, ids.make)),
            RollingSummaries(summary_job),
        )
        # after messages came in, in order; and what may ask a model
        steps: list[Step] = [
            PatternFactExtractor(store, reconciler, effective).run,
            PatternEpisodeExtractor(store, effective, tokenizer.count, clock, ids.make).run,
            AutoPins(store, effective, clock, ids.make).run,
            segments.queue,
            rolling.queue,
            model_facts.queue,
            model_episodes.queue,
        ]
        thinking: dict[str, Handler] = {"segment": segments.run, "rolling": rolling.run}
        thinking |= {"learn": model_facts.run, "narrate": model_episodes.run}
        thinking = {kind: skip_muted(store.conversations, handler) for kind, handler in thinking.items()}
        scrubbing = {"scrub": forgetter.scrub} if store.erasures.scrubs else {}
        quick = Worker(store.jobs, self._handlers(clock, steps) | scrubbing, clock)
        slow = Worker(store.jobs, thinking | self._indexing(clock), clock, lease=MODEL_LEASE, claim=1)
        worker = WorkerPool(quick, slow)
        ledger = RetrievalLedger(store)
        worker.add_periodic((ledger.write_due,), (store.ledger.prune, store.feed.prune, store.vectors.prune))
        candidates = CandidateSearch(store.lexical, store.vectors, self._embedders.find)
        return Engine(
            store=store,
            drafts=DraftBuilder(tokenizer, rules, ids),
            recall=Recall(store, candidates, clock),
            worker=worker,
            ledger=ledger,
            forgetter=forgetter,
            notifier=ChangeNotifier(store.feed),
            profile_access=ProfileAccess(store.profiles, store.audit, clock, ids),
            model_router=model_router,
            facts=FactEditor(store.facts, reconciler, tokenizer, ids, clock),
            segments=segments,
            rolling=rolling,
            consolidator=Consolidator(store.consolidations, clock, ids),
            tokenizer=tokenizer,
            ids=ids,
            clock=clock,
            environment=settings,
            added=worker.wake,
        )

    def _handlers(self, clock: Clock, steps: Sequence[Step]) -> dict[str, Handler]:
        handlers: dict[str, Handler] = {
            "index": LexicalIndexJob(self._store.lexical).index,
            "times": TimeMentionJob(self._store.mentions, clock).times,
        }
        if not self._embedders.off:
            embedding = self._embedding(clock)
            handlers |= {"embed": embedding.embed, "note": embedding.note}
            handlers |= {"reembed": embedding.reembed, "sweep": embedding.sweep}
        return handlers | {"distill": skip_muted(self._store.conversations, distill_handler(steps))}

    def _indexing(self, clock: Clock) -> dict[str, Handler]:
        """Where this process may make indexes of vectors. That can take minutes."""
        return {"near": self._embedding(clock).near} if self._store.vectors.indexes else {}

    def _embedding(self, clock: Clock) -> EmbeddingJobs:
        return EmbeddingJobs(self._store.vectors, self._store.notes, self._embedders.find, clock)


class Embedders:
    """The embedders that a store's vectors name, made when they are first needed."""

    def __init__(self, variables: Mapping[str, str], wanted: str | Embedder | None) -> None:
        self._variables = variables
        self._made: dict[str, Embedder] = {}
        self.off = wanted == NO_EMBEDDER
        self._wanted: str | None = None
        if isinstance(wanted, str) and not self.off:
            self._wanted = self._named(wanted).name
        elif wanted is not None and not isinstance(wanted, str):
            able = validate.with_methods(wanted, "embedder", "name", "embed")
            self._wanted = validate.new_name(able.name, "an embedder's name")
            self._made[self._wanted] = able

    def find(self, name: str) -> Embedder:
        """The embedder that made a store's vectors; ProviderError where this process cannot have it."""
        try:
            return self._named(name)
        except InvalidInput as exc:
            raise ProviderError(f"the store's embedder is not to be had here: {exc}") from exc

    def _named(self, name: str) -> Embedder:
        if name not in self._made:
            self._made[name] = make_embedder(name, environment=self._variables)
        return self._made[name]

    def adopt(self, store: Store, clock: Clock) -> None:
        """Makes the wanted embedder the store's; a new store without a wish gets the default."""
        if self.off:
            return
        present = store.vectors.building() or store.vectors.serving()
        wanted = self._wanted or present or DEFAULT
        if wanted != present:
            store.vectors.adopt(wanted, clock())


def is_address(store: str) -> bool:
    """Whether this is meant for the address of a server, rightly written or not. It may have a password in it."""
    return "://" in store or (store.lower().startswith("postgres") and ":" in store)


def _file(store: str) -> str:
    if is_address(store):
        raise InvalidInput("backups are of files; a server's own tools (pg_dump, pg_basebackup) back a database up")
    return store


def _open(store: str, synchronous: str, clock: Clock) -> Store:
    if store.startswith(SERVERS):
        return _open_server(store, synchronous, clock)
    if is_address(store):
        raise InvalidInput("this is no address of a store; write it as postgresql://user@host/database, or name a file")
    from aforesaid.storage.sqlite.store import SqliteStore

    return SqliteStore(store, synchronous=synchronous, clock=clock)


def _open_server(address: str, synchronous: str, clock: Clock) -> Store:
    try:
        from aforesaid.storage.postgres.store import PostgresStore
    except ImportError as exc:
        raise InvalidInput("a postgresql:// address needs the extra: pip install 'aforesaid[postgres]'") from exc
    return PostgresStore(address, synchronous=synchronous, clock=clock)


def _tokenizer(tokenizer: str | Tokenizer) -> Tokenizer:
    return (
        make_tokenizer(tokenizer)
        if isinstance(tokenizer, str)
        else validate.with_methods(tokenizer, "tokenizer", "count")
    )


def _model(model: str | LanguageModel) -> str | LanguageModel:
    return model if isinstance(model, str) else validate.with_methods(model, "model", "name", "local", "complete")


def _rules(rules: Sequence[ImportanceRule]) -> tuple[ImportanceRule, ...]:
    advice = "each of importance_rules must be a Rule"
    return tuple(
        validate.instance_of(rule, ImportanceRule, advice) for rule in validate.sequence(rules, "importance_rules")
    )


def _store_address(store: str | os.PathLike[str]) -> str:
    """A file's path or a server's address."""
    return os.fspath(validate.instance_of(store, str | os.PathLike, "a store is named by a path or an address"))


def _cap(tokens: int | None, variables: Mapping[str, str]) -> int | None:
    """Tokens a day, at most; None where nothing says."""
    if tokens is not None:
        return validate.count(tokens, "daily_tokens", 0)
    said = variables.get("AFORESAID_DAILY_TOKENS", "").strip()
    if not said:
        return None
    if not (said.isascii() and said.isdigit()):
        raise InvalidInput(f"AFORESAID_DAILY_TOKENS={said!r} must be a whole number")
    return validate.count(int(said), "AFORESAID_DAILY_TOKENS", 0)


def _effective(store: Store, environment: Mapping[str, SettingValue], space: str) -> Settings:
    """The space's settings as they are now."""
    return Settings(environment, store.preferences.all(space))


def _day_before(end: datetime) -> datetime:
    try:
        return end - timedelta(days=1)
    except OverflowError as exc:
        raise InvalidInput(f"there is no day before {end.isoformat()}; say since when") from exc


def _no_change_listener(_: object) -> None:
    """Nobody asked to be told."""


def _utc_now() -> datetime:
    return datetime.now(UTC)


@dataclass(frozen=True, slots=True)
class OpenResources:
    """What outlives the engine until it is shut: `process` opened it."""

    process: int
    models: ModelRegistry
    worker: WorkerPool
    ledger: RetrievalLedger
    notifier: ChangeNotifier
    store: Store


def _close_resources(parts: OpenResources) -> None:
    """Runs once: on `close`, at the interpreter's exit, or when the last space and conversation are gone."""
    if os.getpid() != parts.process:  # a forked child has neither the thread nor the connections
        return
    if (
        parts.worker.is_current_thread or parts.notifier.is_current_thread
    ):  # the last reference went in a thread that cannot wait for itself
        threading.Thread(target=_close_resources, args=(parts,), name="aforesaid-close").start()
        return
    parts.worker.halt()
    parts.models.close()  # so that nobody waits for a model that thinks
    parts.worker.stop()
    parts.notifier.stop()
    parts.ledger.try_write()
    parts.store.close()
    parts.notifier.notify()
