"""Why something is not in a context: the words that a receipt says."""

from __future__ import annotations

NO_ROOM = "does not fit"
OVER = "over the limit"
NO_RESULT = "a tool call without all its results"
NO_CALL = "a tool result without its call"
ODD_CALL = "a tool call of a shape that no chat API takes"
NO_AUTHORITY = "an imported system message has no authority"
GIVES_ORDERS = "a summary that reads like instructions"
UNHEARD = "a profile's words of a tool or an import have no authority"

OLDER = "older than the history's beginning"
BEYOND = "beyond the last messages"
SUMMED_UP = "in the rolling summary"
CALLERS = "left to the caller to send"
REPLACED = "the caller gave another system text"
SHOWN = "already in the history"
PINNED = "already pinned"
WEAK = "below the threshold"

AS_IT_SHOULD_BE = frozenset(
    {OLDER, BEYOND, SUMMED_UP, CALLERS, REPLACED, SHOWN, PINNED, WEAK}
)  # nobody is warned of these
