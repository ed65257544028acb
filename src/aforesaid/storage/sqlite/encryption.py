"""Encrypts the files of a SQLite store, in the format of SQLCipher 4: AES-256 and an HMAC-SHA512 for every page.

SQLite3 Multiple Ciphers does it: `apsw-sqlite3mc`, a build of apsw. The first 16 bytes of a file are its salt. A key is
checked against the HMACs of the first pages before SQLite opens the file, because SQLite may replay a log when it
opens one, and must not do so with a wrong key.
"""

from __future__ import annotations

import hashlib
import hmac
import os
import re
from pathlib import Path
from typing import Final

import apsw

from aforesaid.errors import InvalidInput, WrongKey
from aforesaid.ports import KeySource

PLAIN_HEADER = b"SQLite format 3\0"
SALT_BYTES, KEY_BYTES, PAGE_BYTES, HMAC_BYTES = 16, 32, 4096, 64
ROUNDS = 256_000  # SQLCipher's PBKDF2-HMAC-SHA512; 0.16 s, once per Memory
CHECKED_PAGES = 8  # one is enough; a power cut may have damaged another, which the log mends
RANDOM_BYTES = 240  # different bytes in a page that looks random; a page of a plain file has fewer
MAX_KEY_FILE = 4_096
HEX_KEY = re.compile(r"[0-9a-fA-F]{64}")
INSTALL = "pip install --force-reinstall --no-deps apsw-sqlite3mc"
OPEN_FLAGS: Final = apsw.SQLITE_OPEN_READWRITE | apsw.SQLITE_OPEN_CREATE


class StoreKey:
    """The key of a store: a passphrase, 32 bytes (as they are or as 64 hexadecimal digits), or the path of a file that
    holds a passphrase or the digits. Nothing prints it."""

    __slots__ = ("_passphrase", "_raw")

    def __init__(self, source: KeySource) -> None:
        if isinstance(source, os.PathLike):
            source = _read_key_file(Path(source))
        self._raw: bytes | None = None
        self._passphrase = b""
        if isinstance(source, bytes):
            if len(source) != KEY_BYTES:
                raise InvalidInput(
                    f"a key of bytes has {KEY_BYTES} of them, such as os.urandom(32); this has {len(source)}"
                )
            self._raw = source
        elif not isinstance(source, str):
            raise InvalidInput(f"a key is text, {KEY_BYTES} bytes, or the Path of a file, not {type(source).__name__}")
        elif HEX_KEY.fullmatch(source):
            self._raw = bytes.fromhex(source)
        elif source.strip() and "\0" not in source:
            self._passphrase = source.encode()
        else:
            raise InvalidInput("the key is empty or has a NUL character; give a passphrase or 64 hexadecimal digits")

    def with_salt(self, salt: bytes) -> FileKey:
        key = self._raw or hashlib.pbkdf2_hmac("sha512", self._passphrase, salt, ROUNDS, KEY_BYTES)
        return FileKey(key, salt)


class FileKey:
    """The key of one file, derived with its salt."""

    __slots__ = ("_key", "_salt")

    def __init__(self, key: bytes, salt: bytes) -> None:
        self._key = key
        self._salt = salt

    def apply(self, connection: apsw.Connection) -> None:
        """Sets the key of a new connection. Everything that SQLite sets aside stays in memory."""
        connection.pragma("cipher", "sqlcipher")
        connection.pragma("legacy", 4)
        connection.pragma("key", self._text)
        connection.pragma("temp_store", "memory")

    def uri(self, path: Path) -> str:
        """The address of a file that VACUUM INTO writes with this key."""
        return f"{path.as_uri()}?cipher=sqlcipher&legacy=4&hexkey={self._text.encode().hex()}"

    def opens(self, pages: bytes) -> bool:
        """Returns True if the HMAC of one of the first pages of a file is made with this key."""
        salt = bytes(byte ^ 0x3A for byte in self._salt)
        secret = hashlib.pbkdf2_hmac("sha512", self._key, salt, 2, KEY_BYTES)
        return any(
            hmac.compare_digest(
                hmac.digest(secret, page[:-HMAC_BYTES] + number.to_bytes(4, "little"), "sha512"), page[-HMAC_BYTES:]
            )
            for number, page in enumerate(_split(pages), 1)
        )

    @property
    def _text(self) -> str:
        return f"x'{self._key.hex()}{self._salt.hex()}'"


def unlock(path: str, key: StoreKey | None) -> FileKey | None:
    """Checks the key of a file, and changes nothing. A new file gets a new salt. Raises WrongKey if the key does not
    open the file, if it needs one, or if it needs none."""
    if key is not None and not hasattr(apsw, "mc_version"):
        raise InvalidInput(f"a key needs SQLite3 Multiple Ciphers, but plain apsw is installed: {INSTALL}")
    pages = _first_pages(path)
    if key is None:
        if _looks_encrypted(pages):
            raise WrongKey(
                f"{path}: the file is encrypted, or no SQLite database. Give its key: Memory(path, key=…), or a file "
                "that AFORESAID_KEY_FILE names. Nothing was changed"
            )
        return None
    if not pages:
        return key.with_salt(os.urandom(SALT_BYTES))
    if pages.startswith(PLAIN_HEADER):
        raise WrongKey(
            f"{path}: the file is not encrypted. Encrypt it with `aforesaid rekey`, or open it without a key. "
            "Nothing was changed"
        )
    file_key = key.with_salt(pages[:SALT_BYTES])
    if not file_key.opens(pages):
        raise WrongKey(f"{path}: this key does not open it. It has another key, or is damaged. Nothing was changed")
    return file_key


def open_file(path: str, key: FileKey | None, flags: int = OPEN_FLAGS) -> apsw.Connection:
    """Opens a database file with its key."""
    connection = apsw.Connection(path, flags=flags)
    if key is not None:
        try:
            key.apply(connection)
        except BaseException:
            connection.close()
            raise
    return connection


def _read_key_file(path: Path) -> str:
    try:
        with path.open("rb") as file:
            content = file.read(MAX_KEY_FILE + 1)
        if len(content) > MAX_KEY_FILE:
            raise InvalidInput(f"the key file {str(path)!r} has more than {MAX_KEY_FILE} bytes")
        return content.decode().rstrip("\r\n")
    except OSError as exc:
        raise InvalidInput(f"the key file {str(path)!r} cannot be read: {exc.strerror}") from exc
    except UnicodeDecodeError:
        advice = "write a passphrase, or 64 hexadecimal digits: openssl rand -hex 32"
        raise InvalidInput(f"the key file {str(path)!r} is not text; {advice}") from None  # the error quotes the key


def _first_pages(path: str) -> bytes:
    """Reads through SQLite: closing a plain file would release the locks of this process on it."""
    if not Path(path).exists():
        return b""
    file = apsw.VFSFile("", os.path.realpath(path), [apsw.SQLITE_OPEN_MAIN_DB | apsw.SQLITE_OPEN_READONLY, 0])
    try:
        return file.xRead(min(int(file.xFileSize()), CHECKED_PAGES * PAGE_BYTES), 0)
    finally:
        file.xClose()


def _split(pages: bytes) -> list[bytes]:
    """The whole pages; the first one without the salt, which its HMAC does not cover."""
    whole = len(pages) // PAGE_BYTES * PAGE_BYTES
    return [pages[max(start, SALT_BYTES) : start + PAGE_BYTES] for start in range(0, whole, PAGE_BYTES)]


def _looks_encrypted(pages: bytes) -> bool:
    first = pages[:PAGE_BYTES]
    return len(first) == PAGE_BYTES and not first.startswith(PLAIN_HEADER) and len(set(first)) > RANDOM_BYTES
