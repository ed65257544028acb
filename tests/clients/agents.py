"""Sessions of command-line agents: one process a turn, or one for all turns. Telemetry and update checks are off."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from tests.clients.place import AFORESAID, Place, Talk, mcp_command

LIST_FILES = 'def list_files(folder: str) -> str:\n    "Lists the files of a folder"\n    return "README.md stable.py"'


def claude_code(place: Place, turns: Sequence[str], *options: str) -> str:
    place.write("project/CLAUDE.md", "# Rules\nUse tabs in Makefiles.\n")
    quiet = ("DISABLE_AUTOUPDATER", "DISABLE_TELEMETRY", "DISABLE_ERROR_REPORTING", "DISABLE_BUG_COMMAND")
    variables = dict.fromkeys((*quiet, "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC"), "1")
    said = ""
    for at, turn in enumerate(turns):
        more = ("--continue",) if at else ()
        allowed = ("--allowedTools", "Bash(ls),mcp__aforesaid")
        said += place.run(place.environment.bin("claude"), "-p", turn, *more, *allowed, *options, **variables)
    return said


def claude_code_haiku(place: Place, turns: Sequence[str]) -> str:
    """A model for which the reminders are parts of the user's message."""
    return claude_code(place, turns, "--model", "claude-haiku-4-5")


def claude_code_mcp(place: Place, turns: Sequence[str]) -> str:
    command, *arguments = mcp_command(place)
    servers = {"mcpServers": {"aforesaid": {"command": command, "args": arguments}}}
    return claude_code(place, turns, "--mcp-config", json.dumps(servers), "--strict-mcp-config")


def codex(place: Place, turns: Sequence[str], more: str = "") -> str:
    place.write("project/AGENTS.md", "# Rules\nUse tabs in Makefiles.\n")
    provider = f'name = "local"\nbase_url = "{place.url}/v1"\nenv_key = "OPENAI_API_KEY"\nwire_api = "responses"\n'
    quiet = 'check_for_update_on_startup = false\n[analytics]\nenabled = false\n[otel]\nexporter = "none"\n'
    model = 'model = "gpt-5"\nmodel_provider = "local"\n'
    place.write(".codex/config.toml", f"{model}{quiet}[model_providers.local]\n{provider}{more}")
    said = ""
    for at, turn in enumerate(turns):
        resume = ("resume", "--last") if at else ()
        unrestricted = "--dangerously-bypass-approvals-and-sandbox"
        said += place.run(place.environment.bin("codex"), "exec", *resume, unrestricted, turn)
    return said


def codex_mcp(place: Place, turns: Sequence[str]) -> str:
    command, *arguments = mcp_command(place)
    started = "required = true\nstartup_timeout_sec = 60\n"  # otherwise, the first request does not wait for the tools
    server = f"command = {json.dumps(command)}\nargs = {json.dumps(arguments)}\n{started}"
    return codex(place, turns, f"[mcp_servers.aforesaid]\n{server}")


def opencode(place: Place, turns: Sequence[str], package: str = "openai-compatible", **more: Any) -> str:
    place.write("project/AGENTS.md", "# Rules\nUse tabs in Makefiles.\n")
    options = {"baseURL": f"{place.url}/v1", "apiKey": "none"}
    provider = {"npm": f"@ai-sdk/{package}", "name": "local", "options": options, "models": {"m-1": {"name": "m-1"}}}
    settings = {"autoupdate": False, "share": "disabled", "provider": {"local": provider}}
    settings |= {"model": "local/m-1", "small_model": "local/m-1", "permission": {"bash": "allow"}}
    place.write(".config/opencode/opencode.json", json.dumps(settings | more))
    quiet = ("AUTOUPDATE", "MODELS_FETCH", "LSP_DOWNLOAD", "DEFAULT_PLUGINS")
    variables = {f"OPENCODE_DISABLE_{name}": "1" for name in quiet}
    said = ""
    for at, turn in enumerate(turns):
        more_turns = ("--continue",) if at else ()
        said += place.run(place.environment.bin("opencode"), "run", *more_turns, turn, **variables)
    return said


def opencode_anthropic(place: Place, turns: Sequence[str]) -> str:
    return opencode(place, turns, "anthropic")


def opencode_responses(place: Place, turns: Sequence[str]) -> str:
    return opencode(place, turns, "openai")


def opencode_mcp(place: Place, turns: Sequence[str]) -> str:
    return opencode(place, turns, mcp={"aforesaid": {"type": "local", "command": mcp_command(place)}})


def aider(place: Place, turns: Sequence[str]) -> str:
    models = ("--model", "openai/m-1", "--weak-model", "openai/m-1", "--no-show-model-warnings")
    quiet = ("--no-check-update", "--analytics-disable", "--no-gitignore", "--yes-always", "--no-show-release-notes")
    plain = ("--no-pretty", "--no-fancy-input", "stable.py")
    lines = "\n".join([*turns, "/exit", ""])
    return place.run(place.environment.bin("aider"), *models, *quiet, *plain, input=lines)


def llm(place: Place, turns: Sequence[str]) -> str:
    model = f"- model_id: local\n  model_name: m-1\n  api_base: {place.url}/v1\n  supports_tools: true\n"
    place.write("llm/extra-openai-models.yaml", model)
    variables = {"LLM_USER_PATH": str(place.home / "llm")}
    said = ""
    for at, turn in enumerate(turns):
        command = (place.environment.bin("llm"), "-m", "local", "--functions", LIST_FILES, "--chain-limit", "20")
        said += place.run(*command, *(("-c",) if at else ()), turn, **variables)
    return said


def gemini_cli(place: Place, turns: Sequence[str], **more: Any) -> str:
    """Gemini's wire format, which the proxy does not have."""
    settings = {
        "general": {"enableAutoUpdate": False, "enableAutoUpdateNotification": False},
        "privacy": {"usageStatisticsEnabled": False},
        "security": {"auth": {"selectedType": "gemini-api-key"}},
    }
    place.write(".gemini/settings.json", json.dumps(settings | more))
    variables = {"GOOGLE_GEMINI_BASE_URL": place.url, "GEMINI_API_KEY": "none"}
    said = ""
    for at, turn in enumerate(turns):
        resume = ("--resume", "latest") if at else ()
        options = ("--skip-trust", "--approval-mode", "yolo", *resume, "-p", turn)
        said += place.run(place.environment.bin("gemini"), *options, **variables)
    return said


def gemini_cli_mcp(place: Place, turns: Sequence[str]) -> str:
    command, *arguments = mcp_command(place)
    return gemini_cli(place, turns, mcpServers={"aforesaid": {"command": command, "args": arguments, "trust": True}})


def hooked(talk: Talk, agent: str, *options: str) -> Talk:
    """Returns the sessions of an agent for which `aforesaid install` has written the hooks."""

    def with_hooks(place: Place, turns: Sequence[str]) -> str:
        if not (place.home / "hooked").exists():
            talk(place, ())  # writes the agent's settings
            place.run(AFORESAID, "install", agent, "--yes", "--store", str(place.store), *options)
            place.write("hooked", "")
        return talk(place, turns)

    return with_hooks


def inspector(place: Place, turns: Sequence[str]) -> str:
    """The MCP inspector has no model: it calls the tools that the turns are about."""
    node, cli = place.environment.bin("node"), place.environment.bin("mcp-inspector")
    base = (node, cli, "--cli", *mcp_command(place), "--method")
    said = place.run(*base, "tools/list")
    for turn in turns:
        if turn.endswith("?"):
            said += place.run(*base, "tools/call", "--tool-name", "recall", "--tool-arg", f"query={turn}")
        elif turn.startswith("My"):
            said += place.run(*base, "tools/call", "--tool-name", "remember", "--tool-arg", f"text={turn}")
    return said
