"""Makes messages and utterances for the tests of distillation."""

from datetime import UTC, datetime

from aforesaid.models.message import Message, Utterance
from aforesaid.providers.tokenizers import tokenizer

AT = datetime(2026, 3, 1, 9, 30, tzinfo=UTC)
count = tokenizer().count


def say(*lines: tuple[str, str]) -> list[Utterance]:
    """Makes utterances of (role, text); `assistant/Ada` gives the speaker a name."""
    found = []
    for seq, (who, text) in enumerate(lines):
        role, _, name = who.partition("/")
        found.append(Utterance(f"m{seq}", seq, role, name or role, text, AT, None, 0))
    return found


def messages(roles: str, text: str = "We talk about the harbour.", tokens: int = 8) -> list[Message]:
    """Makes messages from the initials of roles: user, assistant, tool, system; "c" is an assistant's tool call."""
    names = {"u": "user", "a": "assistant", "t": "tool", "s": "system", "c": "assistant"}
    return [
        Message(
            f"m{seq}", "alice", "trip", seq, names[role], text, None, [{"id": "1"}] if role == "c" else None, None,
            None, 0.5, tokens, AT, {},
        )
        for seq, role in enumerate(roles)
    ]  # fmt: skip
