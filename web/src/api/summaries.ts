import { call } from "./client";
import type { Summary } from "./schema";

export type { Summary } from "./schema";

/** Sums up what no summary covers yet; takes as long as the model does. */
export function summariseNow(space: string, conversation: string): Promise<Summary> {
  return call("POST /conversations/{conversation}/summaries", { space, path: { conversation }, body: null });
}

/** The last one that was completed; undefined where there is none. */
export async function latestSummary(
  space: string,
  conversation: string,
  signal?: AbortSignal,
): Promise<Summary | undefined> {
  const query = { limit: 1 };
  return (
    await call("GET /conversations/{conversation}/summaries", { space, path: { conversation }, query, signal })
  ).items.at(-1);
}
