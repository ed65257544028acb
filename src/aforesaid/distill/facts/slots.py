"""The slots that a claim can fill, and the values that a pattern match puts into them. A vague value gives no claim."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

import regex

from aforesaid.distill.grammar import ClaimGrammar, ClaimPattern, compile_search, search
from aforesaid.models.fact import Claim, FactKind
from aforesaid.text import masking
from aforesaid.text.credentials import names_credential
from aforesaid.text.time_expressions import mentions_time

_TABLE = {
    "database": "postgres postgresql mysql mariadb sqlite oracle mongodb mongo cassandra dynamodb cockroachdb duckdb "
    "clickhouse couchdb firestore supabase neo4j snowflake bigquery timescaledb scylladb influxdb planetscale",
    "cache": "redis memcached valkey dragonfly",
    "queue": "kafka rabbitmq celery nats sqs pulsar sidekiq",
    "framework": "django flask fastapi rails laravel spring symfony express nestjs react vue svelte angular nextjs "
    "next.js nuxt sveltekit remix phoenix starlette litestar flutter qt electron tauri astro htmx",
    "language": "python rust golang typescript javascript kotlin java swift ruby php elixir haskell scala c++ c# zig "
    "clojure ocaml julia perl",
    "platform": "kubernetes k8s docker nomad aws azure gcp heroku hetzner vercel netlify cloudflare openshift",
    "version control": "git mercurial github gitlab bitbucket gitea codeberg",
    "search": "elasticsearch opensearch meilisearch typesense solr qdrant weaviate milvus pgvector",
    "build tool": "bazel cmake gradle maven webpack vite esbuild poetry pnpm terraform ansible",
    "ci": "jenkins circleci travis buildkite",
    "tracker": "jira trello linear asana",
}

TECHNOLOGIES = {name: part for part, names in _TABLE.items() for name in names.split()}


def technology_category(name: str) -> str | None:
    """The category of a technology, with or without its version; None if the name is unknown."""
    plain = name.lower()
    return TECHNOLOGIES.get(plain) or TECHNOLOGIES.get(plain.rstrip("0123456789. "))


ValueCheck = Literal["time", "technology", "amount"]


@dataclass(frozen=True, slots=True)
class ClaimSlot:
    """Templates for a claim. `{value}` and `{other}` are groups of the pattern, `{part}` is a technology's category. A
    `many` slot splits a list into its values. `check` is the kind of value that the slot accepts, `denied` the text for
    a denied value."""

    kind: FactKind
    subject: str
    attribute: str | None
    value: str
    text: str
    category: str | None = None
    many: bool = False
    check: ValueCheck | None = None
    denied: str | None = None


SLOTS: dict[str, ClaimSlot] = {
    "name": ClaimSlot("fact", "user", "name", "{value}", "user's name is {value}", "person"),
    "nickname": ClaimSlot("fact", "user", "nickname", "{value}", "people call the user {value}", "person"),
    "home": ClaimSlot("fact", "user", "home", "{value}", "user lives in {value}", "person"),
    "origin": ClaimSlot("fact", "user", "origin", "{value}", "user comes from {value}", "person"),
    "nationality": ClaimSlot("fact", "user", "nationality", "{value}", "user is {value}", "person"),
    "birthday": ClaimSlot("fact", "user", "birthday", "{value}", "user's birthday is {value}", "person", check="time"),
    "age": ClaimSlot("fact", "user", "age", "{value}", "user is {value} years old", "person"),
    "employer": ClaimSlot("fact", "user", "employer", "{value}", "user works for {value}", "work"),
    "occupation": ClaimSlot("fact", "user", "occupation", "{value}", "user works as {value}", "work"),
    "partner": ClaimSlot("fact", "user", "partner", "{value}", "user's partner is {value}", "person"),
    "children": ClaimSlot("fact", "user", "children", "{value}", "user has {value} children", "person"),
    "relative": ClaimSlot(
        "entity", "{value}", "relation to user", "{other}", "{value} is the user's {other}", "person",
        denied="{value} is not the user's {other}",
    ),
    "role": ClaimSlot("entity", "{value}", "role", "{other}", "{value} is the {other}", "work"),
    "diet": ClaimSlot("fact", "user", "diet", "{value}", "user is {value}", "health"),
    "no food": ClaimSlot("fact", "user", "diet", "no {value}", "user eats no {value}", "health"),
    "allergy": ClaimSlot(
        "fact", "user", "allergy to {value}", "yes", "user is allergic to {value}", "health", many=True,
        denied="user is not allergic to {value}",
    ),
    "speaks": ClaimSlot(
        "fact", "user", "speaks {value}", "yes", "user speaks {value}", "person", many=True,
        denied="user does not speak {value}",
    ),
    "native language": ClaimSlot("fact", "user", "native language", "{value}", "user's native language is {value}", "person"),
    "timezone": ClaimSlot("fact", "user", "timezone", "{value}", "user's time zone is {value}", "person"),
    "vehicle": ClaimSlot("fact", "user", "vehicle", "{value}", "user drives {value}", "person"),
    "editor": ClaimSlot("fact", "user", "editor", "{value}", "user's editor is {value}", "work"),
    "remembered": ClaimSlot("fact", "user", None, "{value}", "to be remembered: {value}"),
    "favourite": ClaimSlot("preference", "user", "favourite {other}", "{value}", "user's favourite {other} is {value}", "taste"),
    "likes": ClaimSlot("preference", "user", "opinion of {value}", "likes", "user likes {value}", "taste"),
    "dislikes": ClaimSlot("preference", "user", "opinion of {value}", "dislikes", "user dislikes {value}", "taste"),
    "prefers": ClaimSlot("preference", "user", None, "{value}", "user prefers {value}", "taste"),
    "manner": ClaimSlot("preference", "user", None, "{value}", "user wants the assistant to {value}", "manner"),
    "never": ClaimSlot("preference", "user", None, "never {value}", "user wants the assistant to never {value}", "manner"),
    "chosen technology": ClaimSlot(
        "decision", "project", "{part}", "{value}", "it was decided to use {value} as {part}", "work",
        check="technology",
    ),
    "used technology": ClaimSlot("fact", "project", "{part}", "{value}", "the project uses {value} as {part}", "work", check="technology"),
    "stack": ClaimSlot("fact", "project", "stack", "{value}", "the project's stack is {value}", "work"),
    "decision": ClaimSlot("decision", "project", None, "{value}", "it was decided: {value}", "work"),
    "own decision": ClaimSlot("decision", "user", None, "{value}", "user decided: {value}"),
    "deadline": ClaimSlot("constraint", "project", "deadline", "{value}", "the deadline is {value}", "work", check="time"),
    "budget": ClaimSlot("constraint", "project", "budget", "{value}", "the budget is {value}", "work", check="amount"),
    "constraint": ClaimSlot("constraint", "project", None, "{value}", "constraint: {value}", "work"),
    "goal": ClaimSlot("goal", "user", None, "{value}", "user wants to {value}"),
    "shared goal": ClaimSlot("goal", "project", None, "{value}", "the goal is to {value}", "work"),
    "learning": ClaimSlot("goal", "user", None, "learn {value}", "user wants to learn {value}"),
    "procedure": ClaimSlot("procedure", "project", None, "{value}", "how it is done: {value}", "work"),
    "project name": ClaimSlot("entity", "project", "name", "{value}", "the project is called {value}", "work"),
}  # fmt: skip


MOST_VALUES = 16  # values of one list
PHRASE_KINDS = ("goal", "procedure", "constraint")  # kinds whose values are whole phrases

_EDGE = " \t\n.,;:!?\"'()[]…-–—。，！？、"
_AMOUNT = re.compile(r"\d")
_TIME = re.compile(
    r"\d|\b(?:mon|tues|wednes|thurs|fri|satur|sun)day\b|montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonntag"
    r"|lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche|lunes|martes|miércoles|jueves|viernes|sábado|domingo"
    r"|lunedì|martedì|mercoledì|giovedì|venerdì|sabato|domenica|segunda|terça|quarta|quinta|sexta"
    r"|maandag|dinsdag|woensdag|donderdag|vrijdag|zaterdag|zondag",
    re.IGNORECASE,
)


def claims_of_match(language: ClaimGrammar, pattern: ClaimPattern, match: regex.Match[str]) -> Iterator[Claim]:
    """The claims of a match, without quote and start: several for a list, none for a vague or unaccepted value."""
    slot = SLOTS[pattern.slot]
    groups = match.groupdict()
    other = (groups.get("other") or "").strip()
    raw = groups.get("value") or match[0]
    for value, denied in _values(language, slot, raw):
        if value and _fits(slot, value) and not _is_vague(language, slot, value):
            yield _claim(slot, value, other, (pattern.confidence, pattern.denies or denied))


def has_credential(text: str) -> bool:
    """Returns True if the text names a credential or contains one."""
    return names_credential(text) or bool(masking.find_secrets(text))


def _values(language: ClaimGrammar, slot: ClaimSlot, raw: str) -> list[tuple[str, bool]]:
    """The values of a text, each with True if it is denied. A negation in a list denies all following values."""
    if slot.attribute is None:
        return [(_plain(language, raw) if slot.kind != "fact" else " ".join(raw.split()).strip(_EDGE), False)]
    words, denied = _strip_negation(language, raw)
    values = []
    for item in _list_items(language, words) if slot.many else [words]:
        value, item_denied = _strip_negation(language, item)
        denied = denied or item_denied
        values.append((_plain(language, _strip_repeated(language, value) if slot.many else value), denied))
    return values


def _strip_negation(language: ClaimGrammar, raw: str) -> tuple[str, bool]:
    """The words without the negation that they begin with, and True if there is one."""
    words = raw.strip()
    match = compile_search(language, language.denial, words).match(words)
    return (raw, False) if match is None else (words[match.end() :], True)


def _list_items(language: ClaimGrammar, raw: str) -> list[str]:
    joins = rf"(?<!\w)(?:{language.joins})(?!\w)".replace(" ", r"\s+") if language.spaced else f"(?:{language.joins})"
    cut = compile_search(language, language.ends, raw).search
    pieces = [
        piece[: end.start()] if (end := cut(piece)) and end.start() else piece
        for piece in regex.split(rf"[,、]|{joins}", raw)
    ]
    return [piece for piece in pieces if piece.strip()][:MOST_VALUES]


def _strip_repeated(language: ClaimGrammar, item: str) -> str:
    """An item of a list without the words that are repeated before each item."""
    again = rf"^\s*(?:{language.lists.get('again', '(?!)')})(?:\s+|(?<='))".replace(" ", r"\s+")
    return str(regex.sub(again, "", item, flags=regex.IGNORECASE))


def _plain(language: ClaimGrammar, raw: str) -> str:
    """The value with single spaces, without punctuation at its ends and without its article."""
    value = " ".join(raw.split()).strip(_EDGE if raw.strip()[:1] not in "([" else " ")
    if not language.articles:
        return value
    return str(regex.sub(rf"^(?:{language.articles})(?:\s+|(?<='))", "", value, flags=regex.IGNORECASE))


def _is_vague(language: ClaimGrammar, slot: ClaimSlot, value: str) -> bool:
    if slot.category == "manner" or slot.kind == "procedure":
        return False
    if search(language, language.pointing, value):
        return slot.attribute is not None or slot.kind != "fact"
    return slot.kind not in PHRASE_KINDS and bool(compile_search(language, language.vague, value).fullmatch(value))


def _fits(slot: ClaimSlot, value: str) -> bool:
    if slot.check == "technology":
        return technology_category(value) is not None
    if slot.check == "time":
        return _TIME.search(value) is not None or mentions_time(value)
    return slot.check != "amount" or _AMOUNT.search(value) is not None


def _claim(slot: ClaimSlot, value: str, other: str, how: tuple[float, bool]) -> Claim:
    confidence, denied = how
    words = {"value": value, "other": other, "part": technology_category(value) or ""}
    claimed = slot.value.format_map(words)
    text = slot.text.format_map(words)
    if denied:
        claimed = "no" if claimed == "yes" else f"not {claimed}"
        text = slot.denied.format_map(words) if slot.denied else f"no longer or not true: {text}"
    return Claim(
        kind=slot.kind,
        subject=slot.subject.format_map({**words, "value": value.lower()}),
        attribute=slot.attribute.format_map(words) if slot.attribute else None,
        value=claimed,
        text=text,
        quote="",
        start=0,
        confidence=confidence,
    )
