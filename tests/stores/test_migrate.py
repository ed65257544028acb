"""Tests schema creation and migrations on both engines."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Protocol

import apsw
import psycopg
import pytest
from tests.postgres_server import Server

from aforesaid import Memory, SchemaTooNew, StoreDamaged
from aforesaid.storage import migrate
from aforesaid.storage.migrate import Migration, SchemaConnection
from aforesaid.storage.postgres.schema import PostgresSchema
from aforesaid.storage.sqlite.schema import SqliteSchema

Rows = list[tuple[Any, ...]]
NEWEST = migrate.newest(migrate.known("sqlite"))
NEXT = Migration(NEWEST + 1, "moods", "CREATE TABLE moods (name text);\nALTER TABLE pins ADD COLUMN mood text;\n")
BROKEN = Migration(NEWEST + 2, "broken", "CREATE TABLE half (name text);\nSELECT no_such_column;\n")
FIRST_SCHEMAS = Path(__file__).parent / "schema_1"  # as they were before the first migration
OURS = "'public'::regnamespace"
CATALOG = (  # tables with their columns, constraints, indexes, triggers, functions, policies
    "SELECT c.relname, c.relkind, c.relpersistence, c.reloptions, c.relrowsecurity, c.relforcerowsecurity, a.attname,"
    " format_type(a.atttypid, a.atttypmod), a.attnotnull, a.attidentity, a.attstorage, a.attcollation,"
    " pg_get_expr(d.adbin, d.adrelid) FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid"
    " LEFT JOIN pg_attrdef d ON d.adrelid = c.oid AND d.adnum = a.attnum"
    f" WHERE c.relnamespace = {OURS} AND a.attnum > 0 AND NOT a.attisdropped ORDER BY c.relname, a.attnum",
    f"SELECT conname, pg_get_constraintdef(oid) FROM pg_constraint WHERE connamespace = {OURS} ORDER BY 1, 2",
    "SELECT indexname, indexdef FROM pg_indexes WHERE schemaname = 'public' ORDER BY 1",
    "SELECT tgname, pg_get_triggerdef(oid) FROM pg_trigger WHERE NOT tgisinternal ORDER BY 1, 2",
    f"SELECT pg_get_functiondef(p.oid) FROM pg_proc p WHERE p.pronamespace = {OURS} AND NOT EXISTS ("
    " SELECT 1 FROM pg_depend d WHERE d.objid = p.oid AND d.deptype = 'e') ORDER BY 1",
    "SELECT tablename, policyname, cmd, qual, with_check FROM pg_policies ORDER BY 1, 2",
)


class Engine(Protocol):
    schema: SchemaConnection
    store: str

    def catalog(self) -> list[Rows]: ...
    def execute(self, sql: str) -> Rows: ...
    def empty(self) -> Engine: ...
    def close(self) -> None: ...


class SqliteFile:
    def __init__(self, store: str) -> None:
        self.store = store
        self._connection = apsw.Connection(store)
        self.schema = SqliteSchema(self._connection)

    def catalog(self) -> list[Rows]:
        return [self.execute("SELECT type, name, tbl_name, sql FROM sqlite_master ORDER BY 1, 2")]

    def execute(self, sql: str) -> Rows:
        return self._connection.execute(sql).fetchall()

    def empty(self) -> SqliteFile:
        return SqliteFile(f"{self.store}-empty")

    def close(self) -> None:
        self._connection.close()


class PostgresDatabase:
    def __init__(self, server: Server) -> None:
        self._server = server
        self.store = server.address(server.make_database())
        self._connection = psycopg.connect(self.store, autocommit=True)
        self.schema = PostgresSchema(self._connection)

    def catalog(self) -> list[Rows]:
        return [self.execute(query) for query in CATALOG]

    def execute(self, sql: str) -> Rows:
        cursor = self._connection.execute(sql)
        return cursor.fetchall() if cursor.description else []

    def empty(self) -> PostgresDatabase:
        return PostgresDatabase(self._server)

    def close(self) -> None:
        self._connection.close()


@pytest.fixture(params=["sqlite", "postgres"])
def engine(request: pytest.FixtureRequest, path: str) -> Iterator[Engine]:
    engine = SqliteFile(path) if request.param == "sqlite" else PostgresDatabase(request.getfixturevalue("postgres"))
    yield engine
    engine.close()


@pytest.fixture
def opened(engine: Engine, open_memory: Callable[..., Memory]) -> Engine:
    """Creates a store with a pin in it."""
    with open_memory(engine.store, embedder="none") as memory:
        memory.conversation("c").add("user", "The ferry was late")
        memory.conversation("c").pin("The ferry leaves from pier nine")
    return engine


def recorded(engine: Engine) -> Rows:
    return engine.execute("SELECT version, name FROM migrations ORDER BY version")


@pytest.mark.req("D19")
def test_a_new_store_has_exactly_the_schema_of_the_schema_file(opened: Engine):
    other = opened.empty()
    other.schema.run_script(migrate.schema(other.schema.engine))
    if opened.schema.engine == "postgres":
        opened.execute("ALTER TABLE near DROP COLUMN IF EXISTS vector")  # added if pgvector is installed
    assert opened.catalog() == other.catalog()
    other.close()


@pytest.mark.req("D19")
def test_the_schema_is_recorded_once_with_its_version(opened: Engine, open_memory: Callable[..., Memory]):
    open_memory(opened.store).close()
    newest = migrate.newest(migrate.known(opened.schema.engine))
    assert recorded(opened) == [(newest, "schema")]
    assert opened.schema.version() == newest


@pytest.mark.req("D19")
def test_a_migration_keeps_the_data_and_increases_the_version(opened: Engine):
    assert migrate.needed(opened.schema.version(), [NEXT])
    migrate.apply(opened.schema, [NEXT], at=7)
    migrate.apply(opened.schema, [NEXT], at=8)
    assert recorded(opened) == [(NEWEST, "schema"), (NEWEST + 1, "moods")]
    assert opened.execute("SELECT applied_at FROM migrations WHERE name = 'moods'") == [(7,)]
    assert opened.execute("SELECT count(*) FROM moods") == [(0,)]
    if opened.schema.engine == "postgres":
        opened.execute("SET aforesaid.whole = 'on'")
    assert opened.execute("SELECT content, mood FROM pins") == [("The ferry leaves from pier nine", None)]


@pytest.mark.req("D19")
def test_a_derived_table_dropped_by_a_migration_is_recreated(opened: Engine):
    rebuild = Migration(NEWEST + 1, "rebuild", "DROP TABLE note_vectors;\n")
    before = opened.catalog()
    migrate.apply(opened.schema, [rebuild], at=0)
    assert opened.catalog() == before


@pytest.mark.req("D19")
def test_a_failed_migration_leaves_the_store_unchanged(opened: Engine):
    before = opened.catalog()
    with pytest.raises((apsw.SQLError, psycopg.errors.UndefinedColumn)):
        migrate.apply(opened.schema, [NEXT, BROKEN], at=0)
    assert opened.catalog() == before
    assert recorded(opened) == [(NEWEST, "schema")]


@pytest.mark.req("D19")
def test_a_store_of_a_newer_version_is_refused_and_unchanged(opened: Engine, open_memory: Callable[..., Memory]):
    migrate.apply(opened.schema, [NEXT], at=0)
    before = opened.catalog()
    with pytest.raises(SchemaTooNew, match=f"version {NEWEST + 1}, this aforesaid knows up to {NEWEST}; upgrade"):
        open_memory(opened.store)
    assert opened.catalog() == before


FIRST_RECORDS = (
    "INSERT INTO spaces (space_key, id, created_at) {}VALUES (1, 'default', 1)",
    "INSERT INTO conversations (conversation_key, space_key, id, status, next_seq, messages, turns, tokens, created_at,"
    " updated_at) {}VALUES (1, 1, 'c', 'active', 1, 1, 1, 4, 1, 1)",
    "INSERT INTO messages (message_key, space_key, conversation_key, seq, id, role, text, importance, tokens,"
    " created_at) {}VALUES (1, 1, 1, 0, 'm', 'user', 'The ferry was late', 0.5, 4, 1)",
)


@pytest.mark.req("D19", "X21", "X24")
def test_a_store_of_the_first_version_is_migrated_and_gets_checksums(
    engine: Engine, open_memory: Callable[..., Memory]
):
    with engine.schema.transaction():
        engine.schema.run_script((FIRST_SCHEMAS / f"{engine.schema.engine}.sql").read_text("utf-8"))
        engine.schema.record(1, "schema", 1)
    if engine.schema.engine == "postgres":
        engine.execute("SET aforesaid.whole = 'on'")
    for statement in FIRST_RECORDS:
        engine.execute(statement.format("OVERRIDING SYSTEM VALUE " if engine.schema.engine == "postgres" else ""))
    with open_memory(engine.store, embedder="none") as memory:
        chat = memory.conversation("c")
        chat.add("user", "The next one was on time")
        assert [message.content for message in chat.messages()] == ["The ferry was late", "The next one was on time"]
        memory.doctor(repair=True)  # the first message was stored without its chunks
        assert [finding for finding in memory.doctor() if not finding.ok] == []
    versions = [version for version, _ in engine.execute("SELECT version, name FROM migrations ORDER BY 1")]
    assert versions == list(range(1, NEWEST + 1))
    assert all(0 < salience < 1 for (salience,) in engine.execute("SELECT salience FROM messages"))
    empty = engine.empty()
    with open_memory(empty.store, embedder="none"):
        pass
    if engine.schema.engine == "postgres":
        empty.execute("SET aforesaid.whole = 'on'")
        assert [sorted(rows, key=repr) for rows in engine.catalog()] == [
            sorted(rows, key=repr) for rows in empty.catalog()
        ]
    else:  # a column that is added is last in its table
        names = (
            "SELECT m.type, m.name, i.name FROM sqlite_master m LEFT JOIN pragma_table_info(m.name) i ORDER BY 1, 2, 3"
        )
        assert engine.execute(names) == empty.execute(names)
    empty.close()
    engine.execute("UPDATE messages SET text = 'The ferry was laid' WHERE seq = 0")
    with open_memory(engine.store, embedder="none") as memory, pytest.raises(StoreDamaged, match="seq 0"):
        memory.conversation("c").messages()
