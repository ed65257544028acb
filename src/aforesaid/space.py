"""A space: one person's or project's memory, apart from all others."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import Unpack

from aforesaid.context.context import Context
from aforesaid.context.receipt import Receipt, Replay, compare
from aforesaid.conversation import Conversation
from aforesaid.distill.consolidation import OLD_DAYS
from aforesaid.distill.facts.curation import FactCriteria, FactDetails, fact_filter
from aforesaid.distill.profile import ProfileRemoval, ProfileUpdate
from aforesaid.engine import Engine, no_progress
from aforesaid.forget import ForgetRequest as ForgetWish
from aforesaid.ingest.reprocess import rechunk
from aforesaid.interop.chat_import.importer import ExportSource, ImportTarget, import_chats
from aforesaid.interop.space_export.write import write_space
from aforesaid.models.change import Changes
from aforesaid.models.consolidation import Consolidation
from aforesaid.models.conversation import CONVERSATION_STATES, ConversationInfo, ConversationStatus
from aforesaid.models.episode import EPISODE_TYPES, Episode, EpisodeType
from aforesaid.models.erasure import Erasure
from aforesaid.models.fact import Fact, Relation, RelationKind
from aforesaid.models.json import Json
from aforesaid.models.message import Message
from aforesaid.models.profile import AuditAction, AuditEntry, Consent, Profile, Revocation
from aforesaid.models.recall import Hits
from aforesaid.models.space import Setting, SpaceInfo, Stats
from aforesaid.models.transfer import IMPORT_FORMATS, ImportFormat, ImportReport
from aforesaid.ports import Progress
from aforesaid.recall.filters import RecallOptions, SearchScope
from aforesaid.settings import definition
from aforesaid.settings import validate_setting as accept_setting
from aforesaid.text import validate
from aforesaid.text.masking import mask_secrets


class Space:
    """The unit of isolation, consent, export and erasure. Made on the first write."""

    def __init__(self, engine: Engine, id: str) -> None:
        self._engine = engine
        self._store = engine.store
        self.id = validate.name(id, "space")

    def __repr__(self) -> str:
        return f"Space({self.id!r})"

    def conversation(self, id: str, *, model: str | None = None) -> Conversation:
        """A conversation of this space; `model` is the one that answers in it, as `provider:model`."""
        return Conversation(self._engine, self.id, id, model)

    def conversations(
        self,
        limit: int = 50,
        *,
        after: str | None = None,
        status: ConversationStatus | None = None,
        query: str | None = None,
    ) -> list[ConversationInfo]:
        """Conversations in the order they were started; `after` is the last id of the page before.

        With a `query`, those whose name and title have all of its words, whole or as parts of others, in any case.
        """
        known = None if status is None else validate.choice(status, CONVERSATION_STATES, "status")
        last = None if after is None else validate.name(after, "after")
        wanted = None if query is None else validate.name(query, "query")
        return self._store.conversations.list(self.id, validate.count(limit, "limit"), last, known, wanted)

    def locate(self, id: str) -> Message | None:
        """The message with this id, in whatever conversation; None where there is none."""
        name = validate.name(id, "id")
        return self._store.messages.known(self.id, [name]).get(name)

    def info(self) -> SpaceInfo | None:
        """How much the space holds; None before the first write."""
        return self._store.spaces.get(self.id)

    def recall(
        self, query: str, limit: int = 10, *, conversation: str | None = None, **bounds: Unpack[RecallOptions]
    ) -> Hits:
        """What answers a query, best first, each with its score's parts and where it came from."""
        scope = SearchScope(self.id, None if conversation is None else validate.name(conversation, "conversation"))
        return self._engine.recalled(scope, query, limit, bounds)

    def stats(self) -> Stats:
        """How much the space holds, and the bytes that it takes."""
        return self._store.stats.of(self.id)

    # What models were shown

    def receipts(self, limit: int = 50, *, conversation: str | None = None) -> list[Receipt]:
        """The receipts of the contexts of the last 30 days, or of one conversation's, the newest first."""
        inside = None if conversation is None else validate.name(conversation, "conversation")
        found = self._engine.ledger.receipts(self.id, inside, validate.count(limit, "limit"))
        return [Receipt.from_json(one.body) for one in found]

    def receipt(self, id: str) -> Receipt:
        """The receipt of a context; NotFound where this space has none of that id, or no longer."""
        return self._engine.receipt(id, self.id)

    def replay(self, id: str) -> Replay:
        """Builds a context again, with what the store holds now, and compares. Nothing is kept of it."""
        return self._engine.replay(self.receipt(id))

    def rebuild(self, id: str) -> Context:
        """The context of a receipt built again, with what the store holds now. Nothing is kept of it."""
        return self._engine.rebuild(self.receipt(id))

    def compare(self, before: str, after: str) -> Replay:
        """Two contexts of this space, item by item."""
        return compare(self.receipt(before), self.receipt(after))

    # What was distilled

    def remember(self, text: str, *, source: Message | str | None = None, **details: Unpack[FactDetails]) -> Fact:
        """Keeps a fact, active at once; `source` is a message that it comes from, or its id.

        With an `attribute` it takes the place of what that was before. What is known already is strengthened.
        """
        said = self._engine.source(self.id, source)
        words = self._engine.storable(self.id, text)
        fact = self._engine.facts.remember(self.id, words, None if said is None else said.id, details)
        self._engine.added()
        return fact

    def facts(self, limit: int = 50, *, after: str | None = None, **wanted: Unpack[FactCriteria]) -> list[Fact]:
        """Facts in the order they were noted; `after` is the last id of the page before.

        Those that are active and not over, or of the `status` that is given (None: of any). `as_of` asks what was
        true at a time, `known_at` what was held true at a time, whatever became of it since.
        """
        last = None if after is None else validate.name(after, "after")
        filter = fact_filter(wanted, self._engine.clock())
        return self._store.facts.list(self.id, filter, validate.count(limit, "limit"), last)

    def fact(self, id: str) -> Fact:
        """The fact with this id; NotFound where there is none."""
        return self._engine.facts.get(self.id, id)

    def review(self, limit: int = 50) -> list[Fact]:
        """What waits for a decision: pending facts, and those that contradict each other; the newest first."""
        return list(self._store.facts.review(self.id, validate.count(limit, "limit")))

    def promote(self, id: str) -> Fact:
        """The fact is true: active from now on, in place of what it excludes."""
        return self._engine.facts.promote(self.id, id)

    def reject(self, id: str) -> Fact:
        """The fact is wrong, and is not proposed again. What it had superseded is valid again."""
        return self._engine.facts.reject(self.id, id)

    def archive(self, id: str) -> Fact:
        """Puts a fact away: out of sight, not out of the history. `promote` brings it back."""
        return self._engine.facts.archive(self.id, id)

    def undo(self, id: str) -> Fact:
        """Takes back that a fact ended another, by either's id: the old one is as it was, the new one pending."""
        return self._engine.facts.undo(self.id, id)

    def consolidate(self, *, days: int = OLD_DAYS, dry_run: bool = False) -> Consolidation:
        """Archives what is weak and was not asked for in so many days, and merges what says the same; or says what it
        would do. Nothing is deleted."""
        return self._engine.consolidator.consolidate(self.id, validate.count(days, "days", 0), dry_run=dry_run)

    def undo_consolidation(self) -> Consolidation:
        """Takes the last consolidation back, but for what was decided about since; NotFound where there is none."""
        return self._engine.consolidator.undo(self.id)

    def consolidations(self, limit: int = 50) -> list[Consolidation]:
        """What consolidations did, the newest first."""
        return self._store.consolidations.list(self.id, validate.count(limit, "limit"))

    def edit_fact(self, id: str, text: str | None = None, **details: Unpack[FactDetails]) -> Fact:
        """Changes what is given. Other words, slots or times make a new version; the old one stays in the history."""
        said = None if text is None else self._engine.storable(self.id, text)
        return self._engine.facts.edit(self.id, id, said, details)

    def relate(self, source: str, kind: RelationKind, target: str, strength: float = 1.0) -> Relation:
        """Links two facts, as in `relate(new, "supersedes", old)`, which also ends the old one."""
        return self._engine.facts.relate(self.id, source, kind, target, strength)

    def unrelate(self, source: str, kind: RelationKind, target: str) -> bool:
        """Removes a link; False where there was none. That one superseded another is taken back with `undo`."""
        return self._engine.facts.unrelate(self.id, source, kind, target)

    def relations(self, id: str | None = None, limit: int = 50) -> list[Relation]:
        """How facts bear on each other, the newest first: of one fact, in either direction, or of all."""
        known = None if id is None else validate.name(id, "id")
        return list(self._store.facts.relations(self.id, known, validate.count(limit, "limit")))

    def episodes(
        self, type: EpisodeType | None = None, *, min_significance: float = 0.0, limit: int = 50
    ) -> list[Episode]:
        """What happened in any conversation of the space, what happened last first, at least so significant."""
        wanted = None if type is None else validate.choice(type, EPISODE_TYPES, "an episode's type")
        least = validate.share(min_significance, "min_significance")
        return list(self._store.episodes.within(self.id, wanted, least, validate.count(limit, "limit")))

    # What is known of the person

    def consent(self) -> Consent:
        """Whether a profile may be kept here, since when, and who said so."""
        return self._engine.profile_access.consent(self.id)

    def grant_consent(self, *, by: str | None = None, note: str | None = None) -> Consent:
        """Lets a profile be kept and used. Consent that was given already stays as it was."""
        return self._engine.profile_access.grant(self.id, by, note)

    def revoke_consent(self, *, by: str | None = None) -> Revocation:
        """Erases the profile, its history and what was derived from it, in one transaction and from the files."""
        return self._engine.revoked(self.id, by)

    def profile(
        self, *, as_of: datetime | str | None = None, known_at: datetime | str | None = None, by: str | None = None
    ) -> Profile:
        """What is known now; what was true `as_of` a moment, as it was `known_at` another. Empty without consent."""
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
        """Sets fields, and a free text; what is not named stays. ConsentNeeded without consent.

        `source` is the message that says so, or its id; without one, it is the caller. True from `since` (now) until
        `expires`.
        """
        wish = ProfileUpdate(fields, text, self._engine.source(self.id, source), since, expires)
        return self._engine.set_profile(self.id, wish, by)

    def remove_profile(self, *names: str, text: bool = False, erase: bool = False, by: str | None = None) -> Profile:
        """Takes fields away from now on, and the free text with `text`; with `erase`, their history too. NotFound where
        there is no such field."""
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
        """Who granted, revoked, read and changed the profile, the newest first; `after` is the last id of the page
        before."""
        self._engine.ledger.write()
        return self._engine.profile_access.entries(self.id, since, action, limit, after)

    # How it is set up

    def settings(self) -> list[Setting]:
        """Every setting: its effective value here, and where that comes from."""
        return self._engine.settings(self.id).all()

    def set(self, name: str, value: Json) -> Setting:
        """Stores a preference of this space. It wins, and takes effect at once, in every process."""
        accepted = accept_setting(name, value)
        self._store.preferences.set(self.id, name, accepted, self._engine.clock())
        return self._engine.settings(self.id).get(name)

    def unset(self, name: str) -> Setting:
        """Goes back to the environment's value, or the default."""
        self._store.preferences.unset(self.id, definition(name).name)
        return self._engine.settings(self.id).get(name)

    def rechunk(self, *, progress: Progress | None = None) -> int:
        """Splits stored messages anew, as the settings are now; says how many changed. New ones need no call."""
        given = self._engine.ingest_options(self.id, None)
        changed = rechunk(self._store, self._engine.drafts, self.id, given, progress or no_progress)
        self._engine.added()
        return changed

    def export(self, folder: str | Path, *, progress: Progress | None = None, by: str | None = None) -> Path:
        """Writes everything in the space into a new folder of JSON files, one kind of record each."""
        self._engine.ledger.write()
        self._engine.profile_access.exported(self.id, by)
        return write_space(self._store, self.id, validate.folder(folder), progress or no_progress)

    def import_chats(
        self,
        path: str | Path,
        *,
        format: ImportFormat | None = None,
        name: str | None = None,
        dry_run: bool = False,
        progress: Progress | None = None,
    ) -> ImportReport:
        """Takes in another program's export: a file, a ZIP or a folder, of the `format` that is said or found out.

        Messages keep their ids and times, and are marked as imported. Repeating it adds only what is new.
        A conversation without an id is called after its file; `name` stands for the file's own.
        """
        known = None if format is None else validate.choice(format, IMPORT_FORMATS, "format")
        given, consent = (
            self._engine.ingest_options(self.id, None),
            self._engine.profile_access.consent(self.id).granted,
        )
        propose = partial(self._engine.facts.propose, self.id)
        target = ImportTarget(self._store, self._engine.drafts, self.id, given, consent, propose, dry_run)
        export = ExportSource(validate.folder(path), known, None if name is None else validate.file_name(name))
        done = import_chats(export, target, progress or no_progress)
        self._engine.added()
        return done

    # What is forgotten

    def forget(
        self,
        *,
        message: str | None = None,
        conversation: str | None = None,
        fact: str | None = None,
        before: datetime | str | None = None,
        everything: bool = False,
        dry_run: bool = False,
    ) -> Erasure:
        """Erases one thing and everything that came from it, in one transaction, and scrubs the store's files.

        What mixed other sources in is made anew without it. With `dry_run`, says what would go and changes nothing.
        """
        wish = ForgetWish(message, conversation, fact, before, everything)
        return self._engine.forget(self.id, wish, dry_run=dry_run)

    def changes(self, after: int | None = None, *, conversation: str | None = None, limit: int = 100) -> Changes:
        """What was added, changed or removed after a cursor, in the space or in one of its conversations, the oldest
        first; without a cursor nothing but the cursor of now. At most 10,000 are kept, for at most 30 days."""
        inside = None if conversation is None else validate.name(conversation, "conversation")
        since = None if after is None else validate.count(after, "after", 0)
        return self._store.feed.read(self.id, inside, since, validate.count(limit, "limit"))

    def erasures(self, limit: int = 50) -> list[Erasure]:
        """What was forgotten here, the newest first: how much and why, never what."""
        return list(self._engine.forgetter.done(self.id, limit))

    def delete(self) -> bool:
        """Removes the space and everything in it. False where there was none."""
        self._engine.ledger.write()
        return self._store.spaces.delete(self.id)


def mask_of(space: Space) -> Callable[[str], str]:
    """For doors to a model: puts `[masked: kind]` in the place of secrets, unless the space's `mask_sent` is off."""
    wanted = any(setting.value for setting in space.settings() if setting.name == "mask_sent")
    return mask_secrets if wanted else str
