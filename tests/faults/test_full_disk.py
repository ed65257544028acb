"""Tests that a full server disk loses no acknowledged message, and that writes succeed again when space is free."""

from __future__ import annotations

import os
import shutil
import subprocess
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from secrets import token_hex

import pytest
from tests.faults.conftest import DURABLE, assert_healthy, first_lines, until
from tests.postgres_server import Server

from aforesaid import StoreFull


@contextmanager
def small_disk(folder, megabytes):
    """Mounts a file system of that many megabytes."""
    folder.mkdir()
    command = ["mount", "-t", "tmpfs", "-o", f"size={megabytes}m,mode=777", "tmpfs", folder]
    made = subprocess.run(command, capture_output=True, check=False)
    if made.returncode:
        pytest.skip(f"a small file system cannot be mounted here: {made.stderr.decode().strip()}")
    try:
        yield folder
    finally:
        subprocess.run(["umount", folder], check=True)


def add_large(chat, text, size=100_000):
    return chat.add("user", text, metadata={"large": token_hex(size)})


def fill(chat):
    """Adds messages until the disk is full; returns the acknowledged messages."""
    stored = []

    def add_for_ever():
        while True:
            stored.append(add_large(chat, f"first{len(stored)}"))

    with pytest.raises(StoreFull, match="disk is full"):
        add_for_ever()
    return stored


@pytest.mark.req("X15")
def test_acknowledged_messages_survive_a_full_disk_and_adding_works_again(server, opened):
    folder = server.folder / "small"
    with small_disk(folder, 24):
        ballast = folder / "ballast"
        ballast.write_bytes(bytes(6_000_000))
        inside = folder / "tables"
        inside.mkdir(mode=0o700)
        shutil.chown(inside, server.user)
        server.execute(f"CREATE TABLESPACE small LOCATION '{inside}'", "CREATE DATABASE small TABLESPACE small")
        try:
            mem = opened(server.address("small"))
            chat = mem.conversation("c")
            acknowledged = fill(chat)
            assert chat.messages(100_000) == acknowledged
            assert (mem.ready().ready, mem.ready().reason) == (False, "the disk is full; make room")
            ballast.unlink()
            assert mem.ready().ready
            acknowledged += [add_large(chat, f"again{n}") for n in range(10)]
            assert chat.messages(100_000) == acknowledged
            assert [message.seq for message in acknowledged] == list(range(len(acknowledged)))
            assert chat.recall("again9")[0].message == acknowledged[-1]
            assert_healthy(mem)
            mem.close()
        finally:
            server.execute("DROP DATABASE small WITH (FORCE)", "DROP TABLESPACE small")


@pytest.mark.req("X15")
def test_writers_continue_after_the_full_wal_disk_of_the_server_has_free_space(opened, crowd, kept):
    """The server stops when it has no space for its WAL; the test frees space and starts it again."""
    server = Server(DURABLE | {"max_wal_size": "32MB", "min_wal_size": "32MB", "restart_after_crash": "off"})
    try:
        with small_disk(server.folder / "small", 64) as disk:
            move_log(server, disk)
            server.start()
            try:
                run_out_of_log(server, disk / "ballast", opened, crowd, kept)
            finally:
                server.remove()
    finally:
        server.remove()


def move_log(server, disk):
    log = server.data / "pg_wal"
    shutil.move(log, disk / "pg_wal")
    subprocess.run(["chown", "-R", server.user or str(os.geteuid()), disk / "pg_wal"], check=True)
    log.symlink_to(disk / "pg_wal")


def run_out_of_log(server, ballast, opened, crowd, kept):
    opened(server.address()).close()
    adders = crowd("add", 2, server.address(), 0)
    adders.say("go")
    lines = first_lines(adders, 2, 20)
    with pytest.raises(OSError, match="No space left"):
        ballast.write_bytes(bytes(64_000_000))
    chat, down = opened(server.address()).conversation("large"), threading.Event()
    with ThreadPoolExecutor(1) as pool:
        stored = pool.submit(add_until, down, chat)
        until(lambda: not (server.data / "postmaster.pid").exists())
        down.set()
        ballast.unlink()
        server.start()
        assert stored.result() == chat.messages(1_000)
    lines += [adders.line() for _ in range(20)]
    adders.say("stop")
    kept(server.address(), lines + adders.finish())


def add_until(down, chat):
    """Adds large messages. The server stops during one of the calls, which blocks until the server is back."""
    stored = []
    while not down.is_set():
        stored.append(add_large(chat, f"large{len(stored)}", 1_000_000))
    return stored
