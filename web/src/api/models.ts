import { call } from "./client";
import type { EmbeddingModel, ResponderInfo } from "./schema";

export type { EmbeddingModel, ResponderInfo } from "./schema";

/** Who answers in a conversation, or what to do where nobody does. */
export function answerer(space: string, conversation: string, signal?: AbortSignal): Promise<ResponderInfo> {
  return call("GET /conversations/{conversation}/answerer", { space, path: { conversation }, signal });
}

export async function embeddingModels(signal?: AbortSignal): Promise<EmbeddingModel[]> {
  return (await call("GET /status", { signal })).models;
}
