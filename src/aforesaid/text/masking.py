"""Finds keys, tokens, passwords and card numbers in text and JSON, and masks them.

Masking is deterministic, and masked text does not change when it is masked again. It uses a table of patterns. Each is
tried only on a text with one of its hints, and none backtracks, so the time is linear. Numbers with check digits must
pass them.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, fields, is_dataclass, replace
from typing import Literal, Protocol, TypeVar

from aforesaid.models.json import Json
from aforesaid.text import account_numbers, passwords
from aforesaid.text.memo import TextMemo

SecretKind = Literal["api key", "token", "private key", "password", "card number", "iban"]

# A secret does not start inside a name. An escape in JSON ("\n") or in a URL ("%20") is not a name.
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
    r"key-[a-f0-9]{32}(?![A-Za-z0-9])",
    r"[a-f0-9]{32}-us[0-9]{1,2}(?![A-Za-z0-9])",
    r"sq0[a-z]{3}-[A-Za-z0-9_-]{22,}+",
    r"dapi[a-f0-9]{32}(?:-[0-9])?(?![A-Za-z0-9])",
    r"NRAK-[A-Z0-9]{27}(?![A-Za-z0-9])",
    r"gl(?:sa|c)_[A-Za-z0-9+/_=-]{32,}+",
    r"dp\.(?:pt|st|ct|sa|scim|audit)\.[A-Za-z0-9._-]{40,}+",
    r"pscale_(?:tkn|pw|oauth)_[A-Za-z0-9._=-]{32,}+",
    r"PMAK-[a-f0-9]{24}-[a-f0-9]{34}(?![A-Za-z0-9])",
    r"pul-[a-f0-9]{40}(?![A-Za-z0-9])",
    r"hv[sbr]\.[A-Za-z0-9_-]{24,}+",
    r"pat-(?:na|eu)[0-9]-[a-f0-9]{8}(?:-[a-f0-9]{4}){3}-[a-f0-9]{12}(?![A-Za-z0-9])",
    r"secret_[A-Za-z0-9]{43}(?![A-Za-z0-9_])",
    r"(?:ntn_|dckr_pat_|ATATT3|GOCSPX-|1//0|AKC)[A-Za-z0-9_=-]{24,}+",
    r"sntry[su]_[A-Za-z0-9+/_=-]{60,}+",
    r"sl\.[A-Za-z0-9_-]{100,}+",
    r"[A-Za-z0-9]{14}\.atlasv1\.[A-Za-z0-9_=-]{60,}+",
    r"rubygems_[a-f0-9]{48}(?![A-Za-z0-9])",
    r"EAACEdEose0cBA[A-Za-z0-9]{20,}+",
)
_AWS = r"(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}(?![A-Za-z0-9])"
# These begin as many words do.
_SHORT = r"(?:SK[a-f0-9]{32}|pat[A-Za-z0-9]{14}\.[a-f0-9]{64})(?![A-Za-z0-9])"
_SHORT_HINTS = ("pat", *(f"sk{digit}" for digit in "0123456789abcdef"))
_SLACK_HOOK = r"hooks\.slack\.com/services/(T[A-Z0-9]{6,}+/B[A-Z0-9]{6,}+/[A-Za-z0-9]{16,}+)"
_JWT = _BEGIN + r"eyJ[A-Za-z0-9_-]{8,}+\.[A-Za-z0-9_-]{8,}+(?:\.[A-Za-z0-9_-]*+){1,3}"
_BEARER = r"(?i:\bbearer)[ \t]{1,3}([A-Za-z0-9._~+/-]{16,}+={0,2})"
_BASIC = r"(?i:\bauthorization\b[\"']?[ \t]{0,3}[:=][ \t]{0,3}[\"']?basic)[ \t]{1,3}([A-Za-z0-9+/]{6,}+={0,2})"
# Of a block without an end, only the lines that can be part of a key are masked.
_BLOCK = (
    r"-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----"
    r"(?:(?:[^-]|-(?!----))*+-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----"
    r"|(?:(?:\s|\\[nr])++[A-Za-z0-9+/=]{32,}+)++)"
)


@dataclass(frozen=True, slots=True)
class Secret:
    """The kind and the span of a secret in a text."""

    kind: SecretKind
    start: int
    stop: int


@dataclass(frozen=True, slots=True)
class SecretForm:
    """The pattern of one kind of secret. Its first group is the secret, or the whole match if it has no group. A text
    without any of the `hints`, which are in lower case, is not searched."""

    kind: SecretKind
    hints: tuple[str, ...]
    pattern: re.Pattern[str]
    is_secret: Callable[[str], bool] = bool

    def find(self, text: str, lowered: str) -> Iterator[Secret]:
        if not any(map(lowered.__contains__, self.hints)):
            return
        group = min(self.pattern.groups, 1)
        for match in self.pattern.finditer(text):
            if self.is_secret(match[group]):
                yield Secret(self.kind, *match.span(group))


def _looks_random(text: str) -> bool:
    """Returns False for a name that only starts like a key ("sk-fading-circle")."""
    runs = re.findall("[A-Za-z0-9]{10,}", text)
    return any(_has_digit(run) and any(character.isalpha() for character in run) for run in runs)


def _has_digit(text: str) -> bool:
    return any(character.isdigit() for character in text)


_KEY_HINTS = (
    "sk-", "ghp_", "gho_", "ghu_", "ghs_", "ghr_", "github_pat_", "glpat-", "glptt-", "gldt-", "glrt-", "xox", "xapp-",
    "aiza", "hf_", "sk_", "rk_", "whsec_", "npm_", "gsk_", "xai-", "pplx-", "r8_", "dop_v1_", "shp", "tvly-", "nvapi-",
    "lin_api_", "pypi-age", "sg.", "ya29.", "age-secret", ":aa", "key-", "-us", "sq0", "dapi", "nrak-", "glsa_",
    "glc_", "dp.", "pscale_", "pmak-", "pul-", "hvs.", "hvb.", "hvr.", "pat-na", "pat-eu", "secret_", "ntn_",
    "dckr_pat_", "atatt3", "gocspx-", "1//0", "akc", "sntry", "sl.", ".atlasv1.", "rubygems_", "eaacedeose0cba",
)  # fmt: skip

SECRET_FORMS = (
    SecretForm("private key", ("private key",), re.compile(_BLOCK)),
    SecretForm("api key", _KEY_HINTS, re.compile(_BEGIN + f"(?:{'|'.join(_KEYS)})"), _looks_random),
    SecretForm("api key", ("akia", "asia", "abia", "acca"), re.compile(_BEGIN + _AWS)),
    SecretForm("api key", _SHORT_HINTS, re.compile(_BEGIN + _SHORT)),
    SecretForm("api key", ("hooks.slack.com",), re.compile(_SLACK_HOOK)),
    SecretForm("token", ("eyj",), re.compile(_JWT)),
    SecretForm("token", ("bearer",), re.compile(_BEARER), _has_digit),
    SecretForm("token", ("basic",), re.compile(_BASIC)),
)
_ALL_HINTS = tuple(hint for form in SECRET_FORMS for hint in form.hints)


def find_secrets(text: str) -> tuple[Secret, ...]:
    """The secrets of a text, in order and without overlap. Takes time in proportion to the length of the text."""
    lowered = _lower_in_place(text)
    forms = SECRET_FORMS if any(map(lowered.__contains__, _ALL_HINTS)) else ()  # most texts have no hint at all
    spans = [secret for form in forms for secret in form.find(text, lowered)]
    spans += [Secret("password", *span) for span in passwords.find_passwords(text, lowered)]
    spans += [Secret("card number", *span) for span in account_numbers.find_card_numbers(text)]
    spans += [Secret("iban", *span) for span in account_numbers.find_ibans(text)]
    return _merge_overlaps(sorted(spans, key=lambda secret: (secret.start, -secret.stop)))


PASSES = 8  # a limit for texts in which masking one secret reveals another


def mask_secrets(text: str) -> str:
    """Replaces each secret with `[masked: kind]`, also one that appears only after its neighbour is masked."""
    for _ in range(PASSES):
        before, text = text, _mask_once(text)
        if text == before:
            break
    return text


def _mask_once(text: str) -> str:
    pieces, reached = [], 0
    for secret in find_secrets(text):
        pieces += [text[reached : secret.start], f"[masked: {secret.kind}]"]
        reached = secret.stop
    return "".join([*pieces, text[reached:]]) if pieces else text


def _lower_in_place(text: str) -> str:
    """The text in lower case, with every character at its original index."""
    lowered = text.lower()
    if len(lowered) == len(text):
        return lowered
    return "".join(lower if len(lower := character.lower()) == 1 else character for character in text)


def _merge_overlaps(spans: list[Secret]) -> tuple[Secret, ...]:
    """Joins overlapping spans. The first one gives the kind."""
    merged: list[Secret] = []
    for span in spans:
        if merged and span.start < merged[-1].stop:
            merged[-1] = replace(merged[-1], stop=max(merged[-1].stop, span.stop))
        else:
            merged.append(span)
    return tuple(merged)


T = TypeVar("T")
UNMASKED_KEYS = ("id", "type")  # needed to match calls with results and to read parts
MASKED_PASSWORD = "[masked: password]"


class JsonMask(Protocol):
    """A function that replaces every secret in JSON."""

    def __call__(self, value: T, /) -> T: ...


def no_mask(value: T) -> T:
    return value


def mask_json(value: T) -> T:
    """Masks every text in a JSON value, and the value of every key that names a secret. Data URLs stay."""
    masked: Json = value
    if isinstance(value, str):
        masked = value if value.startswith("data:") else mask_secrets(value)
    elif isinstance(value, Mapping):
        masked = {key: inner if key in UNMASKED_KEYS else _mask_entry(key, inner) for key, inner in value.items()}
    elif isinstance(value, list | tuple):
        masked = [mask_json(inner) for inner in value]
    result: T = masked
    return result


def mask_json_text(text: str) -> str:
    """Masks a JSON text as `mask_json` does. A text without secrets stays byte for byte."""
    repeated = False

    def object_of(pairs: list[tuple[str, Json]]) -> dict[str, Json]:
        nonlocal repeated
        found = dict(pairs)
        repeated = repeated or len(found) < len(pairs)  # the value that is hidden can be a secret
        return found

    value = json.loads(text, object_pairs_hook=object_of)
    masked = mask_json(value)
    return text if masked == value and not repeated else json.dumps(masked)


class CachedMask:
    """`mask_json` that remembers the texts it has masked."""

    def __init__(self) -> None:
        self._texts = TextMemo[str](mask_json)

    def __call__(self, value: T, /) -> T:
        masked: Json = self._texts(value) if isinstance(value, str) else mask_json(value)
        result: T = masked
        return result

    def forget(self) -> None:
        """Drops all texts."""
        self._texts.forget()


def _mask_entry(key: str, value: Json) -> Json:
    return MASKED_PASSWORD if isinstance(value, str) and passwords.is_password(key, value) else mask_json(value)


# The fields of a record that people read; all others are ids, numbers and names of states.
READ_FIELDS = frozenset(
    ("content", "text", "title", "summary", "context", "outcome", "topics", "participants", "error", "tool_calls",
     "metadata", "beginning", "middle", "end", "key_moments", "episodes")
)  # fmt: skip


def mask_record(record: T, mask: JsonMask) -> T:
    """A value of the API, such as a summary or an arc, with the secrets of its texts masked."""
    if isinstance(record, list | tuple):
        return type(record)(mask_record(each, mask) for each in record)
    if not is_dataclass(record) or isinstance(record, type):
        return mask(record)
    shown = {each.name: getattr(record, each.name) for each in fields(record) if each.init and each.name in READ_FIELDS}
    return replace(record, **{name: mask_record(value, mask) for name, value in shown.items()})
