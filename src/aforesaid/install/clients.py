"""The clients that `install` knows: the files of each, per operating system, and the entries in them."""

from __future__ import annotations

import json
import os
import shlex
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from importlib import resources
from pathlib import Path

from aforesaid.hooks.agents import HOOK_PROTOCOLS
from aforesaid.hooks.project import PERSON
from aforesaid.install.codex_trust import hook_keys, hook_trust
from aforesaid.install.files import SERVER_NAME, ConfigFile, JsonFile, TomlFile, WholeFile, has_command
from aforesaid.install.json_edit import JsonPath
from aforesaid.install.toml_edit import TomlTables

SECONDS = 30  # that a client gives a hook; only the first one, on a busy machine, needs more than one
END_SECONDS = 3  # the most that Codex gives at the end of a session
PLUGIN_MARK = "aforesaid install opencode"


@dataclass(frozen=True, slots=True)
class InstallOptions:
    """`command` starts aforesaid. `project` is the folder to install for; None: every project. `trust` marks the
    hooks as reviewed, in Codex."""

    command: Sequence[str]
    store: str
    project: Path | None = None
    trust: bool = False
    environment: Mapping[str, str] = field(default_factory=lambda: dict(os.environ))
    platform: str = sys.platform

    @property
    def home(self) -> Path:
        return Path(self.environment.get("USERPROFILE" if self.platform == "win32" else "HOME") or Path.home())

    @property
    def settings_folder(self) -> Path:
        """Where desktop programs keep their settings."""
        if self.platform == "win32":
            return Path(self.environment.get("APPDATA") or self.home / "AppData" / "Roaming")
        if self.platform == "darwin":
            return self.home / "Library" / "Application Support"
        return Path(self.environment.get("XDG_CONFIG_HOME") or self.home / ".config")

    def folder(self, variable: str, name: str) -> Path:
        """The folder that a variable names, else one in the home folder."""
        return Path(self.environment.get(variable) or self.home / name)

    def hook(self, agent: str) -> str:
        """The command line of a hook."""
        words = [*self.command, "hook", agent, "--store", self.store]
        if self.platform == "win32":
            import subprocess

            return subprocess.list2cmdline(words)
        return shlex.join(words)

    def mcp(self, *space: str) -> list[str]:
        return [*self.command, "mcp", "--store", self.store, *(space or ("--project",))]

    def server(self, **more: object) -> dict[str, object]:
        """The entry of the MCP server in the form that most clients use."""
        program, *arguments = self.mcp()
        return {**more, "command": program, "args": arguments}


@dataclass(frozen=True, slots=True)
class InstallClient:
    """`note` tells the person what else to know."""

    name: str
    files: Callable[[InstallOptions], Sequence[ConfigFile]]
    note: str = ""
    per_project: bool = True


def _hook_groups(options: InstallOptions, agent: str, scale: int = 1) -> dict[JsonPath, object]:
    """The hooks of an agent in the form of Claude Code: a list of groups for each event."""
    groups: dict[JsonPath, object] = {}
    for event, kind in HOOK_PROTOCOLS[agent].events.items():
        seconds = END_SECONDS if kind == "end" else SECONDS
        hook = {"type": "command", "command": options.hook(agent), "timeout": seconds * scale}
        groups["hooks", event] = {"hooks": [hook]}
    return groups


def _flat_hooks(options: InstallOptions, agent: str, **more: object) -> dict[str, list[object]]:
    """The hooks of an agent without groups. VS Code has no event for the end of a session."""
    events = [event for event, kind in HOOK_PROTOCOLS[agent].events.items() if agent != "vscode" or kind != "end"]
    return {event: [{**more, "command": options.hook(agent), "timeout": SECONDS}] for event in events}


def _json(
    path: Path, members: Mapping[JsonPath, object], items: Mapping[JsonPath, object] | None = None, agent: str = "",
    **defaults: object,
) -> JsonFile:  # fmt: skip
    given: dict[JsonPath, object] = {(name,): value for name, value in defaults.items()}
    return JsonFile(path, members, items or {}, has_command(agent), given)


def _servers(options: InstallOptions, *path: str, **more: object) -> dict[JsonPath, object]:
    return {(*path, SERVER_NAME): options.server(**more)}


def _claude_code(options: InstallOptions) -> Sequence[ConfigFile]:
    """The MCP entry is in `.claude.json`: that of all projects, or a private one of this project."""
    folder = options.folder("CLAUDE_CONFIG_DIR", ".claude")
    state = folder / ".claude.json" if "CLAUDE_CONFIG_DIR" in options.environment else options.home / ".claude.json"
    settings = folder / "settings.json"
    servers: JsonPath = ("mcpServers",)
    if options.project is not None:
        settings = options.project / ".claude" / "settings.local.json"
        servers = ("projects", str(options.project), "mcpServers")
    entry = _servers(options, *servers, type="stdio")
    return (_json(settings, {}, _hook_groups(options, "claude-code"), "claude-code"), _json(state, entry))


def _codex(options: InstallOptions) -> Sequence[ConfigFile]:
    """The hooks are in `hooks.json`; that they are trusted is in the user's `config.toml`, also for a project."""
    home = options.folder("CODEX_HOME", ".codex")
    home = Path(os.path.realpath(home)) if "CODEX_HOME" in options.environment else home
    folder = home if options.project is None else options.project / ".codex"
    hooks = _json(folder / "hooks.json", {}, _hook_groups(options, "codex"), "codex")
    program, *arguments = options.mcp()
    server: TomlTables = {("mcp_servers", SERVER_NAME): {"command": program, "args": arguments}}
    keys, trust = hook_keys(hooks), hook_trust(hooks) if options.trust else {}
    if options.project is None:
        return (TomlFile(home / "config.toml", {**server, **trust}, (*server, *keys)), hooks)
    return (TomlFile(folder / "config.toml", server, (*server,)), TomlFile(home / "config.toml", trust, keys), hooks)


def _cursor(options: InstallOptions) -> Sequence[ConfigFile]:
    folder = (options.project or options.home) / ".cursor"
    items: dict[JsonPath, object] = {
        ("hooks", event): hook for event, (hook,) in _flat_hooks(options, "cursor").items()
    }
    hooks = _json(folder / "hooks.json", {}, items, "cursor", version=1)
    return (hooks, _json(folder / "mcp.json", _servers(options, "mcpServers")))


def _opencode(options: InstallOptions) -> Sequence[ConfigFile]:
    folder = Path(options.environment.get("XDG_CONFIG_HOME") or options.home / ".config") / "opencode"
    folder = Path(options.environment.get("OPENCODE_CONFIG_DIR") or folder)
    plugins = (folder if options.project is None else options.project / ".opencode") / "plugins" / "aforesaid.js"
    place = folder if options.project is None else options.project
    commented = place / "opencode.jsonc"
    config = commented if commented.exists() else place / "opencode.json"
    source = resources.files(__package__).joinpath("opencode_plugin.js").read_text("utf-8")
    command = json.dumps([*options.command, "hook", "opencode", "--store", options.store])
    plugin = WholeFile(plugins, source.replace("__COMMAND__", command), PLUGIN_MARK)
    entry = {"type": "local", "command": options.mcp(), "enabled": True}
    servers: dict[JsonPath, object] = {("mcp", SERVER_NAME): entry}
    return (plugin, _json(config, servers))


def _gemini_cli(options: InstallOptions) -> Sequence[ConfigFile]:
    folder = (options.project or options.folder("GEMINI_CLI_HOME", "")) / ".gemini"
    groups = _hook_groups(options, "gemini-cli", scale=1000)  # milliseconds
    return (_json(folder / "settings.json", _servers(options, "mcpServers"), groups, "gemini-cli"),)


def _vscode(options: InstallOptions) -> Sequence[ConfigFile]:
    hooks = (options.project / ".github" if options.project else options.home / ".copilot") / "hooks" / "aforesaid.json"
    servers = options.project / ".vscode" if options.project else options.settings_folder / "Code" / "User"
    text = json.dumps({"version": 1, "hooks": _flat_hooks(options, "vscode", type="command")}, indent=2) + "\n"
    own = WholeFile(hooks, text, "hook vscode")
    return (own, _json(servers / "mcp.json", _servers(options, "servers", type="stdio")))


def _claude_desktop(options: InstallOptions) -> Sequence[ConfigFile]:
    """The app has no projects: the MCP server serves the person's space."""
    program, *arguments = options.mcp("--space", PERSON)
    entry: dict[JsonPath, object] = {("mcpServers", SERVER_NAME): {"command": program, "args": arguments}}
    folder = options.settings_folder / "Claude"
    return (_json(folder / "claude_desktop_config.json", entry),)


INSTALL_CLIENTS: Mapping[str, InstallClient] = {
    client.name: client
    for client in (
        InstallClient("claude-code", _claude_code),
        InstallClient("codex", _codex),
        InstallClient("cursor", _cursor),
        InstallClient("opencode", _opencode),
        InstallClient("gemini-cli", _gemini_cli),
        InstallClient("vscode", _vscode, "VS Code calls hooks a preview; the setting chat.useHooks turns them off."),
        InstallClient(
            "claude-desktop",
            _claude_desktop,
            "Claude Desktop has no hooks: it gets the MCP server only, and its model decides when to use it.",
            per_project=False,
        ),
    )
}
