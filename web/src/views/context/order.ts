// The order of a receipt's items, and which of them match a filter.
import type { ReceiptItem, Score } from "../../api/receipts";
import type { ItemText, ItemTexts } from "./itemText";
import { keyOf } from "./sections";

/** `best`: by rank. `read`: as the model reads them. Otherwise by time, by tokens, or by a part of the score. */
export type Order = "best" | "read" | "newest" | "oldest" | "tokens" | keyof Score;
export type Shown = "in" | "out" | "all";

/** The rank of a recalled item that is in the context. */
export function rankOf(item: ReceiptItem): number | undefined {
  const [, rank] = /^rank (\d+)/.exec(item.reason) ?? [];
  return rank === undefined ? undefined : Number(rank);
}

/** Items with a rank by rank; those that were left out between them, by relevance; then all without a score. */
function bestFirst(items: readonly ReceiptItem[]): ReceiptItem[] {
  const ranked = items.filter((item) => rankOf(item) !== undefined).sort((a, b) => (rankOf(a) ?? 0) - (rankOf(b) ?? 0));
  const scored = items.filter((item) => item.score !== null && rankOf(item) === undefined).sort(by(relevance));
  const rest = items.filter((item) => item.score === null && rankOf(item) === undefined);
  const merged: ReceiptItem[] = [];
  for (const item of ranked) {
    while (scored[0] !== undefined && relevance(scored[0]) > relevance(item))
      merged.push(scored.shift() as ReceiptItem);
    merged.push(item);
  }
  return [...merged, ...scored, ...rest];
}

function relevance(item: ReceiptItem): number {
  return item.score?.relevance ?? 0;
}

function by(value: (item: ReceiptItem) => number) {
  return (first: ReceiptItem, other: ReceiptItem) => value(other) - value(first);
}

/** The items in an order. Items without the value come last. */
export function ordered(items: readonly ReceiptItem[], order: Order, known: ItemTexts): ReceiptItem[] {
  if (order === "best") return bestFirst(items);
  if (order === "read") return [...items];
  if (order === "tokens") return [...items].sort(by((item) => item.tokens));
  if (order === "newest" || order === "oldest") {
    const sign = order === "newest" ? 1 : -1;
    const dated = (item: ReceiptItem) => known.get(keyOf(item))?.at !== undefined;
    const time = (item: ReceiptItem) => sign * Date.parse(known.get(keyOf(item))?.at ?? "");
    return [...items.filter(dated).sort(by(time)), ...items.filter((item) => !dated(item))];
  }
  return [...items].sort(by((item) => item.score?.[order] ?? -1));
}

/** The words of a filter, in lower case. */
export function wordsOf(filter: string): string[] {
  return filter.toLowerCase().split(/\s+/).filter(Boolean);
}

/** True if every word is in the text, the speaker, the conversation, the section, the reason or the id of the item. */
export function matches(item: ReceiptItem, text: ItemText | undefined, words: readonly string[]): boolean {
  const { speaker = "", title = "", conversation = "" } = text ?? {};
  const fields = [text?.text ?? "", speaker, title, conversation, item.section, item.kind, item.reason, item.id];
  const all = fields.join("\n").toLowerCase();
  return words.every((word) => all.includes(word));
}

/** A text in pieces; every second one matches a word of the filter. */
export function pieces(text: string, words: readonly string[]): string[] {
  if (words.length === 0) return [text];
  const escaped = [...words]
    .sort((a, b) => b.length - a.length)
    .map((word) => word.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&"));
  return text.split(new RegExp(`(${escaped.join("|")})`, "giu"));
}
