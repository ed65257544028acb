import { call } from "./client";
import type { RollingSummaryState, Summary } from "./schema";

export type { RollingSummaryState, Summary } from "./schema";

const MANY = 1000;

/** Sums up what no summary covers yet; takes as long as the model does. */
export function summariseNow(space: string, conversation: string): Promise<Summary> {
  return call("POST /conversations/{conversation}/summaries", { space, path: { conversation }, body: null });
}

/** All summaries of a conversation, whatever became of them; the earliest first. */
export async function summaries(space: string, conversation: string, replaced: boolean): Promise<Summary[]> {
  const query = { status: "any" as const, replaced, limit: MANY };
  return (await call("GET /conversations/{conversation}/summaries", { space, path: { conversation }, query })).items;
}

/** A summary, the one it goes on from, and so on. */
export async function chain(space: string, conversation: string, id: string): Promise<Summary[]> {
  const path = { conversation, id };
  return (await call("GET /conversations/{conversation}/summaries/{id}/chain", { space, path })).items;
}

/** How far the rolling summary has come. */
export function summaryWindow(space: string, conversation: string): Promise<RollingSummaryState> {
  return call("GET /conversations/{conversation}/window", { space, path: { conversation } });
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

/** Whether one is due. */
export async function summaryDue(space: string, conversation: string): Promise<boolean> {
  return (await call("GET /conversations/{conversation}/needs-summary", { space, path: { conversation } })).needed;
}
