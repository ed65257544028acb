"""Makes small synthetic exports in the formats of other programs."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from aforesaid import Memory, Message

Record = dict[str, Any]
NOON = 1_767_268_800.0  # 2026-01-01T12:00:00Z


def node(key: str, parent: str | None, role: str | None = None, text: Any = "", **more: Any) -> Record:
    """Makes a node of a ChatGPT tree; a node without a role has no message."""
    if role is None:
        return {"id": key, "parent": parent, "children": [], "message": None}
    message = {
        "id": key,
        "author": {"role": role, "name": None, "metadata": {}},
        "create_time": NOON + len(key) + ord(key[-1]),
        "update_time": None,
        "status": "finished_successfully",
        "end_turn": True,
        "weight": 1.0,
        "recipient": "all",
        "content": {"content_type": "text", "parts": [text]} if isinstance(text, str) else text,
        "metadata": {},
    }
    return {"id": key, "parent": parent, "children": [], "message": message | more}


def chatgpt(id: str, *nodes: Record, current: str | None = None, **more: Any) -> Record:
    mapping = {one["id"]: one for one in nodes}
    for one in nodes:
        if one["parent"] in mapping:
            mapping[one["parent"]]["children"].append(one["id"])
    last = nodes[-1]["id"] if current is None and nodes else current
    own = {"id": id, "conversation_id": id, "title": f"About {id}", "create_time": NOON, "update_time": NOON + 99}
    return own | {"mapping": mapping, "current_node": last, "is_archived": False} | more


def trip(id: str = "trip") -> Record:
    return chatgpt(
        id,
        node(f"{id}-0", None),
        node(f"{id}-1", f"{id}-0", "user", "We settled on Lisbon in May."),
        node(f"{id}-2", f"{id}-1", "assistant", "Lisbon in May it is."),
    )


def human(uuid: str, text: str, parent: str | None = None, **more: Any) -> Record:
    own: Record = {
        "uuid": uuid,
        "text": text,
        "content": [{"type": "text", "text": text, "citations": []}],
        "sender": "human",
        "created_at": "2026-02-03T10:00:00.123456Z",
        "updated_at": "2026-02-03T10:00:00.123456Z",
        "attachments": [],
        "files": [],
    }
    return own | ({} if parent is None else {"parent_message_uuid": parent}) | more


def claude(uuid: str, *messages: Record, **more: Any) -> Record:
    own = {"uuid": uuid, "name": f"On {uuid}", "summary": "", "account": {"uuid": "nobody"}}
    times = {"created_at": "2026-02-03T09:59:00.000000Z", "updated_at": "2026-02-03T11:00:00Z"}
    return own | times | {"chat_messages": list(messages)} | more


def written(path: Path, value: object) -> Path:
    path.write_text(json.dumps(value), "utf-8")
    return path


def lines(path: Path, *values: object) -> Path:
    path.write_text("".join(json.dumps(value) + "\n" for value in values), "utf-8")
    return path


def packed(files: Mapping[str, object]) -> bytes:
    """Makes a ZIP archive; values other than bytes are written as JSON."""
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content if isinstance(content, bytes) else json.dumps(content))
    return made.getvalue()


def archive(path: Path, files: Mapping[str, object]) -> Path:
    path.write_bytes(packed(files))
    return path


def texts(memory: Memory, conversation: str, space: str = "alice") -> list[tuple[str, str]]:
    return [(one.role, one.text) for one in said(memory, conversation, space)]


def said(memory: Memory, conversation: str, space: str = "alice") -> list[Message]:
    return memory.space(space).conversation(conversation).messages(limit=10_000)


Open = Callable[..., Memory]
