"""Writes the parts of the reference that come from the code: `make reference`. `--check` only compares.

- `docs/reference/methods.md`: every public method, from its signature, its docstring and `aforesaid.verbs`
- the tables of methods in `docs/reference/api.md`, which lead there
- the table of settings in `docs/reference/settings.md`, from `aforesaid.settings`

A generated part stands between `<!-- written by make reference: NAME -->` and `<!-- end -->`.
"""

from __future__ import annotations

import inspect
import re
import sys
import textwrap
from collections.abc import Callable, Iterator, Mapping

from aforesaid import Conversation, Items, Memory, Space
from aforesaid.settings import SETTING_DEFINITIONS, SettingDefinition, SettingValue
from aforesaid.verbs import VERBS, Exclusion, Interfaces
from tools.docs.pages import DOCS, slug_of

REFERENCE = DOCS / "reference"
CLASSES: Mapping[str, tuple[type, str]] = {
    "Memory": (Memory, "mem"),
    "Space": (Space, "space"),
    "Conversation": (Conversation, "chat"),
    "Items": (Items, "items"),
}
# Where to read more about a method, beside its own docstring.
GUIDES: Mapping[str, str] = {
    "Memory.backup": "../howto/backup.md",
    "Memory.copy_to": "../howto/scale.md",
    "Memory.create_key": "../howto/serve.md",
    "Memory.doctor": "../howto/repair.md",
    "Memory.recall": "../howto/recall.md#search-several-spaces",
    "Memory.rekey": "../howto/encrypt.md",
    "Memory.restore": "../howto/backup.md",
    "Memory.verify_erasure": "../howto/forget.md",
    "Memory.watch": "../howto/live.md",
    "Space.consolidate": "../howto/consolidate.md",
    "Space.episodes": "../howto/episodes.md",
    "Space.export": "../howto/move.md",
    "Space.facts": "../howto/facts.md",
    "Space.feedback": "../howto/recall.md#give-feedback",
    "Space.forget": "../howto/forget.md",
    "Space.hold": "../howto/retention.md#holds",
    "Space.import_chats": "../howto/import.md",
    "Space.items": "../howto/items.md",
    "Space.learn": "../howto/records.md",
    "Space.profile": "../howto/privacy.md",
    "Space.recall": "api.md#recall-options",
    "Space.remember": "../howto/facts.md",
    "Space.why": "../howto/context.md#ask-why-or-why-not",
    "Conversation.add": "../howto/messages.md",
    "Conversation.context": "../howto/context.md",
    "Conversation.expire": "../howto/retention.md",
    "Conversation.fork": "../howto/branches.md",
    "Conversation.mute": "../howto/privacy.md#a-conversation-that-stays-apart",
    "Conversation.pop": "../howto/messages.md#remove-and-replace",
    "Conversation.recall": "api.md#recall-options",
    "Conversation.reply": "../howto/chat.md",
    "Conversation.summaries": "../howto/summaries.md",
    "Items.search": "../howto/items.md",
}
PART = re.compile(r"(<!-- written by make reference: (\w+) -->\n).*?(<!-- end -->)", re.DOTALL)
WIDE = 100  # characters of a signature in one line
INTRODUCTION = """# Methods

Every public method, from its signature and docstring, with the REST operations, the command and the MCP tool that do
the same. REST paths are below `/api/memory` unless they begin with `/api`. `AsyncMemory`, `AsyncSpace`,
`AsyncConversation` and `AsyncItems` have the same methods with `await`. [The API](api.md) has the constructor, the
options, the values and the errors.

<!-- written by make reference -->
"""


def main() -> None:
    if "--check" not in sys.argv:
        print("\n".join(f"written anew: {name}" for name in write()) or "nothing has changed")
    elif stale := list(changed()):
        sys.exit(f"run `make reference`: {', '.join(stale)} differs from the code")


def write() -> list[str]:
    """Writes what has changed, and returns the names of these pages."""
    changes = changed()
    for name, text in changes.items():
        (REFERENCE / name).write_text(text, "utf-8")
    return list(changes)


def changed() -> dict[str, str]:
    """The pages whose generated parts differ from the code, as they are to be."""
    parts = {**{name: methods_table(name) for name in CLASSES}, "settings": settings_table()}
    wanted = {"methods.md": methods_page()}
    for name in ("api.md", "settings.md"):
        text = (REFERENCE / name).read_text("utf-8")
        wanted[name] = PART.sub(lambda found: f"{found[1]}{parts[found[2]]}\n{found[3]}", text)
    return {name: text for name, text in wanted.items() if text != current(name)}


def current(name: str) -> str | None:
    page = REFERENCE / name
    return page.read_text("utf-8") if page.exists() else None


def methods_page() -> str:
    lines = [INTRODUCTION]
    for name, (kind, variable) in CLASSES.items():
        lines += [f"## {name}\n", f"{paragraphs(kind)[0]}\n"]
        for verb, interfaces in VERBS[name].items():
            method = getattr(kind, verb)
            shown = name if is_called_on_class(kind, verb) else variable
            lines += [f"### {shown}.{verb}\n", f"```py\n{call(f'{shown}.{verb}', method)}\n```\n"]
            said = [*paragraphs(method), *options(method), *elsewhere(f"{name}.{verb}", interfaces)]
            lines += [f"{textwrap.fill(text, 120, break_long_words=False, break_on_hyphens=False)}\n" for text in said]
    return "\n".join([*lines, "<!-- end -->", ""])


def is_called_on_class(kind: type, verb: str) -> bool:
    return isinstance(inspect.getattr_static(kind, verb), classmethod | staticmethod)


def paragraphs(documented: object) -> list[str]:
    text = inspect.getdoc(documented) or ""
    return [" ".join(paragraph.split()) for paragraph in text.split("\n\n")]


def call(name: str, method: Callable[..., object]) -> str:
    """The signature as it is written in Python, over several lines if it is long."""
    signature = inspect.signature(method)
    parameters = list(shown_parameters(signature))
    result = str(signature.return_annotation).strip("'")
    line = f"{name}({', '.join(parameters)}) -> {result}"
    if len(line) <= WIDE:
        return line
    return "\n".join([f"{name}(", *(f"    {parameter}," for parameter in parameters), f") -> {result}"])


def shown_parameters(signature: inspect.Signature) -> Iterator[str]:
    starred = False
    for name, parameter in signature.parameters.items():
        if name == "self":
            continue
        if parameter.kind is parameter.KEYWORD_ONLY and not starred:
            starred = True
            yield "*"
        if parameter.kind is parameter.VAR_POSITIONAL:
            starred = True
        yield re.sub(r"'([^']*)'", r"\1", str(parameter), count=1).replace("'", '"').replace("Ellipsis", "...")


def options(method: Callable[..., object]) -> Iterator[str]:
    """The names of the keyword arguments that a type describes."""
    for parameter in inspect.signature(method).parameters.values():
        if found := re.search(r"Unpack\[(\w+)\]", str(parameter.annotation)):
            keys = inspect.getmodule(method).__dict__[found[1]].__annotations__
            yield f"`{found[1]}` has {', '.join(f'`{key}`' for key in keys)}."


def elsewhere(name: str, interfaces: Interfaces) -> Iterator[str]:
    offered = []
    if not isinstance(interfaces.rest, Exclusion):
        offered.append("REST: " + ", ".join(f"`{operation}`" for operation in interfaces.rest.split(", ")))
    if not isinstance(interfaces.cli, Exclusion):
        command = interfaces.cli.partition(" --")[0]
        offered.append(f"Command: [`aforesaid {interfaces.cli}`](cli.md#aforesaid-{command.split()[0]})")
    if not isinstance(interfaces.mcp, Exclusion):
        offered.append(f"MCP: [`{interfaces.mcp}`](mcp.md#tools)")
    if name in GUIDES:
        offered.append(f"[Guide]({GUIDES[name]})")
    if offered:
        yield " · ".join(offered)


def methods_table(name: str) -> str:
    """The methods of a class with the first sentence about each, and a link to the rest."""
    kind, variable = CLASSES[name]
    rows = ["| method | description |", "|---|---|"]
    for property_name, found in inspect.getmembers(kind, lambda member: isinstance(member, property)):
        if not property_name.startswith("_") and property_name != "engine":  # internal
            rows.append(f"| `{variable}.{property_name}` | {first_sentence(found)} |")
    for verb in VERBS[name]:
        shown = name if is_called_on_class(kind, verb) else variable
        method = getattr(kind, verb)
        arguments = "…" if len(inspect.signature(method).parameters) > (shown == variable) else ""
        anchor = slug_of(f"{shown}.{verb}")
        rows.append(f"| [`{shown}.{verb}({arguments})`](methods.md#{anchor}) | {first_sentence(method)} |")
    return "\n".join(rows)


def first_sentence(documented: object) -> str:
    text = paragraphs(documented)[0]
    return re.split(r"(?<=[.:])\s+(?=[A-Z`])", text)[0].rstrip(":").replace("|", r"\|")


def settings_table() -> str:
    rows = ["| setting | default | environment | alias | meaning |", "|---|---|---|---|---|"]
    return "\n".join([*rows, *(setting_row(row) for row in SETTING_DEFINITIONS)])


def setting_row(row: SettingDefinition) -> str:
    alias = f"`{row.alias}`" if row.alias else ""
    return f"| `{row.name}` | {shown(row.default)} | `{row.variable}` | {alias} | {row.help.rstrip('.')}{limits(row)} |"


def shown(value: SettingValue) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def limits(row: SettingDefinition) -> str:
    if row.choices:
        return f" ({', '.join(f'`{choice}`' for choice in row.choices)})"
    if row.longest:
        return f" (at most {row.longest:,} characters)"
    if row.least is not None and row.most is not None:
        return f" ({row.least:,} to {row.most:,})"
    return ""


if __name__ == "__main__":
    main()
