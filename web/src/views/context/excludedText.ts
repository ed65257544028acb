// The texts of excluded items, as far as a few list requests return them.
import { call } from "../../api/client";
import { textOf } from "../../api/messages";
import type { Receipt } from "../../api/receipts";
import type { ItemText, ItemTexts } from "./itemText";

const MANY = 500;

export async function excludedTexts(space: string, receipt: Receipt, signal: AbortSignal): Promise<ItemTexts> {
  const out = new Set(receipt.items.filter((item) => !item.included).map((item) => item.kind));
  const lists = await Promise.all(
    Object.entries(LISTS).map(([kind, list]) => (out.has(kind) ? list(space, receipt.conversation, signal) : [])),
  );
  return new Map(lists.flat());
}

type List = (space: string, conversation: string, signal: AbortSignal) => Promise<[string, ItemText][]>;

const LISTS: Record<string, List> = {
  message: async (space, conversation, signal) => {
    const options = { space, path: { conversation }, query: { limit: MANY }, signal };
    const { items } = await call("GET /conversations/{conversation}/messages", options);
    return items.map((message) => [
      `message ${message.id}`,
      { text: textOf(message.content), role: message.role, conversation, seq: message.seq },
    ]);
  },
  fact: async (space, _, signal) => {
    const { items } = await call("GET /facts", { space, query: { limit: MANY }, signal });
    return items.map((fact) => [`fact ${fact.id}`, { text: fact.text }]);
  },
  pin: async (space, conversation, signal) => {
    const { items } = await call("GET /conversations/{conversation}/pins", { space, path: { conversation }, signal });
    return items.map((pin) => [`pin ${pin.id}`, { text: pin.content }]);
  },
  summary: async (space, conversation, signal) => {
    const options = { space, path: { conversation }, query: { limit: MANY }, signal };
    const { items } = await call("GET /conversations/{conversation}/summaries", options);
    return items.map((summary) => [`summary ${summary.id}`, { text: summary.text }]);
  },
  episode: async (space, _, signal) => {
    const { items } = await call("GET /episodes", { space, query: { limit: MANY }, signal });
    return items.map((episode) => [`episode ${episode.id}`, { text: episode.summary }]);
  },
};
