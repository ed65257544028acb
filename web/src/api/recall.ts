import { call } from "./client";
import type { Hit, Message } from "./schema";

export type { Hit } from "./schema";

const FEW = 8;

/** The best matching messages of a space, or of one conversation. */
export async function recallMessages(
  space: string,
  query: string,
  signal?: AbortSignal,
  conversation: string | null = null,
): Promise<MessageHit[]> {
  const body = { query, limit: FEW, kinds: ["message" as const], conversation };
  const hits = await call("POST /recall", { space, body, signal });
  return hits.items.flatMap(ofMessage);
}

export interface MessageHit {
  id: string;
  conversation: string;
  seq: number;
  text: string;
  role: Message["role"];
  name: string | null;
  at: string;
}

function ofMessage(hit: Hit): MessageHit[] {
  const message: Message | null = hit.message;
  if (message === null) return [];
  const { conversation, seq, role, name } = message;
  const text = hit.chunk?.content ?? hit.text;
  return [{ id: hit.id, conversation, seq, text, role, name, at: message.created_at }];
}
