"""Detects prompt injection: text that reads like instructions to a model."""

from __future__ import annotations

import re

from aforesaid.text.control_tokens import has_control_token, has_hidden_text
from aforesaid.text.normalize import unmasked_letters

# Pairs of hint words and a pattern. A text with none of the hint words is not searched, which is the usual case.
INJECTION_PATTERNS: tuple[tuple[tuple[str, ...], str], ...] = (
    (
        ("ignore", "disregard", "forget", "override", "bypass"),
        r"""\b(?:ignore|disregard|forget|override|bypass)\b .{0,40}?
        \b(?:instructions?|rules|prompts?|guidelines|directives?|everything\s+(?:above|before|you)
        | (?:previous|prior|above|earlier|preceding)\s+
          (?:messages?|context|conversations?|text|orders?|commands?))\b""",
    ),
    (
        ("instructions", "prompt", "directive"),
        r"\b(?:new|hidden|secret)\s+(?:system\s+)?(?:instructions|prompt|directives?)\b",
    ),
    (("now",), r"\byou\s+(?:are\s+now|must\s+now|will\s+now)\b"),
    (("prompt", "override"), r"\b(?:system|developer)\s+(?:prompt|override)\b"),
    (
        ("tell", "inform", "mention", "reveal", "warn"),
        r"""\b(?:do\s+not|don't|never)\s+(?:tell|inform|mention|reveal|warn)\b .{0,20}?
        \b(?:user|human|anyone|them)\b""",
    ),
    (("without",), r"\bwithout\s+(?:telling|informing|asking)\s+(?:the\s+)?(?:user|human|anyone)\b"),
    (("jailbreak", "prompt", "dan"), r"\b(?:jailbreak|prompt\s+injection|DAN\s+mode)\b"),
    (("system", "developer", "assistant"), r"^[ \t>#*-]{0,8}(?:system|developer|assistant)[ \t]{0,4}:"),
    (("<", "inst]"), r"<\|?/?(?:im_start|im_end|system|instructions?)\b | \[/?INST\]"),
    (
        ("ignor",),
        r"""\bignor(?:iere|e[zr]?|a)\b .{0,40}?
        \b(?:instru[ck]\w+|anweisung\w*|regeln?|consignes?|reglas?|indicaciones)\b""",
    ),
    (("忽略", "無視", "以前"), r"忽略.{0,12}(?:指令|指示|提示|规则) | 無視.{0,12}(?:指示|命令) | 以前の指示"),
    (("игнорируй",), r"игнорируй\w*.{0,30}(?:инструкци|указани)"),
)
FLAGS = re.IGNORECASE | re.VERBOSE | re.MULTILINE | re.DOTALL

_PATTERNS = [(words, re.compile(pattern, FLAGS)) for words, pattern in INJECTION_PATTERNS]


def looks_like_injection(text: str) -> bool:
    """Returns True if a text reads like instructions to a model. This only marks the text: quoting protects from it."""
    if has_control_token(text) or has_hidden_text(text) or _reads_like_injection(text):
        return True
    return not text.isascii() and (plain := unmasked_letters(text)) != text and _reads_like_injection(plain)


def _reads_like_injection(text: str) -> bool:
    folded = text.casefold().replace("ı", "i").replace("\u0307", "")  # IGNORECASE matches these letters too
    return any(
        any(map(folded.__contains__, words)) and pattern.search(text) is not None for words, pattern in _PATTERNS
    )
