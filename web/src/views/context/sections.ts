// The sections of a context, in the order in which a model reads them.
import type { ReceiptItem } from "../../api/receipts";
import type { Share } from "../../parts/TokenBar";

const SECTIONS: Record<string, { title: string; colour: string }> = {
  system: { title: "System", colour: "var(--hue-8)" },
  profile: { title: "Profile", colour: "var(--hue-4)" },
  pins: { title: "Pins", colour: "var(--hue-2)" },
  summaries: { title: "Summaries", colour: "var(--hue-7)" },
  history: { title: "History", colour: "var(--hue-1)" },
  recalled: { title: "Recalled", colour: "var(--hue-3)" },
  newest: { title: "Newest message", colour: "var(--hue-6)" },
};
const CHANGING = new Set(["recalled", "newest"]); // these change with every question and come last

export function keyOf(item: Pick<ReceiptItem, "kind" | "id"> & { space?: string | null }): string {
  return `${item.kind} ${item.id}${item.space ? ` of ${item.space}` : ""}`;
}

export function titleOf(section: string): string {
  return SECTIONS[section]?.title ?? section;
}

export function colourOf(section: string): string {
  return SECTIONS[section]?.colour ?? "var(--hue-5)";
}

export function inPrefix(section: string): boolean {
  return !CHANGING.has(section);
}

export function shares(sections: Readonly<Record<string, number>>): Share[] {
  return Object.entries(sections).map(([name, tokens]) => ({ name: titleOf(name), tokens, colour: colourOf(name) }));
}

export interface Stretch {
  section: string;
  items: ReceiptItem[];
}

/** Groups consecutive items of one section. */
export function stretches(items: readonly ReceiptItem[]): Stretch[] {
  const groups: Stretch[] = [];
  for (const item of items) {
    const last = groups.at(-1);
    if (last?.section === item.section) last.items.push(item);
    else groups.push({ section: item.section, items: [item] });
  }
  return groups;
}

/** Excluded items grouped by reason, largest group first. */
export function byReason(items: readonly ReceiptItem[]): [reason: string, items: ReceiptItem[]][] {
  const groups = new Map<string, ReceiptItem[]>();
  for (const item of items) {
    const same = groups.get(item.reason);
    if (same === undefined) groups.set(item.reason, [item]);
    else same.push(item);
  }
  return [...groups].sort((first, other) => other[1].length - first[1].length);
}
