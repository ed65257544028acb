"""What can be attached to a chat: conversations, facts and the profile."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from mcp_types import Resource, ResourceTemplate

from recollect.errors import InvalidInput, NotFound
from recollect.mcp_server.address import SCHEME, Address, parse
from recollect.mcp_server.caller import Caller
from recollect.mcp_server.passage import NOTICE, Passage, fitting, of_fact, of_message, plain, quoted, shown
from recollect.mcp_server.veil import Veil, veil_of
from recollect.models import ConversationInfo, Profile
from recollect.space import Space

MARKDOWN = "text/markdown"
PAGE = 50
TEMPLATES = (
    ResourceTemplate(
        uri_template=f"{SCHEME}://conversations{{?after,space}}",
        name="conversations",
        title="Conversations",
        description="What was talked about: names, titles and times; `after` is the last name of the page before.",
        mime_type=MARKDOWN,
    ),
    ResourceTemplate(
        uri_template=f"{SCHEME}://conversations/{{conversation}}{{?before,space}}",
        name="conversation",
        title="One conversation",
        description="Its last messages, oldest first; `before` is the number of a message, for earlier ones.",
        mime_type=MARKDOWN,
    ),
    ResourceTemplate(
        uri_template=f"{SCHEME}://facts{{?after,space}}",
        name="facts",
        title="Facts",
        description="What is held true, in the order it was noted; `after` is the last id of the page before.",
        mime_type=MARKDOWN,
    ),
    ResourceTemplate(
        uri_template=f"{SCHEME}://facts/{{fact}}{{?space}}",
        name="fact",
        title="One fact",
        description="A fact by its id: since when it is true, and the words that say it.",
        mime_type=MARKDOWN,
    ),
    ResourceTemplate(
        uri_template=f"{SCHEME}://profile{{?space}}",
        name="profile",
        title="Profile",
        description="What is known of the person, where they agreed to that. Reading it is noted in the audit.",
        mime_type=MARKDOWN,
    ),
)
PLACES = {template.name: template for template in TEMPLATES}


def listed(caller: Caller, after: str | None) -> tuple[list[Resource], str | None]:
    """The lists and, where it is clear which space is meant, its conversations by pages. `after` is the cursor."""
    spaces = caller.spaces()
    if len(spaces) > 1:
        return [one for name in spaces for one in _lists(caller.space(name, "read"), named=True)], None
    space = caller.space(spaces[0], "read")
    found = space.conversations(PAGE + 1, after=after)
    veil = veil_of(space)
    chats = [_chat(info, veil) for info in found[:PAGE]]
    cursor = found[PAGE - 1].id if len(found) > PAGE else None
    return (chats if after is not None else _lists(space, named=False) + chats), cursor


def _lists(space: Space, *, named: bool) -> list[Resource]:
    nouns = ["conversations", "facts", *(["profile"] if space.consent().granted else [])]
    return [
        Resource(
            uri=str(Address(noun, space=space.id if named else None)),
            name=noun,
            title=PLACES[noun].title,
            description=PLACES[noun].description,
            mime_type=MARKDOWN,
        )
        for noun in nouns
    ]


def _chat(info: ConversationInfo, veil: Veil) -> Resource:
    address = str(Address("conversations", info.id))
    title = plain(_title(info, veil))
    return Resource(uri=address, name=info.id, title=title, description=_about(info), mime_type=MARKDOWN)


def _about(info: ConversationInfo) -> str:
    return f"{info.messages} messages, {info.status}, last {info.updated_at:%Y-%m-%d}"


def read(caller: Caller, uri: str) -> str:
    """The text of a resource, quoted. NotFound where there is none in this space."""
    address = parse(uri)
    kind = READERS.get((address.noun, address.name is None))
    if kind is None:
        raise NotFound(f"there is nothing at {uri[:200]!r}; resources are listed, and so are their templates")
    space = caller.space(address.space, "read")
    return kind(Page(caller, space, veil_of(space), address))


@dataclass(frozen=True, slots=True)
class Page:
    """What is read, by whom, and how it is masked."""

    caller: Caller
    space: Space
    veil: Veil
    address: Address


def _conversations(page: Page) -> str:
    address = page.address
    found = page.space.conversations(PAGE + 1, after=address.after)
    lines = [_line(info, page.veil) for info in found[:PAGE]]
    more = replace(address, after=found[PAGE - 1].id) if len(found) > PAGE else None
    return _page(lines or ["There are no conversations yet."], more)


def _title(info: ConversationInfo, veil: Veil) -> str:
    return veil.text(info.title) if info.title else info.id


def _line(info: ConversationInfo, veil: Veil) -> str:
    title = f" ({plain(_title(info, veil))})" if info.title else ""
    return f"- {plain(info.id)}{title}: {_about(info)}"


def _conversation(page: Page) -> str:
    address, veil = page.address, page.veil
    chat = page.space.conversation(address.name or "")
    info = chat.info()
    before = None if address.before is None else _number(address.before)
    found = chat.messages(PAGE, before=before)
    kept = fitting(veil.passage(of_message(message)) for message in reversed(found))
    first = found[-len(kept)] if kept else None
    more = replace(address, before=str(first.seq)) if first is not None and first.seq > 0 else None
    head = f"# {plain(_title(info, veil))}\n\n{_about(info)}. {NOTICE}"
    return _page([head, shown(kept[::-1])], more, "\n\n")


def _facts(page: Page) -> str:
    address = page.address
    found = page.space.facts(PAGE + 1, after=address.after)
    more = replace(address, after=found[PAGE - 1].id) if len(found) > PAGE else None
    kept = tuple(page.veil.passage(of_fact(fact)) for fact in found[:PAGE])
    return _page([NOTICE, shown(kept)] if kept else ["There are no facts yet."], more, "\n\n")


def _fact(page: Page) -> str:
    fact, veil = page.space.fact(page.address.name or ""), page.veil
    since = f"{fact.kind}, {fact.status}" + _from(fact.valid_from, "from") + _from(fact.valid_until, "until")
    said = fitting(
        veil.passage(Passage("message", one.message_id, one.quote, one.speaker, one.said_at, one.conversation))
        for one in fact.evidence
    )
    return "\n\n".join(part for part in (NOTICE, shown([veil.passage(of_fact(fact))]), since, shown(said)) if part)


def _profile(page: Page) -> str:
    return profile(page.space.profile(by=page.caller.actor), page.veil)


def profile(found: Profile, veil: Veil) -> str:
    """A profile as it is shown; where nobody agreed to keep one, that is what it says."""
    if not found.consent:
        return "The person has not agreed to a profile being kept; there is none."
    said = [f"{field.name}: {field.value} ({field.source}, {field.set_at:%Y-%m-%d})" for field in found.fields]
    lines = [*said, *([found.text] if found.text else [])]
    return f"{NOTICE}\n\n" + (quoted(veil.text("\n".join(lines))) if lines else "The profile is empty.")


def _from(at: datetime | None, word: str) -> str:
    return "" if at is None else f", true {word} {at:%Y-%m-%d}"


def _number(said: str) -> int:
    if not said.isascii() or not said.isdigit():
        raise InvalidInput("`before` must be the number of a message")
    return int(said)


def _page(parts: Sequence[str], more: Address | None, between: str = "\n") -> str:
    return between.join((*parts, *([f"\nMore: {more}"] if more else [])))


Reader = Callable[[Page], str]
READERS: Mapping[tuple[str, bool], Reader] = {  # by noun, and whether it is the list of them
    ("conversations", True): _conversations,
    ("conversations", False): _conversation,
    ("facts", True): _facts,
    ("facts", False): _fact,
    ("profile", True): _profile,
}
