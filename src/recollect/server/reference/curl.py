"""A call as somebody would type it."""

from __future__ import annotations

import json
import shlex
from collections.abc import Mapping
from urllib.parse import quote, urlencode

from recollect.models import Json
from recollect.server.reference.example import Example

NAMES = {"conversation": "trip", "name": "alice"}


def curl(method: str, path: str, operation: Mapping[str, Json], base: str) -> str:
    """One line. What must be said is said, with the examples of the description; the rest is left out."""
    words = ["curl", *([] if method == "get" else ["-X", method.upper()]), base + filled(path, operation)]
    if operation.get("security"):
        words += ["-H", "Authorization: Bearer $RECOLLECT_KEY"]
    for media, body in operation.get("requestBody", {}).get("content", {}).items():
        words += ["-H", f"Content-Type: {media}", *sent(body)]
    answered = operation["responses"].get("200", {}).get("content", {}).values()
    if any(body.get("schema", {}).get("format") == "binary" for body in answered):
        words += ["-o", "FILE"]
    return " ".join(map(quoted, words))


def sent(body: Mapping[str, Json]) -> list[str]:
    if "example" not in body:
        return ["--data-binary", "@FILE"]
    return ["-d", json.dumps(body["example"], ensure_ascii=False)]


def filled(path: str, operation: Mapping[str, Json]) -> str:
    needed: dict[str, Json] = {}
    for parameter in operation.get("parameters", ()):
        value = shown(parameter)
        if parameter["in"] == "path":
            path = path.replace(f"{{{parameter['name']}}}", quote(str(value), safe=""))
        elif parameter.get("required") and parameter["in"] == "query":
            needed[parameter["name"]] = value
    return f"{path}?{urlencode(needed)}" if needed else path


def shown(parameter: Mapping[str, Json]) -> Json:
    schema = parameter.get("schema", {})
    if schema.get("examples") or parameter.get("example") is not None:
        return parameter.get("example") or schema["examples"][0]
    plain = Example({}).of(schema)
    return NAMES.get(parameter["name"], parameter["name"].upper()) if plain == "text" else plain


def quoted(word: str) -> str:
    """For a shell; a variable stays one."""
    return f'"{word}"' if "$" in word and "{" not in word else shlex.quote(word)
