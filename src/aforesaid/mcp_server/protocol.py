"""The messages of MCP on one connection, in both generations of the protocol.

From 2026-07-28 on, each request carries its version and the client's capabilities. Before, a connection begins with
`initialize`. The SDK of MCP does the same, but its import takes longer than everything else at the start.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial

from pydantic import BaseModel, ValidationError

from aforesaid.mcp_server.caller import McpCaller
from aforesaid.mcp_server.requests import (
    INSTRUCTIONS,
    INVALID_PARAMS,
    INVALID_REQUEST,
    METHODS,
    SERVER_INFO,
    RequestFailed,
    Result,
    answer,
    validation_messages,
)
from aforesaid.models.json import Json

INITIALIZED_VERSIONS = ("2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25")  # those with `initialize`
SELF_CONTAINED_VERSIONS = ("2026-07-28",)  # those without
UNSUPPORTED_VERSION = -32022
PREFIX = "io.modelcontextprotocol/"
VERSION_KEY, CAPABILITIES_KEY = f"{PREFIX}protocolVersion", f"{PREFIX}clientCapabilities"
NOT_CACHED = ("tools/call", "prompts/get")
CAPABILITIES: Json = {
    "prompts": {"listChanged": False},
    "resources": {"subscribe": False, "listChanged": False},
    "tools": {"listChanged": False},
}
DISCOVERED: Result = {
    "supportedVersions": list(SELF_CONTAINED_VERSIONS),
    "capabilities": CAPABILITIES,
    "instructions": INSTRUCTIONS,
}


class InitializeParams(BaseModel):
    protocolVersion: str  # noqa: N815 (as in the protocol)
    capabilities: dict[str, object]
    clientInfo: dict[str, object]  # noqa: N815


class McpConnection:
    """A client. Its first request decides the generation of the protocol, and later requests may not change it."""

    def __init__(self, caller: McpCaller) -> None:
        self._caller = caller
        self._self_contained: bool | None = None
        self._initialized = False

    def begin(self, method: str, params: Mapping[str, Json]) -> Callable[[], Result]:
        """Returns the work that makes the result. Call this in the order of the requests; the work may run in a
        thread. Both raise RequestFailed, and nothing else."""
        meta = params.get("_meta")
        envelope = meta if isinstance(meta, Mapping) else {}
        if self._self_contained is None:
            self._self_contained = method != "initialize" and VERSION_KEY in envelope
        if self._self_contained:
            return self._begin_self_contained(method, params, envelope)
        if method == "initialize":
            return partial(dict, self._initialize(params))
        if VERSION_KEY in envelope:
            raise RequestFailed(INVALID_REQUEST, "this connection began without a version in `_meta`; send none")
        if method == "ping":
            return dict
        if not self._initialized and method in METHODS:
            raise RequestFailed(INVALID_PARAMS, "send `initialize` first")
        return partial(answer, self._caller, method, params)

    def _initialize(self, params: Mapping[str, Json]) -> Result:
        try:
            version = InitializeParams.model_validate(params).protocolVersion
        except ValidationError as exc:
            raise RequestFailed(INVALID_PARAMS, "; ".join(validation_messages(exc))) from None
        self._initialized = True
        return {
            "protocolVersion": version if version in INITIALIZED_VERSIONS else INITIALIZED_VERSIONS[-1],
            "capabilities": CAPABILITIES,
            "serverInfo": SERVER_INFO,
            "instructions": INSTRUCTIONS,
        }

    def _begin_self_contained(
        self, method: str, params: Mapping[str, Json], envelope: Mapping[str, Json]
    ) -> Callable[[], Result]:
        if method == "initialize":
            raise unsupported_version(params.get("protocolVersion"))
        missing = [key for key in (VERSION_KEY, CAPABILITIES_KEY) if key not in envelope]
        if missing:
            raise RequestFailed(INVALID_PARAMS, f"`_meta` needs {' and '.join(missing)}")
        version = envelope[VERSION_KEY]
        if not isinstance(version, str) or not isinstance(envelope[CAPABILITIES_KEY], Mapping):
            raise RequestFailed(INVALID_PARAMS, "in `_meta`, the version is a string and the capabilities an object")
        if version not in SELF_CONTAINED_VERSIONS:
            raise unsupported_version(version)
        return partial(self._self_contained_result, method, params)

    def _self_contained_result(self, method: str, params: Mapping[str, Json]) -> Result:
        result = DISCOVERED if method == "server/discover" else answer(self._caller, method, params)
        cached: Result = {} if method in NOT_CACHED else {"ttlMs": 0, "cacheScope": "private"}
        return {**result, **cached, "resultType": "complete", "_meta": {f"{PREFIX}serverInfo": SERVER_INFO}}


def unsupported_version(requested: Json) -> RequestFailed:
    data: Json = {"supported": list(SELF_CONTAINED_VERSIONS), "requested": requested}
    return RequestFailed(UNSUPPORTED_VERSION, "Unsupported protocol version", data)
