"""Whether a text tries to give orders to a model."""

from __future__ import annotations

import re

_ORDERS = re.compile(
    r"""
    \b(?:ignore|disregard|forget|override|bypass)\b .{0,40}?
        \b(?:instructions?|rules|prompts?|guidelines|directives?|everything\s+(?:above|before|you)
        | (?:previous|prior|above|earlier|preceding)\s+(?:messages?|context|conversations?|text|orders?|commands?))\b
    | \b(?:new|hidden|secret)\s+(?:system\s+)?(?:instructions|prompt|directives?)\b
    | \byou\s+(?:are\s+now|must\s+now|will\s+now)\b
    | \b(?:system|developer)\s+(?:prompt|override)\b
    | \b(?:do\s+not|don't|never)\s+(?:tell|inform|mention|reveal|warn)\b .{0,20}? \b(?:user|human|anyone|them)\b
    | \bwithout\s+(?:telling|informing|asking)\s+(?:the\s+)?(?:user|human|anyone)\b
    | \b(?:jailbreak|prompt\s+injection|DAN\s+mode)\b
    | ^[ \t>#*-]{0,8}(?:system|developer|assistant)[ \t]{0,4}:
    | <\|?/?(?:im_start|im_end|system|instructions?)\b | \[/?INST\]
    | \bignor(?:iere|e[zr]?|a)\b .{0,40}? \b(?:instru[ck]\w+|anweisung\w*|regeln?|consignes?|reglas?|indicaciones)\b
    | 忽略.{0,12}(?:指令|指示|提示|规则) | 無視.{0,12}(?:指示|命令) | 以前の指示
    | игнорируй\w*.{0,30}(?:инструкци|указани)
    """,
    re.IGNORECASE | re.VERBOSE | re.MULTILINE | re.DOTALL,
)


def orders(text: str) -> bool:
    """Whether a text reads like instructions to a model. A mark for the reader, not a shield: quoting is the shield."""
    return _ORDERS.search(text) is not None
