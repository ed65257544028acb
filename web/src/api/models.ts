import { call } from "./client";
import type { Answerer, EmbeddingModel } from "./schema";

export type { Answerer, EmbeddingModel } from "./schema";

/** Who answers in a conversation, or what to do where nobody does. */
export function answerer(space: string, conversation: string, signal?: AbortSignal): Promise<Answerer> {
  return call("GET /conversations/{conversation}/answerer", { space, path: { conversation }, signal });
}

export async function embeddingModels(signal?: AbortSignal): Promise<EmbeddingModel[]> {
  return (await call("GET /status", { signal })).models;
}
