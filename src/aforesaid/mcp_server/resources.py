"""MCP resources: conversations, facts and the profile, and their URIs (`aforesaid://facts/ID?space=ann`)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import TYPE_CHECKING
from urllib.parse import parse_qsl, quote, unquote, urlencode, urlsplit

from aforesaid import looks_like_injection, neutralize, speaker_name
from aforesaid.errors import InvalidInput, NotFound
from aforesaid.mcp_server.caller import McpCaller
from aforesaid.mcp_server.passage import (
    NOTICE,
    MemoryPassage,
    PassageMask,
    fit_passages,
    one_line,
    passage_mask,
    quoted,
    render_passages,
)
from aforesaid.models.json import Json

if TYPE_CHECKING:
    from aforesaid.models.conversation import ConversationInfo
    from aforesaid.models.profile import Profile
    from aforesaid.space import Space

SCHEME = "aforesaid"
MARKDOWN = "text/markdown"
PAGE_SIZE = 50
PORTRAIT_TOKENS = 600
QUERY_NAMES = ("space", "before", "after")


@dataclass(frozen=True, slots=True)
class ResourceTemplate:
    name: str
    path: str
    title: str
    description: str

    @property
    def uri_template(self) -> str:
        return f"{SCHEME}://{self.path}"

    def listed(self) -> dict[str, Json]:
        return {"uriTemplate": self.uri_template, **self.described()}

    def described(self) -> dict[str, Json]:
        return {"name": self.name, "title": self.title, "description": self.description, "mimeType": MARKDOWN}


TEMPLATES = tuple(
    ResourceTemplate(*row)
    for row in (
        (
            "conversations",
            "conversations{?after,space}",
            "Conversations",
            "Names, titles and times of conversations. `after` is the last name of the previous page.",
        ),
        (
            "conversation",
            "conversations/{conversation}{?before,space}",
            "One conversation",
            "The last messages, oldest first. `before` is the number of a message, for earlier messages.",
        ),
        (
            "facts",
            "facts{?after,space}",
            "Facts",
            "Valid facts in the order in which they were added. `after` is the last id of the previous page.",
        ),
        ("fact", "facts/{fact}{?space}", "One fact", "A fact by its id, with its validity and its evidence."),
        (
            "about",
            "about{?space}",
            "About the person",
            "What is known of the person or the project, in 600 tokens: the profile, facts, and what they said.",
        ),
        (
            "profile",
            "profile{?space}",
            "Profile",
            "The profile of the person, if they consented. The audit records each read.",
        ),
    )
)
TEMPLATE_BY_NAME = {template.name: template for template in TEMPLATES}


@dataclass(frozen=True, slots=True)
class ResourceUri:
    """`name` is None for a list. `before` and `after` select a page."""

    noun: str
    name: str | None = None
    space: str | None = None
    before: str | None = None
    after: str | None = None

    def __str__(self) -> str:
        name = "" if self.name is None else f"/{quote(self.name, safe='')}"
        query = [(key, value) for key in QUERY_NAMES if (value := getattr(self, key)) is not None]
        return f"{SCHEME}://{self.noun}{name}" + (f"?{urlencode(query, quote_via=quote)}" if query else "")


def parse_uri(uri: str) -> ResourceUri:
    """Raises InvalidInput if this is not a URI of our resources."""
    try:
        parts = urlsplit(uri)
        query = parse_qsl(parts.query, keep_blank_values=True, strict_parsing=bool(parts.query), errors="strict")
        name = unquote(parts.path.removeprefix("/"), errors="strict")
    except ValueError as exc:
        raise InvalidInput(f"the URI {uri[:200]!r} cannot be parsed") from exc
    keys = {key for key, _ in query}
    if parts.scheme != SCHEME or parts.fragment or keys - set(QUERY_NAMES) or len(keys) < len(query):
        raise InvalidInput(_no_resource(uri))
    return ResourceUri(parts.netloc, name or None, **dict(query))


def _no_resource(uri: str) -> str:
    return f"there is no resource {uri[:200]!r}; list the resources and their templates"


def list_resources(caller: McpCaller, after: str | None) -> tuple[list[Json], str | None]:
    """Returns the lists of each space, and a page of conversations if there is one space. `after` is the cursor."""
    spaces = caller.spaces()
    if len(spaces) > 1:
        return [each for name in spaces for each in _list_resources(caller.space(name, "read"), named=True)], None
    space = caller.space(spaces[0], "read")
    infos = space.conversations(PAGE_SIZE + 1, after=after)
    mask = passage_mask(space)
    chats: list[Json] = [_conversation_resource(info, mask) for info in infos[:PAGE_SIZE]]
    cursor = infos[PAGE_SIZE - 1].id if len(infos) > PAGE_SIZE else None
    return (chats if after is not None else _list_resources(space, named=False) + chats), cursor


def _list_resources(space: Space, *, named: bool) -> list[Json]:
    nouns = ["about", "conversations", "facts", *(["profile"] if space.consent().granted else [])]
    name = space.id if named else None
    return [{"uri": str(ResourceUri(noun, space=name)), **TEMPLATE_BY_NAME[noun].described()} for noun in nouns]


def _conversation_resource(info: ConversationInfo, mask: PassageMask) -> Json:
    uri = str(ResourceUri("conversations", info.id))
    title = one_line(_title(info, mask))
    return {
        "uri": uri, "name": neutralize(info.id), "title": title, "description": _details(info), "mimeType": MARKDOWN
    }  # fmt: skip


@dataclass(frozen=True, slots=True)
class ResourceRequest:
    caller: McpCaller
    space: Space
    mask: PassageMask
    uri: ResourceUri


def read(caller: McpCaller, uri: str) -> str:
    """Returns the text of a resource, quoted. Raises NotFound if the space has no such resource."""
    parsed = parse_uri(uri)
    reader = READERS.get((parsed.noun, parsed.name is None))
    if reader is None:
        raise NotFound(_no_resource(uri))
    space = caller.space(parsed.space, "read")
    return reader(ResourceRequest(caller, space, passage_mask(space), parsed))


def _conversations(request: ResourceRequest) -> str:
    infos = request.space.conversations(PAGE_SIZE + 1, after=request.uri.after)
    lines = [_line(info, request.mask) for info in infos[:PAGE_SIZE]]
    more = replace(request.uri, after=infos[PAGE_SIZE - 1].id) if len(infos) > PAGE_SIZE else None
    return _page([NOTICE, "", *lines] if lines else ["There are no conversations yet."], more)


def _title(info: ConversationInfo, mask: PassageMask) -> str:
    """The title, else the id. One that reads like an instruction is written as in a URI."""
    title = mask.text(info.title) if info.title else info.id
    return quote(title) if looks_like_injection(title) else title


def _details(info: ConversationInfo) -> str:
    return f"{info.messages} messages, {info.status}, last {info.updated_at:%Y-%m-%d}"


def _line(info: ConversationInfo, mask: PassageMask) -> str:
    title = f" ({one_line(_title(info, mask))})" if info.title else ""
    return f"> {_shown_id(info)}{title}: {_details(info)}"


def _shown_id(info: ConversationInfo) -> str:
    return one_line(quote(info.id) if looks_like_injection(info.id) else info.id)


def _conversation(request: ResourceRequest) -> str:
    uri, mask = request.uri, request.mask
    chat = request.space.conversation(uri.name or "")
    info = chat.info()
    messages = chat.messages(PAGE_SIZE, before=None if uri.before is None else _number(uri.before))
    passages = fit_passages(mask.message(message) for message in reversed(messages))
    first = messages[-len(passages)] if passages else None
    more = replace(uri, before=str(first.seq)) if first is not None and first.seq > 0 else None
    head = f"# {_shown_id(info)}\n\n{_details(info)}. {NOTICE}"  # the title is another person's words
    return _page([head, render_passages(passages[::-1])], more, "\n\n")


def _facts(request: ResourceRequest) -> str:
    facts = request.space.facts(PAGE_SIZE + 1, after=request.uri.after)
    more = replace(request.uri, after=facts[PAGE_SIZE - 1].id) if len(facts) > PAGE_SIZE else None
    passages = tuple(request.mask.fact(fact) for fact in facts[:PAGE_SIZE])
    return _page([NOTICE, render_passages(passages)] if passages else ["There are no facts yet."], more, "\n\n")


def _fact(request: ResourceRequest) -> str:
    fact, mask = request.space.fact(request.uri.name or ""), request.mask
    validity = f"{fact.kind}, {fact.status}" + _bound(fact.valid_from, "from") + _bound(fact.valid_until, "until")
    evidence = fit_passages(
        mask.passage(
            MemoryPassage("message", e.message_id, e.quote, speaker_name(e.speaker, "user"), e.said_at, e.conversation)
        )
        for e in fact.evidence
    )
    validity += "" if fact.reason is None else f"; reason: {mask.text(fact.reason)}"
    edited = "" if all(each.supports for each in fact.evidence) else "The fact was edited: this no longer says it."
    parts = (NOTICE, render_passages([mask.fact(fact)]), validity, edited, render_passages(evidence))
    return "\n\n".join(part for part in parts if part)


def _about(request: ResourceRequest) -> str:
    return about_text(request.space, request.caller, PORTRAIT_TOKENS)


def about_text(space: Space, caller: McpCaller, tokens: int) -> str:
    return space.about(tokens, by=caller.actor).text or "Nothing is known yet."


def _profile(request: ResourceRequest) -> str:
    return profile_text(request.space.profile(by=request.caller.actor), request.mask)


def profile_text(profile: Profile, mask: PassageMask) -> str:
    if not profile.consent:
        return "The person has not consented to a profile; there is none."
    fields = [f"{field.name}: {field.value} ({field.source}, {field.set_at:%Y-%m-%d})" for field in profile.fields]
    lines = [*fields, *([profile.text] if profile.text else [])]
    return f"{NOTICE}\n\n" + (quoted(mask.text("\n".join(lines))) if lines else "The profile is empty.")


def _bound(at: datetime | None, word: str) -> str:
    return "" if at is None else f", true {word} {at:%Y-%m-%d}"


def _number(text: str) -> int:
    if not text.isascii() or not text.isdigit():
        raise InvalidInput("`before` must be the number of a message")
    return int(text)


def _page(parts: Sequence[str], more: ResourceUri | None, separator: str = "\n") -> str:
    return separator.join((*parts, *([f"\nMore: {more}"] if more else [])))


ResourceReader = Callable[[ResourceRequest], str]
READERS: Mapping[tuple[str, bool], ResourceReader] = {  # by noun; True: the list
    ("conversations", True): _conversations,
    ("conversations", False): _conversation,
    ("facts", True): _facts,
    ("facts", False): _fact,
    ("profile", True): _profile,
    ("about", True): _about,
}
