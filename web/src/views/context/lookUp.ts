// Looks up the items of a receipt: the words of those that were left out, and the place of all.
import { call } from "../../api/client";
import { type Fact, fact } from "../../api/facts";
import { locate, type Message } from "../../api/messages";
import { Problem } from "../../api/problem";
import type { Receipt, ReceiptItem } from "../../api/receipts";
import { summaries } from "../../api/summaries";
import { type ItemText, type ItemTexts, messageText, summaryText } from "./itemText";
import { keyOf } from "./sections";

const MANY = 500;
const FEW = 12; // facts that are read one by one

type Origin = Pick<Receipt, "space" | "conversation" | "question">;

/** What is stored of the items: text, speaker, time and place. Items that are no longer stored are left out. */
export async function lookUp(origin: Origin, items: readonly ReceiptItem[], signal: AbortSignal): Promise<ItemTexts> {
  const spaces = [...new Set(items.map((item) => item.space))];
  const found = await Promise.all(
    spaces.map((space) => inSpace(origin, space, items.filter((item) => item.space === space), signal)), // biome-ignore format: one line
  );
  return new Map(found.flat());
}

async function inSpace(origin: Origin, other: string | null, items: readonly ReceiptItem[], signal: AbortSignal) {
  const space = other ?? origin.space;
  const said = items.filter((item) => item.kind === "message").map((item) => item.id);
  const sources = items.flatMap((item) => item.source_message_id ?? []);
  const messages = new Map(
    (await locate(space, [...new Set([...said, ...sources])], signal)).map((message) => [message.id, message]),
  );
  const lists = await Promise.all(
    Object.entries(READERS).map(([kind, read]) => {
      const wanted = items.filter((item) => item.kind === kind);
      return wanted.length === 0 ? [] : read({ ...origin, space, home: other === null, messages, signal }, wanted);
    }),
  );
  return lists.flat().map(([item, words]): [string, ItemText] => {
    return [keyOf(item), other === null ? words : { ...words, space: other }];
  });
}

interface Source extends Origin {
  /** The items are of the space of the receipt. */
  home: boolean;
  /** The messages among the items, and those that items were made from. */
  messages: ReadonlyMap<string, Message>;
  signal: AbortSignal;
}

type Reader = (from: Source, items: readonly ReceiptItem[]) => Promise<[ReceiptItem, ItemText][]>;

/** The items that `words` knows, with their words. */
function known(items: readonly ReceiptItem[], words: (item: ReceiptItem) => ItemText | undefined) {
  return items.flatMap((item): [ReceiptItem, ItemText][] => {
    const text = words(item);
    return text === undefined ? [] : [[item, text]];
  });
}

const READERS: Record<string, Reader> = {
  message: async ({ messages }, items) =>
    known(items, ({ id }) => {
      const message = messages.get(id);
      return message && messageText(message);
    }),
  fact: async ({ space, signal }, items) => {
    const facts = new Map((await factsOf(space, items.map((item) => item.id), signal)).map((each) => [each.id, each])); // biome-ignore format: one line
    return known(items, ({ id }) => {
      const found = facts.get(id);
      return found && factText(found);
    });
  },
  pin: async (from, items) => {
    const pins = await pinsOf(from, items);
    return known(items, (item) => {
      const source = from.messages.get(item.source_message_id ?? "");
      const place = source && messageText(source);
      const text = pins.get(item.id)?.text ?? place?.text;
      return text === undefined ? undefined : { ...pins.get(item.id), ...place, text };
    });
  },
  summary: async ({ space, conversation }, items) => {
    const all = new Map((await summaries(space, conversation, true)).map((each) => [each.id, each]));
    return known(items, ({ id }) => {
      const summary = all.get(id);
      return summary && summaryText(summary);
    });
  },
  profile: async ({ space, signal, messages }, items) => {
    const { fields, free } = await call("GET /profile", { space, signal });
    const all = [...fields, ...(free === null ? [] : [free])];
    return known(items, ({ id, source_message_id }) => {
      const field = all.find((each) => (each.name || "text") === id);
      const source = messages.get(source_message_id ?? "");
      const place = source && messageText(source);
      return field && { at: field.set_at, ...place, text: `${field.name}: ${String(field.value)}` };
    });
  },
};

async function factsOf(space: string, ids: readonly string[], signal: AbortSignal): Promise<Fact[]> {
  const query = { status: "any" as const, limit: MANY };
  const first = ids.length <= FEW ? [] : (await call("GET /facts", { space, query, signal })).items;
  const seen = new Set(first.map((each) => each.id));
  const rest = await Promise.all(ids.filter((id) => !seen.has(id)).map((id) => fact(space, id).catch(ifGone)));
  return [...first, ...rest.flatMap((each) => each ?? [])];
}

function ifGone(thrown: unknown): undefined {
  if (!(thrown instanceof Problem && thrown.status === 404)) throw thrown;
}

function factText(found: Fact): ItemText {
  const [evidence] = found.evidence;
  const { text, created_at: at } = found;
  if (evidence === undefined) return { text, at };
  return { text, at: evidence.said_at, speaker: evidence.speaker, conversation: evidence.conversation };
}

/** The pins of the conversation; those of others as a search for the question finds them. */
async function pinsOf(from: Source, items: readonly ReceiptItem[]): Promise<Map<string, ItemText>> {
  const { space, conversation, question, signal } = from;
  const path = { conversation };
  const own = from.home ? (await call("GET /conversations/{conversation}/pins", { space, path, signal })).items : [];
  const pins = new Map<string, ItemText>();
  for (const { id, content: text, created_at: at } of own) pins.set(id, { text, at, conversation });
  if (question !== null && items.some((item) => !pins.has(item.id))) {
    const body = { query: question, kinds: ["pin" as const], limit: MANY };
    const hits = (await call("POST /recall", { space, body, signal })).items;
    for (const { id, text, conversation: place, at } of hits) {
      if (!pins.has(id)) pins.set(id, { text, conversation: place, ...(at === null ? {} : { at }) });
    }
  }
  return pins;
}
