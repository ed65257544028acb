"""Messages of chats between people. The user's own messages have the role `user`. Those of others have the role
`assistant` and the name of their author, so that they never become facts about the user."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from aforesaid.interop.chat_import import parsing
from aforesaid.interop.chat_import.exports import ExportedMessage
from aforesaid.models.json import Json


@dataclass(frozen=True, slots=True)
class ChatLine:
    """What a person wrote in a chat. `mine`: the export says that the user wrote it."""

    author: Json
    text: str
    id: str | None = None
    at: datetime | None = None
    mine: bool = False

    def message(self, me: str | None) -> ExportedMessage:
        """The message; `me` is the user's name in the chats."""
        name = parsing.valid_id(self.author)
        mine = self.mine or (me is not None and name is not None and name.casefold() == me.casefold())
        return ExportedMessage("user" if mine else "assistant", self.text, self.id, self.at, None if mine else name)


def joined_text(value: Json) -> str:
    """A text, or the joined texts of a list of texts and of objects with `text`."""
    if isinstance(value, str):
        return value
    pieces = [piece.get("text") if isinstance(piece, dict) else piece for piece in parsing.as_list(value)]
    return "".join(piece for piece in pieces if isinstance(piece, str))
