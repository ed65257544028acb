"""Completes the description that FastAPI makes: what access each call needs, and an example of every body."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict

from fastapi import APIRouter
from fastapi.dependencies.models import Dependant
from fastapi.routing import APIRoute
from pydantic import TypeAdapter

from recollect.access.problems import MEDIA, TABLE, Problem, problem
from recollect.access.refusal import KeyNeeded, Misaddressed, NotAllowed, TooLarge
from recollect.models import Json
from recollect.server.reference.example import Example
from recollect.server.routes.portable import target
from recollect.server.scope import admin, caller, governed, readable, whole, writable

ABOUT = """Conversation memory: every word kept, the right ones found.

The space is `?space=` or the header `X-Recollect-Space` (percent-encoded), else the key's only space, else `default`.
Names in paths are percent-encoded, slashes too. Errors are problem+json (RFC 9457): `code` is for programs, `detail`
says what to do."""
TAGS = [
    {"name": "conversations", "description": "Where each stands."},
    {"name": "messages", "description": "What is said, once and for good."},
    {"name": "context", "description": "What the model will see."},
    {"name": "replies", "description": "What a model answers, as it comes."},
    {"name": "recall", "description": "What answers a question."},
    {"name": "pins", "description": "What is kept in view."},
    {"name": "summaries", "description": "What stretches of a conversation said."},
    {"name": "episodes", "description": "What happened, and how a conversation went."},
    {"name": "receipts", "description": "What was in a context, and why."},
    {"name": "changes", "description": "What happens, as it happens."},
    {"name": "facts", "description": "What is known, with the words that say it."},
    {"name": "relations", "description": "How facts bear on each other."},
    {"name": "consolidations", "description": "Weak and old memories put away, and taken back."},
    {"name": "profile", "description": "What is known of the person, with consent only, and the audit of it."},
    {"name": "settings", "description": "How a space is set up."},
    {"name": "forget", "description": "What is erased, with all that came from it."},
    {"name": "export and import", "description": "A space leaves as one file, and comes back."},
    {"name": "spaces", "description": "Whose memories the store holds."},
    {"name": "store", "description": "How the store is, as a whole."},
    {"name": "metrics", "description": "How retrievals went."},
    {"name": "debug", "description": "A look inside."},
    {"name": "cost", "description": "What language models took."},
    {"name": "keys", "description": "Who may come in."},
    {"name": "health", "description": "For whoever watches over the server."},
]
LEVELS = {
    caller: "read",
    readable: "read",
    writable: "write",
    admin: "admin",
    governed: "admin",
    target: "admin",
    whole: "admin, all spaces",
}
FIRST_ERROR = 400
CODES = (
    {400: "malformed", 413: TooLarge.code, 401: KeyNeeded.code, 421: Misaddressed.code, 500: "error"}
    | {status: code for _, status, code in reversed(TABLE)}
    | {403: NotAllowed.code}
)

Levels = Mapping[tuple[str, str], str]


def levels(routers: Iterable[APIRouter]) -> dict[tuple[str, str], str]:
    """The access that each path and method asks for."""
    routes = [route for router in routers for route in router.routes if isinstance(route, APIRoute)]
    return {(route.path, method.lower()): level(route) for route in routes for method in route.methods or ()}


def level(route: APIRoute) -> str:
    found = [LEVELS[call] for call in asked(route.dependant) if call in LEVELS]
    return max(found, key=list(LEVELS.values()).index, default="none")


def asked(dependant: Dependant) -> Iterator[object]:
    for one in dependant.dependencies:
        yield one.call
        yield from asked(one)


def described(schema: dict[str, Json], access: Levels) -> dict[str, Json]:
    known = schema["components"]["schemas"]
    known[Problem.__name__] = TypeAdapter(Problem).json_schema()
    for path, operations in schema["paths"].items():
        for method, operation in operations.items():
            operation["x-access"] = access.get((path, method), "none")
            show(operation.get("requestBody", {}).get("content", {}), known, whole=False)
            for status, answer in operation["responses"].items():
                if int(status) >= FIRST_ERROR:
                    as_problem(int(status), answer)
                show(answer.get("content", {}), known)
    return schema


def as_problem(status: int, answer: dict[str, Json]) -> None:
    """A problem has a media type of its own, whatever the route answers with otherwise."""
    if body := answer.get("content", {}).get(MEDIA):
        shown = problem(status, CODES.get(status, "error"), answer["description"])
        answer["content"] = {MEDIA: body | {"example": asdict(shown)}}


def show(content: dict[str, Json], known: Mapping[str, Json], *, whole: bool = True) -> None:
    """Puts an example beside every JSON schema: of the whole, or of what is worth saying."""
    for media, body in content.items():
        if media.endswith("json") and "schema" in body and "example" not in body and "examples" not in body:
            body["example"] = Example(known, whole).of(body["schema"])
