"""The REST server, with the background work in it."""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

import typer

from recollect.cli.logs import Level, begin
from recollect.cli.options import STORE, Store
from recollect.cli.output import note
from recollect.cli.worker import stop_signals
from recollect.errors import InvalidInput

if TYPE_CHECKING:
    from recollect import Memory

HOST = "127.0.0.1"
PORT = 8765


def serve(
    *,
    host: Annotated[
        str, typer.Option(metavar="ADDRESS", help="Where to listen; elsewhere than here, keys are needed.")
    ] = HOST,
    port: Annotated[int, typer.Option(metavar="PORT", min=0, max=65535, help="0 takes any that is free.")] = PORT,
    host_name: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME", help="A name that the server is known by, which takes keys; repeatable."),
    ] = None,
    rate: Annotated[
        str | None, typer.Option(metavar="RATE", help="Requests of each caller at most, as 600/minute.")
    ] = None,
    model: Annotated[
        str | None, typer.Option(metavar="MODEL", help="The language model that thinks in the background.")
    ] = None,
    log: Annotated[Level, typer.Option("--log", help="Log lines (JSON) of this level and above.")] = Level.warning,
    processes: Annotated[int, typer.Option(metavar="N", min=1, max=64, help="Server processes on the port.")] = 1,
    no_work: Annotated[
        bool, typer.Option("--no-work", help="Leave the background work to `recollect worker`.")
    ] = False,
    inherit: Annotated[str | None, typer.Option(hidden=True)] = None,
    store: Store = STORE,
) -> None:
    """Serve a store over HTTP: the REST API with its description at /docs.

    Until it is told to stop by Ctrl-C or SIGTERM; what runs is brought to its end. With --processes, one that ends is
    started anew.

    Example: recollect serve --store postgresql://recollect@127.0.0.1/recollect --processes 4
    """
    begin(log)
    place = Place(host, port, tuple(host_name or ()))
    if processes > 1:
        options = _options(place, rate, model, log)
        _crew(store, place, processes, [*options, *(["--no-work"] if no_work else [])])
    else:
        _one(Serving(store, place, rate, model, not no_work, inherit))


@dataclass(frozen=True, slots=True)
class Place:
    host: str
    port: int
    names: tuple[str, ...]

    @property
    def known_as(self) -> tuple[str, ...]:
        return (self.host, *self.names)


@dataclass(frozen=True, slots=True)
class Serving:
    """One server process. `inherit` is what a crew has given it."""

    store: str
    place: Place
    rate: str | None
    model: str | None
    work: bool
    inherit: str | None

    @property
    def shared(self) -> bool:
        """Whether other processes may be serving the same store."""
        return self.inherit is not None or "://" in self.store


def _one(asked: Serving) -> None:
    from recollect import Memory
    from recollect.access.hosts import LOOPBACK
    from recollect.server.app import Options, make_app
    from recollect.server.crew import inherited
    from recollect.server.serve import is_loopback, listen, refuse_open
    from recollect.server.serve import serve as run
    from recollect.server.tracing import tracing

    names = asked.place.known_as
    given = None if asked.inherit is None else inherited(asked.inherit)
    with tracing(os.environ), Memory(asked.store, model=asked.model, worker=asked.work) as memory:
        refuse_open(memory, *names)
        options = Options(
            open=all(map(is_loopback, names)), hosts=(*LOOPBACK, *names), rate=asked.rate, shared=asked.shared
        )
        if given is not None:
            run(make_app(memory, options), given.bound, lambda _: given.begin())
            return
        bound = listen(asked.place.host, asked.place.port)
        run(make_app(memory, options), bound, lambda url: _say(memory, url))
    note("stopped")


def _crew(store: str, place: Place, processes: int, options: list[str]) -> None:
    from recollect import Memory
    from recollect.server.crew import Crew, listen_often
    from recollect.server.serve import refuse_open, url

    if store == ":memory:":
        raise InvalidInput("a store in memory belongs to one process; name a file or a server, or one process")
    with Memory(store, worker=False) as memory:  # made or migrated, and refused, before anybody else opens it
        refuse_open(memory, *place.known_as)
    sockets = listen_often(place.host, place.port, processes)
    command = [sys.executable, "-m", "recollect", "serve", *options]
    with stop_signals() as asked:
        crew = Crew(command, {**os.environ, "RECOLLECT_STORE": store}, note)  # an address may have a password
        crew.run(sockets, asked, lambda: _say(memory, url(sockets[0]), f"; {processes} processes"))
    note("stopped")


def _options(place: Place, rate: str | None, model: str | None, log: Level) -> list[str]:
    given = ["--host", place.host, "--log", log.value]
    for name in place.names:
        given += ["--host-name", name]
    for option, value in (("--rate", rate), ("--model", model)):
        given += [] if value is None else [option, value]
    return given


def _say(memory: Memory, url: str, how: str = "") -> None:
    note(f"{memory.address} is served at {url}{how}; Ctrl-C ends it")
