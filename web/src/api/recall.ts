import { call } from "./client";
import type { Hit, Message } from "./schema";

export type { Hit } from "./schema";

const FEW = 8;

/** The best matching messages of a space. */
export async function recallMessages(space: string, query: string, signal?: AbortSignal): Promise<MessageHit[]> {
  const body = { query, limit: FEW, kinds: ["message" as const] };
  const hits = await call("POST /recall", { space, body, signal });
  return hits.items.flatMap(ofMessage);
}

export interface MessageHit {
  id: string;
  conversation: string;
  seq: number;
  text: string;
}

function ofMessage(hit: Hit): MessageHit[] {
  const message: Message | null = hit.message;
  if (message === null) return [];
  return [{ id: hit.id, conversation: message.conversation, seq: message.seq, text: hit.chunk?.content ?? hit.text }];
}
