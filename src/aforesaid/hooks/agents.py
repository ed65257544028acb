"""The agents whose hooks call aforesaid: the names of their events and fields, and the form of their output."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Literal

EventKind = Literal["start", "prompt", "answer", "compact", "end"]

CLAUDE_EVENTS: Mapping[str, EventKind] = {
    "SessionStart": "start", "UserPromptSubmit": "prompt", "Stop": "answer", "PreCompact": "compact",
    "SessionEnd": "end",
}  # fmt: skip
GEMINI_EVENTS: Mapping[str, EventKind] = {
    "SessionStart": "start", "BeforeAgent": "prompt", "AfterAgent": "answer", "PreCompress": "compact",
    "SessionEnd": "end",
}  # fmt: skip
CURSOR_EVENTS: Mapping[str, EventKind] = {
    "sessionStart": "start", "beforeSubmitPrompt": "prompt", "afterAgentResponse": "answer", "preCompact": "compact",
    "sessionEnd": "end",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class HookProtocol:
    """How an agent calls its hooks. `folder` is the variable with the folder of the project, which stays the same when
    the agent changes its working folder. `foreign` is a variable that only another program sets, one that also runs
    the hooks of this agent."""

    events: Mapping[str, EventKind]
    folder: str | None = None
    foreign: str | None = None
    flat: bool = False  # the output has `additional_context` at the top level


HOOK_PROTOCOLS: Mapping[str, HookProtocol] = {
    "claude-code": HookProtocol(CLAUDE_EVENTS, "CLAUDE_PROJECT_DIR", "CURSOR_VERSION"),
    "codex": HookProtocol(CLAUDE_EVENTS),
    "cursor": HookProtocol(CURSOR_EVENTS, "CURSOR_PROJECT_DIR", flat=True),
    "gemini-cli": HookProtocol(GEMINI_EVENTS, "GEMINI_PROJECT_DIR"),
    "opencode": HookProtocol(CLAUDE_EVENTS),
    "vscode": HookProtocol(CLAUDE_EVENTS),
}

NAMES = ("hook_event_name", "hookEventName")
SESSIONS = ("session_id", "sessionId", "conversation_id")
TURNS = ("prompt_id", "turn_id", "generation_id", "timestamp")
TEXTS: Mapping[EventKind, tuple[str, ...]] = {
    "prompt": ("prompt",), "answer": ("last_assistant_message", "prompt_response", "text"),
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class HookEvent:
    """An event of a session, in the words of aforesaid. `turn` tells prompts with the same text apart."""

    agent: str
    kind: EventKind
    session: str
    space: str
    turn: str = ""
    text: str = ""
    source: str = ""

    @property
    def conversation(self) -> str:
        return f"{self.agent}-{self.session}"

    @property
    def message_id(self) -> str:
        """The same for the same event, however often the agent sends it."""
        parts = "\0".join((self.agent, self.session, self.kind, self.turn, self.text))
        return f"hook-{hashlib.sha256(parts.encode('utf-8', 'surrogatepass')).hexdigest()[:32]}"

    def record(self) -> dict[str, object]:
        return asdict(self)


def event_kind(agent: str, raw: Mapping[str, object], environment: Mapping[str, str]) -> EventKind | None:
    """The kind of an event. None if it is not for us: another event, a subagent's, or of a program that runs the hooks
    of other agents too (VS Code and Cursor run those of Claude Code)."""
    protocol = HOOK_PROTOCOLS[agent]
    foreign = protocol.foreign is not None and protocol.foreign in environment
    if foreign or raw.get("agent_id") or (agent == "claude-code" and "hookEventName" in raw):
        return None
    return protocol.events.get(first_text(raw, NAMES))


def first_text(raw: Mapping[str, object], names: tuple[str, ...]) -> str:
    """The first of these fields that has a text, else an empty text."""
    return next((value for name in names if isinstance(value := raw.get(name), str) and value), "")


def project_folder(agent: str, raw: Mapping[str, object], environment: Mapping[str, str], here: str) -> str:
    variable = HOOK_PROTOCOLS[agent].folder
    roots = raw.get("workspace_roots")
    root = next((each for each in roots if isinstance(each, str)), "") if isinstance(roots, list) else ""
    return (environment.get(variable, "") if variable else "") or first_text(raw, ("cwd",)) or root or here


def hook_output(agent: str, name: str, text: str) -> dict[str, object]:
    """The object to print, in the form of the agent."""
    if not HOOK_PROTOCOLS[agent].flat:
        return {"hookSpecificOutput": {"hookEventName": name, "additionalContext": text}}
    allowed = {"continue": True} if HOOK_PROTOCOLS[agent].events.get(name) == "prompt" else {}
    return {**allowed, "additional_context": text}
