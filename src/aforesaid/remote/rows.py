"""The verbs whose operation takes or returns something else than the method. All others follow from `verbs.py`."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from dataclasses import replace
from datetime import timedelta
from functools import partial
from typing import TYPE_CHECKING, Any

from aforesaid.errors import InvalidInput, NotFinished, NotFound, ServerUnavailable
from aforesaid.ids import Ids
from aforesaid.models.change import Change, Changes
from aforesaid.models.fact import Fact
from aforesaid.models.item import Item
from aforesaid.models.message import Message
from aforesaid.models.recall import Hit, Hits
from aforesaid.models.store import Readiness
from aforesaid.remote import files
from aforesaid.remote.contexts import read_context
from aforesaid.remote.streams import ask, ask_why
from aforesaid.remote.values import decode, encode
from aforesaid.remote.verb import MOST, Given, Scope, Verb, VerbRow
from aforesaid.text import validate
from aforesaid.text.field_paths import searched_fields

if TYPE_CHECKING:
    from aforesaid.answering.answer import Answer
    from aforesaid.context.context import Context
    from aforesaid.context.receipt import Receipt
    from aforesaid.context.why import Why
    from aforesaid.models.feedback import Feedback
    from aforesaid.models.pin import Pin
    from aforesaid.models.record import Record, Schema
    from aforesaid.models.space import SpaceInfo

IDS = Ids()
RECALL_ARGUMENTS = ("spaces", "query", "limit", "conversation")
FLUSH_SECONDS = 20.0  # of one request to wait for background work


def add(verb: Verb, scope: Scope, given: Given) -> Message:
    """Sends an id, so that the store recognises a repetition."""
    (item,) = verb.answer(scope, _named(given, scope))["items"]
    return decode(Message, item)  # type: ignore[no-any-return]


def add_many(verb: Verb, scope: Scope, given: Given) -> list[Message]:
    messages = [_named(message, scope) for message in validate.sequence(given["messages"], "messages")]
    if not messages:
        return []
    return decode(list[Message], verb.answer(scope, {"messages": messages})["items"])  # type: ignore[no-any-return]


def _named(message: Mapping[str, Any], scope: Scope) -> dict[str, Any]:
    """The message with an id, which is made here if the caller gives none: a repetition of the request is stored once.
    As in the store, ids sort by the time of the message."""
    validate.instance_of(message, Mapping, "each message must be a mapping with the arguments of `add`")
    given = {name: value for name, value in message.items() if value is not None}
    if "importance" in given:
        validate.share(given["importance"], "importance")
    at = validate.moment(given["at"], "at") if "at" in given else scope.clock()
    return {"id": IDS.make(at)} | {name: encode(value) for name, value in given.items()}


def messages(verb: Verb, scope: Scope, given: Given) -> list[Message] | Iterator[Message]:
    """Reads a long list in pages: forwards with `after`, else backwards."""
    limit = given.get("limit", 50)
    if given.get("after") is not None:
        validate.count(given["after"], "after", -1)
    if limit is None:
        return _stream(verb, scope, given)
    if limit <= MOST:
        return _page(verb, scope, given)
    found: list[Message] = []
    forwards = given.get("after") is not None
    place = {name: given[name] for name in ("after", "before", "masked") if given.get(name) is not None}
    while len(found) < limit:
        page = _page(verb, scope, {**place, "limit": min(MOST, limit - len(found))})
        found = found + page if forwards else page + found
        if len(page) < MOST:
            break
        place |= {"after": page[-1].seq} if forwards else {"before": page[0].seq}
    return found


def _page(verb: Verb, scope: Scope, given: Given) -> list[Message]:
    return decode(list[Message], verb.answer(scope, given)["items"])  # type: ignore[no-any-return]


def _stream(verb: Verb, scope: Scope, given: Given) -> Iterator[Message]:
    """Yields the messages between two seqs, oldest first."""
    after, before = given.get("after", -1), given.get("before")
    while page := _page(verb, scope, {"after": after, "limit": MOST}):
        for message in page:
            if before is not None and message.seq >= before:
                return
            yield message
        after = page[-1].seq


def edit(verb: Verb, scope: Scope, given: Given) -> Message:
    if given.get("metadata") is not None:
        validate.record(given["metadata"], "metadata")
    return verb.request(scope, given)  # type: ignore[no-any-return]


def pin(verb: Verb, scope: Scope, given: Given) -> Pin:
    content = given.pop("content")
    if isinstance(content, Message):
        return verb.request(scope, given | {"source": content.id})  # type: ignore[no-any-return]
    return verb.request(scope, {"content": validate.non_blank(content, "a pin's content")} | given)  # type: ignore[no-any-return]


def context(verb: Verb, scope: Scope, given: Given) -> Context:
    from aforesaid.context.request import quoted_spaces

    if "spaces" in given:
        given["spaces"] = quoted_spaces(given["spaces"])
    record = verb.answer(scope, given | {"format": "complete"})["payload"]
    return read_context(record, partial(ask_why, scope, given.get("id", record["receipt"]["id"])))


def why(verb: Verb, scope: Scope, given: Given) -> Why:  # noqa: ARG001 (each verb has the same)
    return ask_why(scope, validate.name(given["id"], "id"), given["message"], given.get("message_space"))


def _receipt(scope: Scope, id: str) -> Receipt:
    from aforesaid.context.receipt import Receipt
    from aforesaid.remote.connection import PREFIX, Sending, segment

    query = {"space": scope.space}
    return Receipt.from_dict(scope.connection.json(Sending("GET", f"{PREFIX}/receipts/{segment(id)}", query)))


def reply(verb: Verb, scope: Scope, given: Given) -> Answer:
    """Sends an id of the user's message, so that the store recognises a repetition."""
    given = {name: value for name, value in given.items() if value is not None}
    sending = verb.sending(scope, {"id": IDS.make(scope.clock())} | given | {"format": "complete"})
    return ask(scope, sending)


def receipts(verb: Verb, scope: Scope, given: Given) -> list[Receipt]:
    return [_receipt(scope, item["id"]) for item in verb.answer(scope, given)["items"]]


def recall(verb: Verb, scope: Scope, given: Given) -> Hits:
    from aforesaid.recall.filters import RecallFilter, searched_spaces

    if "spaces" in given:
        given["spaces"] = searched_spaces(given["spaces"])
    _name_items(given)
    RecallFilter.of({name: value for name, value in given.items() if name not in RECALL_ARGUMENTS})  # type: ignore[arg-type]
    answer = verb.answer(scope, given)
    found: Hits = decode(Hits, answer | {"hits": answer["items"]})
    for hit in (*found, *(hit for group in found.groups for hit in group.hits)):
        place = replace(scope, space=hit.space or scope.space)
        hit.rate_with(partial(_rate, place, given["query"], hit))
    return found


def _name_items(given: Given) -> None:
    """A namespace of items that was given as text is one segment."""
    if isinstance(given.get("items"), str):
        given["items"] = [given["items"]]


def forget(verb: Verb, scope: Scope, given: Given) -> Any:  # noqa: ANN401
    _name_items(given)
    return verb.request(scope, given)


def _rate(scope: Scope, query: str, hit: Hit, useful: bool) -> list[Feedback]:
    from aforesaid.models.feedback import Feedback
    from aforesaid.remote.connection import PREFIX, Sending

    stored: list[Feedback] = []
    for id in _rated(hit):
        body = {"query": query, "message": id, "useful": useful}
        answer = scope.connection.json(Sending("POST", f"{PREFIX}/feedback", {"space": scope.space}, body))
        stored += decode(list[Feedback], answer["items"])
    return stored


def feedback(verb: Verb, scope: Scope, given: Given) -> list[Feedback]:  # noqa: ARG001 (each verb has the same)
    useful = validate.instance_of(given.get("useful", True), bool, "useful must be True or False")
    return _rate(scope, validate.non_blank(given["query"], "query"), given["hit"], useful)


def _rated(hit: Hit | Message | str) -> list[str]:
    """The ids of the messages that feedback on a hit is about, as on a store of this process."""
    if isinstance(hit, str):
        return [validate.name(hit, "a message's id")]
    if isinstance(hit, Message):
        return [hit.id]
    validate.instance_of(hit, Hit, "rate a hit, a message, or the id of a message")
    ids = [hit.message.id] if hit.message is not None else list(hit.messages)
    if not ids:
        raise InvalidInput(f"this {hit.kind} comes from no message, so it cannot be rated")
    return ids


def changes(verb: Verb, scope: Scope, given: Given) -> Changes:
    if given.get("after") is not None:
        validate.count(given["after"], "after", 0)
    answer = verb.answer(scope, given)
    return Changes(tuple(decode(list[Change], answer["items"])), answer["cursor"], answer["missed"])


def locate(verb: Verb, scope: Scope, given: Given) -> Mapping[str, Message]:
    ids = [validate.name(id, "an id") for id in given["ids"]]
    return {item["id"]: decode(Message, item) for item in verb.answer(scope, {"ids": ids})["items"]}


def item(verb: Verb, scope: Scope, given: Given) -> Item | None:
    try:
        return verb.request(scope, given)  # type: ignore[no-any-return]
    except NotFound:
        return None


def put_many(verb: Verb, scope: Scope, given: Given) -> list[Item]:
    entries = []
    for entry in validate.sequence(given["entries"], "entries"):
        known = _value(validate.item_entry(entry))
        namespace = validate.namespace(entry.get("namespace") or ())
        entries.append({name: encode(part) for name, part in (known | {"namespace": namespace}).items()})
    return verb.request(scope, {"entries": entries}) if entries else []


def put(verb: Verb, scope: Scope, given: Given) -> Item:
    return verb.request(scope, _value(given))  # type: ignore[no-any-return]


def _value(entry: Mapping[str, Any]) -> dict[str, Any]:
    """An entry of items, checked as on a store of this process, for what JSON or the server would word differently."""
    validate.json_value(entry["value"], "value")
    if entry.get("text") is not None:
        validate.text(entry["text"], "text")
    searched_fields(entry.get("index"))
    if entry.get("replaces", ...) not in (..., None):
        validate.instance_of(entry["replaces"], Item, "replaces must be an Item as you read it, or None for none")
    return {name: part for name, part in entry.items() if part is not ...}


def elsewhere(verb: Verb, scope: Scope, given: Given) -> Any:  # noqa: ANN401
    """Sends items to another namespace."""
    if given.get("namespace") is not None:
        given["namespace"] = list(validate.namespace(given["namespace"]))
    return verb.request(scope, given)


def by_offset(verb: Verb, scope: Scope, given: Given) -> list[Any]:
    """Reads a long list in pages."""
    if given.get("max_depth") is not None:
        validate.count(given["max_depth"], "max_depth")
    offset, limit = validate.count(given.get("offset", 0), "offset", 0), given.get("limit", MOST)
    found: list[Any] = []
    while True:
        sized = {"limit": min(MOST, limit - len(found))} if "limit" in given else {}
        page = verb.request(scope, {**given, "offset": offset + len(found), **sized})
        found += page
        if "limit" not in given or len(found) >= limit or len(page) < sized["limit"]:
            return found


def space_info(verb: Verb, scope: Scope, given: Given) -> SpaceInfo | None:
    try:
        return verb.request(scope, given)  # type: ignore[no-any-return]
    except NotFound:
        return None


def flush(verb: Verb, scope: Scope, given: Given) -> None:
    """Waits in several requests: a connection without an answer for minutes can be cut on the way."""
    seconds = validate.amount(given.get("timeout", 30.0), "timeout")
    end = time.monotonic() + seconds
    while True:
        left = max(0.0, end - time.monotonic())
        if verb.answer(scope, {"timeout": min(FLUSH_SECONDS, left)})["done"]:
            return
        if left <= FLUSH_SECONDS:
            pending = _open_jobs(scope)
            raise NotFinished(f"{pending} jobs are not finished after {seconds} s; they continue", pending=pending)


def _open_jobs(scope: Scope) -> int:
    from aforesaid.remote.connection import PREFIX, Sending

    jobs = scope.connection.json(Sending("GET", f"{PREFIX}/status"))["jobs"]
    return sum(jobs.get(state, 0) for state in ("queued", "running"))


def ready(verb: Verb, scope: Scope, given: Given) -> Readiness:
    sending = replace(verb.sending(scope, given), accepted=(503,))
    try:
        answer = scope.connection.json(sending)
    except ServerUnavailable:
        answer = None
    if not isinstance(answer, dict) or "ready" not in answer:
        return Readiness(False, False, False, "elsewhere", "the server does not answer")
    return decode(Readiness, answer)  # type: ignore[no-any-return]


def costs(verb: Verb, scope: Scope, given: Given) -> Any:  # noqa: ANN401
    path = "/cost/total" if given.get("space") is None else "/cost"
    return Verb(verb.name, verb.local, f"GET {path}", VerbRow()).request(scope, given)


def of_all(verb: Verb, scope: Scope, given: Given) -> Any:  # noqa: ANN401
    """A verb of the store that measures all spaces unless it is given one."""
    if isinstance(given.get("step"), timedelta):
        given["step"] = given["step"].total_seconds()
    return verb.request(scope, given if given.get("space") is not None else given | {"all": True})


def doctor(verb: Verb, scope: Scope, given: Given) -> Any:  # noqa: ANN401
    if given.get("backup") is not None:
        raise InvalidInput("a server does not read a backup of this machine; run `aforesaid doctor` where the store is")
    method = "POST" if given.get("repair") else "GET"
    return Verb(verb.name, verb.local, f"{method} /doctor", VerbRow(long=True)).request(scope, {})


def chain(verb: Verb, scope: Scope, given: Given) -> Any:  # noqa: ANN401
    if given.get("id") is None:
        return verb.request(scope, {name: value for name, value in given.items() if name != "id"})
    path = "GET /conversations/{conversation}/summaries/{id}/chain"
    return Verb(verb.name, verb.local, path, VerbRow()).request(scope, given)


def start(verb: Verb, scope: Scope, given: Given) -> Any:  # noqa: ANN401
    return verb.request(replace(scope, model=None), given | {"model": scope.model})


def learn(verb: Verb, scope: Scope, given: Given) -> Schema:
    from aforesaid.distill.records.definitions import define

    instructions, name, key = given.get("instructions", ""), given.get("name"), given.get("key")
    schema = define(given["schema"], instructions, name, key, scope.clock())
    sent = {name: getattr(schema, name) for name in ("name", "json_schema", "instructions", "key")}
    return verb.request(scope, sent | {"past": given.get("past", False)})  # type: ignore[no-any-return]


def unlearn(verb: Verb, scope: Scope, given: Given) -> bool:
    from aforesaid.distill.records.definitions import schema_id

    return verb.request(scope, {"name": schema_id(given["schema"])})  # type: ignore[no-any-return]


def records(verb: Verb, scope: Scope, given: Given) -> list[Record[Any]]:
    from aforesaid.distill.records.definitions import reader, schema_id

    found = verb.pages(scope, given | {"schema": schema_id(given["schema"])})
    return [reader(given["schema"])(decode(Fact, item["fact"])) for item in found]


def remove_profile(verb: Verb, scope: Scope, given: Given) -> Any:  # noqa: ANN401
    return verb.request(scope, given | {"names": list(given.get("names", ()))})


PAUSE, RESUME, END = ({"status": status, "strict": True} for status in ("paused", "active", "ended"))
ROWS: Mapping[str, VerbRow] = {
    "Memory.activity": VerbRow(run=of_all),
    "Memory.allowance": VerbRow("GET /cost/allowance"),
    "Memory.backup": VerbRow(run=files.backup, long=True),
    "Memory.costs": VerbRow(run=costs),
    "Memory.doctor": VerbRow(run=doctor),
    "Memory.flush": VerbRow(run=flush),
    "Memory.metrics": VerbRow(run=of_all),
    "Memory.ready": VerbRow(run=ready),
    "Memory.recall": VerbRow(run=recall, durable=True),
    "Memory.receipt": VerbRow(fixed={"all": True}),
    "Memory.replay": VerbRow(fixed={"all": True}),
    "Memory.retrievals": VerbRow(run=of_all),
    "Memory.why": VerbRow(run=why),
    "Memory.verify_erasure": VerbRow(durable=True, long=True),
    "Space.changes": VerbRow(run=changes),
    "Space.compare": VerbRow(names={"before": "id", "after": "other"}),
    "Space.consolidate": VerbRow(long=True),
    "Space.conversations": VerbRow(names={"query": "q"}),
    "Space.edit_fact": VerbRow(nulls=True),
    "Space.export": VerbRow(run=files.export, long=True),
    "Space.facts": VerbRow(words={"status": "any"}),
    "Space.feedback": VerbRow(run=feedback),
    "Space.forget": VerbRow(run=forget, long=True),
    "Space.grant_consent": VerbRow(fixed={"granted": True}),
    "Space.held": VerbRow(pick="hold"),
    "Space.hold": VerbRow(pick="hold"),
    "Space.import_chats": VerbRow(run=files.import_chats, long=True),
    "Space.info": VerbRow(run=space_info),
    "Space.learn": VerbRow(run=learn, names={"schema": "json_schema"}),
    "Space.locate": VerbRow(run=locate, durable=True),
    "Space.rebuild": VerbRow(run=context),
    "Space.recall": VerbRow(run=recall, durable=True),
    "Space.receipts": VerbRow(run=receipts),
    "Space.rechunk": VerbRow(long=True),
    "Space.records": VerbRow(run=records, words={"status": "any"}),
    "Space.relations": VerbRow(names={"id": "fact"}),
    "Space.remember": VerbRow(nulls=True),
    "Space.remove_profile": VerbRow(run=remove_profile, names={"names": "field"}),
    "Space.revoke_consent": VerbRow(fixed={"granted": False}, pick="revocation"),
    "Space.unlearn": VerbRow(run=unlearn, names={"schema": "name"}),
    "Items.get": VerbRow(run=item),
    "Items.namespaces": VerbRow(run=by_offset),
    "Items.put": VerbRow(run=put, nulls=True),
    "Items.put_many": VerbRow(run=put_many),
    "Items.move": VerbRow(run=elsewhere, names={"namespace": "new_namespace"}),
    "Items.rename": VerbRow(run=elsewhere, names={"namespace": "new_namespace"}),
    "Items.search": VerbRow(run=by_offset, durable=True),
    "Space.why": VerbRow(run=why),
    "Conversation.accesses": VerbRow(pick="access"),
    "Conversation.add": VerbRow(run=add, durable=True),
    "Conversation.add_many": VerbRow(run=add_many, durable=True),
    "Conversation.chain": VerbRow(run=chain),
    "Conversation.context": VerbRow(run=context),
    "Conversation.edit": VerbRow(run=edit),
    "Conversation.end": VerbRow(fixed=END),
    "Conversation.messages": VerbRow(run=messages),
    "Conversation.mute": VerbRow(fixed={"muted": True}),
    "Conversation.pause": VerbRow(fixed=PAUSE),
    "Conversation.pin": VerbRow(run=pin),
    "Conversation.pop": VerbRow(pick="message"),
    "Conversation.recall": VerbRow(run=recall, durable=True),
    "Conversation.reply": VerbRow(run=reply, durable=True),
    "Conversation.resume": VerbRow(fixed=RESUME),
    "Conversation.start": VerbRow(run=start),
    "Conversation.stop_answer": VerbRow(names={"question": "id"}, pick="stopped"),
    "Conversation.summaries": VerbRow(words={"status": "any"}),
    "Conversation.summarize": VerbRow(long=True),
    "Conversation.unmute": VerbRow(fixed={"muted": False}),
}
