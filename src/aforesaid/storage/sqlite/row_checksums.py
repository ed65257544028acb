"""The checksums of all rows of a SQLite file except messages.

SQLite tells which rows a transaction changes, so no writer can forget one. Before the commit, the rows are read and
their checksums written to the table `checksums`. A row that was damaged before it was changed keeps its old checksum: a
change does not hide the damage. A chunk, which every `add` writes and nothing changes, has its checksum in the row
itself. The doctor compares all of them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby
from operator import itemgetter
from typing import Any

import apsw

from aforesaid.storage.checksums import checksum
from aforesaid.storage.database import WrongRow, identifier

# Tables without checksums: messages have a column of their own; a queue, a feed and a counter hold nothing that a user
# reads. The tables of the full-text indexes are compared with the text, and the index of metadata with the metadata.
UNCOVERED = {"messages", "jobs", "changes", "rates", "checksums", "migrations", "metadata_values"}
# Counts and times that every `add` changes. The doctor compares the counts with the messages.
VOLATILE = {"conversations": {"next_seq", "messages", "turns", "tokens", "chunks", "terms", "updated_at"}}
OWN_COLUMN = "checksum"
SCHEMA = "sqlite_master"
MADE_AGAIN = {"vectors", "vector_blocks", "note_vectors", "notes"}  # `doctor --repair` makes them from other records
MISSING = "a missing row"

Key = tuple[str, int]  # a table, and the key of a row in it
Values = tuple[Any, ...]

SAVE = "INSERT INTO checksums VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET checksum = excluded.checksum"
REPLACE = "UPDATE checksums SET checksum = ? WHERE source = ? AND key = ? AND checksum = ?"  # of an intact row
REMOVE = "DELETE FROM checksums WHERE source = ? AND key = ?"
LISTED = """
SELECT t.name, t.wr, i.name, i.pk FROM pragma_table_list t JOIN pragma_table_info(t.name) i
WHERE t.schema = 'main' AND t.type = 'table' ORDER BY t.name, i.cid
"""
ALL_STORED = "SELECT key, checksum FROM checksums WHERE source = ?"


@dataclass(frozen=True)
class CoveredTable:
    """A table with the columns that its checksums cover, and their positions. `key_columns` are the positions of the
    primary key, if there is no rowid. `sealed_inside`: its rows have their checksums in a column. `volatile`: some
    columns are not covered."""

    name: str
    columns: tuple[str, ...]
    key_columns: tuple[int, ...]
    positions: tuple[int, ...]
    sealed_inside: bool = False
    volatile: bool = False

    @cached_property
    def row(self) -> str:
        """Reads one row."""
        return f"SELECT {', '.join(map(identifier, self.columns))} FROM {identifier(self.name)} WHERE {self.place}"

    @property
    def place(self) -> str:
        """The condition for the row of a key."""
        return " AND ".join(f"{identifier(self.columns[at])} = ?" for at in self.key_columns) or "rowid = ?"

    def key(self, rowid: int, values: Values) -> int:
        return checksum(values[at] for at in self.key_columns) if self.key_columns else rowid

    def rows(self, connection: apsw.Connection) -> Iterator[tuple[int, Values]]:
        """Yields every row with its key. Undecodable text has replacement characters."""
        rowid = "NULL" if self.key_columns else "rowid"
        names = list(map(identifier, self.columns))
        cases = ", ".join(
            f"CASE typeof({name}) WHEN 'text' THEN CAST({name} AS BLOB) ELSE {name} END" for name in names
        )
        kinds = " || ".join(f"substr(typeof({name}), 1, 1)" for name in names)
        sql = f"SELECT {rowid}, {kinds}, {cases} FROM {identifier(self.name)}"
        for key, kind, *stored in connection.execute(sql):
            values = tuple(
                value.decode("utf-8", "replace") if letter == "t" and isinstance(value, bytes) else value
                for letter, value in zip(kind, stored, strict=True)
            )
            yield self.key(key, values), values

    def describe(self, values: Values) -> str:
        """The id of a row, or its key."""
        if "id" in self.columns:
            return str(values[self.columns.index("id")])
        return ", ".join(str(values[at]) for at in self.key_columns or (0,))


def covered_tables(connection: apsw.Connection) -> Mapping[str, CoveredTable]:
    """The tables that have checksums, by name; none before the schema has them."""
    if not connection.execute("SELECT 1 FROM sqlite_master WHERE name = 'checksums'").fetchall():
        return {}
    tables = {SCHEMA: CoveredTable(SCHEMA, ("type", "name", "tbl_name", "sql"), (1,), (0, 1, 2, 4))}
    for name, listed in groupby(connection.execute(LISTED), itemgetter(0)):
        info = list(listed)
        if isinstance(name, str) and name not in UNCOVERED and not name.startswith("sqlite_"):
            key = sorted((pk, at) for at, (_, without_rowid, _, pk) in enumerate(info) if pk and without_rowid)
            names, left_out = [column for _, _, column, _ in info], {OWN_COLUMN} | VOLATILE.get(name, set())
            covered = tuple(at for at, column in enumerate(names) if column not in left_out)
            tables[name] = CoveredTable(
                name,
                tuple(names[at] for at in covered),
                tuple(at for _, at in key),
                covered,
                OWN_COLUMN in names,
                name in VOLATILE,
            )
    return tables


class RowChecksums:
    """Writes the checksums of the rows that one connection changes."""

    def __init__(self, connection: apsw.Connection) -> None:
        self._connection = connection
        self._tables: Mapping[str, CoveredTable] = {}
        self._changed: dict[Key, Values] = {}  # the changed rows, and how each is found
        self._before: dict[Key, int | None] = {}  # their checksums before; None: not readable
        connection.preupdate_hook(self._note)

    def begin(self) -> None:
        """Call it at the beginning of a transaction."""
        self._changed.clear()
        self._before.clear()
        if not self._tables:
            self._tables = covered_tables(self._connection)

    def write(self) -> None:
        """Writes the checksums of the rows that the transaction has changed. Call it before the commit."""
        for key, where in self._changed.items():
            try:
                row = next(self._connection.execute(self._tables[key[0]].row, where), None)
            except UnicodeDecodeError:  # damaged before
                continue
            if row is None:
                self._connection.execute(REMOVE, key)
            elif key in self._before:
                self._connection.execute(REPLACE, (checksum(row), *key, self._before[key]))
            else:
                self._connection.execute(SAVE, (*key, checksum(row)))

    def seal(self) -> None:
        """Writes the checksums of the rows that have none: those of an older version, and those of the schema."""
        self._tables = covered_tables(self._connection)
        for table in self._tables.values():
            if not self._connection.execute(f"SELECT 1 FROM {identifier(table.name)} LIMIT 1").fetchall():
                continue
            if table.sealed_inside:
                self._seal_inside(table)
                continue
            stored = {key for key, _ in self._connection.execute(ALL_STORED, (table.name,))}
            rows = [(table.name, key, checksum(values)) for key, values in table.rows(self._connection)]
            self._connection.executemany(SAVE, [row for row in rows if row[1] not in stored or table.name == SCHEMA])

    def _seal_inside(self, table: CoveredTable) -> None:
        name = identifier(table.name)
        unsealed = self._connection.execute(f"SELECT rowid FROM {name} WHERE {OWN_COLUMN} IS NULL").fetchall()
        for (rowid,) in unsealed:
            row = next(self._connection.execute(table.row, (rowid,)))
            self._connection.execute(f"UPDATE {name} SET {OWN_COLUMN} = ? WHERE rowid = ?", (checksum(row), rowid))

    def _note(self, change: apsw.PreUpdate) -> None:
        table = self._tables.get(change.table_name)
        if table is None or table.sealed_inside or (table.volatile and _is_unaffected(table, change)):
            return
        if table.key_columns:
            self._note_by_columns(table, change)
            return
        key = table.name, change.rowid if change.op == "DELETE" else change.rowid_new
        if change.op == "UPDATE":
            if change.rowid != change.rowid_new:
                self._changed[table.name, change.rowid] = (change.rowid,)
            elif key not in self._changed:
                self._before[key] = _checksum_before(table, change)
        self._changed[key] = (key[1],)

    def _note_by_columns(self, table: CoveredTable, change: apsw.PreUpdate) -> None:
        try:
            old = change.old
        except UnicodeDecodeError:
            old = None
        for values in (old, change.new):
            if values is not None:
                key = table.name, table.key(0, values)
                if values is old and change.op == "UPDATE" and key not in self._changed:
                    self._before[key] = checksum(values)
                self._changed[key] = tuple(values[at] for at in table.key_columns)


def _is_unaffected(table: CoveredTable, change: apsw.PreUpdate) -> bool:
    """Returns True for an update of other columns than the covered ones."""
    try:
        values = change.update
    except UnicodeDecodeError:
        return False
    return values is not None and all(values[at] is apsw.no_change for at in table.positions)


def _checksum_before(table: CoveredTable, change: apsw.PreUpdate) -> int | None:
    try:
        values = change.old or ()
    except UnicodeDecodeError:
        return None
    return checksum(values[at] for at in table.positions)


def wrong_rows(connection: apsw.Connection) -> Iterator[WrongRow]:
    """Yields the rows that differ from their checksums, have none, or are missing."""
    for table in covered_tables(connection).values():
        own = f"SELECT rowid, {OWN_COLUMN} FROM {identifier(table.name)} WHERE ? <> ''"
        stored: dict[Any, Any] = dict(connection.execute(own if table.sealed_inside else ALL_STORED, (table.name,)))
        for key, values in table.rows(connection):
            expected = stored.pop(key, None)
            if expected != checksum(values) and (expected is not None or table.name != SCHEMA):
                yield WrongRow(table.name, table.describe(values), key, expected)
        if table.name != SCHEMA:  # the doctor reports missing tables elsewhere
            for key, expected in stored.items():
                yield WrongRow(table.name, MISSING, key, expected)


def mend_rows(connection: apsw.Connection) -> None:
    """Deletes damaged rows that are made again from others, and the checksums of missing rows."""
    tables = covered_tables(connection)
    for row in list(wrong_rows(connection)):
        if row.id == MISSING:
            connection.execute(REMOVE, (row.table, row.key))
        elif row.table in MADE_AGAIN:
            _delete(connection, tables[row.table], row.key)


def _delete(connection: apsw.Connection, table: CoveredTable, key: int) -> None:
    if not table.key_columns:
        connection.execute(f"DELETE FROM {identifier(table.name)} WHERE {table.place}", (key,))
        return
    places = [tuple(values[at] for at in table.key_columns) for found, values in table.rows(connection) if found == key]
    connection.executemany(f"DELETE FROM {identifier(table.name)} WHERE {table.place}", places)


def has_row(connection: apsw.Connection, row: WrongRow) -> bool:
    """Returns True if this file has the row as it was written in another one."""
    table = covered_tables(connection).get(row.table)
    if table is None:
        return False
    return any(key == row.key and checksum(values) == row.checksum for key, values in table.rows(connection))
