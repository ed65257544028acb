import type { Span } from "./activity";
import { call } from "./client";
import type { CostTotal } from "./schema";

export type { CostTotal, TokenAllowance } from "./schema";

/** Tokens of language models, by model and operation. */
export async function cost(
  space: string,
  span: Pick<Span, "since" | "until">,
  all: boolean,
  signal?: AbortSignal,
): Promise<CostTotal[]> {
  const query = { since: span.since, until: span.until };
  return (await call(all ? "GET /cost/total" : "GET /cost", { space, query, signal })).items;
}

export function allowance(signal?: AbortSignal) {
  return call("GET /cost/allowance", { signal });
}
