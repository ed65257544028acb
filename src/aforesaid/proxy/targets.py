"""Where a request goes: the path at the upstream, its wire format if it gets memory, and what a key needs for it.

All paths below /v1 go upstream. Of Ollama's own API, the paths that this server does not use itself are at the root, so
that OLLAMA_HOST can be the server's address; below /ollama, there are all of them.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal
from urllib.parse import unquote

from aforesaid.access.problems import OLLAMA_PATH, OLLAMA_PREFIX, PROXY_PREFIX
from aforesaid.replies.parser import ApiFormat

WIRES: Mapping[str, ApiFormat] = {
    "/v1/chat/completions": "chat",
    "/v1/responses": "responses",
    "/v1/messages": "messages",
    "/api/chat": "ollama_chat",
    "/api/generate": "ollama_generate",
}
REALTIME = re.compile(r"/v1/realtime(/.*)?")
TargetAccess = Literal["read", "write", "shared"]
ACCESS: tuple[tuple[str, TargetAccess], ...] = (  # of a method and a path; all others are `shared`
    (r"(GET|HEAD) /v1/models(/.+)?", "read"),
    (r"POST /v1/(embeddings|messages/count_tokens)", "read"),
    (r"(GET|HEAD) (/|/api/(tags|ps|version))", "read"),
    (r"POST /api/(show|embed|embeddings)", "read"),
    (r"POST /v1/(completions|moderations|audio/(speech|transcriptions|translations))", "write"),
    (r"POST /v1/images/(generations|edits|variations)", "write"),
    (r"POST /v1/conversations|[A-Z]+ /v1/(responses|conversations)/.+", "write"),
)


@dataclass(frozen=True, slots=True)
class ProxyTarget:
    """`path` is the encoded path below the upstream's address without its /v1. With a `wire`, the request gets memory.

    `shared`: the call reaches what all callers have in common at the upstream, such as its list of files. So it needs
    a key that can write and opens all spaces.
    """

    path: str
    wire: ApiFormat | None = None
    access: TargetAccess = "shared"


def find_target(method: str, raw_path: str) -> ProxyTarget | None:
    """Returns None if the proxy does not have the path, or if the path could lead out of the one that it names."""
    path = raw_path
    if f"{path}/".startswith(f"{OLLAMA_PREFIX}/"):
        path = path.removeprefix(OLLAMA_PREFIX) or "/"
        known = path == "/" or path.startswith((PROXY_PREFIX, "/api/"))
    else:
        known = path.startswith(PROXY_PREFIX) or OLLAMA_PATH.fullmatch(path) is not None
    if not known or path == PROXY_PREFIX or leads_elsewhere(path):
        return None
    if method == "POST" and path in WIRES:
        return ProxyTarget(path, WIRES[path], "write")
    access = (access for pattern, access in ACCESS if re.fullmatch(pattern, f"{method} {path}"))
    return ProxyTarget(path, access=next(access, "shared"))


def leads_elsewhere(path: str) -> bool:
    """Returns True if a server could read the path as another one: with `..` in it, encoded however often."""
    while (decoded := unquote(path)) != path:
        path = decoded
    names = [name.partition(";")[0].strip() for name in path.replace("\\", "/").split("/")[1:]]
    return bool({".", ".."} & set(names)) or "" in names[:-1] or not path.isprintable()
