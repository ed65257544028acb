"""Reads the requests of real clients in `captured/`."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent / "captured"


@dataclass(frozen=True)
class CapturedRequest:
    path: str
    headers: dict[str, str]
    body: dict[str, Any]

    @property
    def raw(self) -> bytes:
        return json.dumps(self.body, ensure_ascii=False).encode()


def captured_clients() -> list[str]:
    return sorted(file.stem for file in FOLDER.glob("*.json"))


def captured(client: str) -> dict[str, list[CapturedRequest]]:
    """Returns the requests of a client, by session."""
    stored = json.loads((FOLDER / f"{client}.json").read_text("utf-8"))
    shared = stored["shared"]

    def full(value: Any) -> Any:
        if isinstance(value, list):
            return [full(one) for one in value]
        if not isinstance(value, dict):
            return value
        return full(shared[value["$"]]) if "$" in value else {name: full(one) for name, one in value.items()}

    return {
        session: [CapturedRequest(one["path"], one["headers"], one["body"]) for one in requests]
        for session, requests in full(stored["sessions"]).items()
    }
