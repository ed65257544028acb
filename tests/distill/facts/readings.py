"""Claims about real-style sentences: 80 that the quote says, and 40 wrong readings of a genuine quote.

Columns: messages, quote, subject, attribute, value, text. The quote is in the last message; " | " is between messages.
"""

from pathlib import Path

FOLDER = Path(__file__).parent


def read(name: str) -> list[tuple[str, ...]]:
    lines = (FOLDER / f"{name}_readings.tsv").read_text(encoding="utf-8").splitlines()
    return [tuple(line.split("\t")) for line in lines]


RIGHT, WRONG = read("right"), read("wrong")
