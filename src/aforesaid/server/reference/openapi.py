"""Completes FastAPI's OpenAPI document: the access level and summary of each operation, and an example of every body.

Generators name classes by the titles of schemas, and methods by operation ids, so both are unique and short. What many
operations repeat, their errors and parameters, is in `components` once.
"""

from __future__ import annotations

import json
import re
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
    Problem,
    Unauthenticated,
    problem,
)
from aforesaid.models.json import Json
from aforesaid.server.dependencies import admin, administered, caller, readable, whole, writable
from aforesaid.server.errors import PROBLEM_RESPONSES
from aforesaid.server.reference.examples import SchemaExample
from aforesaid.server.routes.transfer import import_target

DESCRIPTION = """Conversation memory: keeps every message, and recalls the right ones.

The space is `?space=` or the header `X-Aforesaid-Space` (percent-encoded), else the key's only space, else `default`.
Percent-encode names in paths, slashes too. Errors are problem+json (RFC 9457): `code` is for programs, `detail` says
what to do."""
TAG_DESCRIPTIONS = {
    "conversations": "List, start, change and delete conversations.",
    "messages": "Messages, stored durably and in order.",
    "contexts": "The context that a model receives.",
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
    "items": "JSON values under a namespace and a key.",
    "consolidations": "Archiving of weak and old facts, and its undo.",
    "schemas": "What records are extracted from messages.",
    "records": "Records of your own schemas.",
    "about": "The portrait of a space.",
    "profile": "The profile of a person, stored only with consent.",
    "consent": "The consent to keep a profile.",
    "audit": "Who granted, revoked, read and changed the profile.",
    "settings": "The settings of a space.",
    "erasures": "Erasure, with everything derived.",
    "hold": "A hold keeps a space from every erasure.",
    "spaces": "The spaces of the store: counts, export, import.",
    "store": "The store as a whole.",
    "metrics": "Metrics of retrievals.",
    "debug": "Details for dashboards.",
    "costs": "Tokens and calls of language models.",
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
    {401: Unauthenticated.code} | {status: code for _, status, code in reversed(STATUS_TABLE)} | {403: Forbidden.code}
)
NULL = {"type": "null"}
FASTAPI_DESCRIPTION = "Successful Response"
GENERIC_NAME = re.compile(r"\b(List|Page)(?:Response)?_(\w+?)_\b")  # such as Page_Fact_, which becomes FactPage


def complete_schema(document: dict[str, Json], routes: Sequence[BaseRoute]) -> dict[str, Json]:
    document = json.loads(GENERIC_NAME.sub(r"\2\1", json.dumps(document)))
    schemas = document["components"]["schemas"]
    schemas[Problem.__name__] = TypeAdapter(Problem).json_schema()
    for name, schema in schemas.items():
        remove_titles(schema)
        schema["title"] = name
    access = {
        (route.path, method.lower()): access_level(route)
        for route in routes
        if isinstance(route, APIRoute)
        for method in route.methods or ()
    }
    for method, path, operation in operations(document):
        operation["x-access"] = access.get((path, method), "none")
        operation["summary"] = " ".join(operation["description"].split()).partition(". ")[0].rstrip(".")
        remove_impossible(method, path, operation["responses"])
        complete_bodies(operation, schemas)
        share_parts(operation, document["components"])
    share_words(document)
    return document


def operations(document: Mapping[str, Json]) -> Iterator[tuple[str, str, dict[str, Json]]]:
    for path, methods in document["paths"].items():
        for method, operation in methods.items():
            yield method, path, operation


def remove_titles(schema: Json) -> None:
    """Removes the titles of fields: they only repeat the names, and generators make classes of them."""
    if isinstance(schema, dict):
        if isinstance(schema.get("title"), str):
            del schema["title"]
        for name, part in schema.items():
            if name not in ("default", "examples"):
                remove_titles(part)
    elif isinstance(schema, list):
        for part in schema:
            remove_titles(part)


def complete_bodies(operation: dict[str, Json], schemas: Mapping[str, Json]) -> None:
    add_examples(operation.get("requestBody", {}).get("content", {}), SchemaExample(schemas, whole=False))
    for status, response in operation["responses"].items():
        if response["description"] == FASTAPI_DESCRIPTION:
            response["description"] = "OK"
        add_problem_example(status, response)
        add_examples(response.get("content", {}), SchemaExample(schemas))
    for part in (*operation.get("parameters", ()), operation.get("requestBody", {})):
        remove_titles(part.get("schema") or [body["schema"] for body in part.get("content", {}).values()])


def remove_impossible(method: str, path: str, responses: dict[str, Json]) -> None:
    """A read conflicts with nothing, and a list or a search always exists."""
    if method == "get":
        responses.pop("409", None)
        if "{" not in path:
            responses.pop("404", None)


def share_words(document: dict[str, Json]) -> None:
    """States once what holds for the document, and no words twice: a description of one sentence is the summary."""
    document["security"] = next(one["security"] for _, _, one in operations(document) if "security" in one)
    for _, _, operation in operations(document):
        if operation.setdefault("security", []) == document["security"]:
            del operation["security"]
        if operation["description"].rstrip(".") == operation["summary"]:
            del operation["description"]
        for parameter in operation.get("parameters", ()):
            drop_repeated(parameter)
    for parameter in document["components"]["parameters"].values():
        drop_repeated(parameter)


def drop_repeated(parameter: dict[str, Json]) -> None:
    """FastAPI describes a parameter and its schema in the same words, and an optional one as null, which no address
    has."""
    schema = parameter.get("schema", {})
    if "description" in parameter:
        schema.pop("description", None)
    if not parameter.get("required", True):
        del parameter["required"]
    choices = [choice for choice in schema.get("anyOf", ()) if choice != NULL]
    if len(choices) == 1:
        del schema["anyOf"]
        schema.update(choices[0])


def share_parts(operation: dict[str, Json], components: dict[str, Json]) -> None:
    """Replaces parameters and responses by references to `components`. What differs from the shared part of its name
    stays."""

    def shared(kind: str, name: str, part: Json) -> Json:
        return {"$ref": f"#/components/{kind}/{name}"} if components[kind].setdefault(name, part) == part else part

    components.setdefault("parameters", {})
    components.setdefault("responses", {})
    parameters = operation.get("parameters", [])
    parameters[:] = [shared("parameters", parameter["name"], parameter) for parameter in parameters]
    for status, response in operation["responses"].items():
        content = response.get("content", {})
        if MEDIA in content:
            name = PROBLEM_RESPONSES[int(status) if status.isdigit() else status][0]
        elif "$ref" in (schema := content.get("application/json", {}).get("schema", {})):
            name = schema["$ref"].rpartition("/")[2]
        else:
            continue
        operation["responses"][status] = shared("responses", name, response)


def resolve_parts(document: dict[str, Json]) -> dict[str, Json]:
    """Returns the document with what operations share in each operation: parameters, responses, security, words."""

    def resolved(part: Json) -> Json:
        _, _, kind, name = part["$ref"].split("/") if "$ref" in part else (None, None, None, None)
        return document["components"][kind][name] if name else part

    whole: dict[str, Json] = {**document, "paths": {path: {} for path in document["paths"]}}
    for method, path, operation in operations(document):
        responses = {status: resolved(response) for status, response in operation["responses"].items()}
        whole["paths"][path][method] = {
            **operation,
            "description": operation.get("description", operation["summary"]),
            "security": operation.get("security", document["security"]),
            "parameters": [resolved(parameter) for parameter in operation.get("parameters", ())],
            "responses": responses,
        }
    return whole


def access_level(route: APIRoute) -> str:
    levels = [ACCESS_LEVELS[call] for call in dependency_calls(route.dependant) if call in ACCESS_LEVELS]
    return max(levels, key=list(ACCESS_LEVELS.values()).index, default="none")


def dependency_calls(dependant: Dependant) -> Iterator[object]:
    for dependency in dependant.dependencies:
        yield dependency.call
        yield from dependency_calls(dependency)


def add_problem_example(status: str, response: dict[str, Json]) -> None:
    """Leaves only the problem media type: FastAPI also lists the route's own."""
    if body := response.get("content", {}).get(MEDIA):
        number = int(status) if status.isdigit() else 500
        example = problem(number, CODE_OF_STATUS[number], response["description"])
        response["content"] = {MEDIA: body | {"example": asdict(example)}}


def add_examples(content: Mapping[str, dict[str, Json]], examples: SchemaExample) -> None:
    """Adds an example to every JSON body that has none."""
    for media, body in content.items():
        if media.endswith("json") and "schema" in body and "example" not in body and "examples" not in body:
            body["example"] = examples.of(body["schema"])
