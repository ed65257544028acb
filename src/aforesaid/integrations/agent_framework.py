"""Microsoft Agent Framework: a provider of context from memory, and a provider of history."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from functools import partial
from itertools import islice
from typing import TYPE_CHECKING, Any

from anyio import to_thread

from aforesaid import Conversation, Memory
from aforesaid.integrations.chat_messages import FrameworkMessage

try:
    from agent_framework import ContextProvider, HistoryProvider, Message
except ImportError as exc:
    raise ImportError('Agent Framework is missing or too old: pip install "aforesaid[agent-framework]"') from exc

if TYPE_CHECKING:
    from agent_framework import AgentSession, SessionContext, SupportsAgentRun

NO_SESSION = "default"  # the conversation of runs without a session
DEFAULT_TOKENS = 1000  # of the recalled text
PAGE = 100  # stored messages that are read at once
ROLES = ("system", "user", "assistant", "tool")


class AforesaidHistoryProvider(HistoryProvider):
    """The history of sessions: `Agent(…, context_providers=[AforesaidHistoryProvider(memory, "ana")])`.

    "ana" is the space. A session is the conversation with its id. Messages come back as the framework wrote them. When
    a caller sends the whole history again, only what is new is stored.
    """

    def __init__(
        self,
        memory: Memory,
        space: str,
        *,
        source_id: str = "aforesaid_history",
        **options: Any,  # noqa: ANN401
    ) -> None:
        """The other options are those of `HistoryProvider`, such as `load_messages`."""
        super().__init__(source_id, **options)
        self.space = memory.space(space)

    async def get_messages(
        self,
        session_id: str | None,
        *,
        state: dict[str, Any] | None = None,  # noqa: ARG002
        **_: object,
    ) -> list[Message]:
        chat = self.space.conversation(session_id or NO_SESSION)
        return await to_thread.run_sync(lambda: [Message.from_dict(one) for one in _stored(chat)])

    async def save_messages(
        self,
        session_id: str | None,
        messages: Sequence[Message],
        *,
        state: dict[str, Any] | None = None,  # noqa: ARG002
        **_: object,
    ) -> None:
        await to_thread.run_sync(_save, self.space.conversation(session_id or NO_SESSION), messages)


class AforesaidContextProvider(ContextProvider):
    """Memory of one space: before a run, the model gets what answers the user; afterwards, the turn is stored.

    What is recalled is a message before those of the run, with at most `max_tokens`, and is never stored. It repeats
    nothing of the history that the model gets anyway. Beside an `AforesaidHistoryProvider` of the same space, which
    stores each message already, this one stores nothing; nor does it with `store=False`.
    """

    def __init__(
        self,
        memory: Memory,
        space: str,
        *,
        source_id: str = "aforesaid",
        max_tokens: int = DEFAULT_TOKENS,
        store: bool = True,
    ) -> None:
        super().__init__(source_id)
        self.space = memory.space(space)
        self.max_tokens = max_tokens
        self.store = store

    async def before_run(
        self,
        *,
        agent: SupportsAgentRun,  # noqa: ARG002
        session: AgentSession,  # noqa: ARG002
        context: SessionContext,
        state: dict[str, Any],  # noqa: ARG002
    ) -> None:
        asked = [message.text for message in context.input_messages if message.role == "user" and message.text.strip()]
        if asked:
            chat = self.space.conversation(context.session_id or NO_SESSION)
            history = None if context.service_session_id else context.get_messages(exclude_sources={self.source_id})
            block = await to_thread.run_sync(partial(_recalled, chat, asked[-1], history, self.max_tokens))
            if block:
                context.extend_messages(self, [Message("user", [block])])

    async def after_run(
        self,
        *,
        agent: SupportsAgentRun,
        session: AgentSession,  # noqa: ARG002
        context: SessionContext,
        state: dict[str, Any],  # noqa: ARG002
    ) -> None:
        if not self.store or any(map(self._stores, getattr(agent, "context_providers", ()))):
            return
        said = [*context.input_messages, *(context.response.messages if context.response else ())]
        await to_thread.run_sync(_save, self.space.conversation(context.session_id or NO_SESSION), said)

    def _stores(self, provider: object) -> bool:
        """True if this provider stores the messages in the same space."""
        if not isinstance(provider, AforesaidHistoryProvider) or provider.space.id != self.space.id:
            return False
        return bool(provider.store_inputs and provider.store_outputs)


def _recalled(chat: Conversation, question: str, history: Sequence[Message] | None, max_tokens: int) -> str:
    """The recalled text. `history` are the messages that the model gets; None: a service keeps all of them."""
    newest = chat.messages(limit=1)
    since = newest[-1].seq + 1 if newest else 0
    if history is None:
        since = 0
    elif history:
        sent = sum(len(_read(message).stored({})) for message in history)
        since = min((message.seq for message in chat.messages(limit=sent)), default=0)
    context = chat.context(question, since=since, max_tokens=max_tokens)
    return "\n\n".join(turn.text for turn in context.turns)


def _save(chat: Conversation, messages: Sequence[Message]) -> None:
    values = [message.to_dict() for message in messages]
    stored = list(islice(_newest_first(chat), len(values)))[::-1]
    begin = _repeated([_identity(value) for value in stored], [_identity(value) for value in values])
    new = zip(messages[begin:], values[begin:], strict=True)
    chat.add_many([entry for message, value in new for entry in _read(message).stored(value)])


def _stored(chat: Conversation) -> Iterator[dict[str, Any]]:
    """The messages of the framework: others are further results of tools in the same one."""
    return (json.loads(message.raw) for message in chat if message.raw is not None)


def _newest_first(chat: Conversation) -> Iterator[dict[str, Any]]:
    page = chat.messages(limit=PAGE)
    while page:
        yield from (json.loads(message.raw) for message in reversed(page) if message.raw is not None)
        page = chat.messages(limit=PAGE, before=page[0].seq)


def _identity(value: dict[str, Any]) -> tuple[str, ...]:
    if value.get("message_id"):
        return "id", value["message_id"]
    return "content", value["role"], json.dumps(value.get("contents"), sort_keys=True)


def _repeated(stored: Sequence[tuple[str, ...]], sent: Sequence[tuple[str, ...]]) -> int:
    """How many of the sent messages repeat the end of the stored ones. Without a message id, that is sure only if the
    whole conversation is repeated and goes on: two turns can have the same words."""
    for count in range(min(len(stored), len(sent)), 0, -1):
        named = any(one[0] == "id" for one in sent[:count])
        whole = count == len(stored) < len(sent)
        if stored[-count:] == sent[:count] and (named or whole):
            return count
    return 0


def _read(message: Message) -> FrameworkMessage:
    texts, calls, results, others = [], [], [], []
    for part in message.contents:
        if part.type == "text":
            texts.append(part.text or "")
        elif part.type == "function_call" and part.call_id:
            arguments = part.arguments if isinstance(part.arguments, str) else json.dumps(part.arguments or {})
            calls.append((part.call_id, part.name or "", arguments))
        elif part.type == "function_result" and part.call_id:
            words = part.result if isinstance(part.result, str) else json.dumps(part.result, default=str)
            results.append((part.call_id, None, words))
        elif part.type != "text_reasoning":
            others.append(str(part.type))
    role = message.role if message.role in ROLES else "system"
    return FrameworkMessage(role, "\n\n".join(texts), calls, results, others)
