import type { Fact } from "../../api/facts";
import type { ReceiptListItem } from "../../api/receipts";
import { Icon } from "../../parts/Icon";
import { linkTo } from "../../store/route";
import { usedText } from "./usedText";
import type { MemoryControl } from "./useMemory";

interface RememberedProps {
  facts: readonly Fact[];
  memory: MemoryControl;
}

/** The facts that came from a message, each with a button that undoes it. */
export function Remembered({ facts, memory }: RememberedProps) {
  return (
    <ul class="remembered" aria-label="Remembered from this message">
      {facts.map((fact) => {
        const undone = memory.wasUndone(fact);
        return (
          <li key={fact.id} data-undone={undone}>
            <Icon name="spark" size={14} />
            <span dir="auto">
              {undone
                ? "Not remembered: "
                : fact.status === "pending"
                  ? "Remembered, to be confirmed: "
                  : "Remembered: "}
              <a href={linkTo("memory", "facts", fact.id)}>{fact.text}</a>
            </span>
            <button
              type="button"
              class="textual"
              aria-label={undone ? `Remember again: ${fact.text}` : `Undo: ${fact.text}`}
              onClick={() => (undone ? memory.redo(fact) : memory.undo(fact))}
            >
              {undone ? "Remember again" : "Undo"}
            </button>
          </li>
        );
      })}
    </ul>
  );
}

/** What the context of an answer had, as a link to its receipt. */
export function Used({ receipt }: { receipt: ReceiptListItem }) {
  return (
    <a class="used" href={linkTo("context", receipt.conversation, receipt.id)}>
      <Icon name="layers" size={14} />
      <span>{usedText(receipt)}</span>
    </a>
  );
}
