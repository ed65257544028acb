"""Lists every endpoint from the OpenAPI description."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any

from aforesaid import Memory
from aforesaid.server.app import make_app
from aforesaid.server.reference.openapi import resolve_parts

METHODS = ("get", "post", "put", "patch", "delete")
ENDLESS = {"/api/memory/events"}  # an endless event stream, tested in test_changes.py


@dataclass(frozen=True)
class Operation:
    method: str
    path: str
    parameters: tuple[dict[str, Any], ...]
    body: dict[str, Any] | None

    def __str__(self) -> str:
        return f"{self.method.upper()} {self.path}"


@cache
def description() -> dict[str, Any]:
    with Memory(":memory:", worker=False, environment={}) as memory:
        return resolve_parts(make_app(memory).openapi())


def operations() -> list[Operation]:
    return [
        Operation(method, path, tuple(one.get("parameters", ())), _body(one))
        for path, methods in description()["paths"].items()
        for method, one in methods.items()
        if method in METHODS and path not in ENDLESS
    ]


def _body(operation: dict[str, Any]) -> dict[str, Any] | None:
    content = operation.get("requestBody", {}).get("content", {})
    return content.get("application/json", {}).get("schema")


def schemas() -> dict[str, Any]:
    return description().get("components", {}).get("schemas", {})
