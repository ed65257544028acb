"""Neutralizes control tokens of chat templates, aforesaid's own tags, and hidden characters in a text.

A tokenizer turns a control token such as `<|im_start|>` into the token that begins a turn, wherever it is in a prompt.
Its first character is replaced by one that looks like it (`‹|im_start|>`), so a reader still sees what was written."""

from __future__ import annotations

import re
import unicodedata
from functools import cache

from aforesaid.text.memory_blocks import TAGS
from aforesaid.text.normalize import skeleton

# Names of control tokens, as tokenizers and chat templates write them: `<s>`, `[INST]`. The general rule for `<|…|>`,
# `<｜…｜>`, `<|…>` and `<…|>` covers all others. tests/text/control_tokens.json has the tokens and their origins.
_TAGS = """
s unk pad bos eos mask sop eop eot sos eoh eoa sys inst think tool_call tool_response tool_calls tool_result
function_calls function_results start_of_turn end_of_turn start_of_image end_of_image image_soft_token
start_function_call end_function_call start_function_declaration end_function_declaration start_function_response
end_function_response BOS_TOKEN EOS_TOKEN EOP_TOKEN MASK_TOKEN CLS PAD SEP UNK SYS INST EOT META META_START META_END
SOS
"""
_BRACKETS = """
INST inst AVAILABLE_TOOLS TOOL_CALLS TOOL_RESULTS TOOL_CONTENT SYSTEM_PROMPT MODEL_SETTINGS ARGS CALL_ID THINK IMG
IMG_BREAK IMG_END AUDIO BEGIN_AUDIO TRANSCRIBE PREFIX MIDDLE SUFFIX STREAMING_PAD STREAMING_WORD NEXT_AUDIO_TEXT
REPEAT_AUDIO_TEXT gMASK sMASK MASK CLS SEP UNK PAD @BOS@
"""
TAG_TOKENS, BRACKET_TOKENS = frozenset(_TAGS.split()), frozenset(_BRACKETS.split())
REPLACED = {"<": "‹", "[": "⟦", "]": "⟧", "|": "¦"}  # by characters that no normalization turns back

_NAMED = r"(?:unused|SPECIAL_|extra_id_|reserved_|TOKENS_UNUSED_)\d+|(?:seed|antml|dsml):.*"
_OPENERS = r"""
    [<＜﹤\[［﹇\]|｜] (?:
      (?<= [<＜﹤] ) (?= [<＜﹤]? (?P<tag> [^\s<>＜＞﹤﹥\[\]‹]{1,80}+ ) [>＞﹥] )
      | (?<= [\[［﹇] ) (?= (?P<bracket> [^\s<>\[\]［］﹇﹈⟦]{1,40}+ ) [\]］﹈] )
      | (?<= < ) (?= /?dsml: ) | (?<= \] ) (?= ~b\] | ~!b\[ ) | (?<= \[ ) (?= e~\[ ) | (?<= [|｜] ) (?= DSML[|｜] )
    )
"""
_OWN_TAGS = r"[<＜﹤〈⟨❬❮˂ᐸ](?=\W{0,12}(?P<name>[\w\u0300-\u036f\u20d0-\u20ff\u200b-\u200f]{4,60}))"
# Characters that nobody sees. Thai, Persian, Indic and right-to-left scripts and emoji need some of them one at a time.
_NEEDED = "\u200b-\u200f\u061c\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180d\u180f\u3164\uffa0"
_NEEDLESS = "\u00ad\u180e\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\U000e0000-\U000e007f"
_SELECTORS = "\ufe00-\ufe0f\U000e0100-\U000e01ef"
_FLAG = "\U0001f3f4(?:{})\U000e007f".format(  # the flags of England, Scotland and Wales
    "|".join("".join(chr(0xE0000 + ord(letter)) for letter in region) for region in ("gbeng", "gbsct", "gbwls"))
)
_INVISIBLE = f"[{_NEEDED}{_NEEDLESS}{_SELECTORS}]"
_CONTROL = r"[\x00-\x08\x0e-\x1b\x1f\x7f-\x84\x86-\x9f]"
_UNSEEN = f"[{_INVISIBLE[1:-1]}{_CONTROL[1:-1]}]"
_SPECIAL = r"[\[\]<|\x00-\x08\x0e-\x1b\x1f\x7f]"  # the ASCII characters that may have to be replaced
_RUN = f"{_INVISIBLE}{{3,}}"
_HIDDEN = (
    f"(?P<flag>{_FLAG})|{_RUN}|[{_NEEDLESS}]|(?<=[{_SELECTORS}])[{_SELECTORS}]"
    "|(?<![\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff])[\U000e0100-\U000e01ef]"
    f"|(?P<control>{_CONTROL})"
)


def neutralize(text: str) -> str:
    """The text without control tokens of chat templates, without the tags of aforesaid's blocks, and without hidden
    characters. Use it for recalled text in a prompt of your own. It keeps every visible word; applied twice, it changes
    nothing more."""
    if text.isascii() and not _pattern(_SPECIAL).search(text):
        return text
    if _pattern(_CONTROL if text.isascii() else _UNSEEN).search(text):
        text = _pattern(_HIDDEN).sub(_shown, text)
    text = _pattern(_OPENERS).sub(_broken, text)
    return _pattern(_OWN_TAGS).sub(lambda tag: "‹" if skeleton(tag["name"]) in TAGS else tag[0], text)


def has_control_token(text: str) -> bool:
    """Returns True if a text has a control token, also one with hidden characters or look-alikes in it."""
    return any(_broken(match) != match[0] for match in _pattern(_OPENERS).finditer(text))


def has_hidden_text(text: str) -> bool:
    """Returns True if a text has invisible characters that can carry words: tag characters, or several in a row."""
    if text.isascii():
        return False
    found = _pattern(f"(?P<flag>{_FLAG})|{_RUN}|[\U000e0000-\U000e007f]").finditer(text)
    return any(match["flag"] is None for match in found)


@cache
def _pattern(pattern: str) -> re.Pattern[str]:
    """Compiled on first use, because compiling takes longer than most imports."""
    return re.compile(pattern, re.VERBOSE if pattern is _OPENERS else 0)


def _shown(match: re.Match[str]) -> str:
    """Nothing in place of an invisible character, and a picture of a control character (`␛` for escape)."""
    control = match["control"]
    if control is None:
        return match["flag"] or ""
    return "␡" if control == "\x7f" else chr(0x2400 + ord(control)) if control < " " else "\ufffd"


def _broken(match: re.Match[str]) -> str:
    """A look-alike of the first character if a control token begins here, else the character."""
    name = match["tag"] or match["bracket"]
    if name is not None and not _is_token(name, tag=match["tag"] is not None):
        return match[0]
    return REPLACED[unicodedata.normalize("NFKC", match[0])]


def _is_token(name: str, *, tag: bool) -> bool:
    if not name.isascii():
        name = _pattern(_INVISIBLE).sub("", unicodedata.normalize("NFKC", name))
    if not tag:
        return name.removeprefix("/") in BRACKET_TOKENS
    if name.startswith("|") or name.endswith("|"):
        return bool(name.strip("|"))
    name = name.removeprefix("/")
    return name in TAG_TOKENS or _pattern(_NAMED).fullmatch(name) is not None
