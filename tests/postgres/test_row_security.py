"""Tests that row-level security isolates spaces from each other."""

from __future__ import annotations

from collections.abc import Iterator

import psycopg
import pytest
from tests.postgres_server import Server

from aforesaid import Memory

APPLICATION = "application"


@pytest.fixture
def application(postgres: Server, address: str, tables: str) -> Iterator[str]:
    """Returns the address for a role that owns nothing and has the grants of docs/howto/scale.md."""
    postgres.execute(f"CREATE ROLE {APPLICATION} LOGIN")
    with psycopg.connect(address, autocommit=True) as owner:
        owner.execute(f"GRANT USAGE ON SCHEMA public TO {APPLICATION}")
        owner.execute(f"GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO {APPLICATION}")
        owner.execute(f"GRANT USAGE ON ALL SEQUENCES IN SCHEMA public TO {APPLICATION}")
        yield postgres.address(tables, APPLICATION)
        owner.execute(f"DROP OWNED BY {APPLICATION}")
    postgres.execute(f"DROP ROLE {APPLICATION}")


@pytest.fixture
def two_spaces(application: str) -> Iterator[Memory]:
    """Opens a store with the application's role in which Alice and Bob have one message each."""
    with Memory(application, worker=False, environment={}) as memory:
        for name in ("alice", "bob"):
            space = memory.space(name)
            space.conversation("c").add("user", f"I am {name} and I live in Lisbon")
            space.grant_consent(by=name)
            space.remember(f"{name} has a boat")
            space.conversation("c").pin(f"{name} likes herons")
        memory.flush()
        for name in ("alice", "bob"):
            memory.space(name).recall("where is the boat?")
        memory.flush()
        yield memory


def scoped(application: str, space: str) -> psycopg.Connection:
    connection = psycopg.connect(application, autocommit=True)
    connection.execute("SELECT set_config('aforesaid.space', %s, false)", (space,))
    return connection


def tables_with_spaces(connection: psycopg.Connection) -> list[str]:
    sql = (
        "SELECT table_name FROM information_schema.columns WHERE column_name = 'space_key' AND table_schema = 'public'"
    )
    return sorted(name for (name,) in connection.execute(sql).fetchall())


def counted(connection: psycopg.Connection, table: str, space_key: int) -> int:
    ((count,),) = connection.execute(f"SELECT count(*) FROM {table} WHERE space_key = %s", (space_key,)).fetchall()
    return count


@pytest.mark.req("C9")
def test_a_transaction_of_one_space_reads_no_row_of_another(two_spaces: Memory, application: str, address: str):
    with psycopg.connect(address) as owner:
        owner.execute("SET aforesaid.whole = 'on'")
        keys = dict(owner.execute("SELECT id, space_key FROM spaces").fetchall())
        names = tables_with_spaces(owner)
        held = {
            name: owner.execute(f"SELECT count(*) FROM {name} WHERE space_key = %s", (keys["bob"],)).fetchone()
            for name in names
        }
    assert sum(count > 0 for (count,) in held.values() if count is not None) >= 12
    with scoped(application, "alice") as alice:
        for name in names:
            assert counted(alice, name, keys["bob"]) == 0, name
        assert alice.execute("SELECT DISTINCT space_key FROM messages").fetchall() == [(keys["alice"],)]
        assert alice.execute("SELECT id FROM spaces").fetchall() == [("alice",)]


@pytest.mark.req("C9")
def test_rows_of_another_space_cannot_be_updated_deleted_or_inserted(
    two_spaces: Memory, application: str, address: str
):
    with psycopg.connect(address) as owner:
        owner.execute("SET aforesaid.whole = 'on'")
        keys = dict(owner.execute("SELECT id, space_key FROM spaces").fetchall())
        (conversation,) = owner.execute(
            "SELECT conversation_key FROM conversations WHERE space_key = %s", (keys["bob"],)
        ).fetchone()
    with scoped(application, "alice") as alice:
        assert alice.execute("UPDATE messages SET text = 'x' WHERE space_key = %s", (keys["bob"],)).rowcount == 0
        assert alice.execute("DELETE FROM facts WHERE space_key = %s", (keys["bob"],)).rowcount == 0
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            alice.execute(
                "INSERT INTO messages"
                " (space_key, conversation_key, seq, id, role, text, importance, tokens, created_at)"
                " VALUES (%s, %s, 99, 'forged', 'user', 'I am bob', 0.5, 0, 0)",
                (keys["bob"], conversation),
            )
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            alice.execute("UPDATE messages SET space_key = %s", (keys["bob"],))
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            alice.execute("ALTER TABLE messages DISABLE ROW LEVEL SECURITY")
    assert [message.text for message in two_spaces.space("bob").conversation("c").messages()] == [
        "I am bob and I live in Lisbon"
    ]


@pytest.mark.req("C9")
def test_a_session_without_a_space_reads_no_rows(two_spaces: Memory, application: str):
    with psycopg.connect(application) as connection:
        for name in tables_with_spaces(connection):
            assert connection.execute(f"SELECT count(*) FROM {name}").fetchall() == [(0,)], name


def test_the_full_text_index_returns_only_rows_of_its_own_space(two_spaces: Memory, application: str, address: str):
    with psycopg.connect(address) as owner:
        owner.execute("SET aforesaid.whole = 'on'")
        (key,) = owner.execute("SELECT space_key FROM spaces WHERE id = 'bob'").fetchone()
    asked = f"{key}wlisbon"
    with scoped(application, "bob") as bob, scoped(application, "alice") as alice:
        sql = "SELECT chunks_having(quote_literal(%s)::tsquery, NULL)"
        assert bob.execute(sql, (asked,)).fetchone() != (None,)
        assert alice.execute(sql, (asked,)).fetchone() == (None,)


def test_the_application_role_gets_the_same_results_as_the_owner(two_spaces: Memory):
    hits = two_spaces.space("alice").recall("where do I live?")
    assert "alice" in hits[0].text
    assert {status.name for status in two_spaces.status().models} == {"static:256"}


@pytest.mark.req("X3")
def test_the_owner_finishes_an_erasure_of_the_application(two_spaces: Memory, address: str, open_memory):
    """Only the owner can VACUUM the tables; until then, the erasure reports this step as pending."""
    bob = two_spaces.space("bob")
    (message,) = bob.conversation("c").messages()
    done = bob.forget(message=message.id)
    assert done.pending == ("tables",)
    assert two_spaces.verify_erasure("I am bob and I live in Lisbon").clean
    owner = open_memory(address)
    owner.engine.store.erasures.scrub()
    assert [erasure.pending for erasure in bob.erasures()] == [()]


@pytest.mark.req("X3")
def test_the_scrub_job_of_an_application_waits_for_the_owner(two_spaces: Memory, address: str, open_memory):
    bob = two_spaces.space("bob")
    bob.forget(message=bob.conversation("c").messages()[0].id)
    two_spaces.flush(5)
    (job,) = [job for job in two_spaces.jobs() if job.kind == "scrub"]
    assert (job.state, job.attempts) == ("queued", 0)
    assert "run a worker as that role" in (job.error or "")
    (wrong,) = [finding for finding in two_spaces.doctor() if not finding.ok]
    assert (wrong.check, wrong.count) == ("erasures", 1)
    assert "only the owner of the tables can clean them; run a worker as that role" in wrong.detail
    owner = open_memory(address)
    owner.flush(60)
    assert [erasure.pending for erasure in bob.erasures()] == [()]
    assert all(finding.ok for finding in two_spaces.doctor())


@pytest.mark.req("X3")
def test_receipts_written_after_a_pending_erasure_are_kept(two_spaces: Memory):
    bob = two_spaces.space("bob")
    bob.forget(message=bob.conversation("c").messages()[0].id)
    kept = bob.conversation("c").context("where is the boat?").receipt.id
    two_spaces.flush(5)
    two_spaces.engine.store.erasures.scrub()
    assert bob.receipt(kept).id == kept
