import { call } from "./client";
import type { Arc, Episode } from "./schema";

export type { Arc, ArcPart, Episode } from "./schema";

const MANY = 1000;

/** The episodes of a conversation, in order. */
export async function episodes(space: string, conversation: string): Promise<Episode[]> {
  const query = { limit: MANY, masked: true };
  return (await call("GET /conversations/{conversation}/episodes", { space, path: { conversation }, query })).items;
}

export function arc(space: string, conversation: string): Promise<Arc> {
  return call("GET /conversations/{conversation}/arc", { space, path: { conversation }, query: { masked: true } });
}

export async function removeEpisode(space: string, conversation: string, id: string): Promise<void> {
  await call("DELETE /conversations/{conversation}/episodes/{id}", { space, path: { conversation, id } });
}
