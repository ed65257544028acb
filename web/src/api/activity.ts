import { call } from "./client";
import type { Activity, Metrics } from "./schema";

export type { Activity, Metrics } from "./schema";

/** A time range; `step` is the length of a period in seconds. */
export interface Span {
  since: string;
  until: string;
  step: number;
}

/** The activity per period, of one space or of all. */
export async function activity(space: string, span: Span, all: boolean, signal?: AbortSignal): Promise<Activity[]> {
  return (await call("GET /activity", { space, query: { ...span, all }, signal })).items;
}

/** The metrics of all retrievals in a range. */
export function metrics(space: string, span: Span, all: boolean, signal?: AbortSignal): Promise<Metrics> {
  const { since, until } = span;
  return call("GET /metrics", { space, query: { since, until, all }, signal });
}
