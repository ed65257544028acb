"""Server-sent events, as they go out."""

from __future__ import annotations

import json
from collections.abc import Mapping

from fastapi.responses import StreamingResponse
from fastapi.sse import KEEPALIVE_COMMENT, format_sse_event

UNBUFFERED = {"Cache-Control": "no-cache", "X-Accel-Buffering": "no"}  # by nginx and its like
ALIVE = KEEPALIVE_COMMENT  # says nothing, but that somebody is there


class EventStream(StreamingResponse):
    """FastAPI's own writes event by event; here all that one look gave goes out at once."""

    media_type = "text/event-stream"


def event(name: str, data: Mapping[str, object], id: int | None = None) -> bytes:
    text = json.dumps(data, ensure_ascii=False)
    return format_sse_event(event=name, id=None if id is None else str(id), data_str=text)
