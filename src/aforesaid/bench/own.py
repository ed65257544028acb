"""`aforesaid bench own`: the project's own corpus, which is part of the package, so that it needs no download.

A file is one dialogue of two people, or one person's chats with an assistant, over months. It has a head of
`name: value` lines, then sessions (`# date`) of messages (`a1 Ines: text`; further lines begin with two spaces), then
questions (`? kind ids: text`) and their answers (`= text`). A question of the kind `none` has no answer in it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from importlib.resources import files
from importlib.resources.abc import Traversable

from aforesaid.bench.dataset import DatasetQuestion, DatasetSession, Haystack, parse_date
from aforesaid.bench.retrieval import MESSAGES, RetrievalBenchmark
from aforesaid.errors import InvalidInput

CORPUS = files(__package__).joinpath("data", "own")
DATE = "%Y-%m-%d %H:%M"
MESSAGE = re.compile(r"([a-z]\d+) ([^:]+): (.+)")
QUESTION = re.compile(r"\? (\w+)((?: [a-z]\d+)*): (.+)")
CONTINUED = "  "  # before a further line of a message
BENCHMARK = RetrievalBenchmark("aforesaid's own corpus", MESSAGES, ("recall@10", "evidence@1000"))


def load() -> list[Haystack]:
    """The dialogues of the corpus, by name."""
    names = sorted((file for file in CORPUS.iterdir() if file.name.endswith(".txt")), key=lambda file: file.name)
    return list(map(haystack, names))


def haystack(file: Traversable) -> Haystack:
    """One dialogue as a space; each session is a conversation. Questions are asked on the day of the last session."""
    head, *sections = re.split(r"^# ", file.read_text("utf-8"), flags=re.MULTILINE)
    assistant = "kind: assistant" in head
    user = next(line.removeprefix("user: ") for line in head.splitlines() if line.startswith("user: "))
    body, *questions = re.split(r"^(?=\? )", sections[-1], flags=re.MULTILINE)
    sessions = []
    for section in (*sections[:-1], body):
        date, _, text = section.partition("\n")
        sessions.append(DatasetSession(date, list(_messages(file, date, text, None if assistant else user))))
    asked = [_question(file, question) for question in questions]
    return Haystack(file.name.removesuffix(".txt"), sessions, asked, parse_date(sessions[-1].id, DATE))


def _messages(file: Traversable, date: str, text: str, user: str | None) -> Iterator[dict[str, str]]:
    """`user` is the name of the first person; None for a chat with an assistant, whose speakers are the roles."""
    at = parse_date(date, DATE)
    for lines in re.split(rf"\n(?!{CONTINUED}|\n|$)", text.strip("\n")):
        match = MESSAGE.fullmatch(lines.partition("\n")[0])
        if match is None or at is None:
            raise InvalidInput(f"{file.name} is damaged: {lines[:60]!r} is not a message of a session")
        id, speaker, first = match.groups()
        rest = [line.removeprefix(CONTINUED) for line in lines.split("\n")[1:]]
        content = "\n".join([first, *rest]).rstrip()
        named = (
            {"role": speaker} if user is None else {"role": "user" if speaker == user else "assistant", "name": speaker}
        )
        yield {**named, "content": content, "id": id, "at": at.isoformat()}


def _question(file: Traversable, lines: str) -> DatasetQuestion:
    question, _, answer = lines.strip().partition("\n= ")
    match = QUESTION.fullmatch(question)
    if match is None:
        raise InvalidInput(f"{file.name} is damaged: {question[:60]!r} is not a question")
    kind, ids, text = match.groups()
    return DatasetQuestion(text, kind, frozenset(ids.split()), answer)
