import type { ReceiptListItem } from "../../api/receipts";
import { Icon } from "../../parts/Icon";
import { Time } from "../../parts/Time";
import { linkTo } from "../../store/route";
import "./ReceiptList.css";
import { colourOf, titleOf } from "./sections";

/** The id of the list in the document. */
export const RECEIPT_LIST = "receipts";

interface ReceiptListProps {
  conversation: string;
  receipts: readonly ReceiptListItem[];
  /** The receipt that is open. */
  open: string | undefined;
  /** The receipt that it is compared with. */
  other: string | undefined;
}

/** The receipts of a conversation, newest first. Each can be opened, and compared with the open one. */
export function ReceiptList({ conversation, receipts, open, other }: ReceiptListProps) {
  return (
    <aside id={RECEIPT_LIST} class="receipt-list" aria-label="Receipts">
      <h2>Receipts</h2>
      <p class="small quiet">Contexts of the last 30 days. Open one, then compare it with another.</p>
      <ol class="receipt-links">
        {receipts.map((receipt) => (
          <li key={receipt.id} class={receipt.id === other ? "other" : undefined}>
            <a
              href={linkTo("context", conversation, receipt.id)}
              class="receipt-link"
              aria-current={receipt.id === open ? "true" : undefined}
            >
              <span class="asked" dir="auto">
                {receipt.question ?? "No question"}
              </span>
              <MiniBar receipt={receipt} />
              <span class="small quiet">
                {receipt.recipe} · {receipt.tokens.toLocaleString()} tokens · <Time at={receipt.at} />
              </span>
            </a>
            {open !== undefined && receipt.id !== open && (
              <a
                class="icon-button"
                href={linkTo("context", conversation, open, "compare", receipt.id)}
                title="Compare with the open receipt"
                aria-label={`Compare the open receipt with: ${receipt.question ?? "No question"}`}
              >
                <Icon name="swap" />
              </a>
            )}
          </li>
        ))}
      </ol>
    </aside>
  );
}

function MiniBar({ receipt }: { receipt: ReceiptListItem }) {
  const whole = Math.max(receipt.max_tokens, receipt.tokens, 1);
  return (
    <span class="mini" aria-hidden="true">
      {Object.entries(receipt.sections).map(([name, tokens]) => (
        <span
          key={name}
          title={titleOf(name)}
          style={{ width: `${(tokens / whole) * 100}%`, background: colourOf(name) }}
        />
      ))}
    </span>
  );
}
