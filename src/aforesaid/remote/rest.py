"""Gives a class a method for each verb of `verbs.py`, which calls the operation of the REST API that the table names.

A verb needs a line in `ROWS` (rows.py) only if its operation takes or returns something else than the method.
"""

from __future__ import annotations

from functools import wraps
from typing import TYPE_CHECKING, Any, TypeVar

from aforesaid.errors import InvalidInput
from aforesaid.verbs import VERBS, Exclusion, warn_alike

if TYPE_CHECKING:
    from aforesaid.remote.verb import Verb

Kind = TypeVar("Kind", bound=type)


def over_rest(kind: Kind) -> Kind:
    """Gives a subclass of a public class the verbs that it does not define itself. The object has a `_scope`."""
    noun = kind.__bases__[0].__name__
    for name, interfaces in VERBS[noun].items():
        if name not in vars(kind):
            reason = interfaces.rest.reason if isinstance(interfaces.rest, Exclusion) else None
            operation = next(iter(interfaces.operations), "").replace(" /api/memory/", " /")
            setattr(kind, name, make_method(kind, f"{noun}.{name}", operation, reason))
    return kind


def make_method(kind: type, name: str, operation: str, reason: str | None) -> Any:  # noqa: ANN401 (a method)
    verb_name = name.partition(".")[2]
    found = vars(kind.__bases__[0])[verb_name]
    local = found.__func__ if isinstance(found, staticmethod) else found
    if reason is not None:

        @wraps(local)
        def refuse(*_: Any, **__: Any) -> Any:  # noqa: ANN401
            raise InvalidInput(f"{name} is not possible over a server ({reason}); run it where the store is")

        return staticmethod(refuse) if isinstance(found, staticmethod) else refuse
    verb: Verb | None = None

    @wraps(local)
    def method(self: Any, /, *args: Any, **options: Any) -> Any:  # noqa: ANN401
        nonlocal verb
        if verb is None:
            from aforesaid.remote.rows import ROWS
            from aforesaid.remote.verb import Verb, VerbRow

            row = ROWS.get(name, VerbRow())
            verb = Verb(name, local, row.operation or operation, row)
        return verb.run(self._scope, self, args, options)

    return warn_alike(local, method)
