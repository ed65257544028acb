"""Completes FastAPI's OpenAPI document: the access level of each operation, and an example of every body."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict

from fastapi.dependencies.models import Dependant
from fastapi.routing import APIRoute
from pydantic import TypeAdapter
from starlette.routing import BaseRoute

from aforesaid.access.problems import (
    MEDIA,
    STATUS_TABLE,
    Forbidden,
    MisdirectedRequest,
    PayloadTooLarge,
    Problem,
    Unauthenticated,
    problem,
)
from aforesaid.models.json import Json
from aforesaid.server.dependencies import admin, administered, caller, readable, whole, writable
from aforesaid.server.reference.examples import SchemaExample
from aforesaid.server.routes.transfer import import_target

DESCRIPTION = """Conversation memory: keeps every message, and recalls the right ones.

The space is `?space=` or the header `X-Aforesaid-Space` (percent-encoded), else the key's only space, else `default`.
Percent-encode names in paths, slashes too. Errors are problem+json (RFC 9457): `code` is for programs, `detail` says
what to do."""
TAG_DESCRIPTIONS = {
    "conversations": "List, start, change and delete conversations.",
    "messages": "Messages, stored durably and in order.",
    "context": "The context that a model receives.",
    "replies": "A model's answers, streamed.",
    "recall": "Search by a question.",
    "feedback": "Say which hits were useful, and show the feedback of a space.",
    "pins": "Texts that stay in every context.",
    "summaries": "Summaries of parts of a conversation.",
    "episodes": "Events in a conversation, and its arc.",
    "receipts": "The items of each context, with reasons.",
    "changes": "The change feed.",
    "facts": "Facts with their evidence.",
    "relations": "Relations between facts.",
    "consolidations": "Archiving of weak and old facts, and its undo.",
    "profile": "The profile of a person, stored only with consent, and the audit of its use.",
    "settings": "The settings of a space.",
    "forget": "Erasure, with everything derived.",
    "export and import": "A space as one file.",
    "spaces": "The spaces of the store.",
    "store": "The store as a whole.",
    "metrics": "Metrics of retrievals.",
    "debug": "Details for dashboards.",
    "cost": "Tokens and calls of language models.",
    "keys": "Access keys.",
    "health": "Health, readiness and version.",
}
TAGS = [{"name": name, "description": description} for name, description in TAG_DESCRIPTIONS.items()]
ACCESS_LEVELS = {
    caller: "read",
    readable: "read",
    writable: "write",
    admin: "admin",
    administered: "admin",
    import_target: "admin",
    whole: "admin, all spaces",
}
CODE_OF_STATUS = (
    {400: "malformed", 413: PayloadTooLarge.code, 401: Unauthenticated.code, 421: MisdirectedRequest.code, 500: "error"}
    | {status: code for _, status, code in reversed(STATUS_TABLE)}
    | {403: Forbidden.code}
)


def complete_schema(schema: dict[str, Json], routes: Sequence[BaseRoute]) -> dict[str, Json]:
    schemas = schema["components"]["schemas"]
    schemas[Problem.__name__] = TypeAdapter(Problem).json_schema()
    access = {
        (route.path, method.lower()): access_level(route)
        for route in routes
        if isinstance(route, APIRoute)
        for method in route.methods or ()
    }
    for path, operations in schema["paths"].items():
        for method, operation in operations.items():
            operation["x-access"] = access.get((path, method), "none")
            add_examples(operation.get("requestBody", {}).get("content", {}), SchemaExample(schemas, whole=False))
            for status, response in operation["responses"].items():
                if int(status) >= 400:
                    add_problem_example(int(status), response)
                add_examples(response.get("content", {}), SchemaExample(schemas))
    return schema


def access_level(route: APIRoute) -> str:
    levels = [ACCESS_LEVELS[call] for call in dependency_calls(route.dependant) if call in ACCESS_LEVELS]
    return max(levels, key=list(ACCESS_LEVELS.values()).index, default="none")


def dependency_calls(dependant: Dependant) -> Iterator[object]:
    for dependency in dependant.dependencies:
        yield dependency.call
        yield from dependency_calls(dependency)


def add_problem_example(status: int, response: dict[str, Json]) -> None:
    """Leaves only the problem media type: FastAPI also lists the route's own."""
    if body := response.get("content", {}).get(MEDIA):
        example = problem(status, CODE_OF_STATUS.get(status, "error"), response["description"])
        response["content"] = {MEDIA: body | {"example": asdict(example)}}


def add_examples(content: Mapping[str, dict[str, Json]], examples: SchemaExample) -> None:
    """Adds an example to every JSON body that has none."""
    for media, body in content.items():
        if media.endswith("json") and "schema" in body and "example" not in body and "examples" not in body:
            body["example"] = examples.of(body["schema"])
