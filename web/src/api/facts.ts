import { call, type Options } from "./client";
import type { Fact, FactBody, FactEditBody, Relation, RelationBody, FactPage as StoredPage } from "./schema";

export type { Evidence, Fact, FactBody, FactEditBody, Relation } from "./schema";

export type Kind = Fact["kind"];
export type Status = Fact["status"];
export type RelationKind = Relation["kind"];
export type Decision = "promote" | "reject" | "archive" | "undo";
/** A filter for facts. */
export type FactFilter = Omit<NonNullable<Options<"GET /facts">["query"]>, "limit" | "after">;

const PART = 500;
const MANY = 1000;

export interface FactPage {
  items: Fact[];
  /** True if there are more facts. */
  more: boolean;
}

/** The first facts that match the filter, at most `count`, in the order of creation. */
export async function facts(space: string, filter: FactFilter, count: number, signal?: AbortSignal): Promise<FactPage> {
  const items: Fact[] = [];
  let after: string | null = null;
  do {
    const query: Options<"GET /facts">["query"] = { ...filter, limit: Math.min(PART, count - items.length), after };
    const part: StoredPage = await call("GET /facts", { space, query, signal });
    items.push(...part.items);
    after = part.next;
  } while (after !== null && items.length < count);
  return { items, more: after !== null };
}

/** The best matching facts. */
export async function recallFacts(
  space: string,
  query: string,
  moment: Pick<FactFilter, "as_of" | "known_at">,
  signal?: AbortSignal,
): Promise<Fact[]> {
  const body = { query, limit: 50, kinds: ["fact" as const], ...moment };
  const hits = await call("POST /recall", { space, body, signal });
  return hits.items.flatMap((hit) => (hit.fact === null ? [] : [hit.fact]));
}

export function fact(space: string, id: string): Promise<Fact> {
  return call("GET /facts/{id}", { space, path: { id } });
}

export function remember(space: string, body: FactBody): Promise<Fact> {
  return call("POST /facts", { space, body });
}

export function editFact(space: string, id: string, body: FactEditBody): Promise<Fact> {
  return call("PATCH /facts/{id}", { space, path: { id }, body });
}

export function decide(space: string, id: string, decision: Decision): Promise<Fact> {
  return call(`POST /facts/{id}/${decision}`, { space, path: { id } });
}

/** Says that a fact is no longer true, and why. */
export function archive(space: string, id: string, reason: string): Promise<Fact> {
  return call("POST /facts/{id}/archive", { space, path: { id }, body: reason === "" ? null : { reason } });
}

/** Replaces a fact by another one, from now on or from the start of the new fact. */
export async function supersede(space: string, old: Fact, body: FactBody): Promise<Fact> {
  const made = await remember(space, body);
  const ended = await fact(space, old.id);
  if (ended.status !== "superseded") await relate(space, { source: made.id, kind: "supersedes", target: old.id });
  return made;
}

export async function review(space: string): Promise<Fact[]> {
  return (await call("GET /review", { space, query: { limit: MANY } })).items;
}

export async function relations(space: string): Promise<Relation[]> {
  return (await call("GET /relations", { space, query: { limit: MANY } })).items;
}

export function relate(space: string, body: RelationBody): Promise<Relation> {
  return call("POST /relations", { space, body });
}

export async function unrelate(space: string, { source, kind, target }: Relation): Promise<void> {
  await call("DELETE /relations", { space, query: { source, kind, target } });
}
