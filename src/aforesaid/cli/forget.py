"""The commands `forget`, `delete`, `hold` and `verify-erasure`: erase data, prevent it, and search for traces."""

from __future__ import annotations

from functools import partial
from typing import Annotated

import typer

from aforesaid import Conversation, Erasure, Space
from aforesaid.cli.exit_codes import OTHER
from aforesaid.cli.jobs import finish_local_jobs
from aforesaid.cli.options import SPACE, STORE, AnyConversation, AnySpace, AsJson, DryRun, SpaceName, Store, Yes
from aforesaid.cli.output import Table, format_time, note, print_json, print_result, progress, show
from aforesaid.cli.store import open_existing, open_space, require_space, resolve_fact_id
from aforesaid.errors import InvalidInput


def forget(
    conversation: AnyConversation = None,
    *,
    message: Annotated[str | None, typer.Option(metavar="ID", help="One message.")] = None,
    fact: Annotated[
        str | None, typer.Option(metavar="ID", help="One fact, by its id or its beginning; its messages stay.")
    ] = None,
    items: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME", help="The items of this namespace; repeat it for each segment, outermost first."),
    ] = None,
    key: Annotated[str | None, typer.Option(metavar="KEY", help="Of these items, only the one with this key.")] = None,
    before: Annotated[str | None, typer.Option(metavar="TIME", help="All messages before this time.")] = None,
    everything: Annotated[bool, typer.Option("--everything", help="Everything in the space.")] = False,
    same_words: Annotated[
        bool, typer.Option("--same-words", help="With a message or a fact: also what else states the same words.")
    ] = False,
    yes: Yes = False,
    dry_run: DryRun = False,
    space: SpaceName = SPACE,
    store: Store = STORE,
    as_json: AsJson = False,
) -> None:
    """Erase a conversation, a message, a fact, items or everything, and all data derived from it.

    Data is erased from every table and from the store's files. The command first shows what it erases, and asks. You
    cannot undo it.

    Example: aforesaid forget trip --space alice
    """
    with open_space(store, space) as known:
        id = None if fact is None else resolve_fact_id(known, fact)
        call = partial(
            known.forget,
            message=message,
            conversation=conversation,
            fact=id,
            items=items or None,
            key=key,
            before=before,
            everything=everything,
            same_words=same_words,
        )
        erasure = call(dry_run=True)
        if not as_json:
            _print_erasure(erasure)
        if not dry_run:
            if not yes:
                typer.confirm("Erase this for good?", abort=True, err=True)
            with progress("erasing"):
                erasure = call()
    if as_json:
        print_json(erasure)
    elif not dry_run:
        note("erased" if erasure.complete else f"erased; a worker still scrubs: {', '.join(erasure.pending)}")


def _print_erasure(erasure: Erasure) -> None:
    parts = (("erased", erasure.erased), ("made again", erasure.recomputed), ("kept", erasure.kept))
    rows = [(name, part.kind, part.count, part.reason) for name, portions in parts for part in portions]
    show(Table(("what", "kind", "count", "why"), rows, right=("count",)))


def delete(
    conversation: AnyConversation = None,
    *,
    whole_space: Annotated[bool, typer.Option("--whole-space", help="Delete the space itself.")] = False,
    yes: Yes = False,
    space: SpaceName = SPACE,
    store: Store = STORE,
    as_json: AsJson = False,
) -> None:
    """Delete a conversation, or a whole space, with everything in it. Asks first; you cannot undo it.

    It does not scrub the files: `aforesaid forget` does that.

    Example: aforesaid delete trip --space alice
    """
    if (conversation is None) != whole_space:
        raise InvalidInput("name a conversation, or give --whole-space")
    with open_space(store, space) as known:
        target: Space | Conversation = known if conversation is None else known.conversation(conversation)
        info = target.info()
        label = f"space {space}" if conversation is None else f"conversation {conversation}"
        if not yes:
            count = info.messages if info else 0
            typer.confirm(f"Delete {label} with {count} messages for good?", abort=True, err=True)
        deleted = target.delete()
    print_result({"space": space, "conversation": conversation, "deleted": deleted}, as_json, f"deleted {label}")


def hold(
    reason: Annotated[str | None, typer.Argument(help="Why nothing may be erased.", show_default=False)] = None,
    *,
    release: Annotated[bool, typer.Option("--release", help="End the hold.")] = False,
    space: SpaceName = SPACE,
    store: Store = STORE,
    as_json: AsJson = False,
) -> None:
    """Put a space on hold: nothing in it is erased until the hold is released. Without a reason, show the hold.

    Example: aforesaid hold "case 2026-114" --space alice
    """
    if release and reason is not None:
        raise InvalidInput("give a reason, or --release, not both")
    with open_existing(store) as memory:
        known = require_space(memory, space)
        if release:
            released = known.release_hold()
            finish_local_jobs(memory)
            print_result({"space": space, "released": released}, as_json, f"{space} is not on hold anymore")
            return
        present = known.held() if reason is None else known.hold(reason)
    text = f"{space} is not on hold"
    if present is not None:
        text = f"{space} is on hold since {format_time(present.at)}, by {present.by}: {present.reason}"
    print_result(present, as_json, text)


def verify_erasure(
    text: Annotated[str, typer.Argument(help="The text that must be erased.", show_default=False)],
    space: AnySpace = None,
    store: Store = STORE,
    as_json: AsJson = False,
) -> None:
    """Search every table and the bytes of every file of the store for a text. Exit code 1: it was found.

    Words of six letters or more that no message contains are searched one by one.

    Example: aforesaid verify-erasure "my sister moved to Lisbon"
    """
    with open_existing(store) as memory:
        if space is not None:
            require_space(memory, space)
        with progress("searching"):
            seen = memory.verify_erasure(text, space=space)
    if as_json or seen.found:
        rows = [(place.where, place.at, place.what) for place in seen.found]
        print_result(seen, as_json, Table(("where", "at", "what"), rows))
    searched = f"{len(seen.tables)} tables, {len(seen.files)} files, {seen.bytes:,} bytes, {seen.words} words"
    note(f"{'no trace' if seen.clean else f'found in {len(seen.found)} places'}; searched {searched}")
    if not seen.clean:
        raise typer.Exit(OTHER)
