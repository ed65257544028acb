"""Writes what the REST API takes and answers as TypeScript, for the page and the client. `--check` only compares."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from aforesaid import Memory
from aforesaid.server.app import make_app
from aforesaid.server.reference.openapi import resolve_parts

ROOT = Path(__file__).parent.parent
FILES = (ROOT / "web/src/api/schema.ts", ROOT / "clients/typescript/src/schema.ts")
HEAD = "// Written by tools/page_types.py from the server's own description. `make types` renews it.\n"
PREFIX = "/api/memory"
PLAIN = {"string": "string", "integer": "number", "number": "number", "boolean": "boolean", "null": "null"}
Schema = Mapping[str, Any]


def written() -> str:
    with Memory(":memory:", worker=False, environment={}) as memory:
        api = resolve_parts(make_app(memory).openapi())
    schemas: dict[str, Any] = api["components"]["schemas"]
    paths: dict[str, Any] = api["paths"]
    sent = set(reached(schemas, [one for _, _, operation in operations(paths) for one in bodies(operation)]))
    lines = [HEAD]
    for name, schema in sorted(schemas.items()):
        lines.append(f"export type {short(name)} = {shape(schema, loose=name in sent)};\n")
    lines.append("export interface Operations {")
    lines += [operation_line(method, path, operation) for method, path, operation in operations(paths)]
    lines.append("}\n")
    return "\n".join(lines)


def operations(paths: Mapping[str, Any]) -> Iterator[tuple[str, str, Schema]]:
    for path, methods in sorted(paths.items()):
        for method, operation in methods.items():
            if path.startswith("/api/"):
                yield method.upper(), path, operation


def bodies(operation: Schema) -> list[Schema]:
    content = operation.get("requestBody", {}).get("content", {})
    return [one["schema"] for kind, one in content.items() if kind == "application/json"]


def reached(schemas: Schema, found: list[Schema]) -> Iterator[str]:
    """The names of all schemas that these are made of."""
    seen: set[str] = set()
    while found:
        one = found.pop()
        name = one["$ref"].rpartition("/")[2] if "$ref" in one else None
        if name is not None and name not in seen:
            seen.add(name)
            found.append(schemas[name])
            yield name
        found += [value for value in below(one) if isinstance(value, Mapping)]


def below(schema: Schema) -> Iterator[Any]:
    yield from schema.get("properties", {}).values()
    yield from (*schema.get("anyOf", ()), *schema.get("oneOf", ()), *schema.get("prefixItems", ()))
    yield from (schema.get("items"), schema.get("additionalProperties"))


def operation_line(method: str, path: str, operation: Schema) -> str:
    places: dict[str, dict[str, str]] = {"path": {}, "query": {}}
    for given in operation.get("parameters", ()):
        if given["in"] in places and given["name"] != "space":
            needed = given.get("required")
            kind = shape(given["schema"]) if needed else f"{shape(given['schema'])} | null"  # null is left out
            places[given["in"]][given["name"]] = f"{quoted(given['name'])}{'' if needed else '?'}: {kind}"
    taken = " | ".join(shape(one) for one in bodies(operation)) or "undefined"
    told = [f"{place}: {{ {'; '.join(given.values())} }}" for place, given in places.items()]
    short_path = path.removeprefix(PREFIX) or "/"
    mark = "  /** @deprecated */\n" if operation.get("deprecated") else ""
    return f'{mark}  "{method} {short_path}": {{ {"; ".join(told)}; body: {taken}; answer: {answer(operation)} }};'


def answer(operation: Schema) -> str:
    for status in ("200", "201"):
        content = operation["responses"].get(status, {}).get("content", {})
        if "application/json" in content:
            return shape(content["application/json"].get("schema", {}))
    return "undefined"


def shape(schema: Schema, *, loose: bool = True) -> str:
    """A schema as a type. In what is only answered (not `loose`) every field is there."""
    if "$ref" in schema:
        return short(schema["$ref"].rpartition("/")[2])
    if "enum" in schema or "const" in schema:
        return " | ".join(literal(value) for value in schema.get("enum", [schema.get("const")]))
    if "anyOf" in schema or "oneOf" in schema:
        ways = schema.get("anyOf", schema.get("oneOf"))
        return " | ".join(dict.fromkeys(shape(one, loose=loose) for one in ways))
    return composed(schema, loose)


def composed(schema: Schema, loose: bool) -> str:
    if "prefixItems" in schema:
        return f"[{', '.join(shape(one, loose=loose) for one in schema['prefixItems'])}]"
    if schema.get("type") == "array":
        return f"({shape(schema.get('items', {}), loose=loose)})[]"
    if schema.get("type") == "object":
        return fields(schema, loose)
    return PLAIN.get(schema.get("type", ""), "unknown")


def fields(schema: Schema, loose: bool) -> str:
    if "properties" not in schema:
        rest = schema.get("additionalProperties", True)
        return f"{{ [name: string]: {shape(rest, loose=loose) if isinstance(rest, Mapping) else 'unknown'} }}"
    needed = schema.get("required", ())
    told = []
    for name, one in schema["properties"].items():
        mark = "?" if loose and name not in needed else ""
        told.append(f"  {quoted(name)}{mark}: {shape(one, loose=loose)};")
    return "{\n" + "\n".join(told) + "\n}"


def literal(value: object) -> str:
    return f'"{value}"' if isinstance(value, str) else str(value).lower()


def quoted(name: str) -> str:
    return name if name.isidentifier() else f'"{name}"'


def short(name: str) -> str:
    """`aforesaid__server__routes__facts__Edited`, as a name that two modules use, is FactsEdited."""
    return "".join(piece[:1].upper() + piece[1:] for piece in name.split("__")[-2:])


def main() -> None:
    now = written()
    for file in FILES:
        if "--check" not in sys.argv:
            file.write_text(now, "utf-8")
        elif file.read_text("utf-8") != now:
            raise SystemExit(f"{file} is not what the server says: renew it with `make types`")


if __name__ == "__main__":
    main()
