import { call } from "./client";
import type { RollingSummaryState, Summary } from "./schema";

export type { RollingSummaryState, Summary } from "./schema";

// Secrets are masked, as in contexts: a summary may be shown where its messages are not.
const MANY = 1000;

/** Summarises the messages that no summary covers. Takes as long as the model. */
export function summariseNow(space: string, conversation: string): Promise<Summary> {
  return call("POST /conversations/{conversation}/summaries", { space, path: { conversation }, body: null });
}

/** All summaries of a conversation in any state, earliest first. */
export async function summaries(space: string, conversation: string, replaced: boolean): Promise<Summary[]> {
  const query = { status: "any" as const, replaced, limit: MANY, masked: true };
  return (await call("GET /conversations/{conversation}/summaries", { space, path: { conversation }, query })).items;
}

/** A summary and its earlier versions. */
export async function chain(space: string, conversation: string, id: string): Promise<Summary[]> {
  const path = { conversation, id };
  const query = { masked: true };
  return (await call("GET /conversations/{conversation}/summaries/{id}/chain", { space, path, query })).items;
}

/** The progress of the rolling summary. */
export function summaryWindow(space: string, conversation: string): Promise<RollingSummaryState> {
  return call("GET /conversations/{conversation}/window", { space, path: { conversation } });
}

/** The latest completed summary; undefined if there is none. */
export async function latestSummary(
  space: string,
  conversation: string,
  signal?: AbortSignal,
): Promise<Summary | undefined> {
  const query = { limit: 1, masked: true };
  return (
    await call("GET /conversations/{conversation}/summaries", { space, path: { conversation }, query, signal })
  ).items.at(-1);
}

/** True if a summary is due. */
export async function summaryDue(space: string, conversation: string): Promise<boolean> {
  return (await call("GET /conversations/{conversation}/needs-summary", { space, path: { conversation } })).needed;
}
