import { call } from "./client";
import type { Summary } from "./schema";

export type { Summary } from "./schema";

/** Sums up what no summary covers yet; takes as long as the model does. */
export function summariseNow(space: string, conversation: string): Promise<Summary> {
  return call("POST /conversations/{conversation}/summaries", { space, path: { conversation }, body: null });
}
