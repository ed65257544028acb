"""MCP prompts: requests that a person picks from a menu, filled with content from the memory."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass

from aforesaid.errors import InvalidInput, NotFound
from aforesaid.mcp_server.caller import McpCaller
from aforesaid.mcp_server.passage import quoted
from aforesaid.mcp_server.resources import about_text
from aforesaid.mcp_server.tools.context import context_reply
from aforesaid.mcp_server.tools.recall import recall_reply
from aforesaid.models.json import Json

RECALL_LIMIT = 12
PERSON_TOKENS = 1200
SUMMARY_TOKENS = 6000


@dataclass(frozen=True, slots=True)
class PromptArgument:
    name: str
    description: str
    required: bool = True


SPACE = PromptArgument("space", "The space; optional.", required=False)


@dataclass(frozen=True, slots=True)
class McpPrompt:
    name: str
    title: str
    description: str
    arguments: tuple[PromptArgument, ...]
    write: Callable[[McpCaller, Mapping[str, str]], str]

    def listed(self) -> dict[str, Json]:
        arguments: list[Json] = [asdict(argument) for argument in (*self.arguments, SPACE)]
        return {"name": self.name, "title": self.title, "description": self.description, "arguments": arguments}

    def text(self, caller: McpCaller, arguments: Mapping[str, str]) -> str:
        """Raises InvalidInput if an argument is missing or unknown."""
        names = [argument.name for argument in (*self.arguments, SPACE)]
        missing = any(each.required and not arguments.get(each.name, "").strip() for each in self.arguments)
        if missing or set(arguments) - set(names):
            raise InvalidInput(f"the prompt {self.name} takes: {', '.join(names)}; `{SPACE.name}` is optional")
        return self.write(caller, arguments)


def _recall(caller: McpCaller, arguments: Mapping[str, str]) -> str:
    question = arguments["question"]
    space = caller.space(arguments.get("space"), "read")
    recalled = recall_reply(space, space.recall(question, RECALL_LIMIT))
    return (
        "Answer the question. Below it is what the memory recalls: use what helps, give dates where they matter, and "
        f"say so if the memory does not answer it.\n\nQuestion:\n{quoted(question)}\n\n{recalled.text}"
    )


def _person(caller: McpCaller, arguments: Mapping[str, str]) -> str:
    space = caller.space(arguments.get("space"), "read")
    return (
        "Tell me what you know about me in a few plain sentences, and since when you know it. Do not guess. Say what "
        f"is old, and ask about what looks wrong.\n\n{about_text(space, caller, PERSON_TOKENS)}"
    )


def _summary(caller: McpCaller, arguments: Mapping[str, str]) -> str:
    space = caller.space(arguments.get("space"), "read")
    chat = space.conversation(arguments["conversation"])
    chat.info()  # raises NotFound
    context = context_reply(space, chat.context(max_tokens=SUMMARY_TOKENS, overflow="truncate"))
    return (
        "Summarize the conversation below in at most ten lines: what was decided, what is open, what comes next, each "
        f"with its date.\n\n{context.text}"
    )


PROMPTS = (
    McpPrompt(
        "recall_before_answering",
        "Recall before answering",
        "Answer a question with what earlier conversations say about it.",
        (PromptArgument("question", "The question."),),
        _recall,
    ),
    McpPrompt(
        "what_do_you_know_about_me",
        "What do you know about me?",
        "Show what the memory knows about you, so that you can correct it. The audit records each read of the profile.",
        (),
        _person,
    ),
    McpPrompt(
        "summarise_conversation",
        "Summarise a conversation",
        "Summarize a stored conversation: what was decided, what is open, what comes next.",
        (PromptArgument("conversation", "The conversation's name."),),
        _summary,
    ),
)


def find_prompt(name: str) -> McpPrompt:
    for prompt in PROMPTS:
        if prompt.name == name:
            return prompt
    raise NotFound(f"there is no prompt {name!r}; use one of: {', '.join(prompt.name for prompt in PROMPTS)}")
