// Contexts of one question, built by several recipes: which items each has, and where they differ.
import type { TriedContext } from "../../api/contexts";
import type { ReceiptItem } from "../../api/receipts";
import { rankOf } from "./order";
import { keyOf } from "./sections";

/** Token budgets of the slider. */
export const BUDGETS = [
  200, 250, 300, 400, 500, 600, 800, 1000, 1200, 1500, 2000, 2500, 3000, 4000, 5000, 6000, 8000, 10_000, 12_000, 16_000,
  20_000, 24_000, 32_000, 48_000, 64_000, 96_000, 128_000,
];

/** What one recipe gives: a context, or why there is none. */
export interface Trial {
  recipe: string;
  context?: TriedContext;
  problem?: string;
}

/** An item, and its line in the receipt of each recipe; undefined where the recipe does not know it. */
export interface BenchRow {
  key: string;
  item: ReceiptItem;
  lines: (ReceiptItem | undefined)[];
  /** True if one recipe includes the item and another does not. */
  differs: boolean;
}

/** The items that at least one recipe includes, best first. */
export function benchRows(trials: readonly Trial[]): BenchRow[] {
  const lines = trials.map((trial) => linesOf(trial.context?.receipt.items ?? []));
  const built = trials.map((trial) => trial.context !== undefined);
  const keys = new Set(lines.flatMap((items) => [...items.values()].filter((item) => item.included).map(keyOf)));
  const rows = [...keys].map((key): BenchRow => {
    const all = lines.map((items) => items.get(key));
    const item = all.find((line) => line?.included && rankOf(line)) ?? all.find((line) => line?.included);
    const some = all.filter((_, index) => built[index]);
    return { key, item: item as ReceiptItem, lines: all, differs: some.some((line) => line?.included !== true) };
  });
  return rows.sort((first, other) => bestRank(first) - bestRank(other));
}

/** The lines of a receipt by item. A line of an included item wins. */
function linesOf(items: readonly ReceiptItem[]): Map<string, ReceiptItem> {
  const lines = new Map<string, ReceiptItem>();
  for (const item of items) if (item.included || !lines.has(keyOf(item))) lines.set(keyOf(item), item);
  return lines;
}

function bestRank(row: BenchRow): number {
  return Math.min(...row.lines.map((line) => (line && rankOf(line)) ?? Number.POSITIVE_INFINITY), Number.MAX_VALUE);
}

/** How many items of a recipe no other one includes. */
export function onlyIn(rows: readonly BenchRow[], index: number): number {
  const others = (row: BenchRow) => row.lines.some((line, place) => place !== index && line?.included);
  return rows.filter((row) => row.lines[index]?.included && !others(row)).length;
}
