import { call } from "./client";
import type { ContextsWish, Shown } from "./schema";

export type { Shown } from "./schema";

/** What the model will see. */
export function context(space: string, conversation: string, body: ContextsWish): Promise<Shown> {
  return call("POST /conversations/{conversation}/context", { space, path: { conversation }, body });
}
