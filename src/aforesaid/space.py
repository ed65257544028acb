"""The public class `Space`: the memory of one person or project."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import Any, TypeVar, Unpack, overload

from aforesaid.context.context import Context
from aforesaid.context.receipt import Receipt, Replay, compare
from aforesaid.context.why import ReceiptEntry, Why
from aforesaid.conversation import Conversation, RemoteConversation
from aforesaid.distill.consolidation import OLD_DAYS
from aforesaid.distill.facts.curation import FactCriteria, FactDetails, fact_filter
from aforesaid.distill.profile import ProfileRemoval, ProfileUpdate
from aforesaid.distill.records.definitions import define, reader, schema_id
from aforesaid.engine import Engine, no_progress
from aforesaid.forget import ForgetRequest
from aforesaid.ingest.reprocess import rechunk
from aforesaid.items import Items, RemoteItems
from aforesaid.models.about import About
from aforesaid.models.change import Changes
from aforesaid.models.consolidation import Consolidation
from aforesaid.models.conversation import CONVERSATION_STATES, ConversationInfo, ConversationStatus
from aforesaid.models.episode import EPISODE_TYPES, Episode, EpisodeType
from aforesaid.models.erasure import Erasure
from aforesaid.models.fact import Fact, FactStatus, Relation, RelationKind
from aforesaid.models.feedback import Feedback, RatedMessage
from aforesaid.models.json import Json
from aforesaid.models.message import Message
from aforesaid.models.profile import AuditAction, AuditEntry, Consent, Profile, Revocation
from aforesaid.models.recall import Hit, Hits
from aforesaid.models.record import Record, Schema
from aforesaid.models.space import Hold, Setting, SpaceInfo, Stats
from aforesaid.models.transfer import ImportFormat, ImportReport
from aforesaid.ports import Progress
from aforesaid.recall.filters import RecallOptions, SearchScope
from aforesaid.remote.rest import over_rest
from aforesaid.remote.verb import Scope
from aforesaid.settings import definition, validate_setting
from aforesaid.text import validate
from aforesaid.text.masking import mask_secrets

T = TypeVar("T")


class Space:
    """The unit of isolation, consent, export and erasure. The first write creates it."""

    def __init__(self, engine: Engine, id: str) -> None:
        self._engine = engine
        self._store = engine.store
        self.id = validate.name(id, "space")

    def _masked(self, text: str | None) -> str | None:
        return None if text is None else self._engine.mask_for_storage(self.id, text)

    def __repr__(self) -> str:
        return f"Space({self.id!r})"

    def conversation(self, id: str, *, model: str | None = None) -> Conversation:
        """A conversation of this space. `model` is the model that answers in it, as `provider:model`."""
        return Conversation(self._engine, self.id, id, model)

    def items(self, namespace: str | Sequence[str] = ()) -> Items:
        """The JSON values under a namespace of this space: `space.items(("users", "ana"))`. Text is a namespace of one
        segment; without one, it is the root."""
        return Items(self._engine, self.id, namespace)

    def conversations(
        self,
        limit: int = 50,
        *,
        after: str | None = None,
        status: ConversationStatus | None = None,
        query: str | None = None,
    ) -> list[ConversationInfo]:
        """Conversations in the order of their creation; `after` is the last id of the previous page.

        With a `query`, those whose name and title contain all of its words, also inside other words, in any case.
        """
        state = None if status is None else validate.choice(status, CONVERSATION_STATES, "status")
        last = None if after is None else validate.name(after, "after")
        words = None if query is None else validate.name(query, "query")
        return self._store.conversations.list(self.id, validate.count(limit, "limit"), last, state, words)

    def locate(self, ids: Sequence[str]) -> Mapping[str, Message]:
        """The messages with these ids, in any conversation, by id."""
        return self._store.messages.known(self.id, [validate.name(id, "an id") for id in ids])

    def info(self) -> SpaceInfo | None:
        """The number of records in the space; None before the first write."""
        return self._store.spaces.get(self.id)

    def recall(
        self, query: str, limit: int = 10, *, conversation: str | None = None, **options: Unpack[RecallOptions]
    ) -> Hits:
        """The hits for a query, the best first, each with the parts of its score and its source."""
        scope = SearchScope(self.id, None if conversation is None else validate.name(conversation, "conversation"))
        return self._engine.recall(scope, query, limit, options)

    def feedback(self, query: str, hit: Hit | Message | str, *, useful: bool = True) -> list[Feedback]:
        """Says that a hit was useful, or not, as an answer to a query. A message can be given by its id.

        A later verdict on the same message and query replaces the earlier one. It changes a recall only if the setting
        `weight_feedback` is above 0. No words of the query are stored.
        """
        return self._engine.feedback(self.id, query, hit, useful=useful)

    def feedback_given(self, limit: int = 50, *, query: str | None = None) -> list[RatedMessage]:
        """The messages that feedback was given on, the strongest correction first; with a `query`, what is corrected
        in a recall of it."""
        return self._engine.feedback_given(self.id, query)[: validate.count(limit, "limit")]

    def reset_feedback(self) -> int:
        """Deletes all feedback of the space. Returns the number of deleted verdicts."""
        return self._store.feedback.clear(self.id)

    def stats(self) -> Stats:
        """The number of records in the space, and its size in bytes."""
        return self._store.stats.of(self.id)

    # Receipts

    def receipts(self, limit: int = 50, *, conversation: str | None = None) -> list[Receipt]:
        """The receipts of the last 30 days, of all conversations or of one, the newest first."""
        name = None if conversation is None else validate.name(conversation, "conversation")
        stored = self._engine.ledger.receipts(self.id, name, validate.count(limit, "limit"))
        return list(map(self._engine.read_receipt, stored))

    def receipt(self, id: str) -> Receipt:
        """The receipt of a context. Raises NotFound if this space has none with that id, or no longer."""
        return self._engine.receipt(id, self.id)

    def replay(self, id: str) -> Replay:
        """Builds a context again from the current store and compares the two. Records nothing."""
        return self._engine.replay(self.receipt(id))

    def rebuild(self, id: str) -> Context:
        """Builds the context of a receipt again from the current store. Records nothing."""
        return self._engine.rebuild(self.receipt(id))

    def why(self, id: str, message: Message | str, *, message_space: str | None = None) -> Why:
        """Why a message is in the context of a receipt, or what kept it out: in words, and with the rank, the parts of
        the score and the tokens. The message is given as such, by its id, or by words that are pasted from it.
        `message_space` is its space, if that is not this one. Records nothing."""
        return self._engine.why(self.receipt(id), message, message_space)

    def receipt_items(self, id: str) -> list[ReceiptEntry]:
        """The items of a receipt with their words, speaker, time and conversation, in the order of the receipt."""
        return self._engine.receipt_entries(self.receipt(id))

    def compare(self, before: str, after: str) -> Replay:
        """Compares two contexts of this space, item by item."""
        return compare(self.receipt(before), self.receipt(after))

    # Facts and episodes

    def remember(self, text: str, *, source: Message | str | None = None, **details: Unpack[FactDetails]) -> Fact:
        """Stores a fact, active immediately; `source` is the message that it comes from, or its id.

        With an `attribute`, it supersedes the previous value. A fact that is already known becomes stronger. At
        `expires` it disappears and is forgotten: a datetime, a timedelta from now, or text such as "30d".
        """
        message = self._engine.find_source(self.id, source)
        masked = self._engine.mask_for_storage(self.id, text)
        fact = self._engine.facts.remember(self.id, masked, None if message is None else message.id, details)
        self._engine.worker.wake()
        return fact

    def facts(self, limit: int = 50, *, after: str | None = None, **criteria: Unpack[FactCriteria]) -> list[Fact]:
        """Facts in the order of their creation; `after` is the last id of the previous page.

        By default, facts that are active and still valid; with `status`, those of that status (None: of any). `as_of`
        selects facts that were valid at that time, `known_at` facts that were held true at that time. A fact without a
        stated start is valid from when it was first said.
        """
        last = None if after is None else validate.name(after, "after")
        filter = fact_filter(criteria, self._engine.clock())
        return self._store.facts.list(self.id, filter, validate.count(limit, "limit"), last)

    def fact(self, id: str) -> Fact:
        """The fact with this id. Raises NotFound if there is none."""
        return self._engine.facts.get(self.id, id)

    def review(self, limit: int = 50) -> list[Fact]:
        """The facts that need a decision: pending facts, and facts that contradict each other; the newest first."""
        return list(self._store.facts.review(self.id, validate.count(limit, "limit")))

    def promote(self, id: str) -> Fact:
        """Makes a fact active. It supersedes the facts that it excludes."""
        return self._engine.facts.promote(self.id, id)

    def reject(self, id: str, *, reason: str | None = None) -> Fact:
        """Marks a fact as wrong: it was never true. It is not proposed again, and the facts that it superseded are
        valid again. The `reason` is kept with it."""
        return self._engine.facts.reject(self.id, id, self._masked(reason))

    def archive(self, id: str, *, reason: str | None = None) -> Fact:
        """Says that a fact is no longer true, or not wanted: recall no longer returns it, and its history stays, with
        the `reason`. `undo` restores it."""
        return self._engine.facts.archive(self.id, id, self._masked(reason))

    def undo(self, id: str) -> Fact:
        """Takes back the last decision about a fact: that it was archived or rejected, or, by the id of either fact,
        that another one or an edit superseded it. The old fact is as before, and the newer one pending."""
        return self._engine.facts.undo(self.id, id)

    def consolidate(self, *, days: int = OLD_DAYS, dry_run: bool = False) -> Consolidation:
        """Archives weak records without access in `days` days and merges duplicates, or reports them with `dry_run`.
        Deletes nothing."""
        return self._engine.consolidator.consolidate(self.id, validate.count(days, "days", 0), dry_run=dry_run)

    def undo_consolidation(self) -> Consolidation:
        """Undoes the last consolidation, except for records that changed since. Raises NotFound if there is none."""
        return self._engine.consolidator.undo(self.id)

    def consolidations(self, limit: int = 50) -> list[Consolidation]:
        """The reports of consolidations, the newest first."""
        return self._store.consolidations.list(self.id, validate.count(limit, "limit"))

    def edit_fact(self, id: str, text: str | None = None, **details: Unpack[FactDetails]) -> Fact:
        """Changes only the given values. A new text, slot or time makes a new version and keeps the old one.

        The words and the value of an attribute change together: if only one is given, the other follows. Raises
        InvalidInput if it cannot, or if they do not agree. `attribute=None` makes a fact without a slot. The new
        version is certain, and the evidence no longer supports what was changed.
        """
        return self._engine.facts.edit(self.id, id, self._masked(text), details)

    def relate(self, source: str, kind: RelationKind, target: str, strength: float = 1.0) -> Relation:
        """Links two facts. `relate(new, "supersedes", old)` also ends the old fact."""
        return self._engine.facts.relate(self.id, source, kind, target, strength)

    def unrelate(self, source: str, kind: RelationKind, target: str) -> bool:
        """Removes a link. Returns False if there was none. To remove a supersession, use `undo`."""
        return self._engine.facts.unrelate(self.id, source, kind, target)

    def relations(self, id: str | None = None, limit: int = 50) -> list[Relation]:
        """The relations of one fact, in both directions, or of all facts; the newest first."""
        fact = None if id is None else validate.name(id, "id")
        return list(self._store.facts.relations(self.id, fact, validate.count(limit, "limit")))

    # Records of your own schemas

    def learn(
        self,
        schema: type | Mapping[str, Json],
        *,
        instructions: str = "",
        name: str | None = None,
        key: Sequence[str] | None = None,
        past: bool = False,
    ) -> Schema:
        """Lets the background model extract records of a schema from new messages: a pydantic model, a dataclass, a
        TypedDict, or a JSON schema with a `title` or a `name`. A schema of the same name is replaced.

        `instructions` say what to look for; the default is the docstring of the class. `key` names the fields that
        identify a record, so that a later statement updates it; with an empty key, each person has one record. With
        `past`, the model also reads what is stored already. Raises NoModel if there is no such model.
        """
        defined = define(schema, instructions, name, key, self._engine.clock())
        return self._engine.learn(defined, self.id, past=past)

    def unlearn(self, schema: type | str) -> bool:
        """Removes a schema. Its records stay, as facts. Returns False if there was none."""
        return self._engine.schemas.unlearn(self.id, schema_id(schema))

    def schemas(self) -> list[Schema]:
        """The schemas that records are extracted by, by name."""
        return list(self._engine.schemas.all(self.id).values())

    @overload
    def records(
        self, schema: type[T], limit: int = 50, *, after: str | None = None, status: FactStatus | None = "active"
    ) -> list[Record[T]]: ...
    @overload
    def records(
        self, schema: str, limit: int = 50, *, after: str | None = None, status: FactStatus | None = "active"
    ) -> list[Record[dict[str, Json]]]: ...
    def records(
        self, schema: type | str, limit: int = 50, *, after: str | None = None, status: FactStatus | None = "active"
    ) -> list[Record[Any]]:
        """Records of a schema in the order of their creation; `after` is the last id of the previous page.

        Given the class, each `value` is an instance of it; given the name, a dictionary. Each has its `fact`, with the
        evidence; `promote`, `reject`, `edit_fact` and `undo` take its id.
        """
        facts = self.facts(limit, after=after, status=status, schema=schema_id(schema))
        return list(map(reader(schema), facts))

    def episodes(
        self, type: EpisodeType | None = None, *, min_significance: float = 0.0, limit: int = 50
    ) -> list[Episode]:
        """The episodes of all conversations with at least this significance, the latest first."""
        valid_type = None if type is None else validate.choice(type, EPISODE_TYPES, "an episode's type")
        least = validate.share(min_significance, "min_significance")
        return list(self._store.episodes.within(self.id, valid_type, least, validate.count(limit, "limit")))

    def about(self, tokens: int = 600, *, by: str | None = None) -> About:
        """The portrait of the space in at most `tokens`, for a system prompt or a profile page: the profile (with
        consent), active facts, and the sentences of people that are most likely to be asked for later, each with its
        source. `by` is recorded in the audit log of the profile."""
        return self._engine.about(self.id, validate.count(tokens, "tokens"), by)

    # The profile

    def consent(self) -> Consent:
        """The consent to store a profile: its state, its time, and who gave it."""
        return self._engine.profile_access.consent(self.id)

    def grant_consent(self, *, by: str | None = None, note: str | None = None) -> Consent:
        """Allows a profile to be stored and used. An earlier consent stays unchanged."""
        return self._engine.profile_access.grant(self.id, by, note)

    def revoke_consent(self, *, by: str | None = None) -> Revocation:
        """Erases the profile, its history and all data derived from it, in one transaction, and scrubs the files."""
        return self._engine.revoke_consent(self.id, by)

    def profile(
        self, *, as_of: datetime | str | None = None, known_at: datetime | str | None = None, by: str | None = None
    ) -> Profile:
        """The profile: valid now or `as_of` a time, as known now or `known_at` a time. Empty without consent."""
        return self._engine.profile(self.id, as_of, known_at, by)

    def set_profile(
        self,
        fields: Mapping[str, str | int | float | bool] | None = None,
        *,
        text: str | None = None,
        source: Message | str | None = None,
        since: datetime | str | None = None,
        expires: datetime | str | None = None,
        by: str | None = None,
    ) -> Profile:
        """Sets fields and the free text; other fields stay. Raises ConsentNeeded without consent.

        `source` is the message that contains the values, or its id; without one, the source is the caller. The values
        are valid from `since` (default: now) until `expires`.
        """
        update = ProfileUpdate(fields, text, self._engine.find_source(self.id, source), since, expires)
        return self._engine.set_profile(self.id, update, by)

    def remove_profile(self, *names: str, text: bool = False, erase: bool = False, by: str | None = None) -> Profile:
        """Removes fields, with `text` the free text, with `erase` also the history. Raises NotFound if none."""
        self._engine.profile_access.remove(self.id, ProfileRemoval(names, text, erase), by)
        return self._engine.profile_access.read(self.id)

    def audit(
        self,
        limit: int = 100,
        *,
        after: str | None = None,
        since: datetime | str | None = None,
        action: AuditAction | None = None,
    ) -> list[AuditEntry]:
        """The audit log of the profile, the newest entry first. `after` is the last id of the previous page."""
        self._engine.ledger.write()
        return self._engine.profile_access.entries(self.id, since, action, limit, after)

    # Settings

    def settings(self) -> list[Setting]:
        """All settings, each with its effective value in this space and the source of that value."""
        return self._engine.settings(self.id).all()

    def set(self, name: str, value: Json) -> Setting:
        """Stores a preference of this space. It overrides the environment, immediately and in all processes."""
        self._store.preferences.set(self.id, name, validate_setting(name, value), self._engine.clock())
        return self._engine.settings(self.id).get(name)

    def unset(self, name: str) -> Setting:
        """Removes a preference: the value of the environment applies again, or the default."""
        self._store.preferences.unset(self.id, definition(name).name)
        return self._engine.settings(self.id).get(name)

    def rechunk(self, *, progress: Progress | None = None) -> int:
        """Chunks the stored messages again with the current settings. Returns the number of changed messages."""
        options = self._engine.ingest_options(self.id, None)
        changed = rechunk(self._store, self._engine.drafts, self.id, options, progress or no_progress)
        self._engine.worker.wake()
        return changed

    # Holds

    def hold(self, reason: str, *, by: str | None = None) -> Hold:
        """Puts the space on hold. Until `release_hold`, `forget`, `edit` and `delete` raise OnHold, and what expires
        disappears but stays stored. A hold that the space has stays unchanged."""
        return self._engine.hold(self.id, reason, by)

    def release_hold(self, *, by: str | None = None) -> bool:
        """Ends the hold. What has expired is erased now. Returns False if there was no hold."""
        return self._engine.release_hold(self.id, by)

    def held(self) -> Hold | None:
        """The hold of the space: since when, by whom and why; None if it is not on hold."""
        return self._store.retention.hold(self.id)

    # Export and import

    def export(self, folder: str | Path, *, progress: Progress | None = None, by: str | None = None) -> Path:
        """Writes all records of the space into a new folder of JSON files, one file per kind of record. Damaged records
        are left out, and named in `damaged.json`."""
        from aforesaid.interop.space_export.write import write_space

        self._engine.ledger.write()
        self._engine.profile_access.exported(self.id, by)
        return write_space(self._store, self.id, validate.folder(folder), progress or no_progress, damaged=[])

    def import_chats(
        self,
        path: str | Path,
        *,
        format: ImportFormat | str | None = None,
        name: str | None = None,
        me: str | None = None,
        dry_run: bool = False,
        progress: Progress | None = None,
    ) -> ImportReport:
        """Imports the export of another program: a file, a ZIP or a folder. Detects the format unless you give it.

        `format` can also be the name of an importer that another package registers.

        Messages keep their ids and times, and are marked as imported. Repeating it adds only new messages. A
        conversation without an id gets the name of its file; `name` replaces the name of the file. `me` is the
        user's name in chats between people: only messages under this name count as the user's.
        """
        from aforesaid.interop.chat_import.importer import ExportSource, ImportTarget, find_format, import_chats

        valid_format, importer = find_format(format)
        options = self._engine.ingest_options(self.id, None)
        consent = self._engine.profile_access.consent(self.id).granted
        propose = partial(self._engine.facts.propose, self.id)
        target = ImportTarget(self._store, self._engine.drafts, self.id, options, consent, propose, dry_run)
        file_name = None if name is None else validate.file_name(name)
        own_name = None if me is None else validate.name(me, "me")
        export = ExportSource(validate.folder(path), valid_format, file_name, own_name, importer)
        report = import_chats(export, target, progress or no_progress)
        self._engine.worker.wake()
        return report

    # Erasure and changes

    def forget(
        self,
        *,
        message: str | None = None,
        conversation: str | None = None,
        fact: str | None = None,
        items: str | Sequence[str] | None = None,
        key: str | None = None,
        before: datetime | str | None = None,
        everything: bool = False,
        dry_run: bool = False,
    ) -> Erasure:
        """Erases a record and everything derived from it, in one transaction, and scrubs the files.

        `items` is a namespace: it erases the items there and below it, or with `key` that one item. Derived records
        with other sources are made again without it. With `dry_run`, only reports what it would erase.
        """
        request = ForgetRequest(message, conversation, fact, items, key, before, everything)
        return self._engine.forget(self.id, request, dry_run=dry_run)

    def changes(self, after: int | None = None, *, conversation: str | None = None, limit: int = 100) -> Changes:
        """The changes after a cursor, in the space or in one conversation, the oldest first. Without a cursor, only the
        current cursor. The feed keeps at most 10,000 changes, for at most 30 days."""
        name = None if conversation is None else validate.name(conversation, "conversation")
        cursor = None if after is None else validate.count(after, "after", 0)
        return self._store.feed.read(self.id, name, cursor, validate.count(limit, "limit"))

    def erasures(self, limit: int = 50) -> list[Erasure]:
        """The records of erasures, the newest first: counts and reasons, never the erased text."""
        return list(self._store.erasures.list(self.id, validate.count(limit, "limit")))

    def delete(self) -> bool:
        """Deletes the space and all of its records. Returns False if there was none."""
        self._engine.ledger.write()
        return self._store.spaces.delete(self.id)


@over_rest
class RemoteSpace(Space):
    """A space of a store behind a server."""

    def __init__(self, scope: Scope, id: str) -> None:
        self.id = validate.name(id, "space")
        self._scope = replace(scope, space=self.id)

    def conversation(self, id: str, *, model: str | None = None) -> Conversation:
        return RemoteConversation(self._scope, id, model)

    def items(self, namespace: str | Sequence[str] = ()) -> Items:
        return RemoteItems(self._scope, namespace)


def mask_of(space: Space) -> Callable[[str], str]:
    """The mask for text that an interface sends to a model. Does nothing if the setting `mask_sent` is off."""
    masks = any(setting.value for setting in space.settings() if setting.name == "mask_sent")
    return mask_secrets if masks else str
