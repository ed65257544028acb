import { call } from "./client";
import type { Setting } from "./schema";

export type { Setting } from "./schema";

export async function settings(space: string, signal?: AbortSignal): Promise<Setting[]> {
  return (await call("GET /settings", { space, signal })).items;
}
