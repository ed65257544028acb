"""Every client, how memory reaches it, and how to run a session of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from tests.clients import agents
from tests.clients.place import Talk, node_program, python_program

Door = Literal["proxy", "mcp", "hooks"]


@dataclass(frozen=True)
class Case:
    """A client behind a door. `packages` are installed in the folder `client`; the first one gives the version."""

    client: str
    variant: str
    packages: tuple[str, ...]
    talk: Talk
    door: Door = "proxy"
    node: bool = False
    plain: Talk | None = None  # of a case with hooks: a session without them

    @property
    def name(self) -> str:
        return f"{self.client} {self.variant}".strip()


def python(client: str, packages: str, variant: str, talk: Talk, door: Door = "proxy") -> Case:
    return Case(client, variant, tuple(packages.split()), talk, door)


def node(client: str, packages: str, variant: str, talk: Talk, door: Door = "proxy") -> Case:
    return Case(client, variant, tuple(packages.split()), talk, door, node=True)


def hooks(client: str, packages: str, variant: str, talk: Talk, *options: str) -> Case:
    hooked = agents.hooked(talk, client, *options)
    return Case(client, variant, tuple(packages.split()), hooked, "hooks", node=True, plain=talk)


LANGCHAIN = "langchain langchain-openai langchain-anthropic"
PYDANTIC = "pydantic-ai-slim[openai,anthropic,mcp]"
VERCEL = "ai @ai-sdk/openai @ai-sdk/anthropic zod"
CLAUDE = "@anthropic-ai/claude-code"
INSPECTOR = "@modelcontextprotocol/inspector node@22"

CASES = (
    python("openai", "openai", "chat", python_program("openai_chat.py")),
    python("openai", "openai", "chat streamed", python_program("openai_stream.py")),
    python("openai", "openai", "responses", python_program("openai_responses.py")),
    python("anthropic", "anthropic", "messages", python_program("anthropic_messages.py")),
    python("langchain", LANGCHAIN, "openai", python_program("langchain_agent.py", "openai")),
    python("langchain", LANGCHAIN, "anthropic", python_program("langchain_agent.py", "anthropic")),
    python("langgraph", "langgraph langchain-openai", "", python_program("langgraph_graph.py")),
    python("pydantic-ai", PYDANTIC, "chat", python_program("pydantic_ai_agent.py", "openai-chat:m-1")),
    python("pydantic-ai", PYDANTIC, "responses", python_program("pydantic_ai_agent.py", "openai:m-1")),
    python("pydantic-ai", PYDANTIC, "anthropic", python_program("pydantic_ai_agent.py", "anthropic:m-1")),
    python("openai-agents", "openai-agents", "chat", python_program("openai_agents_agent.py", "chat_completions")),
    python("openai-agents", "openai-agents", "responses", python_program("openai_agents_agent.py", "responses")),
    python("openai-agents", "openai-agents", "strict", python_program("openai_agents_mcp.py", "strict"), "mcp"),
    python("openai-agents", "openai-agents", "", python_program("openai_agents_mcp.py", "plain"), "mcp"),
    python("llama-index", "llama-index-core llama-index-llms-openai", "", python_program("llama_index_agent.py")),
    python("litellm", "litellm", "openai", python_program("litellm_chat.py", "openai/m-1")),
    python("litellm", "litellm", "anthropic", python_program("litellm_chat.py", "anthropic/m-1")),
    python("instructor", "instructor", "", python_program("instructor_chat.py")),
    python("llm", "llm", "", agents.llm),
    python("aider", "aider-chat", "", agents.aider),
    node("ai", VERCEL, "chat", node_program("vercel_ai.mjs", "chat")),
    node("ai", VERCEL, "responses", node_program("vercel_ai.mjs", "openai")),
    node("ai", VERCEL, "anthropic", node_program("vercel_ai.mjs", "anthropic")),
    node("openai-node", "openai", "", node_program("openai_node.mjs")),
    node("claude-code", CLAUDE, "", agents.claude_code),
    node("claude-code", CLAUDE, "haiku", agents.claude_code_haiku),
    node("claude-code", CLAUDE, "", agents.claude_code_mcp, "mcp"),
    node("codex", "@openai/codex", "", agents.codex),
    node("codex", "@openai/codex", "", agents.codex_mcp, "mcp"),
    node("opencode", "opencode-ai", "chat", agents.opencode),
    node("opencode", "opencode-ai", "responses", agents.opencode_responses),
    node("opencode", "opencode-ai", "anthropic", agents.opencode_anthropic),
    node("opencode", "opencode-ai", "", agents.opencode_mcp, "mcp"),
    node("gemini-cli", "@google/gemini-cli", "", agents.gemini_cli_mcp, "mcp"),
    hooks("claude-code", CLAUDE, "", agents.claude_code),
    hooks("claude-code", CLAUDE, "haiku", agents.claude_code_haiku),
    hooks("codex", "@openai/codex", "", agents.codex, "--trust"),
    hooks("opencode", "opencode-ai", "chat", agents.opencode),
    hooks("gemini-cli", "@google/gemini-cli", "", agents.gemini_cli),
    node("mcp-inspector", INSPECTOR, "", agents.inspector, "mcp"),
)
