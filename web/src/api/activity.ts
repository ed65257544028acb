import { call } from "./client";
import type { Activity, Metrics } from "./schema";

export type { Activity, Metrics } from "./schema";

/** A stretch of time; `step` is a period's length in seconds. */
export interface Span {
  since: string;
  until: string;
  step: number;
}

/** What happened, period by period; of all spaces, where `all` says so. */
export async function activity(space: string, span: Span, all: boolean, signal?: AbortSignal): Promise<Activity[]> {
  return (await call("GET /activity", { space, query: { ...span, all }, signal })).items;
}

/** How retrievals went on the whole. */
export function metrics(space: string, span: Span, all: boolean, signal?: AbortSignal): Promise<Metrics> {
  const { since, until } = span;
  return call("GET /metrics", { space, query: { since, until, all }, signal });
}
