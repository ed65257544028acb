"""Parses a reply from a stream of bytes or from a complete body, in any of the API formats."""

from __future__ import annotations

from typing import Literal, Protocol

from aforesaid.models.json import Json
from aforesaid.replies import chat, messages, ollama, responses
from aforesaid.replies.json_path import join_text
from aforesaid.replies.reply import ModelReply
from aforesaid.replies.sse import ServerSentEvent, SSEParser

ApiFormat = Literal["chat", "responses", "messages", "ollama_chat", "ollama_generate"]
OLLAMA_FORMATS: tuple[ApiFormat, ...] = ("ollama_chat", "ollama_generate")


class EventParser(Protocol):
    """Parses the events of one answer. It never raises, whatever they contain."""

    def feed(self, event: ServerSentEvent) -> str: ...
    @property
    def over(self) -> bool:
        """Returns True after the last event. Not every service sends one."""

    def reply(self) -> ModelReply: ...


class ReplyParser:
    """Parses a streamed answer."""

    def __init__(self, api_format: ApiFormat) -> None:
        self._events = ollama.JsonLinesParser() if api_format in OLLAMA_FORMATS else SSEParser()
        self._parser = event_parser(api_format)
        self._half = ""  # of a surrogate pair

    def feed(self, piece: bytes) -> str:
        """The text that these bytes complete."""
        text = self._half + "".join(self._parser.feed(event) for event in self._events.feed(piece))
        self._half = text[-1:] if "\ud800" <= text[-1:] <= "\udbff" else ""
        return join_text([text.removesuffix(self._half)])

    @property
    def over(self) -> bool:
        """Returns True if nothing more follows, even if the connection stays open."""
        return self._parser.over

    def end(self) -> ModelReply:
        """The reply, after the last bytes."""
        for event in self._events.end():
            self._parser.feed(event)
        return self._parser.reply()


def event_parser(api_format: ApiFormat) -> EventParser:
    parsers: dict[ApiFormat, type[EventParser]] = {
        "chat": chat.ChatEventParser,
        "responses": responses.ResponsesEventParser,
        "messages": messages.MessagesEventParser,
        "ollama_chat": ollama.OllamaEventParser,
        "ollama_generate": ollama.OllamaEventParser,
    }
    return parsers[api_format]()


def parse_body(api_format: ApiFormat, body: Json) -> ModelReply:
    """The reply in a complete body."""
    if api_format in OLLAMA_FORMATS:
        return ollama.parse_body(body)
    parsers = {"chat": chat.parse_body, "responses": responses.parse_body, "messages": messages.parse_body}
    return parsers[api_format](body)
