"""Passwords that a text gives away: in a URL, beside a name that says so, or in so many words."""

from __future__ import annotations

import re
from collections.abc import Iterator

_SECRET_NAME = (
    r"(?:pass(?:word|wd|phrase|code)|passwort|kennwort|contrase(?:ñ|n)a|mot[ _-]de[ _-]passe|senha|wachtwoord|pwd"
    r"|(?:api|access|auth|account|secret|private|encryption|signing|session|shared)[ _-]?(?:access[ _-]?)?"
    r"(?:key|token|secret)|client[ _-]?secret|(?:refresh|bot|id)[ _-]?token|secret|token)"
)
_URL = re.compile(r"(?<![A-Za-z0-9+.-])[A-Za-z][A-Za-z0-9+.-]{1,20}://[^\s/:@\"'<>]{0,128}+:([^\s/\"'<>]{1,256})@")
_ASSIGNED = re.compile(
    _SECRET_NAME + r"(?:\\?[\"'`]\]?)?[ \t]{0,3}(?::=|=>|={1,3}|:)[ \t]{0,3}"
    r"(?:(\\?)([\"'`])((?:(?!\1\2)[^\n]){1,512}+)\1\2|([^\s\"'`,;&<>(){}\[\]|\\][^\s\"'`,;&<>|\\]{3,512}+))",
    re.IGNORECASE,
)
_SPOKEN = re.compile(
    _SECRET_NAME
    + r"[ \t]{1,3}(?:is|was|ist|war|lautet|es|est|era)[ \t]*:?[ \t]{1,3}[\"'`“„«]?([^\s\"'`”“»,;]{5,128}+)",
    re.IGNORECASE,
)
_HINTS = ("pass", "kennwort", "contrase", "senha", "wachtwoord", "pwd", "key", "token", "secret")
_AFTER = ".?:)}]"  # what a sentence or code puts behind a value
_NAME = re.compile(r"[^\W\d]+(?:[._:-][^\W\d]+)*[.!?:]*")  # words and names of things, without digits
_PLACEHOLDER = re.compile(
    r"[$%][A-Za-z_({]|[<{]|\[masked: |(?:\w+\.)*\w*[(\[]|(.)\1+$|https?://|\.{0,2}/|\d{1,3}\b(?!\d)[ -]"
)
_KEYWORD_ALONE = re.compile(_SECRET_NAME + r"s?[.:!?…]*", re.IGNORECASE)
_NAMES_SECRET = re.compile(_SECRET_NAME + r"\Z", re.IGNORECASE)
_NOTHING = frozenset({"none", "null", "true", "false", "string", "undefined", "required", "optional", "changeme"})
_SAYS_PHRASE = re.compile("phrase", re.IGNORECASE)


def found(text: str, lowered: str) -> Iterator[tuple[int, int]]:
    """Where passwords stand, and values of names such as api_key. Code that mentions such a name has none."""
    if "://" in text:
        yield from (match.span(1) for match in _URL.finditer(text) if not _PLACEHOLDER.match(match[1]))
    if any(hint in lowered for hint in _HINTS):
        yield from _assigned(text)
        yield from _said(text)


def is_one(name: str, value: str) -> bool:
    """Whether a value that stands under this name is a secret."""
    return _NAMES_SECRET.search(name) is not None and _literal(value, name)


def _assigned(text: str) -> Iterator[tuple[int, int]]:
    for match in _ASSIGNED.finditer(text):
        if match[3] is not None and _literal(match[3], match[0]):
            yield match.span(3)
        if match[4] is not None and _bare(match[4]):
            yield match.start(4), match.start(4) + len(match[4].rstrip(_AFTER))


def _said(text: str) -> Iterator[tuple[int, int]]:
    for match in _SPOKEN.finditer(text):
        if _bare(match[1]):
            yield match.start(1), match.start(1) + len(match[1].rstrip(_AFTER))


def _literal(value: str, all_of_it: str) -> bool:
    """Whether a quoted value is a secret, and not a label, a placeholder or a translation."""
    if len(value) < 4 or _PLACEHOLDER.match(value) or value.lower() in _NOTHING or _KEYWORD_ALONE.fullmatch(value):
        return False
    return not re.search(r"\s", value) or bool(_SAYS_PHRASE.match(all_of_it, 4))


def _bare(value: str) -> bool:
    """Whether a value without quotes is a secret: a word or a name is a variable's, or a sentence goes on."""
    value = value.rstrip(_AFTER)
    if len(value) < 5 or _PLACEHOLDER.match(value) or _NAME.fullmatch(value):
        return False
    return any(character.isdigit() for character in value) or any(character in "!#$%^*+@~" for character in value)
