import { call } from "./client";
import type { EmbeddingModel, ResponderInfo } from "./schema";

export type { EmbeddingModel, ResponderInfo } from "./schema";

/** Which model answers in a conversation, or why none does. */
export function answerer(space: string, conversation: string, signal?: AbortSignal): Promise<ResponderInfo> {
  return call("GET /conversations/{conversation}/answerer", { space, path: { conversation }, signal });
}

export async function embeddingModels(signal?: AbortSignal): Promise<EmbeddingModel[]> {
  return (await call("GET /status", { signal })).models;
}
