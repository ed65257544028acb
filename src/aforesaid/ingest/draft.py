"""Validates a caller's message and turns it into a draft that the store can write."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta

from aforesaid.errors import InvalidInput
from aforesaid.ids import Ids
from aforesaid.ingest import chunk, importance
from aforesaid.models.json import Json
from aforesaid.models.message import (
    ROLES,
    TEXT_PARTS,
    ChunkDraft,
    Content,
    Expires,
    Message,
    MessageDraft,
    Role,
    text_of,
)
from aforesaid.ports import Tokenizer
from aforesaid.text import validate
from aforesaid.text.analyzer import index_terms
from aforesaid.text.masking import mask_json, mask_json_text
from aforesaid.text.time_expressions import mentions_time

FIELDS = (
    "role", "content", "id", "name", "tool_calls", "tool_call_id", "model", "at", "importance", "metadata", "expires",
    "raw",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class MessageInput:
    """A message as the caller passes it."""

    role: str
    content: Content | None = None
    id: str | None = None
    name: str | None = None
    tool_calls: Sequence[Mapping[str, Json]] | None = None
    tool_call_id: str | None = None
    model: str | None = None
    at: datetime | str | None = None
    importance: float | None = None
    metadata: Mapping[str, Json] | None = None
    expires: Expires | None = None
    raw: str | None = None

    @classmethod
    def from_edit(
        cls, message: Message, content: Content, metadata: Mapping[str, Json] | None, raw: str | None
    ) -> MessageInput:
        """The input for a stored message with other content. Its importance is computed again. Its metadata stays if
        there is no other; its raw form does not, because it has the old words."""
        unchanged = message.name, message.tool_calls, message.tool_call_id, message.model, message.created_at
        kept = message.metadata if metadata is None else metadata
        return cls(message.role, content, message.id, *unchanged, metadata=kept, raw=raw)

    @classmethod
    def of(cls, message: Mapping[str, Json]) -> MessageInput:
        """The input for a message in the format of chat APIs."""
        if not isinstance(message, Mapping):
            raise InvalidInput(f"a message must be a mapping with 'role' and 'content', not {type(message).__name__}")
        unknown = [field for field in message if field not in FIELDS]
        if unknown:
            raise InvalidInput(
                f"unknown message field {unknown[0]!r}; put it into 'metadata'. Known: {', '.join(FIELDS)}"
            )
        if "role" not in message:
            raise InvalidInput(f"a message needs a 'role', one of {', '.join(ROLES)}")
        return cls(**message)


@dataclass(frozen=True, slots=True)
class IngestOptions:
    """The time of a new message, the size of its chunks (None: one chunk), the model of its conversation, and `mask` to
    mask secrets. `preferences` are those of the space if they were cached; the store compares them. `retention` is how
    long messages of a role, and conversations, are kept."""

    now: datetime
    chunk_tokens: int | None
    model: str | None
    mask: bool = False
    preferences: Mapping[str, Json] | None = None
    retention: Mapping[str, timedelta] = field(default_factory=dict)

    def expiry(self, kind: str, given: Expires | None, since: datetime) -> datetime | None:
        """When a message of a role, or a conversation, expires: as the caller says, else by the settings."""
        after = self.retention.get(kind) if given is None else given
        return None if after is None else validate.expiry(after, "expires", since)


class DraftBuilder:
    """Makes drafts. Deterministic, except for the ids of messages without one."""

    def __init__(self, tokenizer: Tokenizer, rules: Sequence[importance.ImportanceRule], ids: Ids) -> None:
        self._tokenizer = tokenizer
        self._rules = rules
        self._ids = ids

    def make_all(
        self, messages: MessageInput | Iterable[Mapping[str, Json]], options: IngestOptions
    ) -> list[MessageDraft]:
        """Makes the drafts of one message, or of several chat messages. An error names the position."""
        if isinstance(messages, MessageInput):
            return [self.make(messages, options)]
        drafts = []
        for position, message in enumerate(messages):
            try:
                drafts.append(self.make(MessageInput.of(message), options))
            except InvalidInput as exc:
                raise InvalidInput(f"message {position} of the list: {exc}") from exc
        return drafts

    def make(self, incoming: MessageInput, options: IngestOptions) -> MessageDraft:
        role = validate.choice(incoming.role, ROLES, "role")
        calls = None if incoming.tool_calls is None else validate.records(incoming.tool_calls, "tool_calls") or None
        content = _content(incoming, calls is not None)
        metadata, raw = checked_annotations(incoming.metadata, incoming.raw, options)
        if options.mask:
            calls, content = mask_json(calls), mask_json(content)
        text = text_of(content)
        at = options.now if incoming.at is None else validate.moment(incoming.at, "at")
        searchable = role != "system"
        tokens = self._tokenizer.count(text) if text else 0
        chunks = self._chunks(text, tokens, options.chunk_tokens)
        return MessageDraft(
            id=self._ids.make(at) if incoming.id is None else validate.new_name(incoming.id, "id"),
            role=role,
            content=content,
            text=text,
            name=_optional(incoming.name, "name"),
            tool_calls=calls,
            tool_call_id=_optional(incoming.tool_call_id, "tool_call_id"),
            model=_optional(incoming.model or options.model, "model"),
            importance=self._importance(incoming, role, text),
            tokens=tokens + (self._tokenizer.count(validate.compact_json(calls)) if calls else 0),
            created_at=at,
            metadata=metadata,
            chunks=_add_terms(text, chunks) if searchable else chunks,
            named=incoming.id is not None,
            indexed=searchable,
            utc_offset=validate.offset(incoming.at or options.now),
            jobs=jobs_for(role, text),
            expires_at=options.expiry(role, incoming.expires, at),
            raw=raw,
        )

    def rechunk(self, draft: MessageDraft, chunk_tokens: int | None) -> MessageDraft | None:
        """The draft with chunks by the current settings; None if they are the same."""
        if not draft.indexed or not draft.text:
            return None
        chunks = self._chunks(draft.text, self._tokenizer.count(draft.text), chunk_tokens)
        before, after = ([(c.kind, c.start, c.stop) for c in each] for each in (draft.chunks, chunks))
        return None if before == after else replace(draft, chunks=_add_terms(draft.text, chunks))

    def terms(self, draft: MessageDraft) -> tuple[ChunkDraft, ...]:
        """The chunks of an imported draft, with their terms."""
        return _add_terms(draft.text, draft.chunks) if draft.indexed else draft.chunks

    def importance(self, role: str, text: str) -> float:
        return importance.score(role, text, self._rules)

    def rules_for(self, role: str, text: str) -> tuple[str, ...]:
        """The names of the importance rules that apply to a message."""
        return tuple(rule.name for rule in importance.matching_rules(role, text, self._rules))

    def _importance(self, incoming: MessageInput, role: Role, text: str) -> float:
        if incoming.importance is not None:
            return validate.share(incoming.importance, "importance")
        return self.importance(role, text)

    def _chunks(self, text: str, tokens: int, most: int | None) -> tuple[ChunkDraft, ...]:
        """The chunks of a text, without terms."""
        if most is None:
            return (ChunkDraft("prose", None, 0, len(text), tokens),) if text else ()
        return tuple(chunk.split(text, self._tokenizer.count, most, tokens))


def checked_annotations(
    metadata: Mapping[str, Json] | None, raw: str | None, options: IngestOptions
) -> tuple[dict[str, Json], str | None]:
    """The validated metadata and raw form of a message."""
    valid = validate.record(metadata, "metadata")
    text = None if raw is None else validate.json_text(raw, "raw")
    if not options.mask:
        return valid, text
    return mask_json(valid), None if text is None else mask_json_text(text)


def _add_terms(text: str, chunks: Iterable[ChunkDraft]) -> tuple[ChunkDraft, ...]:
    return tuple(replace(chunk, terms=index_terms(text[chunk.start : chunk.stop])) for chunk in chunks)


def jobs_for(role: Role, text: str) -> tuple[str, ...]:
    """The kinds of the background jobs of a message."""
    if role == "system" or not text:
        return ()
    return ("embed", "times") if mentions_time(text) else ("embed",)


def _content(incoming: MessageInput, has_calls: bool) -> str | list[dict[str, Json]]:
    """The validated content. As in chat APIs, it can be empty only beside tool calls and in a tool result."""
    may_be_empty = has_calls or (incoming.role == "tool" and incoming.tool_call_id is not None)
    content = incoming.content
    if content is None or isinstance(content, str):
        return validate.text(content or "", "content") if may_be_empty else validate.non_blank(content or "", "content")
    parts = validate.parts(content, "content")
    if not may_be_empty and not text_of(parts).strip() and all(part.get("type") in TEXT_PARTS for part in parts):
        raise InvalidInput("content is empty or only white space; there is nothing to remember")
    return parts


def _optional(value: str | None, what: str) -> str | None:
    return None if value is None else validate.name(value, what)
