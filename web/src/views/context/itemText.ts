// The texts of a receipt's items. A receipt contains ids, not texts.
import { type Message, textOf } from "../../api/messages";
import type { ContextResponse, ReceiptEntry } from "../../api/receipts";
import type { Summary } from "../../api/summaries";
import { speakerOf } from "../../parts/speakers";
import { keyOf } from "./sections";

export interface ItemText {
  text: string;
  /** Who said it: a name, otherwise a role. */
  speaker?: string;
  at?: string;
  /** The conversation of the item, and the space of that conversation if it is another one. */
  conversation?: string;
  space?: string;
  title?: string;
  seq?: number;
}

export type ItemTexts = ReadonlyMap<string, ItemText>;
type Item = ContextResponse["sections"][number]["items"][number];

/** The texts of the items of a context, by kind and id. */
export function textsOf(shown: Pick<ContextResponse, "sections">): ItemTexts {
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

/** The words and places of the items of a receipt. Items that are no longer stored have none. */
export function storedTexts(entries: readonly ReceiptEntry[]): ItemTexts {
  return new Map(entries.filter((entry) => entry.text !== "").map((entry) => [keyOf(entry.item), entryText(entry)]));
}

const ROLES = new Set(["user", "assistant", "tool", "system"]); // a receipt names the role of a speaker without a name

function entryText({ item, text, speaker, at, conversation, seq }: ReceiptEntry): ItemText {
  return {
    text,
    ...(speaker === ""
      ? {}
      : { speaker: ROLES.has(speaker) ? speakerOf({ role: speaker as Message["role"], name: null }) : speaker }),
    ...(at === null ? {} : { at }),
    ...(conversation === null ? {} : { conversation }),
    ...(seq === null ? {} : { seq }),
    ...(item.space === null ? {} : { space: item.space }),
  };
}

/** Merges what two sources say about each item; the second wins. */
export function joined(first: ItemTexts, other: ItemTexts): ItemTexts {
  const texts = new Map(first);
  for (const [key, words] of other) texts.set(key, { ...first.get(key), ...words });
  return texts;
}

/** The same items with the titles of their conversations. */
export function titled(known: ItemTexts, titles: ReadonlyMap<string, string>): ItemTexts {
  const withTitle = (words: ItemText): ItemText => {
    const title = words.space === undefined ? titles.get(words.conversation ?? "") : undefined;
    return title === undefined ? words : { ...words, title };
  };
  return new Map([...known].map(([key, words]) => [key, withTitle(words)]));
}

const SYSTEM = "text system";

function entry(item: Item): [string, ItemText] {
  if (typeof item === "string") return [SYSTEM, { text: item }];
  if ("whole" in item) {
    const { text, conversation, at } = item;
    return [keyOf(item), { text, conversation, at, speaker: speakerOf(item) }];
  }
  if ("base_id" in item) return [`summary ${item.id}`, summaryText(item)];
  if ("seq" in item) return [`message ${item.id}`, messageText(item)];
  if ("source_message_id" in item) return [`pin ${item.id}`, { text: item.content }];
  if ("value" in item) return [`profile ${item.name || "text"}`, { text: `${item.name}: ${String(item.value)}` }];
  if (item.message === null)
    return ["query query", { text: item.text, speaker: speakerOf({ role: "user", name: null }) }];
  return [`message ${item.message.id}`, messageText(item.message)];
}

export function messageText(message: Message): ItemText {
  const calls = message.tool_calls ?? [];
  const text = [textOf(message.content), ...calls.map((call) => JSON.stringify(call))].filter(Boolean).join("\n");
  const { conversation, seq, created_at: at } = message;
  return { text, conversation, seq, at, speaker: speakerOf(message) };
}

function summaryText(summary: Summary): ItemText {
  const { text, conversation, created_at: at } = summary;
  return { text, conversation, seq: summary.first_seq, at };
}
