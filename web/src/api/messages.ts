import { call } from "./client";
import type { Message, MessageBody } from "./schema";

export type { Message, MessageBody } from "./schema";

const PART = 1000;

/** The last messages before a seq, or the last of all; oldest first. */
export async function messagesBefore(
  space: string,
  conversation: string,
  before: number | null,
  limit: number,
): Promise<Message[]> {
  const query = { limit, before };
  return (await call("GET /conversations/{conversation}/messages", { space, path: { conversation }, query })).items;
}

/** Messages from one seq to another, at most `limit` of them, with masked secrets. */
export async function messagesOf(
  space: string,
  conversation: string,
  first: number,
  last: number,
  limit: number,
): Promise<Message[]> {
  const query = { after: first - 1, limit: Math.min(limit, last - first + 1), masked: true };
  const page = await call("GET /conversations/{conversation}/messages", { space, path: { conversation }, query });
  return page.items.filter((message) => message.seq <= last);
}

/** All messages after a seq. */
export async function messagesAfter(space: string, conversation: string, after: number): Promise<Message[]> {
  const messages: Message[] = [];
  for (;;) {
    const query = { limit: PART, after: messages.at(-1)?.seq ?? after };
    const part = await call("GET /conversations/{conversation}/messages", { space, path: { conversation }, query });
    messages.push(...part.items);
    if (part.items.length < PART) return messages;
  }
}

export async function addMessages(space: string, conversation: string, messages: MessageBody[]): Promise<Message[]> {
  const body = { messages };
  return (await call("POST /conversations/{conversation}/messages", { space, path: { conversation }, body })).items;
}

/** The text of a message; parts that are not text are shown by type. */
export function textOf(content: Message["content"]): string {
  if (typeof content === "string") return content;
  return content
    .map((part) => (typeof part.text === "string" ? part.text : `[${String(part.type ?? "part")}]`))
    .join("\n\n");
}

export function message(space: string, conversation: string, id: string): Promise<Message> {
  return call("GET /conversations/{conversation}/messages/{id}", { space, path: { conversation, id } });
}

/** The messages with these ids, in any conversation of the space. Unknown ids are left out. */
export async function locate(space: string, ids: readonly string[], signal?: AbortSignal): Promise<Message[]> {
  return ids.length === 0
    ? []
    : (await call("POST /messages/locate", { space, body: { ids: [...ids] }, signal })).items;
}
