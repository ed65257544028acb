"""Changes the key of a store, encrypts a plain one, or decrypts it.

The store is rewritten into a new file beside it, which then takes its name. So at every moment, also after a crash, the
whole file has one key: the old or the new one.
"""

from __future__ import annotations

import os
import shutil
from contextlib import closing
from pathlib import Path

import apsw

from aforesaid.errors import InvalidInput, NotFound
from aforesaid.storage.sqlite import online_backup
from aforesaid.storage.sqlite.encryption import SALT_BYTES, FileKey, StoreKey, open_file, unlock
from aforesaid.storage.sqlite.errors import translate_errors
from aforesaid.storage.sqlite.restore import lock_alone

ZEROS = bytes(1 << 20)


def rekey(store: str, key: StoreKey | None, new_key: StoreKey | None) -> None:
    """Raises StoreBusy if a process has the store open, and WrongKey if `key` does not open it. None: no key."""
    place = Path(store).resolve()
    if key is None and new_key is None:
        raise InvalidInput("give the store's key, a new key, or both")
    if not place.is_file():
        raise NotFound(f"there is no store at {store!r}")
    target_key = None if new_key is None else new_key.with_salt(os.urandom(SALT_BYTES))
    with translate_errors(str(place)), online_backup.temporary_file(str(place), place) as file:
        flags = apsw.SQLITE_OPEN_READWRITE | apsw.SQLITE_OPEN_URI
        with closing(open_file(str(place), unlock(str(place), key), flags)) as source:
            lock_alone(source, place)
            source.execute("VACUUM INTO ?", (_uri(file, target_key),))
            online_backup.finish_copy(file, target_key)
            with online_backup.translate_disk_errors(place):
                shutil.copymode(place, file)
            if os.name == "posix":
                _replace(file, place)
        if os.name != "posix":  # Windows replaces no open file
            online_backup.publish_file(file, place, replace=True)


def _uri(file: Path, key: FileKey | None) -> str:
    return f"{file.as_uri()}?key=" if key is None else key.uri(file)


def _replace(file: Path, place: Path) -> None:
    """Replaces the locked store, and overwrites the old file. A process that is waiting to open the old one then fails,
    and writes nothing into a file that is gone."""
    old = os.open(place, os.O_RDWR)
    try:
        online_backup.publish_file(file, place, replace=True)
        state = os.fstat(old)
        if state.st_nlink == 0:  # else it is also someone's hard link
            for start in range(0, state.st_size, len(ZEROS)):
                os.pwrite(old, ZEROS[: state.st_size - start], start)
            os.fsync(old)
    finally:
        os.close(old)  # this also releases the lock
