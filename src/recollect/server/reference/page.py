"""The description as a page: no script, nothing from elsewhere."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from html import escape

from recollect.models import Json
from recollect.server.reference.curl import curl
from recollect.server.reference.words import marked, typed

STYLE = "/docs.css"
METHODS = ("get", "post", "put", "patch", "delete")

Operation = Mapping[str, Json]


def page(schema: Mapping[str, Json], base: str) -> str:
    """Every call by its noun: what it does, what it takes, what it answers, and how to try it."""
    nouns = by_noun(schema)
    links = "".join(f'<a href="#{anchor(noun)}">{escape(noun)}</a>' for noun in nouns)
    told = {tag["name"]: tag.get("description", "") for tag in schema.get("tags", ())}
    sections = "".join(section(noun, told.get(noun, ""), calls, base) for noun, calls in nouns.items())
    info = schema["info"]
    return (
        f'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{escape(info["title"])} REST API</title>'
        f'<meta name="viewport" content="width=device-width"><link rel="stylesheet" href="{STYLE}"></head><body>'
        f"<header><h1>{escape(info['title'])} <small>{escape(info['version'])}</small></h1>"
        f'{marked(info.get("description", ""))}<p>For programs: <a href="/openapi.json">openapi.json</a></p></header>'
        f"<nav>{links}</nav><main>{sections}</main></body></html>"
    )


def by_noun(schema: Mapping[str, Json]) -> dict[str, list[tuple[str, str, Operation]]]:
    """The calls of each tag; tags in the order that the description gives them."""
    found: dict[str, list[tuple[str, str, Operation]]] = {tag["name"]: [] for tag in schema.get("tags", ())}
    for path, operations in schema["paths"].items():
        for method in METHODS:
            if method in operations:
                noun = operations[method].get("tags", ["other"])[0]
                found.setdefault(noun, []).append((method, path, operations[method]))
    return {noun: calls for noun, calls in found.items() if calls}


def section(noun: str, told: str, calls: list[tuple[str, str, Operation]], base: str) -> str:
    articles = "".join(article(method, path, operation, base) for method, path, operation in calls)
    return f'<section id="{anchor(noun)}"><h2>{escape(noun)}</h2>{marked(told)}{articles}</section>'


def article(method: str, path: str, operation: Operation, base: str) -> str:
    return (
        f'<article id="{escape(operation["operationId"])}">'
        f'<h3><span class="method {method}">{method.upper()}</span> <code>{escape(path)}</code>'
        f'<span class="access">{escape(operation.get("x-access", ""))}</span></h3>'
        f"{marked(operation.get('description', ''))}"
        f"{parameters(operation)}{body(operation)}"
        f"<h4>Try it</h4><pre class=try>{escape(curl(method, path, operation, base))}</pre>"
        f"{answers(operation)}</article>"
    )


def parameters(operation: Operation) -> str:
    rows = "".join(
        f"<tr><td><code>{escape(one['name'])}</code></td><td>{escape(one['in'])}</td>"
        f"<td>{escape(typed(one.get('schema', {})))}{' *' if one.get('required') else ''}</td>"
        f"<td>{marked(one.get('description', ''))}</td></tr>"
        for one in operation.get("parameters", ())
    )
    head = "<tr><th>parameter</th><th>in</th><th>type</th><th>what</th></tr>"
    return f"<table>{head}{rows}</table>" if rows else ""


def body(operation: Operation) -> str:
    return "".join(
        f"<h4>Body <small>{escape(media)}</small></h4>{shown(content)}"
        for media, content in operation.get("requestBody", {}).get("content", {}).items()
    )


def answers(operation: Operation) -> str:
    good = [(status, one) for status, one in operation["responses"].items() if int(status) < 400]
    bad = [(status, one) for status, one in operation["responses"].items() if int(status) >= 400]
    shows = "".join(
        f"<h4>Answer {escape(status)}</h4>{shown(content)}"
        for status, one in good
        for content in one.get("content", {}).values()
    )
    rows = "".join(f"<tr><td>{escape(status)}</td><td>{marked(one['description'])}</td></tr>" for status, one in bad)
    return f"{shows}<details><summary>Errors</summary><table>{rows}</table></details>"


def shown(content: Mapping[str, Json]) -> str:
    if "example" not in content:
        return ""
    return f"<pre>{escape(json.dumps(content['example'], ensure_ascii=False, indent=2))}</pre>"


def anchor(noun: str) -> str:
    return escape("".join(letters(noun)))


def letters(noun: str) -> Iterator[str]:
    yield from (one if one.isalnum() else "-" for one in noun)
