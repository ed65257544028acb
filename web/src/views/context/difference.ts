// The difference of two contexts: added, removed and moved items, and the unchanged part of the stable prefix.
import type { Receipt, ReceiptItem } from "../../api/receipts";
import { inPrefix, keyOf } from "./sections";

export interface Difference {
  added: ReceiptItem[];
  removed: ReceiptItem[];
  moved: [before: ReceiptItem, after: ReceiptItem][];
  kept: number;
  /** Tokens at the start of the later stable prefix that are the same in both contexts. */
  samePrefix: number;
  prefix: number;
}

export function difference(before: Receipt, after: Receipt): Difference {
  const old = shown(before);
  const now = shown(after);
  const places = new Map(old.map((item, place) => [keyOf(item), place]));
  const left = new Set(now.map(keyOf));
  const both = now.filter((item) => places.has(keyOf(item)));
  const still = rising(both.map((item) => places.get(keyOf(item)) ?? -1));
  const moved: [ReceiptItem, ReceiptItem][] = [];
  for (const [index, item] of both.entries()) {
    const was = old[places.get(keyOf(item)) ?? -1];
    if (was !== undefined && (was.section !== item.section || !still.has(index))) moved.push([was, item]);
  }
  return {
    added: now.filter((item) => !places.has(keyOf(item))),
    removed: old.filter((item) => !left.has(keyOf(item))),
    moved,
    kept: both.length - moved.length,
    ...samePrefix(old, now),
  };
}

function shown(receipt: Receipt): ReceiptItem[] {
  return receipt.items.filter((item) => item.included);
}

/** A provider's cache serves the tokens up to the first difference. */
function samePrefix(old: ReceiptItem[], now: ReceiptItem[]): { samePrefix: number; prefix: number } {
  const later = now.filter((item) => inPrefix(item.section));
  const first = later.findIndex((item, place) => {
    const was = old[place];
    return was === undefined || keyOf(was) !== keyOf(item) || was.tokens !== item.tokens || !inPrefix(was.section);
  });
  return { samePrefix: tokens(first < 0 ? later : later.slice(0, first)), prefix: tokens(later) };
}

function tokens(items: readonly ReceiptItem[]): number {
  return items.reduce((sum, item) => sum + item.tokens, 0);
}

/** The indexes of a longest increasing subsequence: the items that kept their order. */
export function rising(numbers: readonly number[]): Set<number> {
  const ends: number[] = []; // ends[n]: the index of the smallest end of an increasing subsequence of n + 1 numbers
  const previous: number[] = [];
  for (const [index, number] of numbers.entries()) {
    let length = ends.findIndex((end) => (numbers[end] as number) >= number);
    if (length < 0) length = ends.length;
    previous[index] = length > 0 ? (ends[length - 1] as number) : -1;
    ends[length] = index;
  }
  const indexes = new Set<number>();
  for (let index = ends.at(-1) ?? -1; index >= 0; index = previous[index] as number) indexes.add(index);
  return indexes;
}
