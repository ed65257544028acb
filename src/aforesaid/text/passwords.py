"""Finds passwords in text: in URLs, in assignments to names such as `api_key`, and in sentences."""

from __future__ import annotations

import re
from collections.abc import Iterator

_SECRET_NAME = (
    r"(?:pass(?:word|wd|phrase|code)|passwort|kennwort|contrase(?:ñ|n)a|mot[ _-]de[ _-]passe|senha|wachtwoord|pwd"
    r"|(?:api|access|auth|account|secret|private|encryption|signing|session|shared)[ _-]?(?:access[ _-]?)?"
    r"(?:key|token|secret)|client[ _-]?secret|(?:refresh|bot|id)[ _-]?token|secret|token)"
)
_URL = re.compile(r"(?<![A-Za-z0-9+.-])[A-Za-z][A-Za-z0-9+.-]{1,20}://[^\s/:@\"'<>]{0,128}+:([^\s/\"'<>]{1,256})@")
_NAMED = re.compile(_SECRET_NAME)  # in lower case
_ASSIGNED = re.compile(
    r"(?:\\?[\"'`]\]?)?[ \t]{0,3}(?::=|=>|={1,3}|:)[ \t]{0,3}"
    r"(?:(\\?)([\"'`])((?:(?!\1\2)[^\n]){1,512}+)\1\2|([^\s\"'`,;&<>(){}\[\]|\\][^\s\"'`,;&<>|\\]{3,512}+))"
)
_SPOKEN = re.compile(
    r"[ \t]{1,3}(?:is|was|ist|war|lautet|es|est|era)(?:[ \t]{0,3}:)?[ \t]{1,3}[\"'`“„«]?([^\s\"'`”“»,;]{5,128}+)",
    re.IGNORECASE,
)
_HINTS = ("pass", "kennwort", "contrase", "senha", "wachtwoord", "pwd", "key", "token", "secret")
_AFTER = ".?:)}]"  # punctuation after a value
_NAME = re.compile(r"[^\W\d]+(?:[._:-][^\W\d]+)*[.!?:]*")  # words and dotted names without digits
_PLACEHOLDER = re.compile(
    r"[$%][A-Za-z_({]|[<{]|\[masked: |[\w.]{0,256}+[(\[]|(.)\1+$|https?://|\.{0,2}/|\d{1,3}\b(?!\d)[ -]"
)
_KEYWORD_ALONE = re.compile(_SECRET_NAME + r"s?[.:!?…]*", re.IGNORECASE)
_NAMES_SECRET = re.compile(_SECRET_NAME + r"\Z", re.IGNORECASE)
_NOTHING = frozenset({"none", "null", "true", "false", "string", "undefined", "required", "optional", "changeme"})


def find_passwords(text: str, lowered: str) -> Iterator[tuple[int, int]]:
    """The spans of passwords and of values of names such as `api_key`. Code that only mentions such a name has none."""
    if "://" in text:
        yield from (match.span(1) for match in _URL.finditer(text) if not _PLACEHOLDER.match(match[1]))
    if any(map(lowered.__contains__, _HINTS)):
        for name in _NAMED.finditer(lowered):
            yield from _value_after(text, name)


def is_password(name: str, value: str) -> bool:
    """Returns True if the value of a key with this name is a secret."""
    return _NAMES_SECRET.search(name) is not None and _is_quoted_secret(value, name)


def _value_after(text: str, name: re.Match[str]) -> Iterator[tuple[int, int]]:
    """The value that follows a name, in an assignment or in a sentence."""
    assigned = _ASSIGNED.match(text, name.end())
    if assigned is not None and assigned[3] is not None:
        if _is_quoted_secret(assigned[3], name[0]):
            yield assigned.span(3)
        return
    match = assigned or _SPOKEN.match(text, name.end())
    group = 4 if assigned else 1
    if match is not None and _is_unquoted_secret(match[group]):
        yield match.start(group), match.start(group) + len(match[group].rstrip(_AFTER))


def _is_quoted_secret(value: str, name: str) -> bool:
    """Returns False for a label, a placeholder, a translation, or a token of a language."""
    if len(value) < 4 or _PLACEHOLDER.match(value) or value.lower() in _NOTHING or _KEYWORD_ALONE.fullmatch(value):
        return False
    if name.lower() == "token" and value.isalpha():
        return False
    return not re.search(r"\s", value) or "phrase" in name.lower()


def _is_unquoted_secret(value: str) -> bool:
    """Returns False for a plain word or a name: it is a variable, or a sentence continues."""
    value = value.rstrip(_AFTER)
    if len(value) < 5 or _PLACEHOLDER.match(value) or _NAME.fullmatch(value):
        return False
    return any(character.isdigit() for character in value) or any(character in "!#$%^*+@~" for character in value)
