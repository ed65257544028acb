import { call } from "./client";
import type { SpaceInfo } from "./schema";

export type { SpaceInfo } from "./schema";

const MOST = 1000;

/** The spaces that the key opens and that hold something. */
export async function spaces(): Promise<SpaceInfo[]> {
  return (await call("GET /spaces", { query: { limit: MOST } })).items;
}
