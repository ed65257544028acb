// The texts of a receipt's items. A receipt contains ids, not texts.
import { textOf } from "../../api/messages";
import type { ContextResponse } from "../../api/receipts";

export interface ItemText {
  text: string;
  role?: string;
  /** The conversation of the item. */
  conversation?: string;
  seq?: number;
}

export type ItemTexts = ReadonlyMap<string, ItemText>;
type Item = ContextResponse["sections"][number]["items"][number];

/** The texts of the items of a context, by kind and id. */
export function textsOf(shown: ContextResponse): ItemTexts {
  const texts = new Map<string, ItemText>();
  for (const { items } of shown.sections) {
    for (const item of items) {
      const [key, words] = entry(item);
      const before = texts.get(key);
      texts.set(key, before === undefined || key !== SYSTEM ? words : { text: `${before.text}\n\n${words.text}` });
    }
  }
  return texts;
}

/** Merges the texts of two sources; the second wins. */
export function joined(first: ItemTexts, other: ItemTexts): ItemTexts {
  const texts = new Map(first);
  for (const [key, words] of other) texts.set(key, { ...first.get(key), ...words });
  return texts;
}

const SYSTEM = "text system";

function entry(item: Item): [string, ItemText] {
  if (typeof item === "string") return [SYSTEM, { text: item }];
  if ("whole" in item) {
    return [`${item.kind} ${item.id}`, { text: item.text, role: item.role, conversation: item.conversation }];
  }
  if ("base_id" in item) return [`summary ${item.id}`, { text: item.text }];
  if ("seq" in item) return [`message ${item.id}`, messageText(item)];
  if ("source_message_id" in item) return [`pin ${item.id}`, { text: item.content }];
  if ("value" in item) return [`profile ${item.name || "text"}`, { text: `${item.name}: ${String(item.value)}` }];
  if (item.message === null) return ["query query", { text: item.text, role: "user" }];
  return [`message ${item.message.id}`, messageText(item.message)];
}

type MessageFields = Extract<Item, { seq: number }>;

function messageText(message: MessageFields): ItemText {
  const calls = message.tool_calls ?? [];
  const text = [textOf(message.content), ...calls.map((call) => JSON.stringify(call))].filter(Boolean).join("\n");
  return { text, role: message.role, conversation: message.conversation, seq: message.seq };
}
