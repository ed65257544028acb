"""What can be claimed, whatever the language: its kind, what it is about, and a sentence that reads by itself.

An attribute holds one value at a time: what a person may have several of (allergies, likings, relatives) carries the
thing itself in its attribute or subject, so that a second one is no contradiction, and taking one back is.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from recollect.models import FactKind

Check = Literal["time", "technology", "amount"]


@dataclass(frozen=True, slots=True)
class Slot:
    """Templates: `{value}` and `{other}` are what the pattern found, `{part}` what a technology is in a project.

    `many` slots take a list apart. `check` says what a value must be to count. `against` is the sentence for a value
    that is denied.
    """

    kind: FactKind
    subject: str
    attribute: str | None
    value: str
    text: str
    category: str | None = None
    many: bool = False
    check: Check | None = None
    against: str | None = None


SLOTS: dict[str, Slot] = {
    "name": Slot("fact", "user", "name", "{value}", "user's name is {value}", "person"),
    "nickname": Slot("fact", "user", "nickname", "{value}", "people call the user {value}", "person"),
    "home": Slot("fact", "user", "home", "{value}", "user lives in {value}", "person"),
    "origin": Slot("fact", "user", "origin", "{value}", "user comes from {value}", "person"),
    "nationality": Slot("fact", "user", "nationality", "{value}", "user is {value}", "person"),
    "birthday": Slot("fact", "user", "birthday", "{value}", "user's birthday is {value}", "person", check="time"),
    "age": Slot("fact", "user", "age", "{value}", "user is {value} years old", "person"),
    "employer": Slot("fact", "user", "employer", "{value}", "user works for {value}", "work"),
    "occupation": Slot("fact", "user", "occupation", "{value}", "user works as {value}", "work"),
    "partner": Slot("fact", "user", "partner", "{value}", "user's partner is {value}", "person"),
    "children": Slot("fact", "user", "children", "{value}", "user has {value} children", "person"),
    "relative": Slot(
        "entity", "{value}", "relation to user", "{other}", "{value} is the user's {other}", "person",
        against="{value} is not the user's {other}",
    ),
    "role": Slot("entity", "{value}", "role", "{other}", "{value} is the {other}", "work"),
    "diet": Slot("fact", "user", "diet", "{value}", "user is {value}", "health"),
    "no food": Slot("fact", "user", "diet", "no {value}", "user eats no {value}", "health"),
    "allergy": Slot(
        "fact", "user", "allergy to {value}", "yes", "user is allergic to {value}", "health", many=True,
        against="user is not allergic to {value}",
    ),
    "speaks": Slot(
        "fact", "user", "speaks {value}", "yes", "user speaks {value}", "person", many=True,
        against="user does not speak {value}",
    ),
    "native language": Slot(
        "fact", "user", "native language", "{value}", "user's native language is {value}", "person"
    ),
    "timezone": Slot("fact", "user", "timezone", "{value}", "user's time zone is {value}", "person"),
    "vehicle": Slot("fact", "user", "vehicle", "{value}", "user drives {value}", "person"),
    "editor": Slot("fact", "user", "editor", "{value}", "user's editor is {value}", "work"),
    "remembered": Slot("fact", "user", None, "{value}", "to be remembered: {value}"),
    "favourite": Slot(
        "preference", "user", "favourite {other}", "{value}", "user's favourite {other} is {value}", "taste"
    ),
    "likes": Slot("preference", "user", "opinion of {value}", "likes", "user likes {value}", "taste"),
    "dislikes": Slot("preference", "user", "opinion of {value}", "dislikes", "user dislikes {value}", "taste"),
    "prefers": Slot("preference", "user", None, "{value}", "user prefers {value}", "taste"),
    "manner": Slot("preference", "user", None, "{value}", "user wants the assistant to {value}", "manner"),
    "never": Slot(
        "preference", "user", None, "never {value}", "user wants the assistant to never {value}", "manner"
    ),
    "chosen technology": Slot(
        "decision", "project", "{part}", "{value}", "it was decided to use {value} as {part}", "work",
        check="technology",
    ),
    "used technology": Slot(
        "fact", "project", "{part}", "{value}", "the project uses {value} as {part}", "work", check="technology"
    ),
    "stack": Slot("fact", "project", "stack", "{value}", "the project's stack is {value}", "work"),
    "decision": Slot("decision", "project", None, "{value}", "it was decided: {value}", "work"),
    "own decision": Slot("decision", "user", None, "{value}", "user decided: {value}"),
    "deadline": Slot("constraint", "project", "deadline", "{value}", "the deadline is {value}", "work", check="time"),
    "budget": Slot("constraint", "project", "budget", "{value}", "the budget is {value}", "work", check="amount"),
    "constraint": Slot("constraint", "project", None, "{value}", "constraint: {value}", "work"),
    "goal": Slot("goal", "user", None, "{value}", "user wants to {value}"),
    "shared goal": Slot("goal", "project", None, "{value}", "the goal is to {value}", "work"),
    "learning": Slot("goal", "user", None, "learn {value}", "user wants to learn {value}"),
    "procedure": Slot("procedure", "project", None, "{value}", "how it is done: {value}", "work"),
    "project name": Slot("entity", "project", "name", "{value}", "the project is called {value}", "work"),
}  # fmt: skip
