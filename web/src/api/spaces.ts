import { call } from "./client";
import type { SpaceInfo } from "./schema";

export type { SpaceInfo } from "./schema";

const MOST = 1000;

/** The spaces that the key can access and that are not empty. */
export async function spaces(): Promise<SpaceInfo[]> {
  return (await call("GET /spaces", { query: { limit: MOST } })).items;
}
