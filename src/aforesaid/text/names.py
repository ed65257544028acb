"""Names of speakers and conversations in the lines that aforesaid writes. A name cannot imitate such a line."""

from __future__ import annotations

import re
from functools import lru_cache

from aforesaid.text.injection import looks_like_injection
from aforesaid.text.normalize import normalize, skeleton

ROLE_NAMES = frozenset({"system", "developer", "user", "assistant", "tool", "aforesaid"})
MARK_WORDS = frozenset({"pinned", "imported", "fact", "untrusted"})  # aforesaid writes them before a speaker
LONGEST_NAME = 40

# What aforesaid's own lines use, and what looks like it.
_RESERVED = re.compile(r"[\s\x00-\x1f\x7f-\x9f<>\[\]()=,#|`\"‹›«»〈〉《》⟨⟩❬❭❮❯˂˃ᐸᐳ⟦⟧¦│┃∣ǀ❘♯、،‚]+")
_JOINER = re.compile(r"(?<![\u0600-\u0dff])\u200c")  # words of Arabic and Indic scripts need it
_MARKS = re.compile(r"([\u0300-\u036f\u20d0-\u20ff]{2})[\u0300-\u036f\u20d0-\u20ff]+")  # stacked on one letter
_WORDS = re.compile(r"[\w\u0300-\u036f\u20d0-\u20ff]+")


def visible_name(name: str) -> str:
    """The name with compatible letters in their plain form, and without invisible characters."""
    return name if name.isascii() else _MARKS.sub(r"\1", _JOINER.sub("", normalize(name)))


def short_name(name: str, longest: int = LONGEST_NAME) -> str:
    """A name or id on one line, without the characters that aforesaid's own lines use."""
    clean = _RESERVED.sub(" ", visible_name(name)).strip() or "?"
    return clean if len(clean) <= longest else clean[: longest - 1].rstrip() + "…"


def speaker_name(name: str | None, role: str) -> str:
    """The speaker's name on one line; the role if there is no name, or if the name could pass for another role, for a
    mark of aforesaid, or for an instruction."""
    return role if not name or role == "tool" or imitates(name, role) else short_name(name)


@lru_cache(256)  # the speakers of a conversation repeat
def imitates(name: str, role: str) -> bool:
    """Returns True if a name could pass for another role, for a mark of aforesaid, or for an instruction."""
    words = [word for word in map(skeleton, _WORDS.findall(visible_name(name))) if word]
    if "".join(words) in ROLE_NAMES or any(word in ROLE_NAMES and word != role for word in words):
        return True
    return not MARK_WORDS.isdisjoint(words[:1]) or looks_like_injection(name)
