"""Renders the OpenAPI document as an HTML page, without scripts and without external resources."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from html import escape

from aforesaid.models.json import Json
from aforesaid.server.reference.examples import curl

BACKTICKS = re.compile(r"`([^`\n]+)`")
STYLESHEET = "/docs.css"
METHODS = ("get", "post", "put", "patch", "delete")

Operation = Mapping[str, Json]
Operations = list[tuple[str, str, Operation]]


def to_html(text: str) -> str:
    """Renders paragraphs and backticks; escapes everything else."""
    parts = [BACKTICKS.sub(r"<code>\1</code>", escape(part)) for part in text.split("\n\n") if part.strip()]
    return "".join(f"<p>{part}</p>" for part in parts)


def type_name(schema: Mapping[str, Json]) -> str:
    """Returns for example `integer`, `read | write`, `list of string`."""
    if "anyOf" in schema:
        return " | ".join(dict.fromkeys(type_name(each) for each in schema["anyOf"] if each.get("type") != "null"))
    if "enum" in schema:
        return " | ".join(map(str, schema["enum"]))
    if "const" in schema:
        return str(schema["const"])
    if schema.get("type") == "array":
        return f"list of {type_name(schema.get('items', {}))}"
    return str(schema.get("type", schema.get("$ref", "value").rpartition("/")[2]))


def render_page(schema: Mapping[str, Json], base: str) -> str:
    """Renders each operation by its tag: description, parameters, body, an example command, and responses."""
    tags = operations_by_tag(schema)
    links = "".join(f'<a href="#{anchor(tag)}">{escape(tag)}</a>' for tag in tags)
    descriptions = {tag["name"]: tag.get("description", "") for tag in schema.get("tags", ())}
    sections = "".join(
        f'<section id="{anchor(tag)}"><h2>{escape(tag)}</h2>{to_html(descriptions.get(tag, ""))}'
        f"{''.join(operation_html(*operation, base) for operation in operations)}</section>"
        for tag, operations in tags.items()
    )
    info = schema["info"]
    return (
        f'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{escape(info["title"])} REST API</title>'
        f'<meta name="viewport" content="width=device-width"><link rel="stylesheet" href="{STYLESHEET}"></head><body>'
        f"<header><h1>{escape(info['title'])} <small>{escape(info['version'])}</small></h1>"
        f'{to_html(info.get("description", ""))}<p>For programs: <a href="/openapi.json">openapi.json</a></p></header>'
        f"<nav>{links}</nav><main>{sections}</main></body></html>"
    )


def operations_by_tag(schema: Mapping[str, Json]) -> dict[str, Operations]:
    """Groups the operations by tag, in the order of the document's tags."""
    tags: dict[str, Operations] = {tag["name"]: [] for tag in schema.get("tags", ())}
    for path, operations in schema["paths"].items():
        for method in METHODS:
            if method in operations:
                tag = operations[method].get("tags", ["other"])[0]
                tags.setdefault(tag, []).append((method, path, operations[method]))
    return {tag: operations for tag, operations in tags.items() if operations}


def operation_html(method: str, path: str, operation: Operation, base: str) -> str:
    return (
        f'<article id="{escape(operation["operationId"])}">'
        f'<h3><span class="method {method}">{method.upper()}</span> <code>{escape(path)}</code>'
        f'<span class="access">{escape(operation.get("x-access", ""))}</span></h3>'
        f"{to_html(operation.get('description', ''))}"
        f"{parameters_html(operation)}{body_html(operation)}"
        f"<h4>Try it</h4><pre class=try>{escape(curl(method, path, operation, base))}</pre>"
        f"{responses_html(operation)}</article>"
    )


def parameters_html(operation: Operation) -> str:
    rows = "".join(
        f"<tr><td><code>{escape(parameter['name'])}</code></td><td>{escape(parameter['in'])}</td>"
        f"<td>{escape(type_name(parameter.get('schema', {})))}{' *' if parameter.get('required') else ''}</td>"
        f"<td>{to_html(parameter.get('description', ''))}</td></tr>"
        for parameter in operation.get("parameters", ())
    )
    head = "<tr><th>parameter</th><th>in</th><th>type</th><th>description</th></tr>"
    return f"<table>{head}{rows}</table>" if rows else ""


def body_html(operation: Operation) -> str:
    return "".join(
        f"<h4>Body <small>{escape(media)}</small></h4>{example_html(content)}"
        for media, content in operation.get("requestBody", {}).get("content", {}).items()
    )


def responses_html(operation: Operation) -> str:
    shows = rows = ""
    for status, response in operation["responses"].items():
        if status < "400":
            for content in response.get("content", {}).values():
                shows += f"<h4>Response {escape(status)}</h4>{example_html(content)}"
        else:
            rows += f"<tr><td>{escape(status)}</td><td>{to_html(response['description'])}</td></tr>"
    return f"{shows}<details><summary>Errors</summary><table>{rows}</table></details>"


def example_html(content: Mapping[str, Json]) -> str:
    if "example" not in content:
        return ""
    return f"<pre>{escape(json.dumps(content['example'], ensure_ascii=False, indent=2))}</pre>"


def anchor(tag: str) -> str:
    return escape("".join(letter if letter.isalnum() else "-" for letter in tag))
