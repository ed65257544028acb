"""Tests that identifiers improve the retrieval for questions about code over dense search."""

from __future__ import annotations

from itertools import product

import pytest

from aforesaid.bench import metrics
from aforesaid.bench.dataset import DatasetQuestion, DatasetSession, Haystack, load_haystack
from aforesaid.bench.systems import aforesaid, dense, embedder_of

VERBS = ("load", "parse", "render", "validate", "merge", "flush", "resolve", "encode")
NOUNS = ("config", "invoice", "session", "schema", "token", "header", "payload", "cursor")
SAID = (
    "The build broke again because `{}` returns None when the list is empty. The log shows nothing but the exit code, "
    "so I ran it twice on my machine before I saw what was going on.",
    "I moved the retry loop out of {}() so that the caller decides how often to try. The rest of the module is as it "
    "was, and the old tests still pass on both Python versions.",
    "We still need a test for {}, it fails on Windows with long file names. Nobody noticed since the nightly job only "
    "runs on Linux, and the release is on Thursday.",
    "Could you look at the review? I think {} should not swallow the exception. If the network is down we want to see "
    "that, rather than an empty page that looks as though all were well.",
    "Here is what I have so far, tell me whether it reads well:\n\n```python\ndef {}(value):\n    if not value:\n"
    "        raise ValueError(value)\n    return value.strip()\n```",
)
ASKED = (
    "why does {} fail?",
    "what did we change in {}()?",
    "is there a test for {}",
    "who was to look at {}?",
)


def snake(verb: str, noun: str) -> str:
    return f"{verb}_{noun}"


def camel(verb: str, noun: str) -> str:
    return verb + noun.capitalize()


def code_talk() -> Haystack:
    """Makes a conversation that names 64 functions once each, and questions that use both naming styles."""
    messages, questions = [], []
    for at, (verb, noun) in enumerate(product(VERBS, NOUNS)):
        text = SAID[at % len(SAID)].format(snake(verb, noun))
        messages.append({"role": "assistant" if at % 2 else "user", "content": text, "id": snake(verb, noun)})
        style = camel if at % 2 else snake
        asked = ASKED[at % len(ASKED)].format(style(verb, noun))
        questions.append(DatasetQuestion(asked, "identifier", frozenset({snake(verb, noun)})))
    return Haystack("code", [DatasetSession("review", messages)], questions)


@pytest.mark.req("D18")
def test_recall_for_identifier_questions_is_20_percent_better_than_dense_search(open_memory):
    memory, talk = open_memory(":memory:"), code_talk()
    load_haystack(memory, talk)
    model = embedder_of(memory)
    assert model is not None
    ranks = {"aforesaid": aforesaid(memory, talk.space).rank, "dense": dense(model, talk)}
    found = {
        name: sum(metrics.recall(rank(one.text, 5), one.gold, 5) for one in talk.questions) / len(talk.questions)
        for name, rank in ranks.items()
    }
    assert found["aforesaid"] >= 1.2 * found["dense"], found
