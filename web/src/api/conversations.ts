import { call } from "./client";
import type { ConversationEditBody, ConversationInfo, ConversationStartBody } from "./schema";

export type { ConversationEditBody, ConversationInfo } from "./schema";

const PART = 1000;

/** Every conversation of a space; the one with the newest message first. */
export async function allConversations(space: string, signal?: AbortSignal): Promise<ConversationInfo[]> {
  const conversations: ConversationInfo[] = [];
  let after: string | null = null;
  do {
    const query: { limit: number; after: string | null } = { limit: PART, after };
    const part = await call("GET /conversations", { space, query, signal });
    conversations.push(...part.items);
    after = part.next;
  } while (after !== null);
  return conversations.sort(byLastMessage);
}

/** The first conversations whose name and title have all of these words. */
export async function conversationsWith(
  space: string,
  words: string,
  limit: number,
  signal?: AbortSignal,
): Promise<ConversationInfo[]> {
  return (await call("GET /conversations", { space, query: { q: words, limit }, signal })).items;
}

/** When the newest message was said; without messages, when the conversation was changed. */
export function saidAt(info: ConversationInfo): string {
  return info.last_message_at ?? info.updated_at;
}

export function byLastMessage(first: ConversationInfo, other: ConversationInfo): number {
  return Date.parse(saidAt(other)) - Date.parse(saidAt(first));
}

export function conversation(space: string, name: string): Promise<ConversationInfo> {
  return call("GET /conversations/{conversation}", { space, path: { conversation: name } });
}

export function startConversation(space: string, name: string, body: ConversationStartBody): Promise<ConversationInfo> {
  return call("PUT /conversations/{conversation}", { space, path: { conversation: name }, body });
}

export function changeConversation(space: string, name: string, body: ConversationEditBody): Promise<ConversationInfo> {
  return call("PATCH /conversations/{conversation}", { space, path: { conversation: name }, body });
}

/** Starts a branch that shares the messages up to a seq; -1 shares none. */
export function fork(space: string, name: string, at: number): Promise<ConversationInfo> {
  return call("POST /conversations/{conversation}/fork", { space, path: { conversation: name }, body: { at } });
}

export async function deleteConversation(space: string, name: string): Promise<void> {
  await call("DELETE /conversations/{conversation}", { space, path: { conversation: name } });
}
