"""Finds identifiers of code, in one spelling for all naming styles: parse_config and parseConfig are the same."""

from __future__ import annotations

import re
from collections.abc import Iterator

import regex

from aforesaid.text.normalize import fold, normalize, script_runs
from aforesaid.text.stopwords import STOPWORDS

LONGEST = 63
_LONGEST_ATOM = 256  # longer text is data, not a name
_LONGEST_TOKEN = 4096  # longer text without a space is data too
PUNCTUATION = ".,!?;:'\""  # punctuation around words; no identifier starts or ends with it

_HINT = re.compile(
    r"[_`/\\]|\w\(|[a-z0-9][A-Z]|[A-Z]{2}[a-z]|[A-Z]-[0-9]|--\w|\w(?:\.|::|->)\w"
    r"|[A-Za-z][0-9]{3}|[0-9][a-f]|[a-f][0-9]"
)
_ATOM = regex.compile(
    r"""
    (?:https?|ftps?|file|wss?)://[^\s<>"'`)\]}]*+ | www\.[^\s<>"'`)\]}]*+
    | (?<!`)`(?P<inline>[^`\s]{1,256}+)`(?!`)
    | (?P<atom>(?:[\w./\\~@+-]++|(?<=-)>|::|(?<=\b[A-Za-z]):(?=\\)){1,64}+)(?P<call>\((?!(?:e?s|ies)\)))?+
    """,
    regex.VERBOSE,
)
_SINGLE = regex.compile(
    r"""
    (?=\w*\p{L})_*+[^\W_]++(?:_++[^\W_]++)++_*+                      # parse_config, MAX_SIZE
    | (?=\w{3})\w*?(?:\p{Ll}\p{N}*+\p{Lu}|\p{Lu}{2}\p{Ll}{2})\w*+   # parseConfig, HTTPServer; not pH
    | [A-Za-z]{1,10}+[0-9]{3,}+[A-Za-z]?+                            # E1234, TS2345
    | (?=[0-9]*[a-f])(?=[a-f]*[0-9])[0-9a-f]{7,40}+                  # a commit
    """,
    regex.VERBOSE,
)
_QUALIFIED = regex.compile(r"[\p{L}_]\w*+(?:(?:\.|::|->)[\p{L}_]\w*+)++")
_VERSION = regex.compile(r"v[0-9]++\.[0-9][\w.+-]*+")
_TICKET = regex.compile(r"[A-Z]{2,10}+(?:-[0-9]++)++")
_FLAG = regex.compile(r"--[A-Za-z][\w-]++")
_INLINE = regex.compile(r"[\w./\\~@:$#+>-]++")
_SEPARATORS = regex.compile(r"[./\\:>~@+-]++")
_SLASHES = regex.compile(r"[/\\]++")
_NEW_SENTENCE = regex.compile(r"\p{Lu}\p{Ll}*+")
_NOT_IN_NAMES = regex.compile(r"[^\p{L}\p{M}\p{N}]++")
_OWNERS = frozenset({"self", "this", "that", "its", "super"})
_FILE_TYPES = """
7z avi bash bat bin bmp bz2 c cc cfg cjs clj cmake conf cpp cs csproj css csv cxx dart db deb dll doc
docx dylib ejs env erb erl ex exe exs fs gif go gradle graphql groovy gz h hpp hs htm html ico ini ipynb
jar java jl jpeg jpg js json jsonl jsx kt kts less lock log lua m md mdx mjs mkv ml mov mp3 mp4 ndjson
npz odt onnx out parquet pdf php pickle pkl pl plist png ppt pptx properties proto ps1 pt py pyc pyi r
rar rb rpm rs rst rtf sass scala scss sh sln so sql sqlite svelte svg swift tar tex tf tgz toml ts tsv
tsx ttf txt vb vue war wasm wav webp whl xls xlsx xml xz yaml yml zig zip zsh
"""
_EXTENSIONS = frozenset(_FILE_TYPES.split())


def identifiers(text: str) -> tuple[str, ...]:
    """The distinct identifiers of a text in order, without separators and case. Prose has none."""
    tokens = text.split() if text.isascii() else [token for _, token in script_runs(normalize(text)) if token]
    names = (name for token in tokens if not is_plain(token.strip(PUNCTUATION)) for name in identifiers_in(token))
    return tuple(dict.fromkeys(names))


def identifiers_in(token: str) -> Iterator[str]:
    """Every identifier in a normalized token without white space, as often as it occurs."""
    if len(token) > _LONGEST_TOKEN or not _may_hold(token):
        return
    for match in _ATOM.finditer(token):
        if (atom := match["atom"]) is not None:
            called = match["call"] is not None
            if (called or not is_plain(atom)) and len(atom) <= _LONGEST_ATOM:
                yield from dict.fromkeys(_fold_names(_names(atom, called)))
        elif (inline := match["inline"]) is not None and "://" not in inline:
            yield from dict.fromkeys((*_fold_names(_quoted(inline)), *identifiers_in(inline)))


def _may_hold(token: str) -> bool:
    """A quick check, so that prose costs little."""
    return bool(_HINT.search(token)) or not (token.isascii() or token[1:] == token[1:].lower())


def is_plain(atom: str) -> bool:
    """Returns True for a word of ordinary prose."""
    return atom.isalpha() and (atom[1:].islower() or atom.isupper())


def _fold_names(names: Iterator[str]) -> Iterator[str]:
    for name in names:
        joined = fold(_NOT_IN_NAMES.sub("", name))[:LONGEST]
        if len(joined) > 1:
            yield joined


def _quoted(inline: str) -> Iterator[str]:
    name = inline.partition("(")[0]
    if _INLINE.fullmatch(name) and any(map(str.isalpha, name)):
        yield name


def _names(atom: str, called: bool) -> Iterator[str]:
    if "@" in atom[1:]:
        return
    yield from _whole_names(atom, called)
    parts = _SEPARATORS.split(atom)
    yield from (part for part in parts if _SINGLE.fullmatch(part))
    if called and parts[-1].lower() not in STOPWORDS and not parts[-1].isnumeric():
        yield parts[-1]


def _whole_names(atom: str, called: bool) -> Iterator[str]:
    if _FLAG.fullmatch(atom) and atom[2:].lower() not in STOPWORDS:
        yield atom
        return
    core = atom.rstrip(".-+:>")
    if "/" in core or "\\" in core:
        yield from _path(core)
        return
    core = core.lstrip(".-+~:@")
    file = _is_file(core) and core.rpartition(".")[0].lower() not in STOPWORDS
    if file or _VERSION.fullmatch(core) or _TICKET.fullmatch(core) or _is_qualified(core, called):
        yield core


def _path(atom: str) -> Iterator[str]:
    segments = [segment for segment in _SLASHES.split(atom) if segment.strip(".~")]
    if "//" in atom or not any(map(str.isalpha, atom)) or not segments:
        return
    home = atom.startswith(("~/", "./", "../", ".\\", "..\\"))
    rooted = atom[0] in "/@" or atom[1:2] == ":" or atom[-1] in "/\\"
    named = _is_file(segments[-1])
    if home or named or (rooted and len(segments) > 1):
        yield atom
    if named:
        yield segments[-1]


def _is_file(name: str) -> bool:
    """Returns True for a file name with a known extension. One letter on both sides of the dot (p.m) is none."""
    base, _, extension = name.rpartition(".")
    if len(base) + len(extension) < 3 or not (extension.islower() or extension.isupper()):
        return False
    return extension.lower() in _EXTENSIONS and any(map(str.isalnum, base))


def _is_qualified(name: str, called: bool) -> bool:
    """Returns True for a dotted name. Two sentences without a space between them are not one."""
    if not _QUALIFIED.fullmatch(name):
        return False
    if "::" in name or "->" in name or called:
        return True
    first, *others = name.split(".")
    if len(others[-1]) < 2 or any(part.lower() in STOPWORDS for part in others):
        return False
    if len(others) == 1 and _NEW_SENTENCE.fullmatch(others[0]):
        return False
    return first.lower() not in STOPWORDS or first in _OWNERS
