"""A verb as a request: the arguments of a method become the fields of an operation, and its answer the result."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, is_dataclass
from functools import cached_property
from inspect import Parameter, signature
from typing import TYPE_CHECKING, Any, get_args, get_origin, get_type_hints

from aforesaid.errors import InvalidInput
from aforesaid.models.item import Namespace
from aforesaid.models.json import Json
from aforesaid.models.message import Message
from aforesaid.text import validate

if TYPE_CHECKING:
    from aforesaid.ports import Clock
    from aforesaid.remote.connection import Connection

Given = dict[str, Any]  # the arguments that the caller gave, by name

MOST = 1000  # records of one answer
DURABLE_METHODS = ("GET", "PUT")
LOCAL_ONLY = ("progress",)  # arguments that concern this process only


@dataclass(frozen=True, slots=True)
class Scope:
    """What an object knows of its requests: the connection, and its place in the store."""

    connection: Connection
    clock: Clock
    space: str | None = None
    conversation: str | None = None
    model: str | None = None
    namespace: Namespace | None = None  # of items


@dataclass(frozen=True, slots=True)
class VerbRow:
    """How a verb differs from its operation. `names` are the fields of arguments with another name, `fixed` fields that
    are always the same, `words` what stands for None. `pick` is the field of the answer to return. `run` replaces the
    request. `durable`: the server's store recognises a repetition. `nulls`: a given None counts. `long`: it can take
    minutes."""

    operation: str | None = None
    names: Mapping[str, str] = field(default_factory=dict)
    fixed: Mapping[str, Json] = field(default_factory=dict)
    words: Mapping[str, str] = field(default_factory=dict)
    pick: str | None = None
    run: Callable[[Verb, Scope, Given], Any] | None = None
    durable: bool = False
    nulls: bool = False
    long: bool = False


class Verb:
    """A method of a public class, and its operation."""

    def __init__(self, name: str, local: Callable[..., Any], operation: str, row: VerbRow) -> None:
        self.name = name
        self.local = local
        self.row = row
        self.method, self.path = operation.split()

    @cached_property
    def returns(self) -> Any:  # noqa: ANN401 (a type)
        return get_type_hints(self.local)["return"]

    @cached_property
    def options(self) -> tuple[str, ...]:
        """The names of the options that a TypedDict declares."""
        kinds = [name for name, one in self._parameters.parameters.items() if one.kind is Parameter.VAR_KEYWORD]
        hints = get_type_hints(self.local)
        return tuple(option for kind in kinds for option in get_type_hints(get_args(hints[kind])[0]))

    @cached_property
    def _parameters(self) -> Any:  # noqa: ANN401 (a signature)
        return signature(self.local)

    def run(self, scope: Scope, place: object, args: tuple[Any, ...], options: Mapping[str, Any]) -> Any:  # noqa: ANN401
        given: Given = {}
        for name, value in list(self._parameters.bind(place, *args, **options).arguments.items())[1:]:
            kind = self._parameters.parameters[name].kind
            if kind is Parameter.VAR_KEYWORD:
                self._check(value)
                given |= value
            else:
                given[name] = value
        if "limit" in given and given["limit"] is not None:
            validate.count(given["limit"], "limit")
        if self.row.run is not None:
            return self.row.run(self, scope, given)
        return self.request(scope, given)

    def _check(self, options: Mapping[str, Any]) -> None:
        unknown = [name for name in options if name not in self.options]
        if unknown:
            verb = self.name.partition(".")[2]
            raise InvalidInput(f"{verb} takes no {unknown[0]!r}; it takes: {', '.join(self.options)}")

    def request(self, scope: Scope, given: Mapping[str, Any]) -> Any:  # noqa: ANN401 (what the verb returns)
        """Calls the operation, more than once for a long list."""
        limit = given.get("limit")
        if limit is None or limit <= MOST:
            return self.read(self.answer(scope, given))
        return self.read({"items": self.pages(scope, given)})

    def pages(self, scope: Scope, given: Mapping[str, Any]) -> list[Json]:
        """The items of a list, as the server writes them."""
        limit = given.get("limit", 0)
        answer = self.answer(scope, {**given, "limit": min(MOST, limit)} if limit else given)
        items = answer["items"]
        while answer.get("next") is not None and len(items) < limit:
            answer = self.answer(scope, {**given, "limit": min(MOST, limit - len(items)), "after": answer["next"]})
            items += answer["items"]
        if limit > MOST and "next" not in answer and len(items) >= MOST:
            raise InvalidInput(
                f"a server returns at most {MOST} records, and {self.name} has more; give a lower `limit`"
            )
        return items  # type: ignore[no-any-return]

    def answer(self, scope: Scope, given: Mapping[str, Any]) -> Json:
        return scope.connection.json(self.sending(scope, given))

    def sending(self, scope: Scope, given: Mapping[str, Any]) -> Any:  # noqa: ANN401 (a Sending)
        """The request for these arguments. The space and the actor are in the query, other fields in the query or in
        the body, as the method has one."""
        from aforesaid.remote.connection import PREFIX, Sending, segment
        from aforesaid.remote.values import encode

        sent: dict[str, Json] = {}
        for name, value in given.items():
            if isinstance(value, Message) and value.space != scope.space:
                raise InvalidInput(f"the {name} must be a message of space {scope.space!r}, as it is stored")
            plain = self.row.words.get(name) if value is None else encode(value)
            if name not in LOCAL_ONLY and (plain is not None or (self.row.nulls and value is None)):
                sent[self.row.names.get(name, name)] = plain
        if scope.namespace is not None:
            sent["namespace"] = list(scope.namespace)
        sent |= self.row.fixed
        path = self.path
        for _, name in re.findall(r"(\{(\w+)\})", self.path):
            if name == "conversation" and scope.conversation is not None:
                value = scope.conversation
            elif name == "name" and self.path.startswith("/spaces/"):
                value = scope.space or ""
            else:
                value = validate.name(sent.pop(name, None), name)
            path = path.replace(f"{{{name}}}", segment(value))
        query: dict[str, Json] = {} if scope.space is None else {"space": scope.space}
        if "by" in sent:
            query["by"] = sent.pop("by")
        in_body = self.method not in ("GET", "DELETE")
        return Sending(
            self.method,
            path if path.startswith("/api") else PREFIX + path,
            query if in_body else query | sent,
            sent if in_body else None,
            model=scope.model if scope.conversation is not None else None,
            durable=self.row.durable or self.method in DURABLE_METHODS,
            long=self.row.long,
        )

    def read(self, answer: Json) -> Any:  # noqa: ANN401 (what the verb returns)
        """The value of an answer: its `items`, the field to pick, the whole, or its only field."""
        from aforesaid.remote.values import decode

        kind = self.returns
        if kind is type(None):
            return None
        if self.row.pick is not None:
            answer = answer[self.row.pick]
        elif "items" in answer and not is_dataclass(kind):
            answer = answer["items"]
        elif not _is_record(kind) and isinstance(answer, dict) and len(answer) == 1:
            (answer,) = answer.values()
        return decode(kind, answer)


def _is_record(kind: Any) -> bool:  # noqa: ANN401 (a type)
    return get_origin(kind) is not list and any(is_dataclass(one) for one in (kind, *get_args(kind)))


def branch_name(scope: Scope, at: str | int | None, id: str | None) -> str:
    """Starts a branch, and returns its name."""
    from aforesaid.remote.connection import PREFIX, Sending, segment

    path = f"{PREFIX}/conversations/{segment(scope.conversation or '')}/fork"
    body = {"at": at} if id is None else {"at": at, "id": validate.name(id, "id")}
    branch = scope.connection.json(Sending("POST", path, {"space": scope.space}, body))
    return branch["id"]  # type: ignore[no-any-return]
