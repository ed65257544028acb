"""Small exports in the formats of other programs.

The shapes follow the exporters' own code, documentation and published test files; the words are ours:
LibreChat (`api/server/utils/import/__data__` of danny-avila/LibreChat), Open WebUI (`openwebui-export.json` there),
DiscordChatExporter (`JsonMessageWriter.cs` of Tyrrrz/DiscordChatExporter), Telegram Desktop, Slack's help pages, Letta
(`agent_file.py` of letta-ai/letta, files of letta-ai/agent-file), Zep's API reference (v2 to v4), Google Takeout.
The files in `exports` were written by the programs themselves: Claude Code 2.1, Codex 0.169, llm 0.26 and 0.36,
Pydantic AI 2.66. Only long texts in them are cut, and paths and dates changed.
"""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

EXPORTS = Path(__file__).parent / "exports"
Record = dict[str, Any]
ROOT = "00000000-0000-0000-0000-000000000000"


def logs_db(path: Path, version: str) -> Path:
    """Makes the database of `llm` from its dump."""
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript((EXPORTS / f"llm-{version}.sql").read_text("utf-8"))
    return path


def webui_message(id: str, parent: str | None, role: str, content: str, **more: Any) -> Record:
    return {"id": id, "parentId": parent, "childrenIds": [], "role": role, "content": content} | more


OPENWEBUI: Record = {
    "id": "w1", "user_id": "u1", "title": "Weather in Porto",
    "chat": {
        "title": "Weather in Porto", "models": ["m-1"], "tags": [],
        "history": {"currentId": "a2", "messages": {
            "q1": webui_message("q1", None, "user", "What is the weather in Porto?", timestamp=1767268800),
            "a1": webui_message("a1", "q1", "assistant", "I do not know.", timestamp=1767268805),
            "a2": webui_message(
                "a2", "q1", "assistant",
                '<details type="reasoning" done="true" duration="3">\n<summary>Thought</summary>\n> Hm.\n</details>\n'
                '<details type="tool_calls" done="true"><summary>Tool Executed</summary></details>\nIt is sunny.',
                timestamp=1767268810, model="m-1",
                output=[
                    {"type": "reasoning", "id": "r1", "content": [{"type": "output_text", "text": "Hm."}]},
                    {"type": "function_call", "id": "f1", "call_id": "c1", "name": "weather",
                     "arguments": '{"city": "Porto"}', "status": "completed"},
                    {"type": "function_call_output", "id": "o1", "call_id": "c1",
                     "output": [{"type": "input_text", "text": "sunny"}], "status": "completed"},
                    {"type": "message", "id": "m1", "role": "assistant",
                     "content": [{"type": "output_text", "text": "It is sunny."}]},
                ],
            ),
        }},
    },
    "created_at": 1767268800, "updated_at": 1767268810, "share_id": None, "archived": False, "pinned": False,
    "meta": {}, "folder_id": None,
}  # fmt: skip


def libre_message(id: str, parent: str, user: bool, text: str, second: int, **more: Any) -> Record:
    return {
        "messageId": id, "conversationId": "l1", "createdAt": f"2026-01-01T12:00:{second:02d}.000Z", "error": False,
        "isCreatedByUser": user, "model": None if user else "m-1", "parentMessageId": parent,
        "sender": "User" if user else "Model", "text": text, "unfinished": False,
    } | more  # fmt: skip


LIBRECHAT: Record = {
    "conversationId": "l1", "endpoint": "openAI", "title": "Weather in Porto",
    "exportAt": "12:05:00 GMT+0000 (Coordinated Universal Time)", "branches": True, "recursive": False,
    "options": {"model": "m-1", "endpoint": "openAI"},
    "messages": [
        libre_message("q1", ROOT, True, "What is the weather in Porto?", 0),
        libre_message("a1", "q1", False, "I do not know.", 5),
        libre_message("a2", "q1", False, "", 10, content=[
            {"type": "think", "think": "Hm."},
            {"type": "tool_call", "tool_call": {"id": "c1", "name": "weather", "args": '{"city": "Porto"}',
                                                "output": "sunny", "type": "tool_call", "progress": 1}},
            {"type": "text", "text": {"value": "It is sunny."}},
        ]),
    ],
}  # fmt: skip


def nested(messages: list[Record], parent: str = ROOT) -> list[Record]:
    """The messages of a LibreChat export as a tree."""
    own = [message for message in messages if message["parentMessageId"] == parent]
    return [message | {"children": nested(messages, message["messageId"])} for message in own]


def telegram_message(id: int, author: str, text: Any, **more: Any) -> Record:
    return {
        "id": id, "type": "message", "date": f"2026-01-01T13:00:{id:02d}", "date_unixtime": str(1767268800 + id),
        "from": author, "from_id": {"Ada": "user1", "Bob": "user2"}.get(author, "user3"), "text": text,
        "text_entities": [{"type": "plain", "text": text}] if isinstance(text, str) else text,
    } | more  # fmt: skip


TELEGRAM: Record = {
    "name": "Bob", "type": "personal_chat", "id": 2,
    "messages": [
        {"id": 1, "type": "service", "date": "2026-01-01T13:00:01", "date_unixtime": "1767268801", "actor": "Bob",
         "actor_id": "user2", "action": "phone_call", "text": "", "text_entities": []},
        telegram_message(2, "Bob", "Where do you live?"),
        telegram_message(3, "Ada", ["I live in ", {"type": "bold", "text": "Porto"}, ", see ",
                                    {"type": "link", "text": "https://porto.example"}]),
        telegram_message(4, "Bob", "", photo="(File not included. Change data exporting settings to download.)"),
        telegram_message(5, "Ada", "I live in Oslo.", forwarded_from="Carl"),
    ],
}  # fmt: skip
TELEGRAM_ACCOUNT: Record = {
    "about": "Here is the data you requested.",
    "personal_information": {"user_id": 1, "first_name": "Ada", "last_name": "", "phone_number": "+00"},
    "chats": {"about": "This page lists all chats.", "list": [
        TELEGRAM,
        {"name": "Choir", "type": "private_group", "id": 9, "messages": [
            telegram_message(1, "Carl", "I live in Rome."), telegram_message(2, "Ada", "I sing in a choir.")]},
        {"type": "saved_messages", "id": 1, "messages": [telegram_message(1, "Ada", "Buy hay.")]},
    ]},
    "left_chats": {"about": "", "list": [{"name": "Old", "type": "private_group", "id": 8, "messages": []}]},
}  # fmt: skip


def discord_message(id: str, name: str, content: str, kind: str = "Default", **more: Any) -> Record:
    author = {"id": f"10{len(name)}", "name": name, "discriminator": "0000", "nickname": name.title(), "isBot": False}
    return {
        "id": id, "type": kind, "timestamp": f"2026-01-01T12:00:0{id[-1]}+00:00", "timestampEdited": None,
        "callEndedTimestamp": None, "isPinned": False, "content": content, "author": author, "attachments": [],
        "embeds": [], "stickers": [], "reactions": [], "mentions": [], "inlineEmojis": [],
    } | more  # fmt: skip


DISCORD: Record = {
    "guild": {"id": "7", "name": "Stable", "iconUrl": ""},
    "channel": {"id": "70", "type": "GuildTextChat", "categoryId": None, "category": "Text", "name": "general"},
    "dateRange": {"after": None, "before": None},
    "exportedAt": "2026-02-01T00:00:00+00:00",
    "messages": [
        discord_message("901", "bob", "Joined the server.", "GuildMemberJoin"),
        discord_message("902", "bob", "I live in Oslo."),
        discord_message("903", "ada.l", "I live in Porto.", "Reply"),
        discord_message("904", "bob", "", attachments=[{"id": "1", "fileName": "a.png", "fileSizeBytes": 9}]),
    ],
    "messageCount": 4,
}  # fmt: skip

SLACK: dict[str, Any] = {
    "users.json": [
        {"id": "U1", "team_id": "T1", "name": "ada", "deleted": False, "real_name": "Ada L",
         "profile": {"real_name": "Ada L", "display_name": "ada", "email": "ada@example.org"}},
        {"id": "U2", "team_id": "T1", "name": "bob", "real_name": "Bob B", "profile": {"display_name": ""}},
    ],
    "channels.json": [{"id": "C1", "name": "memories", "created": 1767268800, "members": ["U1", "U2"]}],
    "integration_logs.json": [],
    "memories/2026-01-01.json": [
        {"type": "message", "subtype": "channel_join", "ts": "1767268800.000100", "user": "U2",
         "text": "<@U2> has joined the channel"},
        {"type": "message", "ts": "1767268801.000200", "user": "U2", "text": "Hi <@U1>, I live in Oslo &amp; Bergen.",
         "user_profile": {"real_name": "Bob B", "name": "bob"}},
        {"type": "message", "ts": "1767268802.000300", "user": "U1",
         "text": "I live in Porto, see <https://porto.example|this page> in <#C1|memories>"},
    ],
    "memories/2026-01-02.json": [
        {"type": "message", "subtype": "bot_message", "ts": "1767355200.000100", "username": "hay-bot",
         "bot_id": "B1", "text": "The hay has arrived."},
        {"type": "message", "ts": "1767355201.000100", "user": "U1", "text": "", "files": [{"id": "F1"}]},
    ],
}  # fmt: skip

LETTA: Record = {
    "agents": [{
        "name": "helper", "id": "agent-0", "agent_type": "letta_v1_agent", "system": "You are a helper.",
        "in_context_message_ids": ["message-0"],
        "messages": [
            {"type": "message", "role": "system", "content": [{"type": "text", "text": "You are a helper. <human>…"}],
             "id": "message-0", "created_at": "2026-01-01T12:00:00+00:00", "tool_calls": None, "tool_returns": []},
            {"type": "message", "role": "user", "id": "message-1", "created_at": "2026-01-01T12:00:01+00:00",
             "content": [{"type": "text", "text": '{"type": "login", "last_login": "Never", "time": "now"}'}]},
            {"type": "message", "role": "user", "id": "message-2", "created_at": "2026-01-01T12:00:02+00:00",
             "content": [{"type": "text", "text": '{"type": "user_message", "message": "I live in Porto."}'}]},
            {"type": "message", "role": "assistant", "id": "message-3", "created_at": "2026-01-01T12:00:03+00:00",
             "content": [{"type": "text", "text": "The user told me where they live."}],
             "tool_calls": [{"id": "c1", "type": "function", "function": {
                 "name": "send_message", "arguments": '{"message": "Porto is lovely."}'}}]},
            {"type": "message", "role": "tool", "id": "message-4", "created_at": "2026-01-01T12:00:04+00:00",
             "content": [{"type": "text", "text": '{"status": "OK"}'}], "tool_call_id": "c1"},
            {"type": "message", "role": "user", "id": "message-5", "created_at": "2026-01-01T12:00:05+00:00",
             "content": [{"type": "text", "text": "And I ride."}]},
        ],
    }],
    "blocks": [{"id": "block-0", "label": "human", "value": "Lives in Porto.\n\nRides horses."},
               {"id": "block-1", "label": "persona", "value": "I am kind."}],
    "groups": [], "files": [], "sources": [], "tools": [], "mcp_servers": [], "metadata": {},
}  # fmt: skip
LETTA_OLD: Record = {"agent_type": "memgpt_agent", "core_memory": LETTA["blocks"], "name": "helper",
                     "messages": LETTA["agents"][0]["messages"], "tools": [], "version": "0.6.47"}  # fmt: skip

ZEP_V3: Record = {
    "messages": [
        {"uuid": "z1", "role": "user", "name": "Ada", "content": "I live in Porto.", "processed": True,
         "created_at": "2026-01-01T12:00:00Z", "metadata": {}},
        {"uuid": "z2", "role": "assistant", "content": "Noted.", "created_at": "2026-01-01T12:00:01Z"},
    ],
    "row_count": 2, "total_count": 2, "thread_created_at": "2026-01-01T11:59:00Z", "user_id": "ada",
}  # fmt: skip
ZEP_V2: Record = {
    "messages": [
        {"uuid": "z1", "role": "Ada", "role_type": "user", "content": "I live in Porto."},
        {"uuid": "z2", "role": "Helper", "role_type": "assistant", "content": "Noted."},
    ],
    "row_count": 2, "total_count": 2,
}  # fmt: skip
ZEP_V4: Record = {"items": ZEP_V3["messages"], "total_size": 2}  # as `MessagePage` of zep-cloud 4.0 writes it
ZEP_FACTS: Record = {"edges": [
    {"uuid": "e1", "name": "LIVES_IN", "fact": "Ada lives in Porto", "source_node_uuid": "n1", "target_node_uuid": "n2",
     "created_at": "2026-01-01T12:00:05Z", "valid_at": "2026-01-01T12:00:00Z", "episodes": ["z1"]},
    {"uuid": "e2", "name": "LIVES_IN", "fact": "Ada lives in Oslo", "created_at": "2025-01-01T12:00:05Z",
     "invalid_at": "2026-01-01T12:00:00Z"}]}  # fmt: skip

SHAREGPT: Record = {
    "id": "s1",
    "system": "Be kind.",
    "conversations": [
        {"from": "human", "value": "I live in Porto."},
        {"from": "gpt", "value": "Noted."},
        {"from": "observation", "value": "sunny"},
    ],
}


def activity(
    second: int, title: str, answer: str | None, chat: str | None = None, header: str = "Gemini Apps"
) -> Record:
    url = None if chat is None else f"https://gemini.google.com/app/{chat}"
    return {
        "header": header, "title": title, "time": f"2026-01-01T12:00:{second:02d}.000Z", "products": ["Gemini Apps"],
        "activityControls": ["Gemini Apps Activity"],
    } | ({} if answer is None else {"safeHtmlItem": [{"html": answer}]}) | (
        {} if url is None else {"details": [{"name": url, "url": url}]})  # fmt: skip


GEMINI: list[Record] = [
    activity(40, "Gave feedback: Good response", None),
    activity(30, "Prompted And in winter?", "<p>It is <b>mild</b> &amp; wet.</p>", "00aa00aa00aa00aa"),
    activity(20, "Prompted Tell me about hay", "<p>Hay:</p><ul><li>dry</li><li>yellow</li></ul>"),
    activity(10, "Prompted I live in Porto", "<p>Noted.</p>", "00aa00aa00aa00aa"),
]

SAMPLES: dict[str, Any] = {
    "openwebui": [OPENWEBUI],
    "librechat": LIBRECHAT,
    "telegram": TELEGRAM,
    "discord": DISCORD,
    "slack": SLACK["memories/2026-01-01.json"],
    "letta": LETTA,
    "zep": ZEP_V3,
    "sharegpt": [SHAREGPT],
    "gemini": GEMINI,
}
