"""What a person picks from a menu: a request with what the memory has for it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from mcp_types import Prompt as Listed
from mcp_types import PromptArgument

from recollect.errors import InvalidInput, NotFound
from recollect.mcp_server.caller import Caller
from recollect.mcp_server.passage import fitting, of_fact, quoted, shown
from recollect.mcp_server.resources import profile
from recollect.mcp_server.tools.context import reply as whole
from recollect.mcp_server.tools.recall import reply
from recollect.mcp_server.veil import veil_of

SPACE = PromptArgument(name="space", description="Whose memory; may be left out.", required=False)
KNOWN = 12  # passages that answer a question
READ, FACTS = 5000, 40  # facts that the weightiest are chosen from, and how many are shown
TOKENS = 6000  # of a conversation that is to be summed up


@dataclass(frozen=True, slots=True)
class Prompt:
    name: str
    title: str
    description: str
    arguments: tuple[PromptArgument, ...]
    write: Callable[[Caller, Mapping[str, str]], str]

    def listed(self) -> Listed:
        return Listed(
            name=self.name, title=self.title, description=self.description, arguments=[*self.arguments, SPACE]
        )

    def text(self, caller: Caller, given: Mapping[str, str]) -> str:
        """The request. InvalidInput where an argument is missing, or is none of its own."""
        known = [argument.name for argument in (*self.arguments, SPACE)]
        missing = [one.name for one in self.arguments if one.required and not given.get(one.name, "").strip()]
        if missing or set(given) - set(known):
            raise InvalidInput(f"the prompt {self.name} takes: {', '.join(known)}; without `{SPACE.name}` if you like")
        return self.write(caller, given)


def _recall(caller: Caller, given: Mapping[str, str]) -> str:
    question = given["question"]
    space = caller.space(given.get("space"), "read")
    recalled = reply(space, space.recall(question, KNOWN))
    return (
        "Answer the question. Below it stands what the memory has; use what helps, name the dates where they matter, "
        "and say so where the memory does not answer it.\n\n"
        f"Question:\n{quoted(question)}\n\n{recalled.text}"
    )


def _person(caller: Caller, given: Mapping[str, str]) -> str:
    space = caller.space(given.get("space"), "read")
    weighty = sorted(space.facts(READ), key=lambda fact: (fact.importance, fact.created_at), reverse=True)
    veil = veil_of(space)
    known = fitting(veil.passage(of_fact(fact)) for fact in weighty[:FACTS])
    return (
        "Tell me what you know about me, in a few plain sentences, with since when you know it. Guess nothing; say "
        "what is old, and ask about what looks wrong.\n\n"
        f"Profile: {profile(space.profile(by=caller.actor), veil)}\n\nFacts:\n\n{shown(known) or 'There are none yet.'}"
    )


def _summary(caller: Caller, given: Mapping[str, str]) -> str:
    space = caller.space(given.get("space"), "read")
    chat = space.conversation(given["conversation"])
    chat.info()
    context = whole(space, chat.context(max_tokens=TOKENS, overflow="truncate"))
    return (
        "Sum up the conversation below: what was decided, what is open, what comes next, each with its date. At most "
        f"ten lines.\n\n{context.text}"
    )


PROMPTS = (
    Prompt(
        "recall_before_answering",
        "Recall before answering",
        "Answer a question with what earlier conversations say about it.",
        (PromptArgument(name="question", description="What you want to know.", required=True),),
        _recall,
    ),
    Prompt(
        "what_do_you_know_about_me",
        "What do you know about me?",
        "Show what the memory has about you, so that you can correct it. Reading a profile is noted in the audit.",
        (),
        _person,
    ),
    Prompt(
        "summarise_conversation",
        "Summarise a conversation",
        "Sum up a stored conversation: what was decided, what is open, what comes next.",
        (PromptArgument(name="conversation", description="The conversation's name.", required=True),),
        _summary,
    ),
)


def prompt(name: str) -> Prompt:
    for one in PROMPTS:
        if one.name == name:
            return one
    raise NotFound(f"there is no prompt {name!r}; there are: {', '.join(one.name for one in PROMPTS)}")
