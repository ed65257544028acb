"""Keys, tokens, passwords and card numbers in a text: where they are, and the text without them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Literal

from recollect.text import account_numbers, passwords

SecretKind = Literal["api key", "token", "private key", "password", "card number", "iban"]

# A secret begins where no name goes on. An escape in JSON ("\n") or in a URL ("%20") ends with a letter and is no name.
_BEGIN = r"(?:(?<![A-Za-z0-9_-])|(?<=-----)|(?<=\\[nrt])|(?<=%[0-9A-Fa-f]{2}))"

_KEYS = (
    r"sk-(?:ant-|proj-|svcacct-|admin-|or-v1-)?[A-Za-z0-9_-]{20,}+",
    r"gh[pousr]_[A-Za-z0-9]{30,}+",
    r"github_pat_[A-Za-z0-9_]{22,}+",
    r"gl(?:pat|ptt|dt|rt)-[A-Za-z0-9_-]{20,}+",
    r"xox[abeoprs]-[A-Za-z0-9-]{10,}+",
    r"xapp-[0-9]-[A-Za-z0-9-]{10,}+",
    r"AIza[A-Za-z0-9_-]{35}(?![A-Za-z0-9_-])",
    r"hf_[A-Za-z0-9]{30,}+",
    r"[sr]k_(?:live|test)_[A-Za-z0-9]{16,}+",
    r"whsec_[A-Za-z0-9+/]{20,}+",
    r"(?:npm_|gsk_|xai-|pplx-|r8_|dop_v1_|shp(?:at|ss|ca)_|tvly-|nvapi-|lin_api_)[A-Za-z0-9_-]{30,}+",
    r"pypi-AgE[A-Za-z0-9_-]{30,}+",
    r"SG\.[A-Za-z0-9_-]{16,}+\.[A-Za-z0-9_-]{16,}+",
    r"ya29\.[A-Za-z0-9_-]{20,}+",
    r"AGE-SECRET-KEY-1[A-Z0-9]{50,}+",
    r"[0-9]{8,10}:AA[A-Za-z0-9_-]{33}(?![A-Za-z0-9_-])",
)
_AWS = r"(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}(?![A-Za-z0-9])"
_SLACK_HOOK = r"hooks\.slack\.com/services/(T[A-Z0-9]{6,}+/B[A-Z0-9]{6,}+/[A-Za-z0-9]{16,}+)"
_JWT = _BEGIN + r"eyJ[A-Za-z0-9_-]{8,}+\.[A-Za-z0-9_-]{8,}+(?:\.[A-Za-z0-9_-]*+){1,3}"
_BEARER = r"(?i:\bbearer)[ \t]{1,3}([A-Za-z0-9._~+/-]{16,}+={0,2})"
_BASIC = r"(?i:\bauthorization\b[\"']?[ \t]{0,3}[:=][ \t]{0,3}[\"']?basic)[ \t]{1,3}([A-Za-z0-9+/]{6,}+={0,2})"
# Where the end of a block was cut off, the lines that can only be a key are all that goes.
_BLOCK = (
    r"-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----"
    r"(?:(?:[^-]|-(?!----))*+-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----"
    r"|(?:(?:\s|\\[nr])++[A-Za-z0-9+/=]{32,}+)++)"
)


@dataclass(frozen=True, slots=True)
class Secret:
    """A stretch of a text that nobody else should read."""

    kind: SecretKind
    start: int
    stop: int


@dataclass(frozen=True, slots=True)
class Form:
    """What one kind of secret looks like; the pattern's first group is the secret, else all of it is.

    A text with none of `hints` (in lower case) is not looked at.
    """

    kind: SecretKind
    hints: tuple[str, ...]
    pattern: re.Pattern[str]
    is_one: Callable[[str], bool] = bool

    def found(self, text: str, lowered: str) -> Iterator[Secret]:
        if not any(map(lowered.__contains__, self.hints)):
            return
        group = min(self.pattern.groups, 1)
        for match in self.pattern.finditer(text):
            if self.is_one(match[group]):
                yield Secret(self.kind, *match.span(group))


def _random(text: str) -> bool:
    """Whether it looks drawn by lot: a name that begins like a key ("sk-fading-circle") has no such stretch."""
    runs = re.findall("[A-Za-z0-9]{10,}", text)
    return any(_numbered(run) and any(character.isalpha() for character in run) for run in runs)


def _numbered(text: str) -> bool:
    return any(character.isdigit() for character in text)


_KEY_HINTS = (
    "sk-", "ghp_", "gho_", "ghu_", "ghs_", "ghr_", "github_pat_", "glpat-", "glptt-", "gldt-", "glrt-", "xox", "xapp-",
    "aiza", "hf_", "sk_", "rk_", "whsec_", "npm_", "gsk_", "xai-", "pplx-", "r8_", "dop_v1_", "shp", "tvly-", "nvapi-",
    "lin_api_", "pypi-age", "sg.", "ya29.", "age-secret", ":aa",
)  # fmt: skip

FORMS = (
    Form("private key", ("private key",), re.compile(_BLOCK)),
    Form("api key", _KEY_HINTS, re.compile(_BEGIN + f"(?:{'|'.join(_KEYS)})"), _random),
    Form("api key", ("akia", "asia", "abia", "acca"), re.compile(_BEGIN + _AWS)),
    Form("api key", ("hooks.slack.com",), re.compile(_SLACK_HOOK)),
    Form("token", ("eyj",), re.compile(_JWT)),
    Form("token", ("bearer",), re.compile(_BEARER), _numbered),
    Form("token", ("basic",), re.compile(_BASIC)),
)


def found(text: str) -> tuple[Secret, ...]:
    """The secrets in a text, in order, none in another. Takes time in proportion to the text's length."""
    lowered = _lowered(text)
    spans = [secret for form in FORMS for secret in form.found(text, lowered)]
    spans += [Secret("password", *span) for span in passwords.found(text, lowered)]
    spans += [Secret("card number", *span) for span in account_numbers.cards(text)]
    spans += [Secret("iban", *span) for span in account_numbers.ibans(text)]
    return tuple(_apart(sorted(spans, key=lambda one: (one.start, -one.stop))))


PASSES = 8  # secrets that lean on each other in a row; an end even for a text that nobody has thought of


def masked(text: str) -> str:
    """The text with `[masked: kind]` in the place of each secret. The same text gives the same bytes, and a masked
    text stays as it is: what only shows itself when its neighbour is masked is masked too."""
    for _ in range(PASSES):
        before, text = text, _once(text)
        if text == before:
            break
    return text


def _once(text: str) -> str:
    pieces, reached = [], 0
    for secret in found(text):
        pieces += [text[reached : secret.start], f"[masked: {secret.kind}]"]
        reached = secret.stop
    return "".join([*pieces, text[reached:]]) if pieces else text


def _lowered(text: str) -> str:
    """The text in lower case, each character in its place."""
    lowered = text.lower()
    if len(lowered) == len(text):
        return lowered
    return "".join(lower if len(lower := character.lower()) == 1 else character for character in text)


def _apart(spans: list[Secret]) -> Iterator[Secret]:
    """Spans that meet as one, named after the first."""
    current: Secret | None = None
    for span in spans:
        if current is not None and span.start < current.stop:
            current = Secret(current.kind, current.start, max(current.stop, span.stop))
            continue
        if current is not None:
            yield current
        current = span
    if current is not None:
        yield current
