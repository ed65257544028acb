"""The words of a description as HTML, and a schema's type as a word."""

from __future__ import annotations

import re
from collections.abc import Mapping
from html import escape

from recollect.models import Json

CODE = re.compile(r"`([^`\n]+)`")


def marked(text: str) -> str:
    """Paragraphs; what stands in backticks is code. Everything else is text."""
    parts = [CODE.sub(r"<code>\1</code>", escape(part)) for part in text.split("\n\n") if part.strip()]
    return "".join(f"<p>{part}</p>" for part in parts)


def typed(schema: Mapping[str, Json]) -> str:
    """As in `integer`, `read | write`, `list of string`."""
    if "anyOf" in schema:
        return " | ".join(dict.fromkeys(typed(one) for one in schema["anyOf"] if one.get("type") != "null"))
    if "enum" in schema:
        return " | ".join(map(str, schema["enum"]))
    if "const" in schema:
        return str(schema["const"])
    if schema.get("type") == "array":
        return f"list of {typed(schema.get('items', {}))}"
    return str(schema.get("type", schema.get("$ref", "value").rpartition("/")[2]))
