"""Codex runs a hook only after its review: then `hooks.state` of `config.toml` has the hash of the hook."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator

from aforesaid.install import json_edit
from aforesaid.install.files import JsonFile
from aforesaid.install.toml_edit import TomlPath, TomlTables

LABELS = {
    "SessionStart": "session_start", "UserPromptSubmit": "user_prompt_submit", "Stop": "stop",
    "PreCompact": "pre_compact", "SessionEnd": "session_end",
}  # fmt: skip


def hook_keys(hooks: JsonFile) -> tuple[TomlPath, ...]:
    """The tables that say whether our hooks are trusted."""
    return tuple(path for path, _, _ in _hooks(hooks))


def hook_trust(hooks: JsonFile) -> TomlTables:
    """The tables of hooks that were reviewed. The hash is that of the sorted JSON of a hook and its event."""
    return {path: {"trusted_hash": _hash(label, hook)} for path, label, hook in _hooks(hooks)}


def _hooks(hooks: JsonFile) -> Iterator[tuple[TomlPath, str, object]]:
    """Our hooks as `hooks.json` will have them: the table, the name of the event and the hook."""
    text = hooks.added(hooks.path.read_text("utf-8") if hooks.path.exists() else None)
    for event, label in LABELS.items():
        node = json_edit.find(text, ("hooks", event))
        for at, group in enumerate(node.nodes if node is not None else ()):
            first = group.get("hooks")
            if first is not None and hooks.is_ours(group.value):
                yield ("hooks", "state", f"{hooks.path}:{label}:{at}:0"), label, first.nodes[0].value


def _hash(label: str, hook: object) -> str:
    assert isinstance(hook, dict)
    identity = {"event_name": label, "hooks": [{"async": False, **hook}]}
    text = json.dumps(identity, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return f"sha256:{hashlib.sha256(text.encode()).hexdigest()}"
