import { call } from "./client";
import type { ContextBody, ContextResponse } from "./schema";

export type { ContextResponse } from "./schema";

/** Builds the context that a model receives. */
export function context(space: string, conversation: string, body: ContextBody): Promise<ContextResponse> {
  return call("POST /conversations/{conversation}/context", { space, path: { conversation }, body });
}
