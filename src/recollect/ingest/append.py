"""A message comes in: what the caller gave becomes a draft that the store can write as it is."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from recollect.errors import InvalidInput
from recollect.ids import Ids
from recollect.ingest import chunk, importance
from recollect.ingest.mask import mask
from recollect.models import ROLES, TEXT_PARTS, Content, Json, Role, text_of
from recollect.ports import Tokenizer
from recollect.records import ChunkDraft, MessageDraft
from recollect.text import accept
from recollect.text.terms import index_terms
from recollect.text.times import hints

FIELDS = ("role", "content", "id", "name", "tool_calls", "tool_call_id", "model", "at", "importance", "metadata")


@dataclass(frozen=True, slots=True)
class Incoming:
    """A message as the caller gave it."""

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

    @classmethod
    def of(cls, message: Mapping[str, Json]) -> Incoming:
        """From a chat message in the shape that chat APIs use."""
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
class Circumstances:
    """When a message comes in, how large its chunks may be (None: it stays whole), who answers there, and whether
    secrets are masked. `under`: what of that the space itself chose, where it must be looked at again."""

    now: datetime
    chunk_tokens: int | None
    model: str | None
    mask: bool = False
    under: Mapping[str, Json] | None = None


class Drafts:
    """Makes drafts. Deterministic but for the ids of messages that come without one."""

    def __init__(self, tokenizer: Tokenizer, rules: Sequence[importance.Rule], ids: Ids) -> None:
        self._tokenizer = tokenizer
        self._rules = rules
        self._ids = ids

    def make_many(self, messages: Iterable[Mapping[str, Json]], given: Circumstances) -> list[MessageDraft]:
        """Drafts of chat messages. An error says which of them is wrong."""
        drafts = []
        for position, message in enumerate(messages):
            try:
                drafts.append(self.make(Incoming.of(message), given))
            except InvalidInput as exc:
                raise InvalidInput(f"message {position} of the list: {exc}") from exc
        return drafts

    def make(self, incoming: Incoming, given: Circumstances) -> MessageDraft:
        role = accept.choice(incoming.role, ROLES, "role")
        calls = None if incoming.tool_calls is None else accept.records(incoming.tool_calls, "tool_calls") or None
        content = _content(incoming, calls is not None)
        metadata = accept.record(incoming.metadata, "metadata")
        if given.mask:
            calls, content, metadata = mask(calls), mask(content), mask(metadata)
        text = text_of(content)
        at = given.now if incoming.at is None else accept.moment(incoming.at, "at")
        searchable = role != "system"
        tokens = self._tokenizer.count(text) if text else 0
        chunks = self._chunks(text, tokens, given.chunk_tokens, searchable)
        return MessageDraft(
            id=self._ids.make(at) if incoming.id is None else accept.new_name(incoming.id, "id"),
            role=role,
            content=content,
            text=text,
            name=_optional(incoming.name, "name"),
            tool_calls=calls,
            tool_call_id=_optional(incoming.tool_call_id, "tool_call_id"),
            model=_optional(incoming.model or given.model, "model"),
            importance=self._importance(incoming, role, text),
            tokens=tokens + (self._tokenizer.count(accept.written(calls)) if calls else 0),
            created_at=at,
            metadata=metadata,
            chunks=chunks,
            named=incoming.id is not None,
            indexed=searchable,
            utc_offset=accept.offset(incoming.at or given.now),
            jobs=work_for(role, text),
        )

    def rechunked(self, draft: MessageDraft, chunk_tokens: int | None) -> MessageDraft | None:
        """The draft with the chunks that it would get today; None where it has those already."""
        if not draft.indexed or not draft.text:
            return None
        chunks = self._chunks(draft.text, self._tokenizer.count(draft.text), chunk_tokens, searchable=True)
        before, after = ([(c.kind, c.start, c.stop) for c in each] for each in (draft.chunks, chunks))
        return None if before == after else replace(draft, chunks=chunks)

    def terms(self, draft: MessageDraft) -> tuple[ChunkDraft, ...]:
        """The draft's chunks with their terms, for a record that is put back."""
        if not draft.indexed:
            return draft.chunks
        return tuple(
            ChunkDraft(c.kind, c.language, c.start, c.stop, c.tokens, index_terms(draft.text[c.start : c.stop]))
            for c in draft.chunks
        )

    def importance(self, role: str, text: str) -> float:
        """What the rules say of a message."""
        return importance.score(role, text, self._rules)

    def rules_for(self, role: str, text: str) -> tuple[str, ...]:
        """The names of the rules that a message's importance comes from."""
        return tuple(rule.name for rule in importance.applying(role, text, self._rules))

    def _importance(self, incoming: Incoming, role: Role, text: str) -> float:
        if incoming.importance is not None:
            return accept.share(incoming.importance, "importance")
        return self.importance(role, text)

    def _chunks(self, text: str, tokens: int, most: int | None, searchable: bool) -> tuple[ChunkDraft, ...]:
        if not text:
            return ()
        whole = chunk.Span("prose", None, 0, len(text), tokens)
        spans = [whole] if most is None else chunk.split(text, self._tokenizer.count, most, tokens)
        return tuple(
            ChunkDraft(
                span.kind,
                span.language,
                span.start,
                span.stop,
                span.tokens,
                index_terms(text[span.start : span.stop]) if searchable else (),
            )
            for span in spans
        )


def work_for(role: Role, text: str) -> tuple[str, ...]:
    """The kinds of background work that a message asks for."""
    if role == "system" or not text:
        return ()
    return ("embed", "times") if hints(text) else ("embed",)


def _content(incoming: Incoming, has_calls: bool) -> str | list[dict[str, Json]]:
    """Content may be empty only where a chat API has it so: beside tool calls, and in a tool's result."""
    may_be_empty = has_calls or (incoming.role == "tool" and incoming.tool_call_id is not None)
    content = incoming.content
    if content is None or isinstance(content, str):
        return accept.text(content or "", "content") if may_be_empty else accept.words(content or "", "content")
    parts = accept.parts(content, "content")
    if not may_be_empty and not text_of(parts).strip() and all(part.get("type") in TEXT_PARTS for part in parts):
        raise InvalidInput("content is empty or only white space; there is nothing to remember")
    return parts


def _optional(value: str | None, what: str) -> str | None:
    return None if value is None else accept.name(value, what)
