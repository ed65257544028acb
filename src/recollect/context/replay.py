"""A context built again, beside the one it was."""

from __future__ import annotations

from dataclasses import dataclass

from recollect.context.receipt import Receipt, ReceiptItem


@dataclass(frozen=True, slots=True)
class Replay:
    """What a call gave then and gives now. `same` says that the bytes are equal; `changed` are pairs of items that
    are in both and stand there for another reason, with another score, or no longer on the same side."""

    before: Receipt
    after: Receipt
    added: tuple[ReceiptItem, ...]
    removed: tuple[ReceiptItem, ...]
    changed: tuple[tuple[ReceiptItem, ReceiptItem], ...]

    @property
    def same(self) -> bool:
        return self.before.digest == self.after.digest


def compare(before: Receipt, after: Receipt) -> Replay:
    old, new = _by_name(before), _by_name(after)
    return Replay(
        before,
        after,
        tuple(item for name, item in new.items() if name not in old),
        tuple(item for name, item in old.items() if name not in new),
        tuple((item, new[name]) for name, item in old.items() if name in new and new[name] != item),
    )


def _by_name(receipt: Receipt) -> dict[tuple[str, str], ReceiptItem]:
    """Items by kind and id; one that is in wins over one of the same name that was left out elsewhere."""
    found: dict[tuple[str, str], ReceiptItem] = {}
    for item in receipt.items:
        key = (item.kind, item.id)
        if key not in found or item.included:
            found[key] = item
    return found
