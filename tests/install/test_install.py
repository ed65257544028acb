"""Tests `aforesaid install` and `uninstall` for every client, in a home folder of the test."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from typer.main import get_command

from aforesaid.cli.app import app
from aforesaid.hooks.data_folder import default_store
from aforesaid.install.clients import INSTALL_CLIENTS, InstallOptions
from aforesaid.install.json_edit import parse
from aforesaid.install.plan import plan_install, plan_uninstall

pytestmark = pytest.mark.req("X25")

CODE = "Library/Application Support"
PLACES = {  # the files of each client in the home folder, on Linux
    "claude-code": [".claude/settings.json", ".claude.json"],
    "codex": [".codex/config.toml", ".codex/hooks.json"],
    "cursor": [".cursor/hooks.json", ".cursor/mcp.json"],
    "opencode": [".config/opencode/plugins/aforesaid.js", ".config/opencode/opencode.json"],
    "gemini-cli": [".gemini/settings.json"],
    "vscode": [".copilot/hooks/aforesaid.json", ".config/Code/User/mcp.json"],
    "claude-desktop": [".config/Claude/claude_desktop_config.json"],
}
MINE = {  # what the person has already
    ".claude/settings.json": '{\n  // mine\n  "model": "opus",\n  "hooks": {"Stop": [{"hooks": [{"type": "command", '
    '"command": "say aforesaid done"}]}]},\n}\n',
    ".claude.json": '{"numStartups":7,"mcpServers":{"other":{"command":"x"}},"projects":{}}',
    ".codex/config.toml": 'model = "gpt-5" # fast\n\n[mcp_servers.other]\ncommand = "x"\n# the end\n',
    ".codex/hooks.json": '{"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "notify"}]}]}}',
    ".cursor/hooks.json": '{\n\t"version": 1,\n\t"hooks": {\n\t\t"stop": [{"command": "notify"}]\n\t}\n}\n',
    ".cursor/mcp.json": "{}\n",
    ".config/opencode/opencode.json": '{\r\n    "model": "a/b"\r\n}\r\n',
    ".gemini/settings.json": '{ "hooks": { }, "theme": "x" }',
    ".config/Code/User/mcp.json": '{\n\t"inputs": [],\n\t"servers": {}\n}',
    ".config/Claude/claude_desktop_config.json": "",
}  # fmt: skip
TRUSTED = {  # as Codex 0.169.0 computes them (`codex app-server`, hooks/list), for the command of `test_codex_trusts…`
    "session_start": "1ebc4315cea2dd17e63403614c591d587a110b42735234cccb8105c797b53c7d",
    "user_prompt_submit": "14e9e412049b49658c4e41c0796ceb2f5e5abf442c9cadc44a27d4815512f34d",
    "stop": "ac88b0034e24a36be71ee85236b78e476eb049ddfd4fccde25e4312c7c131706",
    "pre_compact": "b717d13866836059e252107b114197b0b51d68f4b677ab0dd9ea8bd884b05093",
    "session_end": "e07b219de4dab319b473feee5d783a1fd1dadb12a46b17cb9da0177b5055ae94",
}


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in ("XDG_CONFIG_HOME", "XDG_DATA_HOME", "CLAUDE_CONFIG_DIR", "CODEX_HOME", "OPENCODE_CONFIG_DIR",
                 "GEMINI_CLI_HOME", "AFORESAID_STORE"):  # fmt: skip
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setattr("sys.platform", "linux")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run(*arguments: str, input: str | None = None) -> Result:
    result = CliRunner().invoke(get_command(app), list(arguments), input=input)
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result


def files(home: Path) -> dict[str, str]:
    found = sorted(path for path in home.rglob("*") if path.is_file())
    return {path.relative_to(home).as_posix(): path.read_bytes().decode() for path in found}


def write_mine(home: Path, client: str) -> dict[str, str]:
    mine = {place: MINE[place] for place in PLACES[client] if place in MINE}
    for place, text in mine.items():
        (home / place).parent.mkdir(parents=True, exist_ok=True)
        (home / place).write_bytes(text.encode())
    return mine


@pytest.mark.parametrize("client", PLACES)
def test_a_new_client_gets_its_files_and_loses_them_again(client, home):
    shown = run("install", client, "--print")
    assert files(home) == {}
    done = run("install", client, "--yes")
    assert done.exit_code == 0, done.stderr
    assert done.stdout == shown.stdout
    assert sorted(files(home)) == sorted(PLACES[client])
    written = "".join(files(home).values())
    assert str(home / ".local/share/aforesaid/memory.db") in written
    assert '"mcp"' in written
    assert any(text in written for text in (f" hook {client} ", '"hook"')) == (client != "claude-desktop")
    assert "up to date" in run("install", client, "--yes").stderr
    assert run("uninstall", client, "--yes").exit_code == 0
    assert files(home) == {}
    assert "nothing of aforesaid" in run("uninstall", client).stderr


@pytest.mark.parametrize("client", PLACES)
def test_what_the_person_has_is_kept_and_restored_byte_by_byte(client, home):
    mine = write_mine(home, client)
    done = run("install", client, "--yes")
    assert done.exit_code == 0, done.stderr
    assert [files(home)[f"{place}.before-aforesaid"] for place in mine] == list(mine.values())
    assert "up to date" in run("install", client, "--yes").stderr
    assert run("uninstall", client, "--yes").exit_code == 0
    assert files(home) == mine


@pytest.mark.parametrize("client", PLACES)
def test_a_file_that_the_person_changed_since_loses_only_our_entries(client, home):
    mine = write_mine(home, client)
    run("install", client, "--yes")
    for place in mine:
        path = home / place
        text = path.read_bytes().decode()
        new = f"{text}\n[mine]\nnew = 1\n" if place.endswith(".toml") else text.replace("{", '{"new": 1, ', 1)
        path.write_bytes(new.encode())
    run("uninstall", client, "--yes")
    for place, text in mine.items():
        now = (home / place).read_bytes().decode()
        if place.endswith(".toml"):
            assert tomllib.loads(now) == {**tomllib.loads(text), "mine": {"new": 1}}
            continue
        before = parse(text).value if text else {}
        assert isinstance(before, dict)
        emptied = {name: value for name, value in before.items() if value != {}}  # an object that was empty may be gone
        now_value = parse(now).value
        assert isinstance(now_value, dict)
        assert {name: value for name, value in now_value.items() if value != {}} == {"new": 1, **emptied}


@pytest.mark.parametrize("client", [name for name in PLACES if name != "claude-desktop"])
def test_one_project_alone(client, home, monkeypatch):
    folder = home / "app"
    folder.mkdir()
    monkeypatch.chdir(folder)
    assert run("install", client, "--project", "--yes").exit_code == 0
    outside = [place for place in files(home) if not place.startswith("app/")]
    assert outside == ([".claude.json"] if client == "claude-code" else [])
    assert run("uninstall", client, "--yes").exit_code == 0
    assert len(files(home)) > 0
    assert run("uninstall", client, "--project", "--yes").exit_code == 0
    assert files(home) == {}


def test_the_person_is_asked_and_may_decline(home):
    declined = run("install", "cursor", input="n\n")
    assert declined.exit_code == 1
    assert declined.stdout.startswith("--- /dev/null\n+++ ")
    assert files(home) == {}
    assert run("install", "cursor", input="y\n").exit_code == 0
    assert files(home) != {}


def test_another_store_is_in_every_command_and_replaces_the_first(home):
    run("install", "claude-code", "--yes")
    run("install", "claude-code", "--yes", "--store", "else/where.db")
    assert str(home / "else/where.db") in files(home)[".claude/settings.json"]
    written = "".join(files(home).values())
    assert "memory.db" not in written
    assert written.count("hook claude-code") == 5
    run("uninstall", "claude-code", "--yes")
    assert files(home) == {}


def test_a_file_that_is_not_valid_is_refused_and_nothing_is_written(home):
    (home / ".cursor").mkdir()
    (home / ".cursor/mcp.json").write_text("{ broken")
    refused = run("install", "cursor", "--yes")
    assert refused.exit_code == 2
    assert "mcp.json: it is not valid JSON" in refused.stderr
    assert files(home) == {".cursor/mcp.json": "{ broken"}


def test_a_link_stays_a_link(home):
    (home / "dotfiles").mkdir()
    (home / "dotfiles/settings.json").write_text("{}\n")
    (home / ".claude").mkdir()
    (home / ".claude/settings.json").symlink_to(home / "dotfiles/settings.json")
    run("install", "claude-code", "--yes")
    assert (home / ".claude/settings.json").is_symlink()
    assert "hook claude-code" in (home / "dotfiles/settings.json").read_text()


def test_codex_trusts_the_hooks_only_if_the_person_says_so(home):
    said = run("install", "codex", "--yes")
    assert "/hooks" in said.stderr
    assert "trusted_hash" not in files(home)[".codex/config.toml"]
    assert "trusted_hash" in run("install", "codex", "--yes", "--trust").stdout
    assert "up to date" in run("install", "codex", "--yes").stderr
    assert run("install", "cursor", "--trust").exit_code == 2
    options = InstallOptions(
        ["/usr/bin/aforesaid"], "/home/ann/Päper/memory.db", trust=True, environment={"HOME": "/none"}, platform="linux"
    )
    toml, _ = INSTALL_CLIENTS["codex"].files(options)
    written = tomllib.loads(toml.added(None))["hooks"]["state"]
    assert {key.split(":")[1]: state["trusted_hash"] for key, state in written.items()} == {
        label: f"sha256:{hash}" for label, hash in TRUSTED.items()
    }


def test_claude_desktop_says_that_it_has_no_hooks(home):
    assert "no hooks" in run("install", "claude-desktop", "--print").stderr
    assert run("install", "claude-desktop", "--project").exit_code == 2


@pytest.mark.parametrize(
    ("client", "platform", "variables", "place"),
    [
        ("claude-desktop", "darwin", {}, f"{CODE}/Claude/claude_desktop_config.json"),
        ("claude-desktop", "win32", {"APPDATA": "{home}/Roaming"}, "Roaming/Claude/claude_desktop_config.json"),
        ("vscode", "darwin", {}, f"{CODE}/Code/User/mcp.json"),
        ("vscode", "win32", {}, "AppData/Roaming/Code/User/mcp.json"),
        ("claude-code", "linux", {"CLAUDE_CONFIG_DIR": "{home}/cc"}, "cc/settings.json"),
        ("claude-code", "linux", {"CLAUDE_CONFIG_DIR": "{home}/cc"}, "cc/.claude.json"),
        ("codex", "linux", {"CODEX_HOME": "{home}/cx"}, "cx/hooks.json"),
        ("opencode", "linux", {"XDG_CONFIG_HOME": "{home}/x"}, "x/opencode/plugins/aforesaid.js"),
        ("gemini-cli", "linux", {"GEMINI_CLI_HOME": "{home}/g"}, "g/.gemini/settings.json"),
        ("cursor", "win32", {}, ".cursor/hooks.json"),
    ],
)
def test_each_system_and_variable_has_its_place(client, platform, variables, place, tmp_path):
    given = {name: value.format(home=tmp_path) for name, value in variables.items()}
    environment = {"HOME": str(tmp_path), "USERPROFILE": str(tmp_path), **given}
    options = InstallOptions(["C:\\Program Files\\aforesaid.exe"], "m.db", environment=environment, platform=platform)
    for change in plan_install(INSTALL_CLIENTS[client].files(options)):
        change.make()
    assert (tmp_path / place).exists()
    assert plan_install(INSTALL_CLIENTS[client].files(options)) == []
    for change in plan_uninstall(INSTALL_CLIENTS[client].files(options)):
        change.make()
    assert files(tmp_path) == {}


def test_the_default_store_is_in_the_data_folder_of_the_system():
    home = {"HOME": "/home/ann", "USERPROFILE": "C:\\Users\\ann", "LOCALAPPDATA": "D:\\local"}
    assert default_store(home, "linux") == "/home/ann/.local/share/aforesaid/memory.db"
    assert default_store({**home, "XDG_DATA_HOME": "/data"}, "linux") == "/data/aforesaid/memory.db"
    assert default_store(home, "darwin") == f"/home/ann/{CODE}/aforesaid/memory.db"
    assert default_store(home, "win32").startswith("D:\\local")
    assert default_store({"AFORESAID_STORE": "postgresql://db"}, "linux") == "postgresql://db"


def test_the_written_json_is_what_each_client_reads(home):
    for client in PLACES:
        run("install", client, "--yes")
    settings = json.loads(files(home)[".claude/settings.json"])["hooks"]
    assert list(settings) == ["SessionStart", "UserPromptSubmit", "Stop", "PreCompact", "SessionEnd"]
    assert {hook["type"] for groups in settings.values() for group in groups for hook in group["hooks"]} == {"command"}
    cursor = json.loads(files(home)[".cursor/hooks.json"])
    assert cursor["version"] == 1
    assert list(cursor["hooks"]) == [
        "sessionStart",
        "beforeSubmitPrompt",
        "afterAgentResponse",
        "preCompact",
        "sessionEnd",
    ]
    gemini = json.loads(files(home)[".gemini/settings.json"])["hooks"]
    assert list(gemini) == ["SessionStart", "BeforeAgent", "AfterAgent", "PreCompress", "SessionEnd"]
    assert gemini["BeforeAgent"][0]["hooks"][0]["timeout"] == 30_000
    assert json.loads(files(home)[".config/Code/User/mcp.json"])["servers"]["aforesaid"]["type"] == "stdio"
    assert json.loads(files(home)[".config/opencode/opencode.json"])["mcp"]["aforesaid"]["type"] == "local"
