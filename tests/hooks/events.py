"""Events as the real clients send them: Claude Code 2.1.197, Codex 0.169.0, Gemini CLI 0.61.0. Those of Cursor and VS
Code are as their documentation has them, those of opencode come from our plugin."""

from __future__ import annotations

from typing import Any

SESSION = "99ffcdaa-909a-4aae-9343-ffc4dd48e96e"
TURN = "b737efd3-fb80-456e-979a-f3d260be23fb"
TIME = "2026-11-18T04:39:20.120Z"


def claude_code(name: str, folder: str, **more: Any) -> dict[str, Any]:
    base = {"session_id": SESSION, "transcript_path": f"{folder}/{SESSION}.jsonl", "cwd": folder, "prompt_id": TURN}
    return {**base, "permission_mode": "default", "hook_event_name": name, **more}


def codex(name: str, folder: str, **more: Any) -> dict[str, Any]:
    base = {"session_id": SESSION, "turn_id": TURN, "transcript_path": f"{folder}/rollout.jsonl", "cwd": folder}
    return {**base, "hook_event_name": name, "model": "gpt-5", "permission_mode": "bypassPermissions", **more}


def gemini_cli(name: str, folder: str, **more: Any) -> dict[str, Any]:
    base = {"session_id": SESSION, "transcript_path": f"{folder}/session.json", "cwd": folder}
    return {**base, "hook_event_name": name, "timestamp": TIME, **more}


def cursor(name: str, folder: str, **more: Any) -> dict[str, Any]:
    base = {"conversation_id": SESSION, "generation_id": TURN, "model": "gpt-5", "cursor_version": "3.20.17"}
    return {**base, "hook_event_name": name, "workspace_roots": [folder], "user_email": "ann@example.org", **more}


def vscode(name: str, folder: str, **more: Any) -> dict[str, Any]:
    base = {"timestamp": TIME, "cwd": folder, "sessionId": SESSION, "hookEventName": name}
    return {**base, "transcript_path": f"{folder}/transcript.jsonl", **more}


def opencode(name: str, folder: str, **more: Any) -> dict[str, Any]:
    return {"session_id": SESSION, "cwd": folder, "prompt_id": TURN, "hook_event_name": name, **more}


TOLD, ANSWERED = "My horse is called Zanzibar.", "Noted: Zanzibar."
# Each agent: how it sends an event, the names of its events for a prompt and an answer, and the answer's field.
AGENTS: dict[str, tuple[Any, str, str, str]] = {
    "claude-code": (claude_code, "UserPromptSubmit", "Stop", "last_assistant_message"),
    "codex": (codex, "UserPromptSubmit", "Stop", "last_assistant_message"),
    "gemini-cli": (gemini_cli, "BeforeAgent", "AfterAgent", "prompt_response"),
    "cursor": (cursor, "beforeSubmitPrompt", "afterAgentResponse", "text"),
    "vscode": (vscode, "UserPromptSubmit", "Stop", "last_assistant_message"),
    "opencode": (opencode, "UserPromptSubmit", "Stop", "last_assistant_message"),
}
