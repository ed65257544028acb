"""Which headers go on, and which come back."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from recollect.replies.listen import Wire

CREDENTIALS = frozenset(("authorization", "x-api-key", "api-key"))
OF_THE_CONNECTION = frozenset(
    ("connection", "keep-alive", "proxy-authenticate", "proxy-authorization", "proxy-connection", "te", "trailer")
) | frozenset(("transfer-encoding", "upgrade"))
OURS = frozenset(("host", "content-length", "accept-encoding", "cookie", "origin", "referer", "expect", "forwarded"))
OURS_TOO = ("x-recollect-", "x-forwarded-", "sec-")
THEIRS = frozenset(("set-cookie", "server", "date", "alt-svc", "strict-transport-security"))
THEIRS_TOO = ("access-control-", "x-recollect-")


def going(given: Mapping[str, str], key: str | None, wire: Wire | None, *, own: bool) -> dict[str, str]:
    """What is sent on. `own`: what the caller sent to be let in is the upstream's; else it is ours, and stays here. A
    key that was set up goes in its place."""
    out = OF_THE_CONNECTION | OURS | _named(given.get("connection", ""))
    sent: dict[str, str] = {}
    for name, value in given.items():
        if name not in out and not name.startswith(OURS_TOO):
            sent[name] = f"{sent[name]}, {value}" if name in sent else value
    if key is not None or not own:
        sent = {name: value for name, value in sent.items() if name not in CREDENTIALS}
    if key is not None:
        anthropic = wire == "messages" or "anthropic-version" in given
        sent |= {"x-api-key": key} if anthropic else {"authorization": f"Bearer {key}"}
    return sent | {"accept-encoding": "identity"}  # so that the answer can be read as it passes


def coming(given: Iterable[tuple[bytes, bytes]]) -> list[tuple[bytes, bytes]]:
    """What is handed back: all but what concerns the connection, and what is the upstream's own affair."""
    pairs = [(name.lower(), value) for name, value in given]
    said = b"".join(value for name, value in pairs if name == b"connection").decode("latin-1")
    out = OF_THE_CONNECTION | THEIRS | _named(said)
    return [
        (name, value)
        for name, value in pairs
        if name.decode("latin-1") not in out and not name.decode("latin-1").startswith(THEIRS_TOO)
    ]


def _named(connection: str) -> frozenset[str]:
    return frozenset(name.strip().lower() for name in connection.split(",") if name.strip())
