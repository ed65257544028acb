import type { ReceiptListItem } from "../../api/receipts";
import { counted } from "../../parts/numbers";

const ORDER: readonly (readonly [kind: string, one: string])[] = [
  ["fact", "fact"],
  ["pin", "pin"],
  ["summary", "summary"],
  ["profile", "profile field"],
  ["message", "message"],
];

/** What a context had, by kind, and its tokens. */
export function usedText({ counts, tokens }: Pick<ReceiptListItem, "counts" | "tokens">): string {
  const parts = ORDER.flatMap(([kind, one]) => (counts[kind] ? [counted(counts[kind], one)] : []));
  return `${parts.length === 0 ? "" : `Used ${parts.join(", ")} · `}${counted(tokens, "token")}`;
}
