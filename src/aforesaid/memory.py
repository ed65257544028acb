"""The public class `Memory`. This is the only module that wires the parts together."""

from __future__ import annotations

import os
import re
import threading
import weakref
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import partial, wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, Unpack

from aforesaid import plugins
from aforesaid.context.receipt import Receipt, Replay
from aforesaid.context.why import Why
from aforesaid.conversation import Conversation
from aforesaid.distill.consolidation import Consolidator
from aforesaid.distill.episodes.extract_episodes import ModelEpisodeExtractor, PatternEpisodeExtractor
from aforesaid.distill.facts.curation import FactEditor
from aforesaid.distill.facts.custom_extractors import CustomExtractors
from aforesaid.distill.facts.extract_facts import FactReconciler, ModelFactExtractor, PatternFactExtractor
from aforesaid.distill.facts.known_facts import KnownFacts
from aforesaid.distill.llm.model_extraction import ModelExtraction
from aforesaid.distill.llm.model_router import ModelRouter
from aforesaid.distill.llm.token_budget import TokenBudget
from aforesaid.distill.pins import AutoPins
from aforesaid.distill.pipeline import Step, distill_handler, skip_muted
from aforesaid.distill.profile import ProfileAccess
from aforesaid.distill.records.definitions import Schemas
from aforesaid.distill.records.extract_records import ModelRecordExtractor
from aforesaid.distill.summaries.rolling import RollingSummaries
from aforesaid.distill.summaries.segments import ChunkMerger, SegmentSummaries
from aforesaid.distill.summaries.summary_job import SummaryJob
from aforesaid.distill.summaries.summary_writer import SummaryWriter
from aforesaid.engine import DEFAULT_WEIGHTS, Engine, no_progress
from aforesaid.errors import (
    ClosedError,
    InvalidInput,
    ProviderError,
    StoreBusy,
    StoreDamaged,
    StoreError,
    StoreFull,
    StoreMoved,
)
from aforesaid.forget import Expiry, Forgetter
from aforesaid.ids import Ids
from aforesaid.ingest.draft import DraftBuilder
from aforesaid.ingest.importance import IMPORTANCE_RULES, ImportanceRule
from aforesaid.ingest.index import EmbeddingJobs, index_text, store_time_mentions
from aforesaid.jobs.foreground import ForegroundCalls
from aforesaid.jobs.notifier import ChangeNotifier, Subscription, follow
from aforesaid.jobs.worker import Handler, Worker, WorkerPool
from aforesaid.keys import Keyring
from aforesaid.ledger.ledger import RetrievalLedger
from aforesaid.ledger.metrics import activity, measure, period_edges
from aforesaid.models.change import Changes
from aforesaid.models.cost import CostTotal, TokenAllowance
from aforesaid.models.erasure import Verification
from aforesaid.models.fact import Fact
from aforesaid.models.job import JOB_STATES, Job
from aforesaid.models.key import Key, KeyAccess, NewKey, RateLimitRequest
from aforesaid.models.message import Message
from aforesaid.models.recall import Hits
from aforesaid.models.retrieval import Activity, Metrics, Retrieval
from aforesaid.models.space import SpaceInfo
from aforesaid.models.store import Backup, Finding, Readiness, RestoreReport, Status
from aforesaid.models.transfer import CopyReport, SpaceCopy
from aforesaid.ports import Clock, Embedder, Extractor, KeySource, LanguageModel, Progress, Reranker, Tokenizer
from aforesaid.providers.embedders import DEFAULT, RETIRED_PREFIX
from aforesaid.providers.embedders import embedder as make_embedder
from aforesaid.providers.language_models import ModelRegistry
from aforesaid.providers.tokenizers import tokenizer as make_tokenizer
from aforesaid.recall.candidates import CandidateSearch
from aforesaid.recall.filters import RecallFilter, RecallOptions, SearchScope, searched_spaces
from aforesaid.recall.learned_fusion import learned_fusion, read_fusion
from aforesaid.recall.recall import Recall, RecallRequest
from aforesaid.remote.rest import over_rest
from aforesaid.remote.verb import Scope
from aforesaid.settings import Settings, SettingValue, from_environment
from aforesaid.space import RemoteSpace, Space
from aforesaid.storage.store import Store
from aforesaid.text import validate
from aforesaid.text.memo import TextMemo

if TYPE_CHECKING:
    from aforesaid.storage.sqlite.encryption import StoreKey

NO_EMBEDDER = "none"
BUILT_IN = "learned"  # the name of the default reranker
NAME = re.compile(r"[A-Za-z0-9_-]+")  # of a registered object
SERVERS = ("postgresql://", "postgres://")
WEB = ("https://", "http://")  # the address of an `aforesaid serve`
IN_MEMORY = ":memory:"
NO_FILE = "a key encrypts a file; a PostgreSQL server encrypts its own disk (docs/howto/encrypt.md)"
NOT_READY = (  # reasons without a path or an address: /api/ready needs no key
    (StoreMoved, "the file was removed, moved or replaced while it was open; start this process again"),
    (StoreFull, "the disk is full; make room"),
    (StoreDamaged, "the file is damaged; run `aforesaid doctor`"),
    (StoreBusy, "the store is busy"),
    (ClosedError, "the store is closed"),
)
ACTIVITY_PERIODS = 48  # periods of an activity, unless the caller gives a step
MAX_MEASURED = 100_000  # retrievals that metrics are computed from, at most


class Memory:
    """A store of conversations: a SQLite file, `:memory:`, a PostgreSQL address, or the address of a server.

    `embedder` and `tokenizer` are names (`static:256`, `minilm`, `ollama:…`, `openai:…`, `none`; `o200k`, `cl100k`,
    `chars/4`, `chars*0.75`) or your own objects. Without an `embedder`, the store keeps its current one.
    `model` is the language model for background work (`ollama:…`, `openai:…`, `anthropic:…`), as a name or your own
    object. Without one, it uses no model. `daily_tokens` caps the tokens of all models per day (UTC). `reranker`
    orders the candidates of a recall in place of the learned fusion: your own object, the name of one that a package
    registers, or the path of a fusion that `aforesaid tune --fusion` wrote. `extractors` read facts in addition to the
    rules: your own objects, or the names of registered ones.
    `worker=False` leaves the background work to `flush` or to an `aforesaid worker`. `synchronous="normal"` is
    faster and survives a killed process, but not a power cut. `key` encrypts a file: a passphrase, 32 bytes, or the
    `Path` of a file with a passphrase or 64 hexadecimal digits. Without one, `AFORESAID_KEY_FILE` names that file.

    `Memory("https://memory.example", key="…")` has the same methods on the store of an `aforesaid serve`. Its `key` is
    one that `aforesaid keys create` printed, or the `Path` of a file that contains it; without one, `AFORESAID_KEY`.
    All other arguments but `clock` and `environment` are the server's.
    """

    def __init__(
        self,
        store: str | os.PathLike[str] = ":memory:",
        *,
        embedder: str | Embedder | None = None,
        tokenizer: str | Tokenizer = "o200k",
        model: str | LanguageModel | None = None,
        reranker: str | os.PathLike[str] | Reranker | None = None,
        extractors: Sequence[str | Extractor] = (),
        daily_tokens: int | None = None,
        importance_rules: Sequence[ImportanceRule] = IMPORTANCE_RULES,
        worker: bool = True,
        synchronous: str = "full",
        key: KeySource | None = None,
        clock: Clock | None = None,
        environment: Mapping[str, str] | None = None,
    ) -> None:
        variables = os.environ if environment is None else environment
        validate.instance_of(variables, Mapping, "environment takes a mapping")
        now = validate.function(clock or _utc_now, "clock")
        settings = from_environment(variables)
        self._embedders = Embedders(variables, embedder or variables.get("AFORESAID_EMBEDDER"))
        self._models = ModelRegistry(variables, variables.get("AFORESAID_MODEL") if model is None else _model(model))
        self._reranker = _reranker(variables.get("AFORESAID_RERANKER") if reranker is None else reranker)
        self._extractors = _extractors(extractors)
        self._cap = _cap(daily_tokens, variables)
        address = _store_address(store)
        self._store: Store = _open(address, synchronous, now, _key_source(key, address, variables))
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
            if self._store.feed.supports_notify:  # jobs that another process queues start immediately
                self._engine.notifier.subscribe(self._engine.worker.wake)
        engine = self._engine
        parts = OpenResources(os.getpid(), self._models, engine.worker, engine.ledger, engine.notifier, self._store)
        self._close = weakref.finalize(self._engine, _close_resources, parts)

    if not TYPE_CHECKING:  # type checkers know the constructor from `__init__`

        @wraps(__init__)
        def __new__(cls, store=IN_MEMORY, *_, **__):  # noqa: ANN001, ANN002, ANN003, ANN204
            remote = cls is Memory and isinstance(store, str) and store.lower().startswith(WEB)
            return super().__new__(RemoteMemory if remote else cls)

    @property
    def address(self) -> str:
        """The path or address of the store, without a password."""
        return self._store.address

    @property
    def encrypted(self) -> bool:
        """True if a key encrypts the store."""
        return self._store.database.encrypted

    @property
    def engine(self) -> Engine:
        """The internal parts, for tests and extensions. They can change in any version."""
        return self._engine

    def now(self) -> datetime:
        """The time, by the clock of this Memory."""
        return self._engine.clock()

    def space(self, id: str) -> Space:
        """The memory of one person or project. The first write creates it."""
        return Space(self._engine, id)

    def conversation(self, id: str, *, model: str | None = None) -> Conversation:
        """A conversation of the space `default`."""
        return self.space("default").conversation(id, model=model)

    def spaces(self, limit: int = 50, *, after: str | None = None) -> list[SpaceInfo]:
        """Spaces in the order of their creation; `after` is the last id of the previous page."""
        last = None if after is None else validate.name(after, "after")
        return self._store.spaces.list(validate.count(limit, "limit"), last)

    def recall(self, spaces: Sequence[str], query: str, limit: int = 10, **options: Unpack[RecallOptions]) -> Hits:
        """The hits for a query in several spaces, the best first. Each hit names its space, and the scores are
        comparable. A space that does not exist has no hits."""
        return self._engine.recall_spaces(searched_spaces(spaces), query, limit, options)

    def import_space(self, folder: str | Path, *, space: str | None = None, progress: Progress | None = None) -> Space:
        """Imports an exported space, under its own name or another. Repeating it changes nothing."""
        from aforesaid.interop.space_export.read import read_space

        name = read_space(self._store, self._engine.drafts, validate.folder(folder), space, progress or no_progress)
        self._engine.worker.wake()
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
        """Copies all spaces and keys, or only `spaces`, into another store, and compares the two. Calls `tell` for each
        space.

        Repeat it to copy the changes, as long as nobody uses the copy. If a space of the other store has other content
        under the same name, raises ConflictError after all other spaces are copied; `replace` overwrites it. `settle`
        runs the background work there (`other.flush`), which does not count as use. The other store computes its own
        vectors; jobs, retrievals, receipts, costs and records of erasures are not copied.
        """
        from aforesaid.interop.space_export.copy_store import CopyOptions, CopyTarget, copy_store

        validate.instance_of(other, Memory, "copy_to takes a Memory, such as Memory('other.db')")
        self._engine.ledger.write()
        target = CopyTarget(other._store, other._engine.drafts)
        if other.address == self.address != ":memory:":
            raise InvalidInput(f"{self.address} is both the source and the target; name two stores")
        names = None if spaces is None else [validate.name(space, "a space") for space in spaces]
        options = CopyOptions(names, replace, settle)
        try:
            return copy_store(self._store, target, options, progress or no_progress, tell or _ignore_copy)
        finally:
            other._engine.worker.wake()

    def flush(self, timeout: float = 30.0) -> None:
        """Waits until all jobs are done, all retrievals are stored, and all that has expired is erased. Raises
        NotFinished after `timeout` seconds."""
        seconds = validate.amount(timeout, "timeout")
        self._engine.ledger.write()
        self._engine.expiry.queue()
        self._engine.worker.drain(seconds)

    def work(self) -> bool:
        """Runs one batch of due jobs in this thread. Returns True if there were any."""
        self._engine.ledger.try_write()
        return self._engine.worker.run_due()

    def jobs(self, state: str | None = None, limit: int = 50) -> list[Job]:
        """Background jobs: failed, running, queued, done; the newest of each state first."""
        valid_state = None if state is None else validate.choice(state, JOB_STATES, "state")
        return self._store.jobs.list(valid_state, validate.count(limit, "limit"))

    def retrievals(
        self,
        space: str | None = None,
        *,
        since: datetime | str | None = None,
        until: datetime | str | None = None,
        limit: int = 100,
    ) -> list[Retrieval]:
        """Records of retrievals, the newest first: of one space or of all, from `since` on and before `until`.

        They are kept for 30 days, and contain neither questions nor results.
        """
        return self._engine.ledger.retrievals(*_validate_range(space, since, until), validate.count(limit, "limit"))

    def metrics(
        self, space: str | None = None, *, since: datetime | str | None = None, until: datetime | str | None = None
    ) -> Metrics:
        """Totals over the retrievals of a time range; over the newest 100,000 if there are more."""
        return measure(self.retrievals(space, since=since, until=until, limit=MAX_MEASURED))

    def activity(
        self,
        space: str | None = None,
        *,
        since: datetime | str | None = None,
        until: datetime | str | None = None,
        step: timedelta | None = None,
    ) -> list[Activity]:
        """Activity per period, for charts: of one space or of all. The default range is the last day."""
        name, begin, end = _validate_range(space, since, until)
        end = end or self._engine.clock()
        begin = begin or _day_before(end)
        at = period_edges(begin, end, (end - begin) / ACTIVITY_PERIODS if step is None else step)
        return activity(self._store, name, at, self._engine.ledger.retrievals(name, begin, end, MAX_MEASURED))

    def costs(
        self, space: str | None = None, *, since: datetime | str | None = None, until: datetime | str | None = None
    ) -> list[CostTotal]:
        """The costs of language models per model and operation: of one space or of all, from `since` on and before
        `until`. The total of all spaces includes deleted ones."""
        return self._store.costs.totals(*_validate_range(space, since, until))

    def allowance(self) -> TokenAllowance:
        """The tokens that language models used today (UTC), and the rest of the cap."""
        return self._engine.model_router.token_budget.allowance()

    def create_key(self, name: str, *, access: KeyAccess = "write", spaces: Sequence[str] | None = None) -> NewKey:
        """Creates a key for the server, the proxy and MCP, for these spaces or all. Only this returns its secret."""
        return self._keyring.create(name, access, spaces)

    def keys(self) -> list[Key]:
        """All keys, also revoked ones, the oldest first."""
        return self._store.keys.list()

    def revoke_key(self, id: str) -> Key:
        """Revokes a key immediately, in all processes. Raises NotFound if there is none."""
        return self._keyring.revoke(id)

    def check_key(self, secret: str) -> Key | None:
        """The key of a secret; None if it is unknown or revoked. The time that this takes does not depend on it."""
        return self._keyring.check(secret)

    def allot(self, principal: str, most: int, seconds: float, *, wanted: int = 1) -> int:
        """Applies a rate limit of `most` calls per `seconds` in all processes. Returns and counts the allowed calls."""
        limit, calls = validate.count(most, "most"), validate.count(wanted, "wanted")
        name, span = validate.new_name(principal, "principal"), validate.amount(seconds, "seconds")
        return self._store.rates.allot(RateLimitRequest(name, limit, span, calls, self._engine.clock()))

    def status(self) -> Status:
        """The number of records in the store, and its open jobs."""
        return self._store.status()

    def ready(self) -> Readiness:
        """Checks that the store answers, has room and the current schema, and has a running worker. Raises no error if
        not."""
        worker: Literal["running", "stopped", "elsewhere"] = "elsewhere"
        if self._works:
            worker = "running" if self._engine.worker.running else "stopped"
        store, schema, reason = False, False, None
        try:
            schema = self._store.current()
            self._store.check_room()
            store = True
        except (StoreError, ClosedError) as exc:
            reason = next((text for kind, text in NOT_READY if isinstance(exc, kind)), "the store does not answer")
        if store and not schema:
            reason = "the schema is that of another version of aforesaid"
        if store and schema and worker == "stopped":
            reason = "the worker of this process has stopped"
        return Readiness(reason is None, store, schema, worker, reason)

    def size(self) -> Mapping[str, int]:
        """Sizes in bytes: the whole file, the text of the messages, the full-text index, the vectors."""
        return self._store.bytes()

    def receipt(self, id: str) -> Receipt:
        """The receipt of a context. Raises NotFound if there is none. Receipts are kept for 30 days."""
        return self._engine.receipt(id)

    def replay(self, id: str) -> Replay:
        """Builds a context again from the current store and compares the two. Records nothing."""
        return self._engine.replay(self._engine.receipt(id))

    def why(self, id: str, message: Message | str, *, message_space: str | None = None) -> Why:
        """Why a message is in the context of a receipt of any space, or what kept it out, as `Space.why` says."""
        return self._engine.why(self._engine.receipt(id), message, message_space)

    def doctor(
        self, *, repair: bool = False, backup: str | Path | None = None, progress: Progress | None = None
    ) -> list[Finding]:
        """Compares every record with its checksum, and the indexes with the messages; `repair` rebuilds the indexes
        that differ. For each damaged record, a `backup` is asked whether it has the record intact."""
        place = None if backup is None else validate.folder(backup)
        findings = self._store.check(repair, self._engine.clock(), progress or no_progress, place)
        self._engine.worker.wake()
        return findings

    def backup(
        self, path: str | Path, *, force: bool = False, damaged: bool = False, progress: Progress | None = None
    ) -> Backup:
        """Copies the whole store into one file: a consistent snapshot, while this and other processes continue to
        write.

        A failed backup leaves no file. An existing file is replaced only with `force`. Raises StoreDamaged if a record
        is damaged; with `damaged`, copies it as it is, and the result counts the damaged records.
        """
        self._engine.ledger.write()
        return self._store.backup(validate.folder(path), force, damaged, progress or no_progress)

    @staticmethod
    def restore(
        backup: str | Path,
        store: str | os.PathLike[str],
        *,
        force: bool = False,
        progress: Progress | None = None,
        clock: Clock | None = None,
        key: KeySource | None = None,
    ) -> RestoreReport:
        """Checks a backup and creates a store from it. Both have the same key, if any.

        An existing store is replaced only with `force`, in one transaction, and only while no process has it open.
        """
        path = _store_address(store)
        if is_address(path):
            raise InvalidInput("backups are for files; back up a server with its own tools (pg_dump, pg_basebackup)")
        from aforesaid.storage.sqlite.restore import restore

        file_key = _store_key(_key_source(key, path, os.environ))
        return restore(validate.folder(backup), path, force, clock or _utc_now, progress or no_progress, key=file_key)

    @staticmethod
    def rekey(store: str | os.PathLike[str], *, key: KeySource | None, new_key: KeySource | None) -> None:
        """Changes the key of a file. `key=None` encrypts a plain file, and `new_key=None` decrypts it.

        Only while no process has it open. After a crash, the file has the old key or the new one. Backups keep theirs.
        """
        path = _store_address(store)
        if is_address(path) or path == IN_MEMORY:
            raise InvalidInput(NO_FILE)
        from aforesaid.storage.sqlite.rekey import rekey

        rekey(path, _store_key(key), _store_key(new_key))

    def verify_erasure(self, text: str, *, space: str | None = None) -> Verification:
        """Searches for an erased text, and for those of its words that no message contains, in all tables, full-text
        indexes and files; with `space`, only in the data of that space."""
        self._engine.ledger.write()
        return self._engine.forgetter.verify(text, space)

    def on_change(self, wake: Callable[[], object]) -> Subscription:
        """Calls `wake` in a background thread after every write: immediately after a write of this Memory, within a
        tenth of a second after one of another process, and when the Memory is closed.

        Read the changes with `space.changes`; there can be none. `wake` must return quickly.
        """
        return self._engine.notifier.subscribe(validate.function(wake, "wake"))

    def watch(self, space: str, after: int | None = None, *, conversation: str | None = None) -> Iterator[Changes]:
        """Yields the changes of a space, or of one conversation, as they happen. Raises ClosedError when the Memory is
        closed.

        The first item comes immediately and can be empty; its cursor is the start.
        """
        read = partial(self.space(space).changes, conversation=conversation)
        return follow(self._engine.notifier.subscribe, read, after)

    def _on_change_of(self, space: str, wake: Callable[[], object]) -> Subscription:
        """As `on_change`, but a write of another space may not call `wake`."""
        validate.name(space, "space")
        return self.on_change(wake)

    def close(self) -> None:
        """Finishes the running jobs, queues those again that wait for a model, and closes the store."""
        self._close()

    def __enter__(self) -> Memory:
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()

    def _wire(
        self, tokenizer: Tokenizer, rules: Sequence[ImportanceRule], clock: Clock, settings: Mapping[str, SettingValue]
    ) -> Engine:
        store, ids = self._store, Ids()
        forgetter = Forgetter(store.erasures, clock, ids)
        model_router = ModelRouter(self._models, TokenBudget(store.costs, self._cap, clock, ids.make), tokenizer)
        read_settings = partial(_read_settings, store, settings)
        reconciler = FactReconciler(store.facts, tokenizer, ids, clock, lambda space: read_settings(space).retention())
        candidates = CandidateSearch(store.lexical, store.vectors, self._embedders.find)
        searcher = Recall(store, candidates, self._reranker, clock)
        known = KnownFacts(partial(_facts_near, searcher), store, model_router)
        model_facts = ModelExtraction(store, model_router, read_settings, clock, ModelFactExtractor(reconciler, known))
        custom = CustomExtractors(self._extractors, store, reconciler, read_settings, clock)
        schemas = Schemas(store, clock)
        record_extractor = ModelRecordExtractor(reconciler, known, schemas)
        model_records = ModelExtraction(store, model_router, read_settings, clock, record_extractor)
        episode_extractor = ModelEpisodeExtractor(store.episodes, tokenizer.count, clock, ids.make)
        model_episodes = ModelExtraction(store, model_router, read_settings, clock, episode_extractor)
        summary_job = SummaryJob(store, SummaryWriter(model_router, tokenizer), read_settings, clock, ids.make)
        segments = SegmentSummaries(summary_job, ChunkMerger(store, tokenizer, clock, ids.make))
        rolling = RollingSummaries(summary_job)
        foreground = ForegroundCalls()
        pause = foreground.give_way
        steps: list[Step] = [  # of the job `distill`, in order
            PatternFactExtractor(store, reconciler, read_settings, pause).run,
            PatternEpisodeExtractor(store, read_settings, tokenizer.count, clock, ids.make, pause).run,
            custom.queue,
            AutoPins(store, read_settings, clock, ids.make, pause).run,
            segments.queue,
            rolling.queue,
            model_facts.queue,
            model_episodes.queue,
            partial(_queue_records, schemas, model_records),
        ]
        model_jobs: dict[str, Handler] = {"segment": segments.run, "rolling": rolling.run}
        model_jobs |= {"learn": model_facts.run, "narrate": model_episodes.run, "records": model_records.run}
        if self._extractors:
            model_jobs["extract"] = custom.run
        slow_jobs = {kind: skip_muted(store.conversations, handler) for kind, handler in model_jobs.items()}
        embedding = EmbeddingJobs(store.vectors, store.notes, self._embedders.find, clock)
        if store.vectors.indexes:
            slow_jobs["near"] = embedding.near  # building an index of vectors can take minutes
        quick_jobs = self._quick_jobs(clock, distill_handler(steps), embedding)
        if store.erasures.scrubs:
            quick_jobs["scrub"] = forgetter.scrub
        ledger = RetrievalLedger(store)
        expiry = Expiry(store.retention, forgetter, clock, ledger.write)
        quick_jobs["expire"] = expiry.run
        prunes = store.ledger.prune, store.feed.prune, store.vectors.prune
        make_worker = partial(Worker, store.jobs, clock=clock, foreground=foreground)
        quick = make_worker(
            quick_jobs, periodic=[ledger.write_due, expiry.queue_hourly, segments.queue_idle], prunes=prunes
        )
        worker = WorkerPool(quick, make_worker(slow_jobs, claim=1))
        return Engine(
            store=store,
            drafts=DraftBuilder(tokenizer, rules, ids),
            searcher=searcher,
            worker=worker,
            foreground=foreground,
            ledger=ledger,
            forgetter=forgetter,
            expiry=expiry,
            notifier=ChangeNotifier(store.feed),
            profile_access=ProfileAccess(store.profiles, store.audit, clock, ids),
            model_router=model_router,
            facts=FactEditor(store.facts, reconciler, tokenizer, ids, clock, schemas.all),
            schemas=schemas,
            segments=segments,
            rolling=rolling,
            consolidator=Consolidator(store.consolidations, clock, ids),
            tokenizer=tokenizer,
            ids=ids,
            clock=clock,
            environment=settings,
            count_tokens=TextMemo(tokenizer.count),
        )

    def _quick_jobs(self, clock: Clock, distill: Handler, embedding: EmbeddingJobs) -> dict[str, Handler]:
        handlers: dict[str, Handler] = {
            "index": partial(index_text, self._store.lexical),
            "times": partial(store_time_mentions, self._store.mentions, clock),
        }
        if not self._embedders.off:
            handlers |= {"embed": embedding.embed, "note": embedding.note}
            handlers |= {"reembed": embedding.reembed, "sweep": embedding.sweep}
        return handlers | {"distill": skip_muted(self._store.conversations, distill)}


@over_rest
class RemoteMemory(Memory):
    """A store behind a server, at an https:// address, or at an http:// address of this machine."""

    def __init__(
        self,
        store: str,
        *,
        key: KeySource | None = None,
        clock: Clock | None = None,
        environment: Mapping[str, str] | None = None,
        **others: Any,  # noqa: ANN401 (arguments that only a server can use)
    ) -> None:
        from aforesaid.remote.connection import Connection
        from aforesaid.remote.streams import ChangeListener

        if others:
            raise InvalidInput(f"the server at {store} has its own {next(iter(others))}; give it to `aforesaid serve`")
        variables = os.environ if environment is None else environment
        validate.instance_of(variables, Mapping, "environment takes a mapping")
        self._clock = validate.function(clock or _utc_now, "clock")
        self._connection = Connection(store, _server_key(key, variables))
        self._scope = Scope(self._connection, self._clock)
        self._listener = ChangeListener(self._connection)
        try:
            self._connection.check()
        except BaseException:
            self._connection.close()
            raise

    @property
    def address(self) -> str:
        """The address of the server."""
        return self._connection.address

    @property
    def encrypted(self) -> bool:
        """Not known here: the server does not say whether a key encrypts its store."""
        raise InvalidInput("a server does not say whether its store is encrypted; ask where the store is")

    @property
    def engine(self) -> Engine:
        """The internal parts are in the server's process."""
        raise InvalidInput(f"the store is behind the server at {self.address}, and so are its internal parts")

    def now(self) -> datetime:
        return self._clock()

    def space(self, id: str) -> Space:
        return RemoteSpace(self._scope, id)

    def conversation(self, id: str, *, model: str | None = None) -> Conversation:
        return self.space("default").conversation(id, model=model)

    def import_space(
        self,
        folder: str | Path,
        *,
        space: str | None = None,
        progress: Progress | None = None,  # noqa: ARG002 (the server reports none)
    ) -> Space:
        from aforesaid.remote.files import import_space

        return self.space(import_space(self._scope, folder, space))

    def on_change(self, wake: Callable[[], object]) -> Subscription:
        return self._listener.subscribe(validate.function(wake, "wake"))

    def _on_change_of(self, space: str, wake: Callable[[], object]) -> Subscription:
        return self._listener.subscribe(wake, space=validate.name(space, "space"))

    def watch(self, space: str, after: int | None = None, *, conversation: str | None = None) -> Iterator[Changes]:
        read = partial(self.space(space).changes, conversation=conversation)
        return follow(partial(self._on_change_of, space), read, after)

    def close(self) -> None:
        self._connection.close()
        self._listener.close()


class Embedders:
    """The embedders of a store by name. Each is made when it is first needed."""

    def __init__(self, variables: Mapping[str, str], requested: str | Embedder | None) -> None:
        self._variables = variables
        self._embedders: dict[str, Embedder] = {}
        self.off = requested == NO_EMBEDDER
        self._requested: str | None = None
        if isinstance(requested, str) and not self.off:
            self._requested = self._get(requested).name
        elif requested is not None and not isinstance(requested, str):
            embedder = validate.with_methods(requested, "embedder", "name", "embed")
            self._requested = validate.new_name(embedder.name, "an embedder's name")
            self._embedders[self._requested] = embedder

    def find(self, name: str) -> Embedder:
        """The embedder of the store's vectors. Raises ProviderError if this process cannot make it."""
        try:
            return self._get(name)
        except InvalidInput as exc:
            raise ProviderError(f"the store's embedder is not available in this process: {exc}") from exc

    def _get(self, name: str) -> Embedder:
        if name not in self._embedders:
            self._embedders[name] = make_embedder(name, environment=self._variables)
        return self._embedders[name]

    def adopt(self, store: Store, clock: Clock) -> None:
        """Sets the requested embedder as that of the store. A new store without a request gets the default, and
        so does a store whose embedder no longer exists."""
        if self.off:
            return
        current = store.vectors.building() or store.vectors.serving()
        kept = None if current and current.startswith(RETIRED_PREFIX) else current
        name = self._requested or kept or DEFAULT
        if name != current:
            store.vectors.adopt(name, clock())


def is_address(store: str) -> bool:
    """Returns True for the address of a server, also a malformed one. It can contain a password."""
    return "://" in store or (store.lower().startswith("postgres") and ":" in store)


def _key_source(key: KeySource | None, store: str, variables: Mapping[str, str]) -> KeySource | None:
    """The given key, or else the file that the environment names, which is for stores in files only."""
    if is_address(store) or store == IN_MEMORY:
        if key is not None:
            raise InvalidInput(NO_FILE)
        return None
    file = variables.get("AFORESAID_KEY_FILE")
    return Path(file) if key is None and file else key


def _store_key(source: KeySource | None) -> StoreKey | None:
    if source is None:
        return None
    from aforesaid.storage.sqlite.encryption import StoreKey

    return StoreKey(source)


def _server_key(key: KeySource | None, variables: Mapping[str, str]) -> str | None:
    """The key of a server: the given text, the text of a file, or the one in the environment."""
    if key is None:
        return variables.get("AFORESAID_KEY") or None
    if isinstance(key, os.PathLike):
        return Path(key).read_text("utf-8").strip()
    if not isinstance(key, str):
        raise InvalidInput("the key of a server is the text that `aforesaid keys create` prints")
    return key


def _open(store: str, synchronous: str, clock: Clock, key: KeySource | None) -> Store:
    if store.startswith(SERVERS):
        try:
            from aforesaid.storage.postgres.store import PostgresStore
        except ImportError as exc:
            raise InvalidInput("a postgresql:// address needs the extra: pip install 'aforesaid[postgres]'") from exc
        return PostgresStore(store, synchronous=synchronous, clock=clock)
    if is_address(store):
        raise InvalidInput("this is not the address of a store; use postgresql://user@host/database, or name a file")
    from aforesaid.storage.sqlite.store import SqliteStore

    return SqliteStore(store, synchronous=synchronous, clock=clock, key=_store_key(key))


def _tokenizer(tokenizer: str | Tokenizer) -> Tokenizer:
    if isinstance(tokenizer, str):
        return make_tokenizer(tokenizer)
    return validate.with_methods(tokenizer, "tokenizer", "count")


def _model(model: str | LanguageModel) -> str | LanguageModel:
    return model if isinstance(model, str) else validate.with_methods(model, "model", "name", "local", "complete")


def _reranker(reranker: str | os.PathLike[str] | Reranker | None) -> Reranker:
    if not reranker:
        return learned_fusion()
    if isinstance(reranker, str) and NAME.fullmatch(reranker) and not Path(reranker).exists():
        reranker = reranker if reranker == BUILT_IN else _registered("rerankers", reranker)
        if reranker == BUILT_IN:
            return learned_fusion()
    if isinstance(reranker, str | os.PathLike):
        return read_fusion(Path(reranker))
    return validate.with_methods(reranker, "reranker", "name", "rerank")


def _extractors(extractors: Sequence[str | Extractor]) -> tuple[Extractor, ...]:
    made = [
        validate.with_methods(
            _registered("extractors", each) if isinstance(each, str) else each, "extractor", "name", "extract"
        )
        for each in validate.sequence(extractors, "extractors")
    ]
    taken: set[str] = set()
    for each in made:
        if validate.new_name(each.name, "an extractor's name") in taken:
            raise InvalidInput(f"two extractors have the name {each.name!r}; each keeps its progress under its name")
        taken.add(each.name)
    return tuple(made)


def _registered(group: plugins.Group, name: str) -> Any:  # noqa: ANN401 (checked by its methods)
    """The object that a package registers under a name."""
    make = plugins.find(group, name)
    if make is None:
        known = ", ".join(plugins.names(group)) or "none"
        raise InvalidInput(f"no installed package has {name!r} among its aforesaid.{group}; there are: {known}")
    return plugins.make(make, group, name)


def _rules(rules: Sequence[ImportanceRule]) -> tuple[ImportanceRule, ...]:
    advice = "each of importance_rules must be an ImportanceRule"
    rules = validate.sequence(rules, "importance_rules")
    return tuple(validate.instance_of(rule, ImportanceRule, advice) for rule in rules)


def _store_address(store: str | os.PathLike[str]) -> str:
    return os.fspath(validate.instance_of(store, str | os.PathLike, "a store is named by a path or an address"))


def _validate_range(
    space: str | None, since: datetime | str | None, until: datetime | str | None
) -> tuple[str | None, datetime | None, datetime | None]:
    return (
        None if space is None else validate.name(space, "space"),
        None if since is None else validate.day_edge(since, "since", begins=True),
        None if until is None else validate.day_edge(until, "until"),
    )


def _cap(tokens: int | None, variables: Mapping[str, str]) -> int | None:
    """The daily token cap; None if neither the caller nor the environment sets one."""
    if tokens is not None:
        return validate.count(tokens, "daily_tokens", 0)
    variable = variables.get("AFORESAID_DAILY_TOKENS", "").strip()
    if not variable:
        return None
    if not (variable.isascii() and variable.isdigit()):
        raise InvalidInput(f"AFORESAID_DAILY_TOKENS={variable!r} must be a whole number")
    return validate.count(int(variable), "AFORESAID_DAILY_TOKENS", 0)


def _read_settings(store: Store, environment: Mapping[str, SettingValue], space: str) -> Settings:
    return Settings(environment, store.preferences.all(space))


def _queue_records(schemas: Schemas, extraction: ModelExtraction, space: str, conversation: str) -> None:
    if schemas.all(space):
        extraction.queue(space, conversation)


FACTS_NEAR = 5  # known facts that are found for a message


def _facts_near(searcher: Recall, space: str, text: str) -> list[Fact]:
    """The facts that share words or meaning with a text, the best first."""
    request = RecallRequest(text, FACTS_NEAR, DEFAULT_WEIGHTS, bounds=RecallFilter(kinds=("fact",)))
    return [hit.fact for hit in searcher.search(SearchScope(space), request) if hit.fact is not None]


def _day_before(end: datetime) -> datetime:
    try:
        return end - timedelta(days=1)
    except OverflowError as exc:
        raise InvalidInput(f"there is no day before {end.isoformat()}; give `since`") from exc


def _ignore_copy(_: object) -> None:
    """The default for `tell`."""


def _utc_now() -> datetime:
    return datetime.now(UTC)


@dataclass(frozen=True, slots=True)
class OpenResources:
    """The resources to close when the engine is gone. `process` is the id of the process that opened them."""

    process: int
    models: ModelRegistry
    worker: WorkerPool
    ledger: RetrievalLedger
    notifier: ChangeNotifier
    store: Store


def _close_resources(parts: OpenResources) -> None:
    """Runs once: on `close`, when the interpreter exits, or when the last space and conversation are collected."""
    if os.getpid() != parts.process:  # a forked child has neither the thread nor the connections
        return
    if parts.worker.is_current_thread or parts.notifier.is_current_thread:  # a thread cannot join itself
        threading.Thread(target=_close_resources, args=(parts,), name="aforesaid-close").start()
        return
    parts.worker.halt()
    parts.models.close()  # ends the model calls that a worker waits for
    parts.worker.stop()
    parts.notifier.stop()
    parts.ledger.try_write()
    parts.store.close()
    parts.notifier.notify()
