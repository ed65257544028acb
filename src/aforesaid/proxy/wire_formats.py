"""The wire formats of requests. They accept any body, and change nothing that their methods do not name."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace

from aforesaid.models.json import Json
from aforesaid.proxy.message import (
    ChatMessage,
    content_text,
    content_texts,
    insert_before_typed,
    mark_harness_turns,
    positive_int,
    storable_text,
    user_message,
)
from aforesaid.replies.json_path import get_list, get_path, get_text
from aforesaid.replies.ollama import with_call_ids
from aforesaid.replies.parser import ApiFormat

RequestJson = dict[str, Json]

RESPONSES_CALL_TYPES = {"function_call": ("function", "arguments"), "custom_tool_call": ("custom", "input")}
RESPONSES_RESULT_TYPES = ("function_call_output", "custom_tool_call_output")


class WireFormat:
    """OpenAI's chat completions. The other formats differ from it."""

    text_part = "text"  # the type of a text part
    instruction_roles: tuple[str, ...] = ("system", "developer")

    def items(self, body: RequestJson) -> list[Json]:
        """Returns the history in the format's own items."""
        return get_list(body, "messages")

    def with_items(self, body: RequestJson, items: list[Json]) -> RequestJson:
        return {**body, "messages": items}

    def instructions(self, body: RequestJson) -> str:
        """Returns the application's instructions, which are not stored."""
        items = self.items(body)
        return "\n".join(content_text(get_path(item, "content")) for item in items if self.is_instruction(item))

    def is_instruction(self, item: Json) -> bool:
        """Returns True for the application's items, which are always sent."""
        return get_text(item, "role") in self.instruction_roles

    def starts_turn(self, item: Json) -> bool:
        """Returns True for a user message that is not a tool result."""
        return get_text(item, "role") == "user"

    def inject(self, item: Json, block: str) -> Json:
        """Inserts a block before the typed text of an item."""
        return {**item, "content": insert_before_typed(get_path(item, "content"), block, self.text_part)}

    def output(self, body: RequestJson) -> int:
        """Returns the token limit of the answer, or 0."""
        return positive_int(body, "max_completion_tokens") or positive_int(body, "max_tokens")

    def is_chat(self, body: RequestJson) -> bool:  # noqa: ARG002 (other formats read it)
        """Returns False for a text that the model is to continue."""
        return True

    def parse_items(self, items: Sequence[Json], instructions: str = "") -> list[ChatMessage]:
        """Returns the messages in order. The `instructions` show what in them is a reminder of the application's."""
        messages = (message for at, item in enumerate(items) for message in self._messages(item, at, instructions))
        return mark_harness_turns([message for message in messages if not message.empty])

    def _messages(self, item: Json, at: int, instructions: str) -> list[ChatMessage]:
        role, content = get_text(item, "role"), get_path(item, "content")
        if role == "user":
            return [user_message(content, at, instructions)]
        text, call_id = content_text(content), storable_text(get_text(item, "tool_call_id"))
        if role == "assistant":
            calls = tuple(_chat_call(call) for call in get_list(item, "tool_calls") if isinstance(call, dict))
            return [ChatMessage("assistant", text or storable_text(get_text(item, "refusal")), calls=calls, item=at)]
        return [ChatMessage("tool", text, call_id=call_id, item=at)] if role == "tool" and call_id else []


class AnthropicFormat(WireFormat):
    """Anthropic's messages: the instructions have a field of their own, and tool results are parts of user messages."""

    instruction_roles = ("system",)

    def instructions(self, body: RequestJson) -> str:
        return "\n".join(content_texts(get_path(body, "system")))

    def starts_turn(self, item: Json) -> bool:
        return super().starts_turn(item) and not any(map(_is_tool_result, get_list(item, "content")))

    def output(self, body: RequestJson) -> int:
        return positive_int(body, "max_tokens")

    def inject(self, item: Json, block: str) -> Json:
        """Inserts a part, also into a plain text: Claude Code sends a message as a part first, then as a text."""
        text = get_text(item, "content")
        return super().inject({**item, "content": [{"type": "text", "text": text}]} if text else item, block)

    def _messages(self, item: Json, at: int, instructions: str) -> list[ChatMessage]:
        role, content, parts = get_text(item, "role"), get_path(item, "content"), get_list(item, "content")
        if role == "user":
            results = [_anthropic_result(part, at) for part in parts if _is_tool_result(part)]
            return [*results, user_message(content, at, instructions)]
        if role == "assistant":
            calls = tuple(_anthropic_call(part) for part in parts if get_text(part, "type") == "tool_use")
            return [ChatMessage("assistant", content_text(content), calls=calls, item=at)]
        return []


class ResponsesFormat(WireFormat):
    """OpenAI's Responses: the input may be a plain text, and tool calls are items of their own."""

    text_part = "input_text"

    def items(self, body: RequestJson) -> list[Json]:
        text = get_text(body, "input")
        return [{"role": "user", "content": text}] if text else get_list(body, "input")

    def with_items(self, body: RequestJson, items: list[Json]) -> RequestJson:
        text = get_text(items[0], "content") if len(items) == 1 and get_text(body, "input") else ""  # stays plain
        return {**body, "input": text or items}

    def instructions(self, body: RequestJson) -> str:
        items = [content_text(get_path(item, "content")) for item in self.items(body) if self.is_instruction(item)]
        return "\n".join([get_text(body, "instructions"), *items])

    def output(self, body: RequestJson) -> int:
        return positive_int(body, "max_output_tokens")

    def parse_items(self, items: Sequence[Json], instructions: str = "") -> list[ChatMessage]:
        """Joins the text and the tool calls of an answer, which are separate items, to one message."""
        messages: list[ChatMessage] = []
        for message in super().parse_items(items, instructions):
            if messages and message.role == messages[-1].role == "assistant":
                last = messages[-1]
                messages[-1] = replace(last, text=last.text + message.text, calls=last.calls + message.calls)
            else:
                messages.append(message)
        return messages

    def _messages(self, item: Json, at: int, instructions: str) -> list[ChatMessage]:
        role, kind, call_id = get_text(item, "role"), get_text(item, "type"), get_text(item, "call_id")
        content = get_path(item, "content")
        if role == "user":
            return [user_message(content, at, instructions)]
        if role == "assistant":
            return [ChatMessage("assistant", content_text(content), item=at)]
        if kind in RESPONSES_CALL_TYPES:
            return [ChatMessage("assistant", calls=(_responses_call(item, *RESPONSES_CALL_TYPES[kind]),), item=at)]
        if kind in RESPONSES_RESULT_TYPES and call_id:
            text = content_text(get_path(item, "output"))
            return [ChatMessage("tool", text, call_id=storable_text(call_id), item=at)]
        return []


class OllamaFormat(WireFormat):
    """Ollama's chat: images have a field of their own, and tool results name their call by its id, by the name of its
    tool, or not at all."""

    instruction_roles = ("system",)

    def output(self, body: RequestJson) -> int:
        options = get_path(body, "options")
        return positive_int(options, "num_predict") if isinstance(options, dict) else 0

    def parse_items(self, items: Sequence[Json], instructions: str = "") -> list[ChatMessage]:
        return super().parse_items(with_call_ids(items), instructions)

    def _messages(self, item: Json, at: int, instructions: str) -> list[ChatMessage]:
        images = ("image",) * len(get_list(item, "images"))
        return [replace(message, attachments=images) for message in super()._messages(item, at, instructions)]


class OllamaPromptFormat(OllamaFormat):
    """Ollama's generate: one prompt. Earlier turns, if any, are a part of its text."""

    def items(self, body: RequestJson) -> list[Json]:
        prompt = get_text(body, "prompt")
        return [{"role": "user", "content": prompt, "images": get_list(body, "images")}] if prompt else []

    def with_items(self, body: RequestJson, items: list[Json]) -> RequestJson:
        turns = [f"{get_text(item, 'role')}: {get_text(item, 'content')}" for item in items[:-1]]
        return {**body, "prompt": "\n\n".join([*turns, *(get_text(item, "content") for item in items[-1:])])}

    def instructions(self, body: RequestJson) -> str:
        return get_text(body, "system")

    def is_chat(self, body: RequestJson) -> bool:
        return not (body.get("raw") or body.get("suffix"))  # such as code in an editor


WIRE_FORMATS: Mapping[ApiFormat, WireFormat] = {
    "chat": WireFormat(), "responses": ResponsesFormat(), "messages": AnthropicFormat(),
    "ollama_chat": OllamaFormat(), "ollama_generate": OllamaPromptFormat(),
}  # fmt: skip


def _chat_call(call: dict[str, Json]) -> dict[str, Json]:
    kind = "custom" if isinstance(call.get("custom"), dict) else "function"
    names = ("name", "input" if kind == "custom" else "arguments")
    function = {name: storable_text(get_text(call, kind, name)) for name in names}
    return {"id": storable_text(get_text(call, "id")), "type": kind, kind: function}


def _responses_call(item: Json, kind: str, argument: str) -> dict[str, Json]:
    function = {name: storable_text(get_text(item, name)) for name in ("name", argument)}
    return {"id": storable_text(get_text(item, "call_id")), "type": kind, kind: function}


def _anthropic_call(part: Json) -> dict[str, Json]:
    arguments = json.dumps(get_path(part, "input") or {}, ensure_ascii=False)
    function = {"name": storable_text(get_text(part, "name")), "arguments": storable_text(arguments)}
    return {"id": storable_text(get_text(part, "id")), "type": "function", "function": function}


def _is_tool_result(part: Json) -> bool:
    return get_text(part, "type") == "tool_result"


def _anthropic_result(part: Json, at: int) -> ChatMessage:
    call_id = storable_text(get_text(part, "tool_use_id")) or None
    return ChatMessage("tool", content_text(get_path(part, "content")), call_id=call_id, item=at)
